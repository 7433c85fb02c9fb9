// The program or library that this copy of the code is linked into.
#pragma once

#include <cstdint>

namespace mipstrace::callarc {

struct Module {
    uintptr_t bias = 0;  // what the dynamic linker added to the file's addresses
    uintptr_t low = 0;   // of its text, as addresses of the file
    uintptr_t high = 0;
    const char* path = "";  // of a library; "" for the program

    bool holds(uintptr_t address) const { return address - bias - low < high - low; }
};

Module find_own_module();

}  // namespace mipstrace::callarc
