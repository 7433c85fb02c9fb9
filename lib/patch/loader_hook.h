// Makes the dynamic linker tell when objects come and go, in the way in which it tells a debugger:
// it calls an empty function, r_brk, whenever r_state has changed.
//
//               as it is       hooked
//   r_brk+0     jr  $31        j   page                  in the same 256 MiB
//   r_brk+4     nop            nop                       (delay slot)
//
//   r_brk+0     jrc $31        bc  page                  R6: within 128 MiB, no delay slot
//
//   page        lui, ori, dsll ... $1, loader_hook_entry
//               jr  $1
//               nop
#pragma once

namespace mipstrace::patch {

enum class LoaderState {
    consistent,  // everything that is loaded is mapped, but perhaps neither relocated nor
                 // initialised
    adding,
    deleting,  // objects are about to be unmapped; `consistent` follows from the same thread
};

// Calls `handler` from now on. It runs in a thread that holds the dynamic linker's lock, on a stack
// of its own, before constructors of what is new. False: the system, or this dynamic linker, does
// not allow it. Once.
bool hook_loader(void (*handler)(LoaderState));

}  // namespace mipstrace::patch
