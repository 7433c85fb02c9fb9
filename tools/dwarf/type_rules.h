// How one type is passed and shown.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <map>
#include <string>

namespace mipstrace::tools {

struct PassedType {
    bool is_by_reference = false;  // a class whose address is passed in its place
    std::string format;            // behind the '/': "i32"; empty: it can't be shown
    uint64_t size = 0;             // bytes that are passed
    uint64_t alignment = 1;        // of its place
    bool is_floating = false;      // fparg
    bool is_structure = false;     // by value
    bool is_all_doubles = false;   // a structure of one or two doubles and nothing else
    bool has_floats = false;       // a structure with a member that is a float or a long double
};

class TypeRules {
  public:
    TypeRules(uint8_t abi, std::map<std::string, std::string>* enumerations)
        : abi_(abi), enumerations_(*enumerations) {}

    // Of the type of a parameter, or of what a function returns.
    PassedType passed(Dwarf_Die type);

    unsigned word_bytes() const { return abi_ == 1 ? 4 : 8; }
    bool is_o32() const { return abi_ == 1; }

  private:
    PassedType base(Dwarf_Die& type, uint64_t size);
    PassedType pointer(Dwarf_Die& type);
    PassedType enumeration(Dwarf_Die& type, const char* alias, uint64_t size);
    PassedType structure(Dwarf_Die& type, uint64_t size);
    void look_at_members(Dwarf_Die& type, uint64_t offset, int depth, PassedType* out,
                         std::string* units, unsigned* members);
    unsigned pointer_bytes() const { return abi_ == 3 ? 8 : 4; }

    const uint8_t abi_;
    std::map<std::string, std::string>& enumerations_;
};

// The type of a DIE without typedef, const and the like; `alias` becomes the name of the outermost
// typedef, or null. False: void, or there is none.
bool bare_type_of(Dwarf_Die& die, Dwarf_Die* type, const char** alias = nullptr);

}  // namespace mipstrace::tools
