#include "lib/callarc/bounds.h"

using namespace mipstrace::callarc;

// From the linker; null where there is no such section.
#define CALLARC_BOUND extern "C" __attribute__((weak, visibility("hidden")))
CALLARC_BOUND CallArc __start_callarc[];
CALLARC_BOUND CallArc __stop_callarc[];
CALLARC_BOUND CallArcList __start_callarclist[];
CALLARC_BOUND CallArcList __stop_callarclist[];
CALLARC_BOUND const CallArcThunk __start_callarcthunk[];
CALLARC_BOUND const CallArcThunk __stop_callarcthunk[];

// Each is named once, here: with `--gc-sections -z start-stop-gc` binutils' ld lets go of a section
// that a first reference to its bounds names, and keeps it for a second one.
const Counters mipstrace::callarc::counters = {
    {__start_callarc, __stop_callarc},
    {__start_callarclist, __stop_callarclist},
    {__start_callarcthunk, __stop_callarcthunk},
};
