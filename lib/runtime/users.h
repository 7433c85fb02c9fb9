// What `users` of the control socket does: who gets calls, one more, one less. In the helper
// thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "lib/control/protocol.h"

namespace mipstrace::runtime {

// `argument`: nothing, "add /PATH/LIB.so at FUNC", "remove NAME".
void change_users(std::string_view argument, control::Reply& reply);

// Functions that are on for the user in `slot`. Under the registry's lock.
uint64_t count_functions_of(unsigned slot);

// Puts functions back whose next call has loaded a plugin by now.
void finish_plugins();

}  // namespace mipstrace::runtime
