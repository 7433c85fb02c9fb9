#include "tools/dwarf/function_types.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include <algorithm>

#include "lib/base/unique_fd.h"
#include "lib/values/value.h"
#include "tools/dwarf/type_rules.h"
#include "tools/model/data_error.h"

namespace mipstrace::tools {

namespace {

// Numbers arguments so that lib/values/place.h finds each where the ABI passes it: what has no
// value counts as a word there.
class ArgumentList {
  public:
    explicit ArgumentList(const TypeRules& rules) : rules_(rules) {}

    void skip_words(uint64_t words) {
        index_ += words;
        slot_ += words;
    }
    // False: where the next ones are can't be told.
    bool add(const PassedType& type) {
        if (type.size == 0) return false;
        const unsigned word = rules_.word_bytes();
        const uint64_t words = (type.size + word - 1) / word;
        const bool is_wide = type.is_structure ? type.alignment > word : type.size == 2 * word;
        // A structure's place is not moved by the recorder.
        if (is_wide && slot_ % 2 != 0 && (type.is_structure || type.format.empty())) skip_words(1);
        if (type.format.empty()) {
            skip_words(words);
            return true;
        }
        if (is_wide && slot_ % 2 != 0) slot_++;
        index_++;
        slot_ += words;
        if (index_ > values::kLastArgument || ++count_ > kMost) return false;
        text_ += (text_.empty() ? "" : ",") + std::string(type.is_floating ? "fparg" : "arg") +
                 std::to_string(index_) + "/" + type.format;
        return true;
    }
    const std::string& text() const { return text_; }

  private:
    static constexpr unsigned kMost = values::kMostValues - 1;  // and what is returned

    const TypeRules& rules_;
    std::string text_;
    uint64_t index_ = 0;
    uint64_t slot_ = 0;
    unsigned count_ = 0;
};

bool is_returned_in_memory(const TypeRules& rules, const PassedType& type) {
    return type.is_structure && (rules.is_o32() || type.size > 16);
}

bool has_parameters(Dwarf_Die& function) {
    Dwarf_Die child;
    for (int more = dwarf_child(&function, &child); more == 0;
         more = dwarf_siblingof(&child, &child))
        if (dwarf_tag(&child) == DW_TAG_formal_parameter) return true;
    return false;
}

class Collector {
  public:
    Collector(uint8_t abi, ModuleTypes* out) : rules_(abi, &out->enumerations), out_(*out) {}

    void add(Dwarf_Die& function) {
        FunctionTypes types;
        Dwarf_Addr low = 0;
        Dwarf_Addr high = 0;
        if (dwarf_lowpc(&function, &low) != 0 || low == 0) return;
        types.address = low;
        if (dwarf_highpc(&function, &high) == 0 && high > low) types.size = high - low;
        ArgumentList list(rules_);
        add_returned(function, &types, &list);
        Dwarf_Die with = function;
        Dwarf_Attribute attribute;
        if (!has_parameters(function) &&
            dwarf_attr(&function, DW_AT_abstract_origin, &attribute) != nullptr)
            dwarf_formref_die(&attribute, &with);
        Dwarf_Die child;
        for (int more = dwarf_child(&with, &child); more == 0;
             more = dwarf_siblingof(&child, &child))
            if (dwarf_tag(&child) == DW_TAG_formal_parameter && !list.add(rules_.passed(child)))
                break;
        types.arguments = list.text();
        if (!types.arguments.empty() || !types.retval.empty())
            out_.functions.push_back(std::move(types));
    }

  private:
    void add_returned(Dwarf_Die& function, FunctionTypes* types, ArgumentList* list) {
        const PassedType type = rules_.passed(function);
        // The caller gives the place.
        if (type.is_by_reference || is_returned_in_memory(rules_, type)) list->skip_words(1);
        if (type.is_by_reference && type.format != "S") return;
        if (type.format.empty() || is_returned_in_memory(rules_, type)) return;
        std::string format = type.is_floating ? "f" + type.format : type.format;
        if (type.is_structure) {
            // What is floating alone has registers of its own, a float each.
            if (type.has_floats) return;
            if (!type.is_all_doubles) format = format.substr(0, format.find_first_of("if", 1));
        }
        types->retval = "retval/" + format;
    }

    TypeRules rules_;
    ModuleTypes& out_;
};

}  // namespace

bool can_read_types() {
    return true;
}

ModuleTypes read_types(const std::string& path, uint8_t abi) {
    ModuleTypes out;
    UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) throw DataError("cannot read " + path + ": " + strerror(errno));
    Dwarf* dwarf = dwarf_begin(fd.get(), DWARF_C_READ);
    if (dwarf == nullptr) return out;
    Collector collector(abi, &out);
    Dwarf_CU* unit = nullptr;
    Dwarf_Die top;
    Dwarf_Half version = 0;
    uint8_t kind = 0;
    while (dwarf_get_units(dwarf, unit, &unit, &version, &kind, &top, nullptr) == 0) {
        if (dwarf_tag(&top) != DW_TAG_compile_unit) continue;
        out.has_debug_info = true;
        dwarf_getfuncs(
            &top,
            [](Dwarf_Die* function, void* to) {
                static_cast<Collector*>(to)->add(*function);
                return int(DWARF_CB_OK);
            },
            &collector, 0);
    }
    dwarf_end(dwarf);
    std::sort(out.functions.begin(), out.functions.end(),
              [](const FunctionTypes& a, const FunctionTypes& b) { return a.address < b.address; });
    return out;
}

}  // namespace mipstrace::tools
