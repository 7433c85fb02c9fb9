#include "tools/dwarf/type_rules.h"

#include <dwarf.h>

#include <algorithm>
#include <cstring>

#include "lib/values/value.h"

namespace mipstrace::tools {

namespace {

// Chains of types are short; those of a damaged file may be circles.
constexpr int kLongestChain = 64;
constexpr size_t kLongestEnumeration = 16 * 1024;  // characters of its words

bool is_qualifier(int tag) {
    return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
           tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

bool is_structure_tag(int tag) {
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

uint64_t number_of(Dwarf_Die& die, unsigned name, uint64_t otherwise) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr_integrate(&die, name, &attribute) == nullptr ||
        dwarf_formudata(&attribute, &value) != 0)
        return otherwise;
    return value;
}

bool is_standard_string(Dwarf_Die& type) {
    const char* name = dwarf_diename(&type);
    if (name == nullptr || !is_structure_tag(dwarf_tag(&type))) return false;
    // libstdc++'s, in its namespace __cxx11; the older one has another layout.
    if (std::string_view(name) !=
        "basic_string<char, std::char_traits<char>, std::allocator<char> >")
        return false;
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes_die(&type, &scopes);
    bool is_new = false;
    for (int i = 0; i < count; i++) {
        const char* scope = dwarf_diename(&scopes[i]);
        if (scope != nullptr && std::strcmp(scope, "__cxx11") == 0) is_new = true;
    }
    free(scopes);
    return is_new;
}

bool is_char(Dwarf_Die& type) {
    const char* name = dwarf_diename(&type);
    return dwarf_tag(&type) == DW_TAG_base_type && name != nullptr &&
           std::strcmp(name, "char") == 0;
}

// A constructor that copies or moves, or a destructor, that somebody has written.
bool is_about_copies(Dwarf_Die& method, Dwarf_Die& type) {
    const char* name = dwarf_diename(&method);
    const char* class_name = dwarf_diename(&type);
    if (name == nullptr || class_name == nullptr || dwarf_hasattr(&method, DW_AT_artificial) != 0)
        return false;
    if (name[0] == '~') return true;
    const std::string_view whole(class_name);
    if (whole.substr(0, whole.find('<')) != name) return false;
    Dwarf_Die child;
    for (int more = dwarf_child(&method, &child); more == 0;
         more = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) != DW_TAG_formal_parameter ||
            dwarf_hasattr(&child, DW_AT_artificial) != 0)
            continue;
        Dwarf_Die reference;
        Dwarf_Die target;
        return bare_type_of(child, &reference) &&
               (dwarf_tag(&reference) == DW_TAG_reference_type ||
                dwarf_tag(&reference) == DW_TAG_rvalue_reference_type) &&
               bare_type_of(reference, &target) &&
               dwarf_dieoffset(&target) == dwarf_dieoffset(&type);
    }
    return false;
}

// Of a class that copies can't be made of by copying its bytes the caller passes the address. The
// compiler says so in DWARF 5; else it shows in what the class and its members have.
bool is_in_reference(Dwarf_Die& type, int depth = 0) {
    constexpr uint64_t kPassByReference = 4;  // DW_CC_pass_by_reference
    constexpr uint64_t kPassByValue = 5;
    const uint64_t convention = number_of(type, DW_AT_calling_convention, 0);
    if (convention == kPassByReference || convention == kPassByValue || depth == 8)
        return convention == kPassByReference;
    Dwarf_Die child;
    for (int more = dwarf_child(&type, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        const int tag = dwarf_tag(&child);
        if (dwarf_hasattr(&child, DW_AT_virtuality) != 0) return true;
        if (tag == DW_TAG_subprogram && is_about_copies(child, type)) return true;
        Dwarf_Die its;
        const bool is_part = (tag == DW_TAG_member && dwarf_hasattr(&child, DW_AT_external) == 0) ||
                             tag == DW_TAG_inheritance;
        if (is_part && bare_type_of(child, &its) && is_structure_tag(dwarf_tag(&its)) &&
            is_in_reference(its, depth + 1))
            return true;
    }
    return false;
}

std::string bits(uint64_t bytes) {
    return std::to_string(8 * bytes);
}

bool is_word(std::string_view text) {
    constexpr std::string_view kEnds = ",;%@= \t\n/";
    return !text.empty() && text.find_first_of(kEnds) == std::string_view::npos;
}

}  // namespace

bool bare_type_of(Dwarf_Die& die, Dwarf_Die* type, const char** alias) {
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(&die, DW_AT_type, &attribute) == nullptr ||
        dwarf_formref_die(&attribute, type) == nullptr)
        return false;
    for (int i = 0; is_qualifier(dwarf_tag(type)); i++) {
        if (alias != nullptr && *alias == nullptr && dwarf_tag(type) == DW_TAG_typedef)
            *alias = dwarf_diename(type);
        Dwarf_Die inner;
        if (i == kLongestChain || dwarf_attr(type, DW_AT_type, &attribute) == nullptr ||
            dwarf_formref_die(&attribute, &inner) == nullptr)
            return false;
        *type = inner;
    }
    return true;
}

