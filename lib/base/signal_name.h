// Signals by name, since their numbers differ between machines.
#pragma once

#include <string_view>

namespace mipstrace {

// Number on this machine of a signal that one process sends another: "USR2", "SIGUSR2". 0: it is
// none, can't be caught (KILL) or is no mere message (SEGV). Real-time signals are left out: they
// have other numbers on the two sides of qemu-user.
int parse_signal(std::string_view name);

inline constexpr char kSignalText[] = "a signal like USR2 or WINCH";

}  // namespace mipstrace
