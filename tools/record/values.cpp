#include "tools/record/values.h"

#include "lib/triggers/parse.h"
#include "lib/values/parse.h"
#include "tools/commands.h"
#include "tools/model/data_error.h"

namespace mipstrace::tools {

namespace {

void check_rules(const std::string& option, const std::string& list) {
    values::for_each_rule(list, [&](std::string_view text) {
        const values::Rule rule = values::split_rule(text);
        const std::string given = option + " " + std::string(text) + ": ";
        if (rule.function.empty() && rule.module.empty())
            throw DataError(given + "a function is missing in front of the @", kExitUsage);
        if (rule.values.empty()) return;  // debug information tells
        std::string_view wrong;
        auto ignore = [](const values::Value&, std::string_view) {};
        if (const char* error = values::parse_values(rule.values, &wrong, ignore))
            throw DataError(given + "'" + std::string(wrong) + "' " + error, kExitUsage);
    });
}

bool has_backtrace(const RecordOptions& options) {
    uint32_t actions = 0;
    for (const std::string& list : options.triggers)
        actions |= triggers::actions_in(list);
    return (actions & triggers::kBacktrace) != 0;
}

}  // namespace

void check_values(const RecordOptions& options) {
    for (const std::string& list : options.arguments)
        check_rules("-A", list);
    for (const std::string& list : options.retvals)
        check_rules("-R", list);
    if (options.arcs && (options.auto_args || !options.arguments.empty() ||
                         !options.retvals.empty() || !options.stacks.empty()))
        throw DataError(
            "--arcs counts calls and records none: it has no use for -A, -R, -a and --stack",
            kExitUsage);
    if (options.stack_depth != 0 && options.stacks.empty() && !has_backtrace(options))
        throw DataError("--stack-depth needs --stack FUNC or -T FUNC@backtrace", kExitUsage);
}

}  // namespace mipstrace::tools
