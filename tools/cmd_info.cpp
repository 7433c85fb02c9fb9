#include <unistd.h>

#include <CLI/CLI.hpp>

#include "tools/commands.h"
#include "tools/info/info.h"
#include "tools/text/say.h"

namespace mipstrace::tools {

namespace {

int info(const ViewOptions& options, bool as_json) {
    Session session(options.input);
    for (const std::string& text : session.warnings())
        warn(text);
    OutBuffer out(STDOUT_FILENO);
    if (as_json)
        write_info_json(out, session);
    else
        write_info(out, session);
    out.flush();
    return session.is_damaged() ? kExitData : 0;
}

}  // namespace

void add_info(CLI::App& app, Runner* run) {
    auto view = std::make_shared<ViewOptions>();
    auto as_json = std::make_shared<bool>(false);
    CLI::App* verb =
        app.add_subcommand("info", "Show what was recorded, where, when and with what");
    verb->add_option("-i,--input,-d,--data", view->input,
                     "Folder of the recording, or one trace file (default: mipstrace.data)")
        ->type_name("DIR");
    verb->add_flag("--json", *as_json, "As JSON");
    verb->callback([=] { *run = [=] { return info(*view, *as_json); }; });
}

}  // namespace mipstrace::tools
