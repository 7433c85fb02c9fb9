// The commands `replace` and `restore` of the control socket, and what `status` tells of them.
#pragma once

#include <string_view>

#include "lib/control/protocol.h"

namespace mipstrace::runtime {

// In the helper thread.
void replace_function(std::string_view argument, control::Reply& reply);
void restore_function(std::string_view name, control::Reply& reply);
// Under the registry's lock.
void say_replaced(control::Reply& reply);

}  // namespace mipstrace::runtime
