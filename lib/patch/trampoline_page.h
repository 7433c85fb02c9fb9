// The page that a module's sleds jump to: lui alone reaches it, and it knows its module. Its code
// is a copy of one in trampoline/module_page.S, where the gate is explained.
//
//   page+0      code
//   page+1024   literals, see PageLiterals
#pragma once

#include <cstdint>

#include "lib/mips/insn.h"

namespace mipstrace::patch {

class SiteTable;
struct Module;

// Code to copy: where it begins and ends, and instructions in it.
struct PageCode {
    const uint32_t* begin;
    const uint32_t* end;
    const uint32_t* gate;  // null: it has none, and neither of the following
    const uint32_t* check;
    const uint32_t* light;
    const uint32_t* general;
    const uint32_t* mark;  // where `mark_sync` comes in if there is no membarrier
    const uint32_t* mark_sync;
};

// What stands at the gate of every page for sleds: the way of all calls.
enum class Gate : uint8_t {
    light,  // by dispatch lists: no function is the recorder's alone, or it has no way of its own
    recorder,  // the recorder's own way: no function is on for anybody else
    check,     // the recorder's own way where the sled's users say so, else by dispatch lists
    count_
};

struct TrampolineTargets {
    const void* at_sled;           // ftrace_regs_caller
    const void* at_call;           // ftrace_mcount_caller
    const void* handlers;          // fgraph_handlers
    const void* recorder;          // record_enter_by_mono
    const void* saved;             // ftrace_regs_caller_saved; null: all calls go to at_sled
    const PageCode* without_bias;  // for modules with a bias of 0
    const PageCode* with_bias;
    intptr_t thread;  // offset of this_thread from the thread pointer
    bool needs_sync;  // there is no membarrier
    // What at_sled and at_call find in the page of a module beside its bias; no function: null.
    const void* (*data_of)(const Module& module) = nullptr;
};

// What a page is for: the sleds of a module, or its calls of _mcount or one function that is
// replaced, which all go the general way.
struct PageUse {
    uintptr_t bias;  // of the module
    // mcount::FrameTable of its calls of _mcount, or DirectCall of the function; null: for sleds.
    const void* frames;
    const void* data;  // of the module
};

// Makes a page. Returns its address, a multiple of 64 KiB below 2 GiB, or 0 with errno where there
// is none. It is never unmapped: a thread may be inside.
uint32_t make_trampoline_page(const TrampolineTargets& targets, const PageUse& use);

// Gives a page to another use, when no thread can be inside: its own module was unloaded. False,
// with errno: it can't be written.
bool give_trampoline_page(uint32_t page, const TrampolineTargets& targets, const PageUse& use);

// For an address in the code of a page: where in this library it was copied from. Any other stays
// as it is. Any context.
uintptr_t copied_from(uintptr_t address);

// The gate of all pages for sleds there are and will be; light at first. Threads may be inside,
// and go on by the old one; those that come to a sled now take the new one. From the others there
// is no way back to `recorder`: a thread may still be on its way from a sled. False: a page can't
// be written, and keeps its gate. One caller at a time, while `table` does not change.
bool set_gate(SiteTable& table, Gate gate);

// Calls `write(at, word)` for the loads of this_thread (LOAD_BLOCK in trampoline/record_steps.h) in
// [begin, end), with the word that has the offset from the thread pointer in it. False, and no
// call: the offset is too large for one instruction.
template <typename Write>
bool put_thread_offset(const uint32_t* begin, const uint32_t* end, intptr_t offset, Write&& write) {
    if (offset != int16_t(offset)) return false;
    for (const uint32_t* at = begin; at != end; at++) {
        if (mips::is_load_from_itself(*at)) write(at, *at | uint16_t(offset));
    }
    return true;
}

}  // namespace mipstrace::patch
