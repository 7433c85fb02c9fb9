// The socket by which a traced process is steered. It costs nothing until somebody connects: the
// kernel then sends the process a signal, whose handler makes the thread that answers
// (helper_thread.h), and that thread ends when nobody is left.
//
//   client                kernel                 process
//   connect         ->    SIGURG            ->   handler: wake() -> helper: accept, read, execute
//   reply           <-                      <-                     write, close
#pragma once

#include <atomic>
#include <cstddef>
#include <string_view>

#include "lib/base/file_status.h"
#include "lib/control/helper_thread.h"
#include "lib/control/protocol.h"

namespace mipstrace::control {

class Server {
  public:
    // In the helper thread.
    using Execute = void (*)(const Request& request, Reply& reply);

    // Once, before other threads. The socket's `signal` must be one that does no harm to a process
    // that has no handler for it. False, with errno.
    bool prepare(int signal, Execute execute, const void* thread_variable);
    // At this signal `command` is executed without a client. False, with errno.
    bool execute_at(int signal, Command command);

    // Whether the process may have a socket.
    bool can_listen() const { return signal_ != 0; }
    // Listens at `path`, whose owner alone may connect. Any context. 0 or -errno.
    long listen_at(const char* path);
    // Removes the socket. At the process's end.
    void remove();
    // In the child of a fork: the socket is the parent's.
    void leave_to_parent();

  private:
    static void on_signal(int signal);
    static void work();
    void serve();
    void listen_again();
    void answer(int client);
    bool is_ours(int fd) const;

    HelperThread helper_;
    Execute execute_ = nullptr;
    int signal_ = 0;
    int command_signal_ = 0;
    Command command_ = Command::toggle;
    std::atomic<unsigned> commands_due_{0};
    std::atomic<int> fd_{-1};
    FileIdentity identity_;  // of the descriptor, which the program may close and use again
    char path_[768] = {};
};

extern Server server;

}  // namespace mipstrace::control
