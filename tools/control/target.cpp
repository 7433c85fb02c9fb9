#include "tools/control/target.h"

#include <errno.h>
#include <string.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

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

ControlTarget target_of_process(const std::string& pid) {
    fs::path path = trace_of(pid);
    if (path.empty())
        throw DataError("process " + pid +
                        " is not traced, or has not recorded anything yet: start it with "
                        "`mipstrace record`");
    return {path.replace_extension(kControlSuffix).string(), uint32_t(std::stoul(pid))};
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

}  // namespace

std::vector<ControlTarget> find_control_targets(const std::string& name) {
    if (is_number(name)) return {target_of_process(name)};
    std::error_code error;
    std::vector<ControlTarget> found;
    for (fs::directory_iterator entry(name, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() == kControlSuffix)
            found.push_back({entry->path().string(), process_of(entry->path())});
    }
    if (error)
        throw DataError(name +
                        " is neither a process nor the folder of a recording: " + error.message());
    if (found.empty())
        throw DataError("no process that records in " + name + " can be steered: all have ended, " +
                        "or were told to have no control socket");
    std::sort(found.begin(), found.end(),
              [](const auto& a, const auto& b) { return a.socket < b.socket; });
    return found;
}

}  // namespace mipstrace::tools
