#include "lib/base/signal_name.h"

#include <signal.h>

namespace mipstrace {

namespace {

struct Name {
    std::string_view name;
    int number;
};

constexpr Name kNames[] = {
    {"HUP", SIGHUP},     {"INT", SIGINT},   {"QUIT", SIGQUIT},     {"ALRM", SIGALRM},
    {"TERM", SIGTERM},   {"USR1", SIGUSR1}, {"USR2", SIGUSR2},     {"PWR", SIGPWR},
    {"WINCH", SIGWINCH}, {"URG", SIGURG},   {"IO", SIGIO},         {"CONT", SIGCONT},
    {"TSTP", SIGTSTP},   {"PROF", SIGPROF}, {"VTALRM", SIGVTALRM},
};

}  // namespace

int parse_signal(std::string_view name) {
    if (name.starts_with("SIG")) name.remove_prefix(3);
    for (const Name& known : kNames)
        if (name == known.name) return known.number;
    return 0;
}

}  // namespace mipstrace
