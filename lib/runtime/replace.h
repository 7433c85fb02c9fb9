// The commands `replace` and `restore` of the control socket, and what `status` tells of them.
#pragma once

#include <string_view>

#include "lib/control/protocol.h"
#include "lib/direct/library_function.h"

namespace mipstrace::runtime {

// In the helper thread.
void replace_function(std::string_view argument, control::Reply& reply);
void restore_function(std::string_view name, control::Reply& reply);
// Says why a function can't be led elsewhere: an error of direct::redirect_to_library.
void say_redirect_error(int error, std::string_view function, control::Reply& reply);
// Waits a second at most for somebody to call the function and load the library.
direct::LibraryFunction::State wait_for_library(const direct::LibraryFunction& by);
// Under the registry's lock.
void say_replaced(control::Reply& reply);

}  // namespace mipstrace::runtime
