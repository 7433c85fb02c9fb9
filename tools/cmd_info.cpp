#include <unistd.h>

#include <memory>

#include "tools/info/info.h"
#include "tools/text/say.h"
#include "tools/verb.h"

namespace mipstrace::tools {

namespace {

int info(const std::string& input, bool as_json) {
    Session session(input);
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
    auto as_json = std::make_shared<bool>(false);
    Verb verb(app, "info", "Show what was recorded, where, when and with what");
    verb.text({"-i,--input,-d,--data", "DIR",
               "Folder of the recording, or one trace file (default: mipstrace.data)"},
              input.get());
    verb.flag("--json", "As JSON", as_json.get());
    verb.does(run, [=] { return info(*input, *as_json); });
}

}  // namespace mipstrace::tools
