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

// Who does not answer keeps nothing from the others.
ControlReply ask(const ControlTarget& target, const std::string& request) {
    try {
        return ask_process(target, request);
    } catch (const DataError& error) {
        return {true, error.what(), ""};
    }
}

std::string request_of(const std::vector<std::string>& words) {
    if (words.size() > 1 && words[0] == "users" && words[1] == "add")
        return "users " + with_absolute_plugin({words.begin() + 1, words.end()});
    std::string request;
    for (const std::string& word : words) {
        if (request.empty())
            request = word;
        else
            request += " " + (words[0] == "replace" ? with_absolute_library(word) : word);
    }
    return request;
}

int control(const std::string& name, const std::vector<std::string>& words) {
    const std::string request = request_of(words);
    std::vector<ControlTarget> targets = find_control_targets(name);
    OutBuffer out(STDOUT_FILENO);
    size_t there = 0;
    int status = 0;
    std::string why_none;
    for (size_t next = 0; next < targets.size(); next++) {
        const ControlReply reply = ask(targets[next], request);
        if (reply.is_there) there++;
        if (!reply.is_there) {
            why_none = reply.error;
        } else if (!reply.error.empty()) {
            say(reply.error);
            status = kExitData;
        } else {
            if (there > 1) out.add("\n");
            out.add(reply.text);
        }
        // One that was asked may have forked just before.
        if (next + 1 == targets.size()) add_new_targets(name, &targets);
    }
    out.flush();
    if (there == 0)
        throw DataError(targets.size() == 1
                            ? why_none
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
    verb.arguments({"command", "COMMAND", "What to do, and its argument"}, words.get(), true);
    verb.footer(
        "Commands:\n"
        "  on, off, toggle     switch the recording\n"
        "  status              what is recorded at the moment\n"
        "  filter [FUNC]       only these functions, as -F of record; without FUNC all\n"
        "  notrace [FUNC]      not these functions, as -N of record; without FUNC none\n"
        "  depth [N]           at most N nested calls, as -D of record; without N any\n"
        "  time [TIME]         only longer calls, as -t of record; without TIME all\n"
        "  trigger FUNC@ACTIONS\n"
        "                      add a trigger, as -T of record\n"
        "  users               who gets calls\n"
        "  users add LIB.so at FUNC\n"
        "                      load a user of <mipstrace/fgraph.h>; the thread that calls FUNC "
        "next does it\n"
        "  users remove NAME   call that user no more\n"
        "  snapshot            copy what is recorded so far, for --snapshot N of the readers\n"
        "  replace FUNC=LIB.so:NEWFUNC\n"
        "                      who calls FUNC gets NEWFUNC, which LIB.so defines; LIB.so is "
        "loaded\n"
        "                      by the thread that calls FUNC next\n"
        "  restore FUNC        who calls FUNC gets FUNC again\n"
        "  marker TEXT         note TEXT in the recording; replay shows it\n"
        "\n"
        "A command comes by a signal, see record --control: it ends a sleep, poll or select of\n"
        "the program early, with EINTR.");
    verb.does(run, [=] { return control(*target, *words); });
}

}  // namespace mipstrace::tools
