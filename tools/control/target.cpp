#include "tools/control/target.h"

#include <errno.h>
#include <string.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "tools/model/data_error.h"
#include "tools/model/session.h"

namespace mipstrace::tools {

namespace {

namespace fs = std::filesystem;

bool is_number(const std::string& text) {
    return !text.empty() && text.size() < 10 &&
           text.find_first_not_of("0123456789") == std::string::npos;
}

// The process's number in the innermost of the namespaces that it is in: what it names its file by.
std::string own_pid(const std::string& pid) {
    std::ifstream status("/proc/" + pid + "/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("NSpid:", 0) == 0) return line.substr(line.find_last_of(" \t") + 1);
    }
    return pid;
}

// The path in a line of /proc/PID/maps, where it begins with a slash.
std::string path_of(const std::string& line) {
    const size_t slash = line.find('/');
    return slash == std::string::npos ? "" : line.substr(slash);
}

[[noreturn]] void refuse_to_look(const std::string& pid, int reason) {
    if (reason == ENOENT) throw DataError("there is no process " + pid);
    throw DataError("process " + pid + " can't be looked at: " + strerror(reason) +
                    "; is it somebody else's?");
}

// The trace file that a thread of a process has mapped; empty: none that is the process's own.
fs::path trace_in_maps(const std::string& maps_path, const std::string& begin, bool* any) {
    std::ifstream maps(maps_path);
    for (std::string line; std::getline(maps, line);) {
        *any = true;
        const fs::path path = path_of(line);
        if (path.extension() == kTraceSuffix && path.filename().string().rfind(begin, 0) == 0)
            return path;
    }
    return {};
}

// The trace file that a process writes. Its main thread may have ended, and shows nothing then.
fs::path trace_of(const std::string& pid) {
    const std::string begin = own_pid(pid) + "-";
    std::error_code error;
    bool any = false;
    for (fs::directory_iterator task("/proc/" + pid + "/task", error), end; !error && task != end;
         task.increment(error)) {
        fs::path trace = trace_in_maps(task->path().string() + "/maps", begin, &any);
        if (any) return trace;
    }
    if (error) refuse_to_look(pid, error.value());
    refuse_to_look(pid, EACCES);
}

// The nearest processes below this one that are traced, with the trace files that they write.
void find_traced_below(const std::string& pid, std::map<std::string, fs::path>* found) {
    std::error_code error;
    for (fs::directory_iterator task("/proc/" + pid + "/task", error), end; !error && task != end;
         task.increment(error)) {
        std::ifstream children(task->path() / "children");
        for (std::string child; children >> child;) {
            fs::path trace;
            try {
                trace = trace_of(child);
            } catch (const DataError&) {
                continue;  // it has ended, or is somebody else's
            }
            if (trace.empty())
                find_traced_below(child, found);
            else
                found->emplace(child, trace);
        }
    }
}

ControlTarget target_of(const std::string& pid, fs::path trace) {
    return {trace.replace_extension(kControlSuffix).string(), uint32_t(std::stoul(pid))};
}

// `mipstrace record` and a shell stand for what they run, if that is one process.
ControlTarget target_of_process(const std::string& pid) {
    const fs::path trace = trace_of(pid);
    if (!trace.empty()) return target_of(pid, trace);
    std::map<std::string, fs::path> below;
    find_traced_below(pid, &below);
    if (below.empty())
        throw DataError("process " + pid +
                        " is not traced, or has not recorded anything yet: start it with "
                        "`mipstrace record`");
    if (below.size() == 1) return target_of(below.begin()->first, below.begin()->second);
    std::string pids;
    for (const auto& [child, file] : below)
        pids += (pids.empty() ? "" : ", ") + child;
    throw DataError("process " + pid + " is not traced itself; those that it runs are: " + pids);
}

// The process that a socket's name tells, if it is the one that records there.
uint32_t process_of(const fs::path& socket) {
    const std::string name = socket.filename().string();
    const std::string pid = name.substr(0, name.find('-'));
    if (!is_number(pid)) return 0;
    try {
        fs::path trace = trace_of(pid);
        std::error_code error;
        const bool same =
            fs::equivalent(trace, fs::path(socket).replace_extension(kTraceSuffix), error);
        return same && !error ? uint32_t(std::stoul(pid)) : 0;
    } catch (const DataError&) {
        return 0;
    }
}

// By the names of their sockets.
std::vector<ControlTarget> targets_in(const std::string& folder, std::error_code* error) {
    std::vector<ControlTarget> found;
    for (fs::directory_iterator entry(folder, *error), end; !*error && entry != end;
         entry.increment(*error)) {
        if (entry->path().extension() == kControlSuffix)
            found.push_back({entry->path().string(), process_of(entry->path())});
    }
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.socket < b.socket; });
    return found;
}

}  // namespace

std::vector<ControlTarget> find_control_targets(const std::string& name) {
    if (is_number(name)) return {target_of_process(name)};
    std::error_code error;
    std::vector<ControlTarget> found = targets_in(name, &error);
    if (error)
        throw DataError(name +
                        " is neither a process nor the folder of a recording: " + error.message());
    if (found.empty())
        throw DataError("no process that records in " + name + " can be steered: all have ended, " +
                        "or were told to have no control socket");
    return found;
}

void add_new_targets(const std::string& name, std::vector<ControlTarget>* targets) {
    if (is_number(name)) return;
    std::error_code error;
    for (ControlTarget& target : targets_in(name, &error)) {
        auto is_same = [&](const ControlTarget& other) { return other.socket == target.socket; };
        if (std::none_of(targets->begin(), targets->end(), is_same))
            targets->push_back(std::move(target));
    }
}

}  // namespace mipstrace::tools
