#include "tools/record/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "lib/base/unique_fd.h"
#include "tools/model/data_error.h"

namespace mipstrace::tools {

namespace {

constexpr int kUsual[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

volatile pid_t child_pid = 0;

void pass_to_child(int signal_number, siginfo_t* info, void*) {
    int error = errno;
    // What the kernel sends because of a key goes to the whole foreground group.
    bool is_from_process =
        info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL;
    if (is_from_process && child_pid > 0 && info->si_pid != child_pid)
        kill(child_pid, signal_number);
    errno = error;
}

// Signals are kept back while it is made, and caught while it lives.
class CaughtSignals {
  public:
    explicit CaughtSignals(const std::vector<int>& more)
        : numbers_(std::begin(kUsual), std::end(kUsual)) {
        for (int number : more)
            if (number != 0 &&
                std::find(numbers_.begin(), numbers_.end(), number) == numbers_.end())
                numbers_.push_back(number);
        sigset_t caught;
        sigemptyset(&caught);
        for (int number : numbers_)
            sigaddset(&caught, number);
        sigprocmask(SIG_BLOCK, &caught, &mask_);
        struct sigaction action {};
        action.sa_sigaction = pass_to_child;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        for (int number : numbers_) {
            struct sigaction before {};
            sigaction(number, nullptr, &before);
            before_.push_back(before);
            // nohup: what was ignored stays so, for the program too.
            if (before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
        }
    }
    ~CaughtSignals() { restore(); }
    CaughtSignals(const CaughtSignals&) = delete;
    CaughtSignals& operator=(const CaughtSignals&) = delete;
    void release() { sigprocmask(SIG_SETMASK, &mask_, nullptr); }
    void restore() {
        for (size_t i = 0; i < numbers_.size(); i++)
            sigaction(numbers_[i], &before_[i], nullptr);
        release();
    }

  private:
    std::vector<int> numbers_;
    std::vector<struct sigaction> before_;
    sigset_t mask_;
};

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> list;
    for (const std::string& word : words)
        list.push_back(const_cast<char*>(word.c_str()));
    list.push_back(nullptr);
    return list;
}

std::vector<std::string> merged_environment(const ChildCommand& command) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; entry++) {
        bool is_replaced = false;
        for (const auto& [name, value] : command.environment)
            if (std::string_view(*entry).starts_with(name + "=")) is_replaced = true;
        if (!is_replaced) all.emplace_back(*entry);
    }
    for (const auto& [name, value] : command.environment)
        all.push_back(name + "=" + value);
    return all;
}

}  // namespace

ProgramEnd run_child(const ChildCommand& command) {
    std::vector<char*> argv = pointers(command.words);
    std::vector<std::string> environment = merged_environment(command);
    std::vector<char*> envp = pointers(environment);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw DataError(std::string("cannot start: ") + strerror(errno));
    UniqueFd result(ends[0]);
    UniqueFd report(ends[1]);

    CaughtSignals caught(command.passed_signals);
    pid_t pid = fork();
    if (pid < 0) throw DataError(std::string("cannot start a process: ") + strerror(errno));
    if (pid == 0) {
        signal(SIGPIPE, SIG_DFL);
        caught.restore();
        execve(command.file.c_str(), argv.data(), envp.data());
        int error = errno;
        ssize_t n = write(report.get(), &error, sizeof error);
        _exit(n < 0 ? 126 : 127);
    }
    child_pid = pid;
    caught.release();
    report.reset();
    int error = 0;
    ssize_t got;
    do
        got = read(result.get(), &error, sizeof error);
    while (got < 0 && errno == EINTR);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    child_pid = 0;
    if (got == ssize_t(sizeof error))
        throw DataError("cannot run " + command.file + ": " + strerror(error),
                        error == ENOENT ? 127 : 126);
    ProgramEnd end;
    if (WIFSIGNALED(status))
        end.signal = WTERMSIG(status);
    else
        end.status = WEXITSTATUS(status);
    return end;
}

}  // namespace mipstrace::tools
