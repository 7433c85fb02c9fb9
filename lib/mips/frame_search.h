// How to get from a place in a function to its caller, read from the code alone. From there on the
// code is followed until it returns: on its way it takes the stack pointer and the return address
// back, as every way does that gets there.
//
//   jal   callee                        the caller's $29 = $29 + 48
//   nop                                 the return address is 8 below it
//   beqz  $2, 1f       <- address
//   ...
//   1: ld $31, 40($29)
//   jr    $31
//   addiu $29, $29, 48
//
// That needs no unwind information, no symbols and no start of the function. A function of which no
// such way is found (it never returns) is asked for its prologue, in front of the address.
#pragma once

#include <cstdint>

namespace mipstrace::mips {

struct FrameRule {
    bool by_fp = false;           // `size` counts from $30, else from $29
    bool ra_in_register = false;  // else at the caller's $29 - ra_below
    bool fp_is_lost = false;      // the caller's $30 can't be told
    int32_t size = 0;             // the caller's $29, from the one that is given
    int32_t ra_below = 0;
    int32_t fp_below = 0;  // where the caller's $30 is; 0: in $30
};

// A place in the code. `is_interrupted`: what is there has not run yet, and the registers are those
// of that moment; else it is where a call returns to.
struct CodePlace {
    uint64_t address;
    bool is_interrupted;
    bool is_r6;
};

// What the search goes by; all calls get `context`.
struct FrameSources {
    // The instruction at `address`; false: there is none to be read.
    bool (*read)(uint64_t address, uint32_t* word, void* context);
    // Whether what a rule leads to can be a caller. If not, the search goes on.
    bool (*accept)(const FrameRule& rule, void* context);
    void* context;
};

// False: no rule was found that is accepted. Bounded in time, and 1.5 KiB of stack.
bool find_frame_rule(const CodePlace& place, const FrameSources& sources, FrameRule* rule);

// True if a call could return to `address`, by what stands before it.
bool may_return_to(uint64_t address, bool is_r6, const FrameSources& sources);

}  // namespace mipstrace::mips
