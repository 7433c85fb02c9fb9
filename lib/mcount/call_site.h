// The call of _mcount that -pg puts behind the prologue of a function, and what the prologue has
// done by then. The words of n64 code that is position-independent, of non-PIC code, and of o32:
//
//                function:            stack frame, store of $31 if it isn't a leaf, gp
//                  ld   $3, ..($28)                                      with -mlong-calls
//   address+0      move $1, $31                                          the caller
//                [ move $2, $15 ]                                        the static chain
//                [ addiu $12, $29, ra's place | move $12, $0 ]           -mmcount-ra-address
//                [ addiu $29, $29, -8 ]                                  o32: _mcount takes it back
//                  ld   $25, ..($28) ; jalr $25    | jal plt_entry | jalr $3
//                  nop, or one of those above                            (delay slot)
//                [ lw   $28, ..($29) ]                                o32, PIC, as behind each call
//                [ move $15, $2 ]
//
// Everything that these words change is dead behind them, and all that was live at the function's
// entry still is: but for the stack pointer and, in a function that is no leaf, the place of the
// return address, a sled may stand here as well as at the entry. So that is what they become
// (lib/patch): the first three words a sled, the others nops.
#pragma once

#include <cstdint>

#include "lib/mcount/call_slots.h"
#include "lib/mcount/code.h"

namespace mipstrace::mcount {

// Where the stack pointer and the return address of a function's entry are at its call of _mcount.
struct SiteFrame {
    bool is_known;      // else calls can be seen, but no returns
    uint32_t size;      // the stack pointer at the entry minus that at the call
    uint32_t ra_below;  // the place of the return address below the former; 0: only $31 has it
};

inline constexpr uint32_t kLargestFrame = 0x7fffff0;  // what is larger is not known
inline constexpr uint32_t kFarthestPlace = 4 * 255;   // nor what lies farther from the top

struct CallSite {
    uint64_t address;
    uint64_t start;  // of its function; 0: not known
    uint32_t words;
    SiteFrame frame;
};

// True if `word` may begin a call: move $1, $31.
bool may_begin_call(mips::Insn insn);

// The number of words of what looks like a call at `address`; 0: nothing does.
uint32_t count_call_words(const Code& code, uint64_t address);

// True if there is a call of _mcount at `address`. The function begins at or behind `floor`.
bool find_call_site(const Code& code, const CallSlots& slots, uint64_t address, uint64_t floor,
                    CallSite* site);

// Calls visit(const CallSite&) for each in `code`, in the order of their addresses.
template <typename Visit>
void for_each_call_site(const Code& code, const CallSlots& slots, Visit&& visit) {
    uint64_t floor = code.address;
    for (uint64_t at = code.address; code.holds(at); at += 4) {
        CallSite site;
        if (!may_begin_call(code.at(at)) || !find_call_site(code, slots, at, floor, &site))
            continue;
        visit(site);
        floor = at + 4 * uint64_t(site.words);
        at = floor - 4;
    }
}

}  // namespace mipstrace::mcount
