#include "lib/runtime/triggers.h"

#include "lib/base/raw_log.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/site_filter.h"
#include "lib/fgraph/user_filters.h"
#include "lib/record/recorder.h"
#include "lib/record/trigger_rules.h"
#include "lib/record/triggers.h"
#include "lib/runtime/limits.h"
#include "lib/runtime/modules.h"
#include "lib/runtime/values.h"

namespace mipstrace::runtime {

namespace {

bool is_registered;

template <typename Out>
void say_mistake(const triggers::Mistake& mistake, Out& out) {
    out << "'" << mistake.wrong << "' " << std::string_view(mistake.why);
    if (!mistake.near.empty()) out << "; did you mean " << mistake.near << "?";
}

// The newest rule.
void put_in_force() {
    const unsigned number = record::count_trigger_rules();
    const triggers::Trigger& trigger = record::trigger_rule(number).trigger;
    if ((trigger.actions & triggers::kTime) != 0)
        record::limits.times[number] = units_of_clock(trigger.time_ns);
    if ((trigger.actions & (triggers::kTime | triggers::kDepth)) != 0) record::limits.nests = true;
}

int register_user() {
    // Callers are found by $30, too.
    if (can_record_stacks()) record::trigger_ops().flags |= FGRAPH_OPS_FL_REGS;
    const int error = fgraph::register_companion(
        &record::trigger_ops(), {record::find_functions_with_triggers,
                                 [](uint32_t position) {
                                     return record::functions_with_triggers.find(position) !=
                                            nullptr;
                                 },
                                 true});
    is_registered = error == 0;
    return error;
}

}  // namespace

void read_triggers(const Config& config) {
    triggers::for_each_rule(config.trigger, [](std::string_view rule) {
        const triggers::Mistake mistake = record::add_trigger_rule(rule);
        if (mistake.why == nullptr) return put_in_force();
        LogLine line;
        line << "MIPSTRACE_TRIGGER=" << rule << ": ";
        say_mistake(mistake, line);
        line << "; it is ignored";
    });
}

void register_triggers() {
    const unsigned count = record::count_trigger_rules();
    if (count == 0) return;
    if (const int error = register_user(); error != 0) {
        LogLine().error(-error) << ": there are no triggers";
        return;
    }
    if (!record::trace_file.is_open()) return;  // a program without sites, run by a traced one
    for (unsigned number = 1; number <= count; number++) {
        const record::TriggerRule& rule = record::trigger_rule(number);
        if (!rule.has_matched)
            LogLine() << "no function that is loaded so far matches " << rule.pattern
                      << ", for the trigger " << rule.text << "; `mipstrace sites PROG` lists "
                      << "the names";
    }
}

bool can_trigger_trace_on() {
    return (record::actions_of_triggers() & triggers::kTraceOn) != 0;
}

bool add_trigger(std::string_view rule, control::Reply& reply) {
    const std::string_view pattern = triggers::split_rule(rule).pattern;
    char nearest[256];
    std::string_view unmatched;
    {
        LockHolder lock(fgraph::registry_lock);
        unmatched = fgraph::find_unmatched(pattern, sites, nearest, sizeof nearest);
    }
    if (!unmatched.empty()) {
        reply.error("no function matches ") << unmatched;
        if (nearest[0] != '\0') reply << "; there is " << static_cast<const char*>(nearest);
        reply << "\n";
        return false;
    }
    triggers::Trigger parsed;
    triggers::Mistake mistake =
        triggers::parse_actions(triggers::split_rule(rule).actions, &parsed);
    if (mistake.why == nullptr && (parsed.actions & triggers::kBacktrace) != 0 &&
        !can_record_stacks()) {
        reply.error("callers can be recorded only where the program was started with --stack or a ")
            << "trigger that has backtrace\n";
        return false;
    }
    if (mistake.why == nullptr && !is_registered) {
        if (const int error = register_user(); error != 0) {
            reply.error("there is no user left for triggers\n");
            return false;
        }
    }
    if (mistake.why == nullptr) mistake = record::add_trigger_rule(rule);
    if (mistake.why != nullptr) {
        say_mistake(mistake, reply.error(""));
        reply << "\n";
        return false;
    }
    put_in_force();
    apply_limits();
    fgraph::apply_companion_to_all(record::trigger_ops());
    return true;
}

void say_triggers(control::Reply& reply) {
    for (unsigned number = 1; number <= record::count_trigger_rules(); number++)
        reply << "trigger: " << record::trigger_rule(number).text << "\n";
}

}  // namespace mipstrace::runtime
