#include "tools/run_command.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "lib/base/unique_fd.h"

namespace mipstrace::tools {

CommandResult run_command(const std::vector<std::string>& command, bool merge_errors) {
    CommandResult result;
    int ends[2];
    if (command.empty() || pipe2(ends, O_CLOEXEC) != 0) {
        result.start_error = command.empty() ? ENOENT : errno;
        return result;
    }
    UniqueFd from_child(ends[0]);
    UniqueFd to_us(ends[1]);

    std::vector<char*> argv;
    for (const std::string& word : command)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, to_us.get(), STDOUT_FILENO);
    if (merge_errors) posix_spawn_file_actions_adddup2(&actions, to_us.get(), STDERR_FILENO);
    // Our own handling of broken pipes is not the child's.
    posix_spawnattr_t attributes;
    sigset_t defaults;
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    result.start_error = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    to_us.reset();
    if (result.start_error != 0) return result;

    char buffer[4096];
    ssize_t got = 0;
    while ((got = read(from_child.get(), buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0) result.output.append(buffer, size_t(got));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

}  // namespace mipstrace::tools
