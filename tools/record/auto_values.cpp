#include "tools/record/auto_values.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "lib/elf/elf_file.h"
#include "lib/filter/function_filter.h"
#include "lib/record/trace_format.h"
#include "lib/values/parse.h"
#include "tools/dwarf/function_types.h"
#include "tools/dwarf/needed_objects.h"
#include "tools/model/data_error.h"
#include "tools/model/demangle.h"
#include "tools/model/module_files.h"
#include "tools/model/symbol_table.h"

namespace mipstrace::tools {

namespace {

// One item of -A or -R.
struct Wish {
    std::string option;
    std::string pattern;
    bool by_hand = false;
    bool is_met = false;
};

struct Wishes {
    bool all = false;
    std::vector<Wish> arguments;
    std::vector<Wish> retvals;
    std::set<std::string> enumerations;  // that are named by hand

    bool need_debug_info() const {
        auto is_open = [](const std::vector<Wish>& list) {
            return std::any_of(list.begin(), list.end(), [](const Wish& w) { return !w.by_hand; });
        };
        return all || is_open(arguments) || is_open(retvals);
    }
};

std::vector<Wish> wishes_of(const char* option, const std::vector<std::string>& lists,
                            std::set<std::string>* enumerations) {
    std::vector<Wish> wishes;
    for (const std::string& list : lists)
        values::for_each_rule(list, [&](std::string_view text) {
            const values::Rule rule = values::split_rule(text);
            std::string pattern(rule.function);
            if (!rule.module.empty()) pattern += "@" + std::string(rule.module);
            wishes.push_back({option, pattern, !rule.values.empty()});
            if (rule.values.empty()) return;
            std::string_view wrong;
            values::parse_values(rule.values, &wrong,
                                 [&](const values::Value&, std::string_view enumeration) {
                                     if (!enumeration.empty()) enumerations->emplace(enumeration);
                                 });
        });
    return wishes;
}

// Whether a function is wanted that is not described by hand.
bool is_wanted(std::vector<Wish>& wishes, bool all, const filter::FunctionName& name) {
    bool wanted = all;
    bool by_hand = false;
    for (Wish& wish : wishes) {
        if (!filter::list_matches(wish.pattern, name)) continue;
        wish.is_met = true;
        (wish.by_hand ? by_hand : wanted) = true;
    }
    return wanted && !by_hand;
}

// The compiler has made it of another function, and changed what it takes.
bool is_changed_clone(std::string_view symbol) {
    for (const char* mark : {".isra", ".constprop", ".part", ".cold"})
        if (symbol.find(mark) != std::string_view::npos) return true;
    return false;
}

std::string hexadecimal(uint64_t number) {
    char text[24];
    snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(number));
    return text;
}

uint8_t abi_of(const MipsTarget& target) {
    if (target.name.find("n32") != std::string::npos) return uint8_t(format::Abi::n32);
    const bool is_64 = target.name.find("64") != std::string::npos;
    return uint8_t(is_64 ? format::Abi::n64 : format::Abi::o32);
}

class RuleFile {
  public:
    RuleFile(Wishes* wishes, uint8_t abi) : wishes_(*wishes), abi_(abi) {}

    void add_object(const std::string& path) {
        elf::ElfFile file;
        if (file.open(path.c_str()) != elf::OpenError::none || !file.is_mips()) return;
        const ModuleTypes types = read_types(path, abi_);
        has_debug_info |= types.has_debug_info;
        SymbolTable symbols;
        if (!symbols.add(file, false)) symbols.add(file, true);
        symbols.finish();
        std::string functions;
        for (const FunctionTypes& function : types.functions)
            functions += line_of(function, symbols, base_name(path));
        for (const auto& [name, words] : types.enumerations)
            if (used_.count(name) != 0 || wishes_.enumerations.count(name) != 0)
                enumerations_[name] = words;
        if (functions.empty()) return;
        const std::string id = hex(file.build_id());
        functions_ +=
            "module " + (id.empty() ? "-" : id) + " " + base_name(path) + "\n" + functions;
    }

