#include "lib/control/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/file_status.h"
#include "lib/base/raw_log.h"
#include "lib/base/syscall.h"

namespace mipstrace::control {

namespace {

constexpr int kBacklog = 16;
constexpr unsigned kOwnerOnly = 0600;

// Closes a descriptor of this file's at the end of its life.
class Closing {
  public:
    explicit Closing(long fd) : fd_(fd) {}
    ~Closing() {
        if (fd_ >= 0) raw_syscall(SYS_close, fd_);
    }
    Closing(const Closing&) = delete;
    Closing& operator=(const Closing&) = delete;
    long get() const { return fd_; }
    long release() {
        const long fd = fd_;
        fd_ = -1;
        return fd;
    }

  private:
    long fd_;
};

bool append(sockaddr_un* address, size_t* used, std::string_view text) {
    if (*used + text.size() >= sizeof address->sun_path) return false;
    for (const char c : text)
        address->sun_path[(*used)++] = c;
    address->sun_path[*used] = '\0';
    return true;
}

// A socket's path holds 107 bytes: a longer one goes by the folder's descriptor.
bool make_address(std::string_view path, long folder, sockaddr_un* address) {
    *address = {};
    address->sun_family = AF_UNIX;
    size_t used = 0;
    if (append(address, &used, path)) return true;
    char digits[20];
    const size_t slash = path.rfind('/');
    return folder >= 0 && append(address, &used, "/proc/self/fd/") &&
           append(address, &used, {digits, format_decimal(uint64_t(folder), digits)}) &&
           append(address, &used, {path.data() + slash, path.size() - slash});
}

long open_folder_of(std::string_view path) {
    char folder[768];
    const size_t size = path.rfind('/');
    if (size >= sizeof folder) return -ENAMETOOLONG;
    for (size_t i = 0; i < size; i++)
        folder[i] = path[i];
    folder[size] = '\0';
    return raw_syscall(SYS_openat, AT_FDCWD, static_cast<const char*>(folder),
                       O_PATH | O_DIRECTORY | O_CLOEXEC);
}

long bind_to(long fd, const char* path) {
    const std::string_view text(path);
    const Closing folder(text.size() < sizeof(sockaddr_un::sun_path) ? -1 : open_folder_of(text));
    sockaddr_un address;
    if (!make_address(text, folder.get(), &address)) return -ENAMETOOLONG;
    raw_syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    // Before there is a name that anyone could connect to; the umask may take away more.
    raw_syscall(SYS_fchmod, fd, kOwnerOnly);
    const long error = raw_syscall(SYS_bind, fd, &address, sizeof address);
    return error != 0 ? error : raw_syscall(SYS_fchmodat, AT_FDCWD, path, kOwnerOnly);
}

int milliseconds_until(uint64_t end) {
    const uint64_t now = mono_ns();
    return now >= end ? 0 : int((end - now) / 1'000'000) + 1;
}

uint64_t end_after(unsigned milliseconds) {
    return mono_ns() + uint64_t(milliseconds) * 1'000'000;
}

// The events that came, 0 at the end of the time, or -errno.
long wait_for(long fd, short events, int milliseconds) {
    pollfd waiting{int(fd), events, 0};
    const long count = raw_syscall(SYS_poll, &waiting, 1L, milliseconds);
    return count <= 0 ? count : long(waiting.revents);
}

}  // namespace

long listen_at(const char* path, int signal) {
    Closing fd(
        move_high(raw_syscall(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)));
    if (fd.get() < 0) return fd.get();
    long error = bind_to(fd.get(), path);
    if (error == 0) error = raw_syscall(SYS_fcntl, fd.get(), F_SETSIG, signal);
    if (error == 0) error = raw_syscall(SYS_fcntl, fd.get(), F_SETOWN, raw_syscall(SYS_getpid));
    if (error == 0) error = raw_syscall(SYS_fcntl, fd.get(), F_SETFL, O_NONBLOCK | O_ASYNC);
    if (error == 0) error = raw_syscall(SYS_listen, fd.get(), kBacklog);
    if (error == 0) return fd.release();
    raw_syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    return error;
}

long accept_client(long listening) {
    for (;;) {
        const long client =
            raw_syscall(SYS_accept4, listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (client != -ECONNABORTED && client != -EINTR)
            return client >= 0 ? move_high(client) : client;
    }
}

bool is_from_owner(long client) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (raw_syscall(SYS_getsockopt, client, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return false;
    return peer.uid == 0 || long(peer.uid) == raw_syscall(SYS_geteuid);
}

long read_line(long client, char* to, size_t room, unsigned milliseconds) {
    const uint64_t end = end_after(milliseconds);
    size_t size = 0;
    while (size < room) {
        const long count = raw_syscall(SYS_recvfrom, client, to + size, room - size, MSG_DONTWAIT);
        if (count == 0) break;
        if (count > 0) {
            const std::string_view more(to + size, size_t(count));
            size += size_t(count);
            if (more.find('\n') != std::string_view::npos) break;
        } else if (count == -EAGAIN) {
            const int left = milliseconds_until(end);
            if (left == 0 || wait_for(client, POLLIN, left) == 0) return -ETIMEDOUT;
        } else if (count != -EINTR) {
            return count;
        }
    }
    return long(size);
}

bool still_waits(long client) {
    const long events = wait_for(client, POLLOUT, 0);
    return events > 0 && (events & (POLLHUP | POLLERR)) == 0;
}

void write_all(long client, const char* from, size_t size, unsigned milliseconds) {
    const uint64_t end = end_after(milliseconds);
    while (size != 0) {
        const long count =
            raw_syscall(SYS_sendto, client, from, size, MSG_NOSIGNAL | MSG_DONTWAIT, nullptr);
        if (count > 0) {
            from += count;
            size -= size_t(count);
        } else if (count == -EAGAIN) {
            const int left = milliseconds_until(end);
            if (left == 0 || wait_for(client, POLLOUT, left) <= 0) return;
        } else if (count != -EINTR) {
            return;
        }
    }
}

}  // namespace mipstrace::control
