#include <unistd.h>

#include <memory>

#include "tools/info/info.h"
#include "tools/text/say.h"
#include "tools/verb.h"

namespace mipstrace::tools {

namespace {

int info(const std::string& input, uint32_t snapshot, bool as_json) {
    Session session(input, snapshot);
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
    auto input = std::make_shared<std::string>(kDefaultData);
    auto snapshot = std::make_shared<uint32_t>(0);
    auto as_json = std::make_shared<bool>(false);
    Verb verb(app, "info", "Show what was recorded, where, when and with what");
    add_folder(verb, input.get());
    add_input(verb, input.get(), snapshot.get());
    verb.flag("--json", "As JSON", as_json.get());
    verb.does(run, [=] { return info(*input, *snapshot, *as_json); });
}

}  // namespace mipstrace::tools
