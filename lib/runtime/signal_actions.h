// What the program is shown of the signals that the library handles: in the place of the library's
// handlers, the default action. Setting that, as programs do that put back what they found,
// installs the library's again.
#pragma once

namespace mipstrace::runtime {

// Before a program's code runs.
void prepare_signal_actions();

}  // namespace mipstrace::runtime
