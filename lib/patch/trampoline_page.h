// The page that a module's sleds jump to: lui alone reaches it, and it knows its module.
//
//   page+0     lui   $12, page >> 16
//              load  $14, CALLER($12)
//              jr    $14                   ftrace_regs_caller
//              load  $13, BIAS($12)        (delay slot)
//   page+64    literals, see TRAMPOLINE_PAGE_* in trampoline/frame_layout.h
#pragma once

#include <cstdint>

namespace mipstrace::patch {

struct TrampolineTargets {
    const void* caller;    // ftrace_regs_caller
    const void* handlers;  // fgraph_handlers
};

// Makes a page for a module with this bias. Returns its address, a multiple of 64 KiB below 2 GiB,
// or 0 with errno where there is none. It is never unmapped: a thread may be inside.
uint32_t make_trampoline_page(const TrampolineTargets& targets, uintptr_t bias);

// Gives a page another bias, when no thread can be inside: its module was unloaded, and is loaded
// elsewhere. False, with errno: it can't be written.
bool change_bias(uint32_t page, uintptr_t bias);

}  // namespace mipstrace::patch
