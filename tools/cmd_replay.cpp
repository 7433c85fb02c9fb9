#include <unistd.h>

#include <CLI/CLI.hpp>

#include "tools/commands.h"
#include "tools/replay/replay.h"

namespace mipstrace::tools {

void add_replay_options(CLI::App& verb, ReplayOptions* options) {
    verb.add_option_function<std::string>(
            "-f,--output-fields",
            [options](const std::string& list) { options->fields = *parse_fields(list); },
            "Columns: duration,tid,time,elapsed,delta; +time adds one; none shows the nesting "
            "alone")
        ->type_name("FIELDS")
        ->check([](const std::string& list) {
            return parse_fields(list) ? std::string()
                                      : "'" + list + "' is not a list of " + kFieldNames;
        });
    verb.add_flag_callback(
        "--no-merge", [options] { options->merges_leaves = false; },
        "Show calls that call nothing like the others, on two lines");
    verb.add_flag_callback(
        "--no-comment", [options] { options->names_closings = false; },
        "Show } without the function's name");
}

void add_replay(CLI::App& app, Runner* run) {
    auto view = std::make_shared<ViewOptions>();
    auto options = std::make_shared<ReplayOptions>();
    CLI::App* verb = app.add_subcommand("replay", "Show the recorded calls, in order and nested");
    add_input_options(*verb, view.get());
    add_select_options(*verb, view.get());
    add_call_filters(*verb, view.get());
    add_replay_options(*verb, options.get());
    verb->callback([=] {
        *run = [=] {
            View recording(*view);
            return replay(recording, *options, STDOUT_FILENO);
        };
    });
}

}  // namespace mipstrace::tools
