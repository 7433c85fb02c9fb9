#include "lib/record/value_rules.h"

#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/raw_log.h"
#include "lib/fgraph/function_names.h"
#include "lib/record/value_file.h"
#include "lib/values/place.h"

namespace mipstrace::record {

constinit FunctionTable<FunctionRules> functions_with_values;

#ifdef __mips_soft_float
static constexpr bool kHasFpu = false;
#else
static constexpr bool kHasFpu = true;
#endif
const values::AbiRules kAbiRules {
#if defined(__mips__)
    _MIPS_SIM == _ABIO32 ? uint8_t(format::Abi::o32)
    : sizeof(long) == 4  ? uint8_t(format::Abi::n32)
                         : uint8_t(format::Abi::n64),
#else
    uint8_t(format::Abi::n64),
#endif
        kHasFpu
};

namespace {

constexpr unsigned kRoom = UINT16_MAX;
ValueRule* rules;  // from 1 on
unsigned rule_count;
bool has_patterns;  // some of them
bool has_stacks;

std::string_view copy(std::string_view text) {
    char* place = map_objects<char>(text.size() + 1);
    if (place == nullptr) return {};
    memcpy(place, text.data(), text.size());
    return {place, text.size()};
}

// "FUNC@MODULE", as filters have it.
std::string_view pattern_of(const values::Rule& rule) {
    if (rule.module.empty()) return rule.function;
    char* place = map_objects<char>(rule.function.size() + rule.module.size() + 2);
    if (place == nullptr) return rule.function;
    memcpy(place, rule.function.data(), rule.function.size());
    place[rule.function.size()] = '@';
    memcpy(place + rule.function.size() + 1, rule.module.data(), rule.module.size());
    return {place, rule.function.size() + rule.module.size() + 1};
}

void add_rule(std::string_view text, std::string_view variable) {
    const values::Rule parts = values::split_rule(text);
    if (parts.function.empty() && parts.module.empty()) {
        LogLine() << variable << "=" << text << ": a function is missing in front of the @; it is "
                  << "ignored";
        return;
    }
    if (parts.values.empty()) {
        LogLine() << variable << "=" << text << ": what to record of it is not said, as @arg1/i32 "
                  << "or @retval; it is ignored";
        return;
    }
    std::string_view wrong;
    if (const char* error = add_value_rule(pattern_of(parts), parts.values, &wrong))
        LogLine() << variable << "=" << text << ": " << wrong << " " << error << "; it is ignored";
}

bool add_rule_to(FunctionRules& function, unsigned number) {
    if (rules[number].count == 0) return function.has_stack = true;
    for (uint16_t& place : function.rules) {
        if (place == number) return true;
        if (place != 0) continue;
        place = uint16_t(number);
        for (unsigned i = 0; i < rules[number].count; i++) {
            const values::Value& value = rules[number].all[i];
            (value.index == values::kReturned ? function.has_returned : function.has_arguments) =
                true;
            function.has_floating |= value.in_fpr || value.floating_part != 0;
        }
        return true;
    }
    return false;
}

void find_by_names(patch::Module& module, FunctionRules* functions) {
    fgraph::for_each_name(module, [&](patch::Site& site, const filter::FunctionName& name) {
        for (unsigned number = 1; number <= rule_count; number++) {
            if (!filter::list_matches(rules[number].pattern, name)) continue;
            rules[number].has_matched = true;
            add_rule_to(functions[&site - module.sites], number);
        }
    });
}

}  // namespace

void add_value_rules(std::string_view list, std::string_view variable) {
    if (list.empty()) return;
    values::for_each_rule(copy(list), [&](std::string_view text) { add_rule(text, variable); });
}

// A new one, or null: there is no room. It counts when it is complete.
static ValueRule* next_rule() {
    if (rules == nullptr) rules = map_objects<ValueRule>(kRoom);
    return rules == nullptr || rule_count == kRoom - 1 ? nullptr : &rules[rule_count + 1];
}

const char* add_value_rule(std::string_view pattern, std::string_view values,
                           std::string_view* wrong) {
    ValueRule* const place = next_rule();
    if (place == nullptr) return "is more than there is room for";
    ValueRule& rule = *place;
    rule.count = 0;
    const char* error = values::parse_values(
        values, wrong,
        [&](const values::Value& value, std::string_view) { rule.all[rule.count++] = value; });
    if (error != nullptr) return error;
    values::place_values(kAbiRules, rule.all, rule.count);
    rule.text = values;
    rule.pattern = pattern;
    has_patterns |= !pattern.empty();
    rule_count++;
    return nullptr;
}

void add_stack_rules(std::string_view patterns) {
    if (patterns.empty()) return;
    ValueRule* const rule = next_rule();
    if (rule == nullptr) return;
    rule->pattern = patterns;
    rule_count++;
    has_patterns = has_stacks = true;
}

bool has_stack_rules() {
    return has_stacks;
}

unsigned count_value_rules() {
    return rule_count;
}

const ValueRule& value_rule(unsigned number) {
    return rules[number];
}

void find_functions_with_values(patch::Module& module) {
    // Rules come before modules do.
    constexpr uint32_t kOnlyRevision = 0;
    if (rule_count == 0 || module.site_count == 0 ||
        functions_with_values.has(module, kOnlyRevision))
        return;
    struct Context {
        patch::Module& module;
        FunctionRules* functions;
    };
    auto fill = [&](FunctionRules* functions) {
        Context context{module, functions};
        for_each_in_value_file(
            module,
            [](patch::Site& site, unsigned rule, void* to) {
                const auto& into = *static_cast<Context*>(to);
                add_rule_to(into.functions[&site - into.module.sites], rule);
            },
            &context);
        if (has_patterns) find_by_names(module, functions);
    };
    if (!functions_with_values.add(module, kOnlyRevision, fill, [](const FunctionRules& function) {
            return function.rules[0] != 0 || function.has_stack;
        }))
        LogLine() << "no memory: no arguments are recorded of the functions in "
                  << module.base_name();
}

}  // namespace mipstrace::record
