// What code that was compiled with the call-arc plugin (tools/callarc_plugin) holds, and calls. The
// plugin writes these as assembler data, so their layout is fixed: `count` first, then addresses.
//
//   section callarc        CallArc CallArc ...          one for each caller and direct callee
//   section callarclist    CallArcList ...              one for each indirect call
//                               first -> CallArcCons -> CallArcCons -> null      by callee
//   section callarcthunk   CallArcThunk ...             of C++: a thunk jumps to its function
//
// The sections' names are C identifiers because the linker gives their bounds, __start_callarc and
// so on, for such names only.
#pragma once

#include <cstdint>

namespace mipstrace::callarc {

struct CallArc {
    uint64_t count;
    const void* from;  // the caller's start
    const void* to;    // the callee's start; null: a weak function that is not there
};

struct CallArcCons {
    CallArcCons* next;
    const void* func_addr;
    uint64_t count;
};

struct CallArcList {
    const void* from;
    CallArcCons* first;
};

struct CallArcThunk {
    const void* thunk;
    const void* function;
};

}  // namespace mipstrace::callarc

// Before an indirect call of `callee`. Any context. Finds or adds the element; where there is no
// memory for one, the call is not counted. The plain one loses counts of threads that make the same
// call at the same moment.
extern "C" void __callarc_count(mipstrace::callarc::CallArcList* list, const void* callee);
extern "C" void __callarc_count_atomic(mipstrace::callarc::CallArcList* list, const void* callee);
