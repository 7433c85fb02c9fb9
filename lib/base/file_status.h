// What the system knows of an open file, by the system call itself: libc's fstat may need twice the
// stack, and a signal stack is small.
#pragma once

#include <cstdint>

namespace mipstrace {

struct FileIdentity {
    uint64_t device = 0;
    uint64_t inode = 0;
    bool operator==(const FileIdentity&) const = default;
};

struct FileStatus {
    FileIdentity identity;
    uint64_t size = 0;
    uint64_t modified_ns = 0;  // CLOCK_REALTIME of the last change of its content
    uint32_t mode = 0;
    bool operator==(const FileStatus&) const = default;
};

// Any context. False: it can't be told.
bool file_status(int fd, FileStatus* status);

// Creates a file, closed on exec, that its owner may read and write, whatever the umask says. Any
// context. The descriptor or -errno.
long create_file(const char* path, int flags);

// Moves a descriptor out of the way of programs that expect the low numbers, as far as
// RLIMIT_NOFILE allows, and closes the one that was given; an error is passed through. Any context.
long move_high(long fd);

}  // namespace mipstrace
