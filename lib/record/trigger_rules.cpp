#include "lib/record/trigger_rules.h"

#include <string.h>

#include "lib/base/raw_log.h"
#include "lib/fgraph/function_names.h"
#include "lib/record/value_rules.h"
#include "lib/values/place.h"

namespace mipstrace::record {

constinit FunctionTable<FunctionTriggers> functions_with_triggers;

namespace {

TriggerRule* rules;  // from 1 on
unsigned rule_count;

void add_to(FunctionTriggers& function, unsigned number, const filter::FunctionName& name) {
    for (uint8_t& place : function.rules) {
        if (place == number) return;
        if (place != 0) continue;
        place = uint8_t(number);
        return;
    }
    LogLine() << name.name << " has 6 triggers already: " << rules[number].text << " is ignored";
}

void find_by_names(patch::Module& module, FunctionTriggers* functions) {
    fgraph::for_each_name(module, [&](patch::Site& site, const filter::FunctionName& name) {
        for (unsigned number = 1; number <= rule_count; number++) {
            if (!filter::list_matches(rules[number].pattern, name)) continue;
            rules[number].has_matched = true;
            add_to(functions[&site - module.sites], number, name);
        }
    });
}

}  // namespace

triggers::Mistake add_trigger_rule(std::string_view text) {
    const triggers::Rule given = triggers::split_rule(text);
    if (given.pattern.empty()) return {text, "has no function in front of the @", {}};
    triggers::Trigger trigger;
    triggers::Mistake mistake = triggers::parse_actions(given.actions, &trigger);
    if (mistake.why != nullptr) return mistake;
    char* copy = map_objects<char>(text.size() + 1);
    if (rules == nullptr) rules = map_objects<TriggerRule>(kMostTriggerRules + 1);
    if (copy == nullptr || rules == nullptr || rule_count == kMostTriggerRules)
        return {text, "is one more than the 255 that there can be", {}};
    memcpy(copy, text.data(), text.size());
    for (unsigned i = 0; i < trigger.condition_count; i++)
        values::place_values(kAbiRules, &trigger.conditions[i].argument, 1);
    rules[rule_count + 1] = {{copy, text.size()}, {copy, given.pattern.size()}, trigger, false};
    rule_count++;
    return {};
}

unsigned count_trigger_rules() {
    return rule_count;
}

const TriggerRule& trigger_rule(unsigned number) {
    return rules[number];
}

uint32_t actions_of_triggers() {
    uint32_t actions = 0;
    for (unsigned number = 1; number <= rule_count; number++)
        actions |= rules[number].trigger.actions;
    return actions;
}

void find_functions_with_triggers(patch::Module& module) {
    if (rule_count == 0 || module.site_count == 0 ||
        functions_with_triggers.has(module, rule_count))
        return;
    auto fill = [&](FunctionTriggers* functions) { find_by_names(module, functions); };
    auto keeps = [](const FunctionTriggers& function) { return function.rules[0] != 0; };
    if (!functions_with_triggers.add(module, rule_count, fill, keeps))
        LogLine() << "no memory: no triggers for the functions in " << module.base_name();
}

}  // namespace mipstrace::record
