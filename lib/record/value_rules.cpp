#include "lib/record/value_rules.h"

#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/raw_log.h"
#include "lib/fgraph/function_names.h"
#include "lib/record/value_file.h"
#include "lib/values/place.h"

namespace mipstrace::record {

std::atomic<bool> has_functions_with_values;

namespace {

constexpr unsigned kRoom = UINT16_MAX;
ValueRule* rules;  // from 1 on
unsigned rule_count;
bool has_patterns;  // some of them

#ifdef __mips_soft_float
constexpr bool kHasFpu = false;
#else
constexpr bool kHasFpu = true;
#endif
constexpr values::AbiRules kAbi {
#if defined(__mips__)
    _MIPS_SIM == _ABIO32 ? uint8_t(format::Abi::o32)
    : sizeof(long) == 4  ? uint8_t(format::Abi::n32)
                         : uint8_t(format::Abi::n64),
#else
    uint8_t(format::Abi::n64),
#endif
        kHasFpu
};

// What is known of one module; there until the process ends.
struct ModuleRules {
    ModuleRules* next;
    uint32_t pos_base;
    uint32_t count;
    FunctionRules* functions;  // by position
};
std::atomic<ModuleRules*> modules;

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

bool is_known(uint32_t pos_base) {
    for (const ModuleRules* m = modules; m != nullptr; m = m->next)
        if (m->pos_base == pos_base) return true;
    return false;
}

// Leaves those that have rules at the front.
uint32_t keep_with_rules(FunctionRules* all, size_t count) {
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (all[i].rules[0] != 0) all[kept++] = all[i];
    return kept;
}

}  // namespace

void add_value_rules(std::string_view list, std::string_view variable) {
    if (list.empty()) return;
    values::for_each_rule(copy(list), [&](std::string_view text) { add_rule(text, variable); });
}

const char* add_value_rule(std::string_view pattern, std::string_view values,
                           std::string_view* wrong) {
    if (rules == nullptr) rules = map_objects<ValueRule>(kRoom);
    if (rules == nullptr || rule_count == kRoom - 1) return "is more than there is room for";
    ValueRule& rule = rules[rule_count + 1];
    rule.count = 0;
    const char* error = values::parse_values(
        values, wrong,
        [&](const values::Value& value, std::string_view) { rule.all[rule.count++] = value; });
    if (error != nullptr) return error;
    values::place_values(kAbi, rule.all, rule.count);
    rule.text = values;
    rule.pattern = pattern;
    has_patterns |= !pattern.empty();
    rule_count++;
    return nullptr;
}

unsigned count_value_rules() {
    return rule_count;
}

const ValueRule& value_rule(unsigned number) {
    return rules[number];
}

void find_functions_with_values(patch::Module& module) {
    if (rule_count == 0 || module.site_count == 0 || is_known(module.pos_base)) return;
    auto* known = map_objects<ModuleRules>(1);
    const size_t bytes = module.site_count * sizeof(FunctionRules);
    auto* functions = map_objects<FunctionRules>(module.site_count);
    if (known == nullptr || functions == nullptr) {
        LogLine() << "no memory: no arguments are recorded of the functions in "
                  << module.base_name();
        return;
    }
    struct Context {
        patch::Module& module;
        FunctionRules* functions;
    } context{module, functions};
    for_each_in_value_file(
        module,
        [](patch::Site& site, unsigned rule, void* to) {
            const auto& into = *static_cast<Context*>(to);
            add_rule_to(into.functions[&site - into.module.sites], rule);
        },
        &context);
    if (has_patterns) find_by_names(module, functions);
    for (size_t i = 0; i < module.site_count; i++)
        functions[i].position = module.pos_base + module.sites[i].offset;
    known->pos_base = module.pos_base;
    known->count = keep_with_rules(functions, module.site_count);
    known->functions = functions;
    known->next = modules;
    // The pages behind them were touched by none but those that are gone.
    if (known->count == 0) {
        unmap_pages(functions, bytes);
        known->functions = nullptr;
    } else {
        has_functions_with_values = true;
    }
    modules.store(known, std::memory_order_release);
}

const FunctionRules* find_value_rules(uint32_t position) {
    for (const ModuleRules* m = modules.load(std::memory_order_acquire); m != nullptr;
         m = m->next) {
        const FunctionRules* begin = m->functions;
        uint32_t count = m->count;
        while (count != 0) {
            const uint32_t half = count / 2;
            if (begin[half].position == position) return &begin[half];
            if (begin[half].position < position) {
                begin += half + 1;
                count -= half + 1;
            } else {
                count = half;
            }
        }
    }
    return nullptr;
}

}  // namespace mipstrace::record
