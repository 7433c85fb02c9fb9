#include "lib/runtime/steering.h"

#include <errno.h>
#include <string.h>

#include "lib/base/raw_log.h"
#include "lib/control/server.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/site_filter.h"
#include "lib/fgraph/thread_state.h"
#include "lib/fgraph/user_filters.h"
#include "lib/record/event_writer.h"
#include "lib/record/recorder.h"
#include "lib/record/snapshot.h"
#include "lib/runtime/description.h"
#include "lib/runtime/limits.h"
#include "lib/runtime/modules.h"
#include "lib/runtime/replace.h"
#include "lib/runtime/triggers.h"
#include "lib/runtime/users.h"

namespace mipstrace::runtime {

namespace {

using control::Command;
using control::Reply;
using control::Request;

fgraph_ops* recorder;
bool is_verbose;

// Under registry_lock.
bool is_interrupted() {
    return fgraph::is_paused(recorder->slot) || record::limits.is_off;
}

bool is_recording() {
    LockHolder lock(fgraph::registry_lock);
    return !is_interrupted();
}

void pause() {
    // With all functions left on for the trigger that ends it.
    if (can_trigger_trace_on())
        record::limits.is_off = true;
    else
        ftrace_graph_pause(recorder);
}

void resume() {
    record::limits.is_off = false;
    ftrace_graph_resume(recorder);
    recount_sites_on(recorder->slot);
}

const char* why_ended() {
    if (record::limits.is_finished) return "a trigger has finished it";
    if (!record::trace_file.has_ended()) return nullptr;
    return record::trace_file.end_error() == 0 ? "the trace file has reached --max-size"
                                               : "the trace file can't grow";
}

void say_state(Reply& reply) {
    LockHolder lock(fgraph::registry_lock);
    const filter::FunctionFilter& filter = fgraph::filter_of(recorder->slot);
    uint64_t ready = 0;
    for (size_t m = 0; m < sites.size(); m++)
        ready += sites[m].site_count != 0 ? sites[m].by_state[size_t(patch::SiteState::ready)] : 0;
    const char* const ended = why_ended();
    const bool is_off = ended != nullptr || is_interrupted();
    reply << "recording: " << (is_off ? "off" : "on") << "\n";
    if (ended != nullptr) reply << "ended: " << ended << "\n";
    reply << "functions: " << ready << "\n"
          << "functions on: " << count_functions_of(recorder->slot) << "\n"
          << "filter: " << filter.wanted << "\n"
          << "notrace: " << filter.unwanted << "\n";
    say_limits(reply);
}

void say_status(Reply& reply) {
    reply << "protocol: " << control::kVersion << "\n"
          << "pid: " << record::trace_file.pid() << "\n"
          << "file: " << record::trace_file.path() << "\n";
    say_state(reply);
    LockHolder lock(fgraph::registry_lock);
    say_triggers(reply);
    say_replaced(reply);
}

void change_filter(const Request& request, Reply& reply) {
    char nearest[256];
    std::string_view unmatched;
    {
        LockHolder lock(fgraph::registry_lock);
        unmatched = fgraph::find_unmatched(request.argument, sites, nearest, sizeof nearest);
    }
    if (!unmatched.empty()) {
        reply.error("no function matches ") << unmatched;
        if (nearest[0] != '\0') reply << "; there is " << static_cast<const char*>(nearest);
        reply << "\n";
        return;
    }
    char patterns[control::kLongestRequest];
    memcpy(patterns, request.argument.data(), request.argument.size());
    patterns[request.argument.size()] = '\0';
    const int error = request.command == Command::filter
                          ? ftrace_set_filter(recorder, patterns, 1)
                          : ftrace_set_notrace(recorder, patterns, 1);
    if (error != 0) {
        reply.error("there is no memory for the patterns\n");
        return;
    }
    if (is_recording()) recount_sites_on(recorder->slot);
    say_state(reply);
}

void add_trigger_of(const Request& request, Reply& reply) {
    if (!add_trigger(request.argument, reply)) return;
    bool was_paused;
    {
        LockHolder lock(fgraph::registry_lock);
        was_paused = fgraph::is_paused(recorder->slot);
    }
    // So that a trigger can end it.
    if (was_paused && can_trigger_trace_on()) {
        record::limits.is_off = true;
        ftrace_graph_resume(recorder);
        recount_sites_on(recorder->slot);
    }
    say_status(reply);
}

void take_snapshot(Reply& reply) {
    char path[record::TraceFile::kPathSize];
    if (record::take_snapshot_now(path, sizeof path))
        reply << "file: " << static_cast<const char*>(path) << "\n";
    else
        reply.error("the snapshot can't be written: ") << static_cast<const char*>(path) << "\n";
}

void add_marker(std::string_view text, Reply& reply) {
    if (!describe_marker(text)) reply.error("there is no trace file\n");
}

void switch_to(Command command, Reply& reply) {
    const bool on = command == Command::toggle ? !is_recording() : command == Command::on;
    const char* const ended = why_ended();
    if (on && ended != nullptr) {
        reply.error("the recording can't go on: ") << ended << "\n";
        return;
    }
    if (on)
        resume();
    else
        pause();
    say_state(reply);
}

// In the helper thread.
void execute(const Request& request, Reply& reply) {
    fgraph::this_thread = &fgraph::gone_thread;
    finish_plugins();
    switch (request.command) {
        case Command::on:
        case Command::off:
        case Command::toggle:
            return switch_to(request.command, reply);
        case Command::status:
            return say_status(reply);
        case Command::filter:
        case Command::notrace:
            return change_filter(request, reply);
        case Command::depth:
            if (change_depth(request.argument, reply)) say_state(reply);
            return;
        case Command::time:
            if (change_time(request.argument, reply)) say_state(reply);
            return;
        case Command::trigger:
            return add_trigger_of(request, reply);
        case Command::users:
            return change_users(request.argument, reply);
        case Command::snapshot:
            return take_snapshot(reply);
        case Command::marker:
            return add_marker(request.argument, reply);
        case Command::replace:
            return replace_function(request.argument, reply);
        case Command::restore:
            return restore_function(request.argument, reply);
    }
}

}  // namespace

void prepare_steering(const Config& config, fgraph_ops* registered_recorder) {
    recorder = registered_recorder;
    is_verbose = config.verbose;
    if (!control::server.prepare(config.control_signal, execute, &fgraph::this_thread))
        LogLine().error(errno) << ": this process can't be steered";
    if (config.toggle_signal != 0 &&
        !control::server.execute_at(config.toggle_signal, Command::toggle))
        LogLine().error(errno) << ": the signal that switches the recording can't be caught";
}

void open_control_socket() {
    if (recorder == nullptr) return;
    char path[record::TraceFile::kPathSize];
    if (!record::trace_file.path_with_suffix(path, ".control")) return;
    const long error = control::server.listen_at(path);
    if (error != 0 && is_verbose)
        LogLine().error(int(-error)) << ": no control socket " << static_cast<const char*>(path)
                                     << ", this process can't be steered by one";
}

void close_control_socket() {
    control::server.remove();
}

bool waits_for_control() {
    // Without the lock: this thread may have forked while it held it.
    return recorder != nullptr && control::server.can_listen() &&
           (is_interrupted() || !are_sites_on());
}

void leave_control_to_parent() {
    control::server.leave_to_parent();
}

}  // namespace mipstrace::runtime
