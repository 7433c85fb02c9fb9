#include "lib/direct/library_function.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include <algorithm>

#include "lib/base/arena.h"
#include "lib/base/raw_log.h"
#include "lib/direct/direct_call.h"
#include "lib/direct/plugin.h"
#include "lib/fgraph/thread_state.h"

extern "C" __attribute__((visibility("hidden"))) void direct_load();

namespace mipstrace::direct {

namespace {

using State = LibraryFunction::State;

// dlopen and constructors of the library.
constexpr uintptr_t kStackBytes = 64 * 1024;

template <size_t N>
bool copy(char (&to)[N], std::string_view from) {
    if (from.size() >= N) return false;
    memcpy(to, from.data(), from.size());
    to[from.size()] = '\0';
    return true;
}

bool has_stack(uintptr_t sp) {
    fgraph::ThreadState* thread = fgraph::set_up_thread();
    if (thread == nullptr) return false;
    const fgraph::StackBounds bounds = fgraph::bounds_of_stack(*thread, sp);
    return bounds.high != 0 && sp - bounds.low >= kStackBytes;
}

void note_error(LibraryFunction& by, const char* why) {
    std::string_view reason = why != nullptr ? why : "it has no address";
    copy(by.error, {reason.data(), std::min(reason.size(), sizeof by.error - 1)});
}

// 0: an error, which is noted.
uintptr_t find_in_library(LibraryFunction& by, const DirectCall& call) {
    if (by.name[0] == '\0') {
        if (open_plugin(by.library) != nullptr) return call.original;
        note_error(by, dlerror());
        return 0;
    }
    void* library = dlopen(by.library, RTLD_NOW);
    void* found = library != nullptr ? dlsym(library, by.name) : nullptr;
    if (found == nullptr || reinterpret_cast<uintptr_t>(found) == call.function) {
        const char* why = found == nullptr ? dlerror() : "it is the function itself";
        note_error(by, why);
        return 0;
    }
    char variable[sizeof by.name + sizeof "_original"];
    strcpy(variable, by.name);
    strcpy(variable + strlen(variable), "_original");
    if (void* original = dlsym(library, variable); original != nullptr)
        *static_cast<uintptr_t*>(original) = call.original;
    return reinterpret_cast<uintptr_t>(found);
}

// In a thread that has called the function, from direct_load: where it goes on. Other threads that
// come meanwhile, and calls that loading makes itself, go to the function.
uintptr_t load(DirectCall* call, uintptr_t sp) {
    LibraryFunction& by = *call->by;
    State state = State::pending;
    if (!by.state.compare_exchange_strong(state, State::loading)) {
        const uintptr_t target = call->target;
        return target != reinterpret_cast<uintptr_t>(&direct_load) ? target : call->original;
    }
    by.loader = __builtin_thread_pointer();
    const int saved_errno = errno;
    uintptr_t found = 0;
    if (!has_stack(sp)) {
        by.state = State::pending;
    } else {
        found = find_in_library(by, *call);
        // Not if it was restored meanwhile.
        uintptr_t loading = reinterpret_cast<uintptr_t>(&direct_load);
        if (!call->target.compare_exchange_strong(loading, found != 0 ? found : call->original))
            found = 0;
        by.state = by.error[0] == '\0' ? State::loaded : State::failed;
        if (by.error[0] != '\0')
            LogLine() << static_cast<const char*>(by.name[0] != '\0' ? by.function : by.library)
                      << (by.name[0] != '\0' ? " is not replaced: " : " can't be loaded: ")
                      << static_cast<const char*>(by.error);
    }
    errno = saved_errno;
    return found != 0 ? found : call->original;
}

}  // namespace

int redirect_to_library(patch::Module& module, patch::Site& site, std::string_view library,
                        std::string_view name, std::string_view function, DirectCall** out) {
    DirectCall* call = nullptr;
    if (const int error = prepare_call(module, site, &call); error != 0) return error;
    if (call->by == nullptr) call->by = map_objects<LibraryFunction>(1);
    if (call->by == nullptr) return -ENOMEM;
    LibraryFunction& by = *call->by;
    // From here on who is still on its way to the one before finds nothing to load.
    State state = State::pending;
    if (!by.state.compare_exchange_strong(state, State::failed) && state == State::loading)
        return -EAGAIN;
    if (!copy(by.library, library) || !copy(by.name, name) || !copy(by.function, function))
        return -E2BIG;
    by.error[0] = '\0';
    call->load = load;
    by.state = State::pending;
    *out = call;
    const int error = redirect_call(*call, site, reinterpret_cast<uintptr_t>(&direct_load));
    if (error == 0) call->is_by_library = true;
    return error;
}

void give_up_loading() {
    for (DirectCall* call = first_call(); call != nullptr; call = call->next) {
        LibraryFunction* by = call->by;
        if (by == nullptr || by->state != State::loading ||
            by->loader == __builtin_thread_pointer())
            continue;
        copy(by->error, "its parent was loading the library when it forked");
        uintptr_t loading = reinterpret_cast<uintptr_t>(&direct_load);
        call->target.compare_exchange_strong(loading, call->original);
        by->state = State::failed;
    }
}

}  // namespace mipstrace::direct
