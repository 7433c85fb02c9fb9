// The command `mipstrace`: finds the verb, turns what goes wrong into one sentence and a status.
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <new>

#include "tools/command_line.h"
#include "tools/commands.h"
#include "tools/model/data_error.h"
#include "tools/text/out_buffer.h"
#include "tools/text/say.h"
#include "tools/version.h"

namespace mipstrace::tools {

namespace {

// One line without CLI11's line breaks.
std::string usage_sentence(const CLI::ParseError& error, const CLI::App& app) {
    std::string text = error.what();
    for (char& c : text)
        if (c == '\n') c = ' ';
    while (!text.empty() && (text.back() == ' ' || text.back() == '.'))
        text.pop_back();
    std::string verb;
    for (const CLI::App* chosen : app.get_subcommands())
        verb = " " + chosen->get_name();
    return text + "; see `mipstrace" + verb + " --help`";
}

bool has_verb(const CLI::App& app, const std::string& name) {
    auto is_it = [&name](const CLI::App* verb) { return verb->get_name() == name; };
    return !app.get_subcommands(is_it).empty();
}

int run_main(int argc, char** argv) {
    CLI::App app("Function tracer for native MIPS Linux programs", "mipstrace");
    app.set_version_flag("--version", std::string("mipstrace ") + kVersion);
    app.require_subcommand(1);
    app.get_formatter()->column_width(36);
    Runner run;
    add_record(app, &run);
    add_live(app, &run);
    add_replay(app, &run);
    add_report(app, &run);
    add_graph(app, &run);
    add_info(app, &run);
    add_arcs(app, &run);
    add_sites(app, &run);
    add_control(app, &run);
    add_cflags(app, &run);
    if (argc > 1 && argv[1][0] != '-' && !has_verb(app, argv[1])) {
        say(std::string("there is no command ") + argv[1] + "; see `mipstrace --help`");
        return kExitUsage;
    }
    try {
        // CLI11 takes a vector from its back.
        std::vector<std::string> words = with_separator(app, {argv + 1, argv + argc});
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::Success& asked_for) {  // --help, --version
        return app.exit(asked_for);
    } catch (const CLI::ParseError& error) {
        say(usage_sentence(error, app));
        return kExitUsage;
    }
    return run();
}

}  // namespace

}  // namespace mipstrace::tools

int main(int argc, char** argv) {
    using namespace mipstrace::tools;
    // A reader that went away is an error of write(), so that `live` can still clean up.
    signal(SIGPIPE, SIG_IGN);
    try {
        return run_main(argc, argv);
    } catch (const ClosedPipe&) {
        return 0;
    } catch (const DataError& error) {
        say(error.what());
        return error.status;
    } catch (const std::bad_alloc&) {
        say("not enough memory for this recording: choose a part of it with --tid or --pid");
    } catch (const std::exception& error) {
        say(std::string("cannot go on: ") + error.what());
    }
    return kExitData;
}
