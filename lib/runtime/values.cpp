#include "lib/runtime/values.h"

#include "lib/base/raw_log.h"
#include "lib/base/readable.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/user_filters.h"
#include "lib/record/event_writer.h"
#include "lib/record/recorder.h"
#include "lib/record/stack_writer.h"
#include "lib/record/value_file.h"
#include "lib/record/value_rules.h"
#include "lib/runtime/objects.h"
#include "lib/triggers/parse.h"
#include "lib/unwind/rule_cache.h"

namespace mipstrace::runtime {

static bool has_prepared_stacks;

void read_value_rules(const Config& config) {
    if (config.values != nullptr) record::read_value_file(config.values);
    record::add_value_rules(config.argument, "MIPSTRACE_ARGUMENT");
    record::add_value_rules(config.retval, "MIPSTRACE_RETVAL");
    record::add_stack_rules(config.stack);
    record::set_stack_depth(config.stack_depth);
    has_prepared_stacks = record::has_stack_rules() ||
                          (triggers::actions_in(config.trigger) & triggers::kBacktrace) != 0;
    if (!has_prepared_stacks) return;
    unwind::prepare_rule_cache();
    keep_objects();
}

bool can_record_stacks() {
    return has_prepared_stacks;
}

void record_values() {
    const unsigned count = record::count_value_rules();
    if (count == 0 && !has_prepared_stacks) return;
    if (!can_tell_readable())
        LogLine() << "this system does not tell which memory can be read: strings are recorded as "
                  << "pointers, and of callers those that are traced";
    if (count == 0) return;
    const int error = fgraph::register_companion(
        &record::value_ops(), {record::find_functions_with_values, [](uint32_t position) {
                                   return record::value_rules_of(position) != nullptr;
                               }});
    if (error != 0) {
        LogLine().error(-error) << ": arguments, return values and callers can't be recorded";
        return;
    }
    if (!record::trace_file.is_open()) return;  // a program without sites, run by a traced one
    for (unsigned number = 1; number <= count; number++) {
        const record::ValueRule& rule = record::value_rule(number);
        if (!rule.has_matched && !rule.pattern.empty())
            LogLine() << "no function that is loaded so far matches " << rule.pattern << ", whose "
                      << (rule.count != 0 ? rule.text : std::string_view("stack"))
                      << " was to be recorded; `mipstrace sites PROG` lists the names";
    }
}

}  // namespace mipstrace::runtime
