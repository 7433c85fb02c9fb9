#include "tools/record/triggers.h"

#include "lib/triggers/parse.h"
#include "tools/commands.h"
#include "tools/model/data_error.h"

namespace mipstrace::tools {

namespace {

void check_rule(std::string_view text) {
    const triggers::Rule rule = triggers::split_rule(text);
    const std::string given = "-T " + std::string(text) + ": ";
    if (rule.pattern.empty())
        throw DataError(given + "a function is missing in front of the @", kExitUsage);
    if (rule.actions.empty())
        throw DataError(given + "what is to be done is missing, as @trace-on or @depth=2",
                        kExitUsage);
    triggers::Trigger trigger;
    const triggers::Mistake mistake = triggers::parse_actions(rule.actions, &trigger);
    if (mistake.why == nullptr) return;
    std::string sentence = given + "'" + std::string(mistake.wrong) + "' " + mistake.why;
    if (!mistake.near.empty()) sentence += "; did you mean " + std::string(mistake.near) + "?";
    throw DataError(sentence, kExitUsage);
}

}  // namespace

void check_triggers(const RecordOptions& options) {
    for (const std::string& list : options.triggers)
        triggers::for_each_rule(list, check_rule);
    if (options.arcs && !options.triggers.empty())
        throw DataError("--arcs counts calls and records none: it has no use for -T", kExitUsage);
}

}  // namespace mipstrace::tools
