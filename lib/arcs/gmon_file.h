// Where a gmon.out goes: one for each process, under a name that no other process overwrites.
//
//   GMON_OUT_PREFIX set       PREFIX.PID
//   the child of a fork       gmon.out.PID       gmon.out is for the process that was started
//   otherwise                 gmon.out           and gmon.out.PID if another process has written a
//                                                gmon.out to this folder since we began
//
// Each is written as NAME.new first, so that one that is there is whole, and stays if this fails.
#pragma once

#include <cstddef>

#include "lib/base/file_status.h"

namespace mipstrace::gmon {

// Any context, but one thread at a time. No allocation.
class GmonFile {
  public:
    // At the start of the process: notes what is there already. `suffix`, which is kept, goes
    // behind the name: that of a library that has a file of its own, or "".
    void begin(const char* suffix = "");
    // In the child of a fork.
    void begin_in_child() { is_child_ = true; }

    // Opens the file for writing. `prefix` is GMON_OUT_PREFIX, or null. The descriptor or -errno.
    int open(const char* prefix);
    // Closes it and gives it its name, or removes it where `error`, of the content, is not 0. 0 or
    // the error number of what has failed.
    int close(int error);

    // The name that it was given, or was to be given.
    const char* name() const { return name_; }
    // True if it is not gmon.out because another process has written that one.
    bool was_evaded() const { return was_evaded_; }

  private:
    struct Seen {
        bool exists = false;
        FileStatus status;
        bool operator==(const Seen&) const = default;
    };

    static Seen look(const char* path);
    bool publish(const char* common, int* error);

    static constexpr size_t kPathBytes = 1024;
    const char* suffix_ = "";
    bool is_child_ = false;
    bool was_evaded_ = false;
    bool wants_common_name_ = false;
    int fd_ = -1;
    FileIdentity folder_;  // where begin() looked
    Seen seen_;            // gmon.out, as we found or left it
    char name_[kPathBytes] = "";
    char fresh_[kPathBytes] = "";  // name_ with .new
};

}  // namespace mipstrace::gmon
