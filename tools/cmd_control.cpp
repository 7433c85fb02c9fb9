#include <unistd.h>

#include <memory>

#include "tools/control/client.h"
#include "tools/control/replacement.h"
#include "tools/control/target.h"
#include "tools/model/data_error.h"
#include "tools/text/out_buffer.h"
#include "tools/text/say.h"
#include "tools/verb.h"

namespace mipstrace::tools {

namespace {

int control(const std::string& name, const std::vector<std::string>& words) {
    std::string request;
    for (const std::string& word : words) {
        if (request.empty())
            request = word;
        else
            request += " " + (words[0] == "replace" ? with_absolute_library(word) : word);
    }
    const std::vector<ControlTarget> targets = find_control_targets(name);
    OutBuffer out(STDOUT_FILENO);
    size_t there = 0;
    int status = 0;
    for (const ControlTarget& target : targets) {
        const ControlReply reply = ask_process(target, request);
        if (!reply.is_there) continue;
        there++;
        if (!reply.error.empty()) {
            say(reply.error);
            status = kExitData;
        } else {
            if (there > 1) out.add("\n");
            out.add(reply.text);
        }
    }
    out.flush();
    if (there == 0)
        throw DataError(targets[0].pid != 0
                            ? "process " + std::to_string(targets[0].pid) +
                                  " has no control socket any more"
                            : "no process that records in " + name + " runs any more");
    return status;
}

}  // namespace

void add_control(CLI::App& app, Runner* run) {
    auto target = std::make_shared<std::string>();
    auto words = std::make_shared<std::vector<std::string>>();
    Verb verb(app, "control", "Steer a program while it is traced");
    verb.argument({"process", "PID|DIR",
                   "A traced process, or the folder of a recording: all of "
                   "its processes"},
                  target.get(), true);
    verb.texts({"command", "COMMAND", "What to do, and its argument"}, words.get());
    verb.footer(
        "Commands:\n"
        "  on, off, toggle     switch the recording\n"
        "  status              what is recorded at the moment\n"
        "  filter [FUNC]       only these functions, as -F of record; without FUNC all\n"
        "  notrace [FUNC]      not these functions, as -N of record; without FUNC none\n"
        "  users               who gets calls\n"
        "  snapshot            copy what is recorded so far, for --snapshot N of the readers\n"
        "  replace FUNC=LIB.so:NEWFUNC\n"
        "                      who calls FUNC gets NEWFUNC, which LIB.so defines; LIB.so is "
        "loaded\n"
        "                      by the thread that calls FUNC next\n"
        "  restore FUNC        who calls FUNC gets FUNC again\n"
        "  marker TEXT         note TEXT in the recording; replay shows it");
    verb.does(run, [=] {
        if (words->empty())
            throw DataError("what shall it do? See `mipstrace control --help`", kExitUsage);
        return control(*target, *words);
    });
}

}  // namespace mipstrace::tools
