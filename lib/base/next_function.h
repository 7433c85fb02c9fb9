// The function that the program would call if this library had none of that name.
#pragma once

#include <dlfcn.h>

namespace mipstrace {

// Null: there is none. Takes the dynamic linker's lock.
template <typename Function>
Function* next_function(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace mipstrace
