#include <unistd.h>

#include <memory>

#include "tools/replay/replay.h"
#include "tools/verb.h"

namespace mipstrace::tools {

void add_replay_options(Verb& verb, ReplayOptions* options) {
    auto parse = [options](const std::string& list) {
        auto fields = parse_fields(list);
        if (fields) options->fields = *fields;
        return fields.has_value();
    };
    verb.parsed({"-f,--output-fields", "FIELDS",
                 "Columns: duration,tid,time,elapsed,delta; +time adds one; none shows the nesting "
                 "alone"},
                parse, kFieldNames);
    verb.flag("--no-merge", "Show calls that call nothing like the others, on two lines",
              &options->splits_leaves);
    verb.flag("--no-comment", "Show } without the function's name", &options->is_uncommented);
}

void add_replay(CLI::App& app, Runner* run) {
    auto view = std::make_shared<ViewOptions>();
    auto options = std::make_shared<ReplayOptions>();
    Verb verb(app, "replay", "Show the recorded calls, in order and nested");
    add_folder(verb, &view->input);
    add_input_options(verb, view.get());
    add_select_options(verb, view.get());
    add_call_filters(verb, view.get());
    add_subtract_overhead(verb, view.get());
    add_replay_options(verb, options.get());
    verb.does(run, [=] {
        View recording(*view);
        return replay(recording, *options, STDOUT_FILENO);
    });
}

}  // namespace mipstrace::tools