    std::string text() const {
        std::string all = rule_lines_;
        for (const auto& [name, words] : enumerations_)
            all += "enum " + name + " " + words + "\n";
        return all + functions_;
    }
    bool has_debug_info = false;

  private:
    std::string line_of(const FunctionTypes& function, const SymbolTable& symbols,
                        const std::string& module) {
        const FunctionSymbol* symbol = symbols.containing(function.address);
        if (symbol == nullptr || is_changed_clone(symbol->name)) return "";
        const std::string full = demangled(std::string(symbol->name), Demangle::full);
        filter::FunctionName name{symbol->name, {}, module};
        if (full != symbol->name) name.demangled = full;
        std::string rule;
        if (is_wanted(wishes_.arguments, wishes_.all, name)) rule = function.arguments;
        if (is_wanted(wishes_.retvals, wishes_.all, name) && !function.retval.empty())
            rule += (rule.empty() ? "" : ",") + function.retval;
        if (rule.empty()) return "";
        return hexadecimal(function.address) + " " + hexadecimal(function.size) + " " +
               std::to_string(number_of(rule)) + "\n";
    }
    size_t number_of(const std::string& rule) {
        const auto [entry, is_new] = rules_.try_emplace(rule, rules_.size() + 1);
        if (!is_new) return entry->second;
        rule_lines_ += "rule " + rule + "\n";
        std::string_view wrong;
        values::parse_values(rule, &wrong, [&](const values::Value&, std::string_view enumeration) {
            if (!enumeration.empty()) used_.emplace(enumeration);
        });
        return entry->second;
    }

    Wishes& wishes_;
    const uint8_t abi_;
    std::map<std::string, size_t> rules_;
    std::set<std::string> used_;
    std::map<std::string, std::string> enumerations_;
    std::string rule_lines_;
    std::string functions_;
};

void check_met(const std::vector<Wish>& wishes, const std::string& program, bool has_debug_info) {
    for (const Wish& wish : wishes) {
        if (wish.by_hand || wish.is_met) continue;
        const std::string by_hand = wish.option + " '" + wish.pattern +
                                    (wish.option == "-A" ? "@arg1/i32'" : "@retval/i32'");
        if (!has_debug_info)
            throw DataError(wish.option + " " + wish.pattern + ": " + program +
                            " has no debug information: compile it with -g, or give the types "
                            "yourself, as in " +
                            by_hand);
        throw DataError(wish.option + " " + wish.pattern + ": the debug information of " + program +
                        " tells of no such function (`mipstrace sites` lists the names); if it is "
                        "in a library that is loaded later, give the types yourself, as in " +
                        by_hand);
    }
}

}  // namespace

std::string rules_by_hand(const std::vector<std::string>& lists) {
    std::string all;
    for (const std::string& list : lists)
        values::for_each_rule(list, [&](std::string_view text) {
            if (values::split_rule(text).values.empty()) return;
            all += (all.empty() ? "" : ";") + std::string(text);
        });
    return all;
}

std::string rules_from_debug_info(const RecordOptions& options, const Program& program) {
    Wishes wishes;
    wishes.all = options.auto_args;
    wishes.arguments = wishes_of("-A", options.arguments, &wishes.enumerations);
    wishes.retvals = wishes_of("-R", options.retvals, &wishes.enumerations);
    if (!wishes.need_debug_info() && (wishes.enumerations.empty() || !can_read_types())) return "";
    if (!can_read_types())
        throw DataError(
            "this mipstrace was built without libdw, which reads debug information: give the types "
            "yourself, as in -A 'f@arg1/i32', or record on a machine that has it");
    RuleFile file(&wishes, abi_of(program.target));
    for (const std::string& path : own_objects(program.path))
        file.add_object(path);
    check_met(wishes.arguments, program.path, file.has_debug_info);
    check_met(wishes.retvals, program.path, file.has_debug_info);
    if (options.auto_args && !file.has_debug_info)
        throw DataError("--auto-args: " + program.path +
                        " has no debug information: compile it with -g, or give types with -A and "
                        "-R");
    return file.text();
}

}  // namespace mipstrace::tools
