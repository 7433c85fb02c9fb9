// The function that the program would call if this library had none of that name.
#pragma once

#include <dlfcn.h>

#include <atomic>

#include "lib/base/next_function.h"

namespace mipstrace::unwind {

// Looked up at the first call, as libc's backtrace does with its unwinder: a program that wants
// stack traces in signal handlers makes one before. Null: there is none.
template <typename Function>
class NextDefinition {
  public:
    explicit constexpr NextDefinition(const char* name) : name_(name) {}

    Function* find() {
        Function* function = found_.load(std::memory_order_relaxed);
        if (function != nullptr) return function;
        function = next_function<Function>(name_);
        if (function == nullptr) {
            // A library that was loaded later may have it for itself; it stays loaded from now on.
            void* libgcc = dlopen("libgcc_s.so.1", RTLD_LAZY | RTLD_NOLOAD);
            if (libgcc != nullptr) function = reinterpret_cast<Function*>(dlsym(libgcc, name_));
        }
        found_.store(function, std::memory_order_relaxed);
        return function;
    }

  private:
    const char* name_;
    std::atomic<Function*> found_ = nullptr;
};

}  // namespace mipstrace::unwind
