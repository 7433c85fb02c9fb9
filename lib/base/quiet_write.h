// write(2) of something that is not the program's: its signals are not for the program.
#pragma once

#include <cstddef>

namespace mipstrace {

// Writes to `fd`, which may be a file that has reached RLIMIT_FSIZE, or a pipe that nobody reads.
// Any context. The number of bytes, or -errno.
long write_quietly(int fd, const char* data, size_t size);

}  // namespace mipstrace
