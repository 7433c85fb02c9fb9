// A thread of the library's own that is there only while it has work. libc does not know of it: a
// program that counts its threads, makes a user namespace, or ends with its last thread sees none
// that is not its own for longer than a request takes.
//
//   handler, any thread         helper
//   wake() -> clone      ->     work() until nothing more is wanted -> exit
//
// Its thread-local storage is zeroed memory around a thread pointer of its own, with room for the
// variables of the library and for errno. So nothing that it calls may use libc beyond what
// lib/own_libc has, and what reads no more of a thread than errno. All signals are blocked in it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mipstrace::control {

class HelperThread {
  public:
    // Once, before other threads. `variable` is the library's thread-local one that lies furthest
    // from errno. `work` is called in the helper, with nobody else in it. False: no memory.
    bool prepare(void (*work)(), const void* variable);

    // Has work called once more. Any context with all signals blocked. False: no thread could be
    // made.
    bool wake();

    // In the child of a fork: there is none.
    void forget();

  private:
    static long run(HelperThread* self);
    bool start();

    void (*work_)() = nullptr;
    char* stack_end_ = nullptr;
    char* thread_pointer_ = nullptr;
    std::atomic<uint32_t> wanted_{0};
    std::atomic<uint32_t> is_ending_{0};
    // Of the thread; 0: there is none, also written by the kernel when its stack is free again.
    std::atomic<uint32_t> tid_{0};
};

}  // namespace mipstrace::control
