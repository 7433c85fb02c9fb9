#include "lib/control/server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include "lib/base/block_signals.h"
#include "lib/base/signal_handler.h"
#include "lib/base/syscall.h"
#include "lib/control/socket.h"

namespace mipstrace::control {

Server server;

namespace {

// A client that takes longer is let go, so that the others come to their turn.
constexpr unsigned kPatienceMs = 1000;

// Of the helper thread alone.
char request_text[kLongestRequest + 1];
char reply_text[32 * 1024];

bool result_of(int error) {
    if (error != 0) errno = error;
    return error == 0;
}

}  // namespace

bool Server::prepare(int signal, Execute execute, const void* thread_variable) {
    execute_ = execute;
    signal_ = signal;
    if (!helper_.prepare(work, thread_variable)) return result_of(ENOMEM);
    return signal == 0 || result_of(install_handler(signal, on_signal, false));
}

bool Server::execute_at(int signal, Command command) {
    command_ = command;
    command_signal_ = signal;
    return result_of(install_handler(signal, on_signal, false));
}

void Server::on_signal(int signal) {
    BlockSignals quiet;  // also those that libc keeps for itself, which the helper must not get
    if (signal == server.command_signal_) server.commands_due_++;
    server.helper_.wake();
}

void Server::work() {
    server.serve();
}

long Server::listen_at(const char* path) {
    if (signal_ == 0 || strlen(path) >= sizeof path_) return -EINVAL;
    const long fd = control::listen_at(path, signal_);
    if (fd < 0) return fd;
    FileStatus status;
    if (!file_status(int(fd), &status)) {
        raw_syscall(SYS_close, fd);
        return -EBADF;
    }
    identity_ = status.identity;
    strcpy(path_, path);
    fd_ = int(fd);
    return 0;
}

void Server::listen_again() {
    char path[sizeof path_];
    strcpy(path, path_);
    listen_at(path);
}

bool Server::is_ours(int fd) const {
    FileStatus status;
    return fd >= 0 && file_status(fd, &status) && status.identity == identity_;
}

void Server::serve() {
    for (unsigned due = commands_due_.exchange(0); due != 0; due--) {
        Reply reply(reply_text, sizeof reply_text);
        execute_({command_, {}}, reply);
    }
    if (fd_ < 0) return;
    // The program closes every descriptor: whoever can't connect sends the signal.
    if (!is_ours(fd_)) listen_again();
    while (is_ours(fd_)) {
        const long client = accept_client(fd_);
        if (client < 0) return;
        if (is_from_owner(client)) answer(int(client));
        raw_syscall(SYS_close, client);
    }
}

void Server::answer(int client) {
    const long size = read_line(client, request_text, sizeof request_text, kPatienceMs);
    Request request{};
    Reply reply(reply_text, sizeof reply_text);
    const char* wrong = nullptr;
    if (size == -ETIMEDOUT)
        wrong = "the request did not come in time";
    else if (size < 0)
        return;
    else {
        const std::string_view text(request_text, size_t(size));
        const size_t end = text.find('\n');
        wrong = parse_request({text.data(), end == std::string_view::npos ? text.size() : end},
                              &request);
    }
    if (wrong != nullptr) {
        reply.error(wrong) << "\n";
    } else {
        // A client that has given up does not want it any more.
        if (!still_waits(client)) return;
        reply << "ok\n";
        execute_(request, reply);
    }
    write_all(client, reply.text().data(), reply.text().size(), kPatienceMs);
}

void Server::remove() {
    const int fd = fd_.exchange(-1);
    if (fd < 0) return;
    raw_syscall(SYS_unlinkat, AT_FDCWD, static_cast<const char*>(path_), 0);
    if (is_ours(fd)) raw_syscall(SYS_close, fd);
}

void Server::leave_to_parent() {
    helper_.forget();
    commands_due_ = 0;
    const int fd = fd_.exchange(-1);
    if (is_ours(fd)) raw_syscall(SYS_close, fd);
}

}  // namespace mipstrace::control
