// Which arguments and return values are recorded, of which functions; and of which the callers.
//
//   MIPSTRACE_ARGUMENT, ...  -->  rules 1, 2, ...  --(each module's names)-->  position: its rules
//
// Rules come before anything is traced. The functions of a module are looked up once, with the
// registry locked; calls look here in any context, since a table never changes when it is there.
#pragma once

#include <string_view>

#include "lib/record/function_table.h"
#include "lib/record/trace_format.h"
#include "lib/values/parse.h"
#include "lib/values/place.h"

namespace mipstrace::record {

// Of this process.
extern const values::AbiRules kAbiRules;

struct ValueRule {
    std::string_view text;     // of its values
    std::string_view pattern;  // of its functions
    values::Value all[values::kMostValues];
    uint32_t count;  // 0: it is one of stacks
    bool has_matched;
};

struct FunctionRules {
    uint32_t position;
    uint16_t rules[format::kMostRules];  // 0: no more
    bool has_arguments;
    bool has_returned;
    bool has_floating;
    bool has_stack;
};

// Adds the rules of a list, which is copied. What is wrong is said on standard error, with the
// variable's name, and left out. At start.
void add_value_rules(std::string_view list, std::string_view variable);

// Adds one, whose functions are those of `pattern`, or found otherwise if that is empty; the
// strings stay the caller's. Returns what is wrong with it, or null; `wrong` becomes that part of
// it.
const char* add_value_rule(std::string_view pattern, std::string_view values,
                           std::string_view* wrong);

// Adds patterns of functions whose callers are recorded; the string stays the caller's.
void add_stack_rules(std::string_view patterns);
// There are such patterns.
bool has_stack_rules();

// All rules so far: from 1 to this.
unsigned count_value_rules();
const ValueRule& value_rule(unsigned number);

// Finds the functions of a module that rules name. Under the registry's lock.
void find_functions_with_values(patch::Module& module);

extern FunctionTable<FunctionRules> functions_with_values;

// Null: nothing but the calls of that function is recorded. Any context.
inline const FunctionRules* value_rules_of(uint32_t position) {
    return functions_with_values.find(position);
}

}  // namespace mipstrace::record
