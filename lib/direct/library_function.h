// A replacement that a library holds which the process may not have loaded. Loading it takes a
// thread of the program's own, in a place where the program itself could call dlopen: the thread
// that calls the function next does it, before the call goes on.
//
//   pending -> loading -> loaded     calls go to the library's function
//      ^         |    \-> failed     calls go to the function itself
//      \---------/                   this call has no stack for it: the next one
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "lib/patch/site_table.h"

namespace mipstrace::direct {

struct DirectCall;

struct LibraryFunction {
    enum class State : uint32_t { pending, loading, loaded, failed };
    std::atomic<State> state;
    void* loader;        // thread pointer of who loads
    char library[2048];  // path
    char name[512];      // empty: it is loaded for its own sake, see plugin.h
    char function[512];  // what it replaces, as the user named it
    char error[512];     // why it failed, of dlerror
};

// Leads the callers of a site's function to `name` of `library`, both copied, as is `function`. If
// the library defines a variable of the name with "_original" behind it, the pointer to the
// original is stored there before the first call. Errors: as redirect(), and
//   -E2BIG   one of the strings is too long
//   -EAGAIN  a thread is still loading the library of the one before
// Under fgraph::registry_lock.
int redirect_to_library(patch::Module& module, patch::Site& site, std::string_view library,
                        std::string_view name, std::string_view function, DirectCall** call);

// In the child of a fork: what another thread was loading comes to nothing.
void give_up_loading();

}  // namespace mipstrace::direct