PassedType TypeRules::base(Dwarf_Die& type, uint64_t size) {
    PassedType out;
    out.size = out.alignment = size;
    const bool is_integer = size == 1 || size == 2 || size == 4 || size == 8;
    switch (number_of(type, DW_AT_encoding, 0)) {
        case DW_ATE_boolean:
            if (size == 1) out.format = "b";
            break;
        case DW_ATE_float:
            out.is_floating = size == 4 || size == 8 || size == 16;
            if (out.is_floating) out.format = size == 16 ? "80" : bits(size);
            break;
        case DW_ATE_signed_char:
        case DW_ATE_unsigned_char:
        case DW_ATE_signed:
            if (is_char(type))
                out.format = "c";
            else if (is_integer)
                out.format =
                    (number_of(type, DW_AT_encoding, 0) == DW_ATE_unsigned_char ? "u" : "i") +
                    bits(size);
            break;
        case DW_ATE_unsigned:
        case DW_ATE_UTF:
            if (is_integer) out.format = "u" + bits(size);
            break;
        default:
            break;
    }
    return out;
}

PassedType TypeRules::pointer(Dwarf_Die& type) {
    PassedType out;
    out.size = out.alignment = pointer_bytes();
    out.format = "p";
    Dwarf_Die target;
    if (!bare_type_of(type, &target)) return out;
    if (is_char(target) && dwarf_tag(&type) == DW_TAG_pointer_type) out.format = "s";
    if (is_standard_string(target)) out.format = "S";
    return out;
}

PassedType TypeRules::enumeration(Dwarf_Die& type, const char* alias, uint64_t size) {
    PassedType out;
    out.size = out.alignment = size;
    const char* own = dwarf_diename(&type);
    const std::string name = own != nullptr ? own : alias != nullptr ? alias : "";
    if (size > 4 || !is_word(name)) {
        out.format = "i" + bits(size);
        return out;
    }
    out.format = "e:" + name;
    if (enumerations_.count(name) != 0) return out;
    std::string& words = enumerations_[name];
    Dwarf_Die child;
    for (int more = dwarf_child(&type, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        const char* word = dwarf_diename(&child);
        Dwarf_Attribute attribute;
        Dwarf_Sword value = 0;
        if (dwarf_tag(&child) != DW_TAG_enumerator || word == nullptr || !is_word(word) ||
            dwarf_attr(&child, DW_AT_const_value, &attribute) == nullptr ||
            dwarf_formsdata(&attribute, &value) != 0 || words.size() > kLongestEnumeration)
            continue;
        words += (words.empty() ? "" : ",") + std::string(word) + "=" + std::to_string(value);
    }
    return out;
}

// Notes what each 8 bytes of a structure hold, and how many members there are.
void TypeRules::look_at_members(Dwarf_Die& type, uint64_t offset, int depth, PassedType* out,
                                std::string* units, unsigned* members) {
    Dwarf_Die child;
    for (int more = dwarf_child(&type, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        const int tag = dwarf_tag(&child);
        if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
        if (dwarf_hasattr(&child, DW_AT_external) != 0) continue;  // static
        const uint64_t at = offset + number_of(child, DW_AT_data_member_location, 0);
        Dwarf_Die its;
        if (!bare_type_of(child, &its) || depth == 8) continue;
        const auto size = uint64_t(std::max(dwarf_bytesize(&its), 0));
        const int its_tag = dwarf_tag(&its);
        if (is_structure_tag(its_tag)) {
            look_at_members(its, at, depth + 1, out, units, members);
            continue;
        }
        ++*members;
        const bool is_float =
            its_tag == DW_TAG_base_type && number_of(its, DW_AT_encoding, 0) == DW_ATE_float;
        if (is_float && size != 8) out->has_floats = true;
        if (its_tag == DW_TAG_base_type || its_tag == DW_TAG_pointer_type ||
            its_tag == DW_TAG_enumeration_type)
            out->alignment = std::max(out->alignment, size);
        if (its_tag == DW_TAG_array_type) out->has_floats = true;  // of whatever: not looked into
        if (is_float && size == 8 && at % 8 == 0 && at / 8 < units->size() &&
            dwarf_tag(&type) != DW_TAG_union_type)
            (*units)[at / 8] = 'f';
    }
}

PassedType TypeRules::structure(Dwarf_Die& type, uint64_t size) {
    PassedType out;
    if (is_in_reference(type)) {
        out.size = out.alignment = pointer_bytes();
        out.format = is_standard_string(type) ? "S" : "p";
        out.is_by_reference = true;
        return out;
    }
    out.is_structure = true;
    out.size = size;
    std::string units((size + 7) / 8, 'i');
    if (units.size() > values::kLargest / 8) units.resize(values::kLargest / 8);
    unsigned members = 0;
    look_at_members(type, 0, 0, &out, &units, &members);
    out.is_all_doubles =
        !out.has_floats && members == units.size() && units.find('i') == std::string::npos;
    if (size == 0 || size > values::kLargest || members == 0) return out;
    out.format = "t" + bits(size);
    if (!is_o32() && units.find('f') != std::string::npos) out.format += units;
    return out;
}

PassedType TypeRules::passed(Dwarf_Die type) {
    // The aliases of what a parameter has are those of its DIE.
    Dwarf_Die bare;
    const char* alias = nullptr;
    if (!bare_type_of(type, &bare, &alias)) return {};
    const int bytes = dwarf_bytesize(&bare);
    const auto size = uint64_t(std::max(bytes, 0));
    switch (dwarf_tag(&bare)) {
        case DW_TAG_base_type:
            return base(bare, size);
        case DW_TAG_pointer_type:
        case DW_TAG_reference_type:
        case DW_TAG_rvalue_reference_type:
        case DW_TAG_unspecified_type:  // nullptr_t
            return pointer(bare);
        case DW_TAG_enumeration_type:
            return enumeration(bare, alias, size);
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
            return structure(bare, size);
        default: {
            PassedType unknown;
            unknown.size = size;
            return unknown;
        }
    }
}

}  // namespace mipstrace::tools
