// Which functions have triggers.
//
//   MIPSTRACE_TRIGGER, ...  -->  rules 1, 2, ...  --(each module's names)-->  position: its rules
//
// Rules come at start or by the control socket, one adder at a time. Calls look here in any
// context.
#pragma once

#include <string_view>

#include "lib/record/function_table.h"
#include "lib/triggers/parse.h"

namespace mipstrace::record {

inline constexpr unsigned kMostTriggerRules = 255;
inline constexpr unsigned kMostTriggersOfFunction = 6;

struct TriggerRule {
    std::string_view text;     // as it was given
    std::string_view pattern;  // of its functions
    triggers::Trigger trigger;
    bool has_matched;
};

struct FunctionTriggers {
    uint32_t position;
    uint8_t rules[kMostTriggersOfFunction];  // 0: no more
};

// Adds one rule, copied. What is wrong with it, whose `why` is null where nothing is; `wrong` and
// `near` are of the text or constant.
triggers::Mistake add_trigger_rule(std::string_view text);

// All rules so far: from 1 to this.
unsigned count_trigger_rules();
const TriggerRule& trigger_rule(unsigned number);
// Bits of Trigger::actions that some rule has.
uint32_t actions_of_triggers();

// Finds the functions of a module that rules name, if a rule is newer than the last look. Under the
// registry's lock.
void find_functions_with_triggers(patch::Module& module);

extern FunctionTable<FunctionTriggers> functions_with_triggers;

}  // namespace mipstrace::record
