// System calls of a Unix socket that a traced process listens on. Any context; results are
// descriptors or -errno.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mipstrace::control {

// A socket that listens at `path`, which nobody but its owner can connect to; whoever connects
// makes the kernel send this process `signal`. What is at `path` is replaced. Never blocks.
long listen_at(const char* path, int signal);

// The next client, or -EAGAIN: there is none. Never blocks.
long accept_client(long listening);

// True if the one at the other end may steer this process: its user, or root.
bool is_from_owner(long client);

// Reads until a newline, the end of the stream, or until `room` bytes are there. The number of
// bytes, or -errno; -ETIMEDOUT after `milliseconds` in all.
long read_line(long client, char* to, size_t room, unsigned milliseconds);

// True if the other end waits for an answer, and has not gone away.
bool still_waits(long client);

// Writes all of it, if the other end takes it in that time.
void write_all(long client, const char* from, size_t size, unsigned milliseconds);

}  // namespace mipstrace::control
