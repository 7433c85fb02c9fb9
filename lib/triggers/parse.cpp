#include "lib/triggers/parse.h"

#include "lib/base/duration_text.h"
#include "lib/filter/edit_distance.h"
#include "lib/values/parse.h"

namespace mipstrace::triggers {

namespace {

struct Name {
    std::string_view text;
    uint32_t bit;
};

// What stands behind '=' in those that end with it is theirs to read.
constexpr Name kActions[] = {
    {"trace-on", kTraceOn},   {"trace-off", kTraceOff}, {"finish", kFinish},
    {"snapshot", kSnapshot},  {"depth=", kDepth},       {"time=", kTime},
    {"read=", kRead},         {"trace_on", kTraceOn},   {"traceon", kTraceOn},
    {"trace_off", kTraceOff}, {"traceoff", kTraceOff},  {"backtrace", kBacktrace},
};
constexpr Name kCounters[] = {{"proc/statm", kMemory}, {"page-fault", kPageFaults}};

struct Operator {
    std::string_view text;
    Comparison comparison;
};
// Longer ones before those that they begin with.
constexpr Operator kOperators[] = {
    {"==", Comparison::equal},         {"!=", Comparison::unequal},
    {"<=", Comparison::less_or_equal}, {">=", Comparison::greater_or_equal},
    {"<", Comparison::less},           {">", Comparison::greater},
};

constexpr char kIfError[] = "is no condition: write if:arg1>=5, with ==, !=, <, <=, > or >=";

std::string_view slice(std::string_view s, size_t from, size_t to) {
    return {s.data() + from, to - from};
}

std::string_view behind(std::string_view s, size_t from) {
    return slice(s, from, s.size());
}

// Up to and with a '='.
std::string_view name_of(std::string_view action) {
    size_t end = 0;
    while (end < action.size() && action[end] != '=')
        end++;
    return slice(action, 0, end < action.size() ? end + 1 : end);
}

template <size_t N>
std::string_view nearest(std::string_view text, const Name (&names)[N]) {
    std::string_view found;
    unsigned best = filter::kFarApart;
    for (const Name& name : names) {
        const unsigned distance = filter::edit_distance(text, name.text);
        if (distance >= best) continue;
        best = distance;
        found = name.text;
    }
    return found;
}

template <size_t N>
uint32_t bit_of(std::string_view text, const Name (&names)[N]) {
    for (const Name& name : names)
        if (name.text == text) return name.bit;
    return 0;
}

bool parse_number(std::string_view text, int64_t* number) {
    const bool is_negative = text.starts_with("-");
    if (is_negative) text.remove_prefix(1);
    const unsigned base = text.starts_with("0x") ? 16 : 10;
    if (base == 16) text.remove_prefix(2);
    uint64_t value = 0;
    for (const char c : text) {
        const char letter = char(c | 0x20);
        unsigned digit = 16;
        if (c >= '0' && c <= '9') digit = unsigned(c - '0');
        if (letter >= 'a' && letter <= 'f') digit = unsigned(letter - 'a') + 10;
        if (digit >= base || value > (UINT64_MAX - digit) / base) return false;
        value = value * base + digit;
    }
    *number = int64_t(is_negative ? 0 - value : value);
    return !text.empty();
}

const char* parse_condition(std::string_view text, Trigger* trigger) {
    const size_t at = text.find_first_of("=!<>");
    if (at == std::string_view::npos) return kIfError;
    if (trigger->condition_count == kMostConditions) return "is one more than the 4 of a trigger";
    Condition condition{};
    std::string_view enumeration;
    const std::string_view argument = slice(text, 0, at);
    if (const char* error = values::parse_value(argument, &condition.argument, &enumeration))
        return error;
    if (condition.argument.index == values::kReturned)
        return "is about what the function returns, which is not known when it is called";
    if (values::is_string(condition.argument) || values::is_floating(condition.argument) ||
        condition.argument.format == 't' || condition.argument.format == 'e')
        return "can't be compared: arguments that are integers can";
    const std::string_view rest = behind(text, at);
    for (const Operator& one : kOperators) {
        if (!rest.starts_with(one.text)) continue;
        condition.comparison = one.comparison;
        if (!parse_number(behind(rest, one.text.size()), &condition.value)) return kIfError;
        trigger->conditions[trigger->condition_count++] = condition;
        return nullptr;
    }
    return kIfError;
}

const char* parse_depth(std::string_view text, uint32_t* depth) {
    int64_t number = 0;
    if (!parse_number(text, &number) || number < 1 || number > kDeepest)
        return "is no depth: that is a number of nested calls from 1 to 4094";
    *depth = uint32_t(number);
    return nullptr;
}

Mistake parse_action(std::string_view action, Trigger* trigger) {
    if (action.starts_with("if:")) return {action, parse_condition(behind(action, 3), trigger), {}};
    const std::string_view name = name_of(action);
    const std::string_view value = behind(action, name.size());
    const uint32_t bit = bit_of(name, kActions);
    trigger->actions |= bit;
    switch (bit) {
        case 0:
            return {action,
                    "is no action: there are trace-on, trace-off, finish, snapshot, depth=N, "
                    "time=TIME, read=COUNTER, backtrace, if:ARG>=VALUE",
                    nearest(name, kActions)};
        case kDepth:
            return {action, parse_depth(value, &trigger->depth), {}};
        case kTime:
            if (parse_duration(value, &trigger->time_ns)) return {};
            return {action, "is no time: write time=20us, time=1.5ms, time=2s", {}};
        case kRead:
            trigger->counters |= bit_of(value, kCounters);
            if (bit_of(value, kCounters) != 0) return {};
            return {action, "is no counter: there are read=proc/statm and read=page-fault",
                    nearest(value, kCounters)};
        default:
            return {};
    }
}

}  // namespace

bool holds(const Condition& condition, uint64_t argument) {
    const auto wanted = uint64_t(condition.value);
    const bool is_less =
        is_unsigned(condition.argument) ? argument < wanted : int64_t(argument) < condition.value;
    switch (condition.comparison) {
        case Comparison::equal:
            return argument == wanted;
        case Comparison::unequal:
            return argument != wanted;
        case Comparison::less:
            return is_less;
        case Comparison::less_or_equal:
            return is_less || argument == wanted;
        case Comparison::greater:
            return !is_less && argument != wanted;
        case Comparison::greater_or_equal:
            return !is_less;
    }
    return false;
}

Rule split_rule(std::string_view text) {
    const size_t at = text.rfind('@');
    if (at == std::string_view::npos) return {text, {}};
    return {slice(text, 0, at), behind(text, at + 1)};
}

Mistake parse_actions(std::string_view actions, Trigger* trigger) {
    *trigger = {};
    for (size_t begin = 0; begin <= actions.size();) {
        size_t end = begin;
        while (end < actions.size() && actions[end] != ',')
            end++;
        const Mistake mistake = parse_action(slice(actions, begin, end), trigger);
        if (mistake.why != nullptr) return mistake;
        begin = end + 1;
    }
    if (trigger->actions == 0) return {actions, "says when, and not what is to be done then", {}};
    if ((trigger->actions & kTraceOn) != 0 && (trigger->actions & (kTraceOff | kFinish)) != 0)
        return {actions, "switches the recording on and off at once", {}};
    return {};
}

uint32_t actions_in(std::string_view list) {
    uint32_t actions = 0;
    for_each_rule(list, [&](std::string_view text) {
        Trigger trigger;
        const Rule rule = split_rule(text);
        if (parse_actions(rule.actions, &trigger).why == nullptr) actions |= trigger.actions;
    });
    return actions;
}

}  // namespace mipstrace::triggers
