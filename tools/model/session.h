// A recording: the folder mipstrace.data with its trace files, or one trace file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/model/trace_file.h"

namespace mipstrace::tools {

// What `mipstrace record` notes beside the trace files.
struct SessionInfo {
    std::string tool_version;
    std::vector<std::string> command;
    std::string program;  // the file that was run
    std::string cwd;
    std::string target;
    std::string sysroot;
    std::string qemu;
    std::string library;
    std::vector<std::pair<std::string, std::string>> options;
    uint64_t start_realtime_ns = 0;
    uint64_t end_realtime_ns = 0;
    std::optional<int> exit_status;
    std::optional<int> signal;

    std::string to_json() const;
    // Fields that are missing or of another type are left as they are. False if it is no JSON.
    bool from_json(const std::string& text);
};

inline constexpr char kSessionFile[] = "session.json";
inline constexpr char kTraceSuffix[] = ".trace";
inline constexpr char kControlSuffix[] = ".control";  // of a socket: docs/control_protocol.md

class Session {
  public:
    // Of a folder the recording itself, or with `snapshot` the snapshots of that number that its
    // processes have taken. Throws DataError when nothing of it can be read.
    explicit Session(const std::string& path, uint32_t snapshot = 0);

    const std::string& path() const { return path_; }
    // By start; may be empty when the traced program recorded nothing.
    const std::vector<std::unique_ptr<TraceFile>>& files() const { return files_; }
    const SessionInfo& info() const { return info_; }
    bool has_info() const { return has_info_; }
    // Numbers of the snapshots in the folder, ascending.
    const std::vector<uint32_t>& snapshots() const { return snapshots_; }
    // Sentences, those of its files included.
    const std::vector<std::string>& warnings() const { return warnings_; }
    // Some of its files can't be read.
    bool is_damaged() const { return is_damaged_; }
    // The end of a file is missing.
    bool is_incomplete() const;
    bool has_events() const;
    LossCounts lost() const;
    // Bytes of chunks whose events gave way to newer ones.
    uint64_t overwritten() const;

  private:
    void open_folder(uint32_t snapshot);
    std::vector<std::string> find_files(uint32_t snapshot);
    void read_info();

    std::string path_;
    std::vector<std::unique_ptr<TraceFile>> files_;
    SessionInfo info_;
    std::vector<uint32_t> snapshots_;
    bool has_info_ = false;
    bool is_damaged_ = false;
    std::vector<std::string> warnings_;
};

}  // namespace mipstrace::tools
