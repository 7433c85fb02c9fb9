#include "tools/control/client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>

#include "lib/base/unique_fd.h"
#include "tools/model/data_error.h"

namespace mipstrace::tools {

namespace {

using Clock = std::chrono::steady_clock;

// An emulated machine that looks through the names of 200,000 functions takes its time.
constexpr std::chrono::seconds kPatience(60);
// A process that listens again does so at once.
constexpr std::chrono::seconds kShortPatience(5);

std::string name_of(const ControlTarget& target) {
    return target.pid != 0 ? "process " + std::to_string(target.pid) : target.socket;
}

// A socket's path holds 107 bytes: a longer one goes by the folder's descriptor.
bool connect_to(const UniqueFd& fd, const std::string& path) {
    UniqueFd folder;
    std::string way = path;
    if (way.size() >= sizeof(sockaddr_un::sun_path)) {
        const size_t slash = path.rfind('/');
        folder.reset(open(path.substr(0, slash).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        way = "/proc/self/fd/" + std::to_string(folder.get()) + path.substr(slash);
    }
    if (way.size() >= sizeof(sockaddr_un::sun_path)) {
        errno = ENAMETOOLONG;
        return false;
    }
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    way.copy(address.sun_path, way.size());
    return connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// The program has closed the descriptor of its socket: the signal makes it listen again. Both do no
// harm to a process that has no handler for them.
void ring(uint32_t pid) {
    for (const int number : {SIGURG, SIGWINCH})
        kill(pid_t(pid), number);
}

// False: nobody listens.
bool reach(const UniqueFd& fd, const ControlTarget& target) {
    const auto end = Clock::now() + kShortPatience;
    for (bool has_rung = false; !connect_to(fd, target.socket);) {
        const bool is_gone = errno == ECONNREFUSED || errno == ENOENT;
        if (!is_gone && errno != EAGAIN)
            throw DataError("cannot connect to " + target.socket + ": " + strerror(errno));
        if ((is_gone && target.pid == 0) || Clock::now() > end) return false;
        if (is_gone && !has_rung) ring(target.pid);
        has_rung = true;
        poll(nullptr, 0, 10);
    }
    return true;
}

std::string why_nobody_listens(const ControlTarget& target) {
    if (target.pid == 0) return target.socket + " is left from a process that has ended";
    if (access(target.socket.c_str(), F_OK) == 0) return name_of(target) + " has ended";
    return name_of(target) +
           " has no control socket: it was recorded with --control=no, or to a file system that "
           "knows no sockets, or has just ended";
}

// Why there is no reply.
ControlReply without_reply(const ControlTarget& target) {
    const UniqueFd again(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!connect_to(again, target.socket) && (errno == ECONNREFUSED || errno == ENOENT))
        return {false,
                name_of(target) +
                    " has ended without an answer; one that blocks or handles SIGURG itself "
                    "is steered by `record --control=WINCH`",
                ""};
    throw DataError(name_of(target) + " refuses to be steered by this user");
}

std::string read_all(const UniqueFd& fd, const ControlTarget& target) {
    std::string text;
    const auto end = Clock::now() + kPatience;
    for (char buffer[4096];;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd waiting{fd.get(), POLLIN, 0};
        if (left <= 0 || poll(&waiting, 1, int(left)) == 0)
            throw DataError(name_of(target) +
                            " does not answer: it is stopped, or blocks or handles the signal of "
                            "its control socket itself; see record --control");
        const ssize_t count = recv(fd.get(), buffer, sizeof buffer, 0);
        if (count == 0) return text;
        if (count > 0)
            text.append(buffer, size_t(count));
        else if (errno == ECONNRESET)
            return text;
        else if (errno != EINTR && errno != EAGAIN)
            throw DataError("cannot read from " + target.socket + ": " + strerror(errno));
    }
}

}  // namespace

bool is_listening(const std::string& path) {
    const UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    return connect_to(fd, path) || errno == EAGAIN;
}

ControlReply ask_process(const ControlTarget& target, const std::string& request) {
    const UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd) throw DataError(std::string("no socket can be made: ") + strerror(errno));
    if (!reach(fd, target)) return {false, why_nobody_listens(target), ""};
    ControlReply reply;
    const std::string line = request + "\n";
    if (send(fd.get(), line.data(), line.size(), MSG_NOSIGNAL) != ssize_t(line.size())) {
        if (errno == EPIPE || errno == ECONNRESET) return without_reply(target);
        throw DataError("cannot write to " + target.socket + ": " + strerror(errno));
    }
    const std::string text = read_all(fd, target);
    const std::string first = text.substr(0, text.find('\n'));
    if (first == "ok")
        reply.text = text.substr(3);
    else if (first.rfind("error ", 0) == 0)
        reply.error = first.substr(6);
    else if (text.empty())
        return without_reply(target);
    else
        throw DataError(target.socket + " is not a control socket of mipstrace");
    return reply;
}

}  // namespace mipstrace::tools
