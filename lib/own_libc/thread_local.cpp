// libc finds a thread's variables of a library by a table that threads of the library's own
// (lib/control) have not got. Ours are in the block that every thread has, at one distance from its
// thread pointer, like all of a library that is loaded at the start: so a sum finds what libelf
// looks for by the table.
#include <cstdint>

namespace {

// Any variable of the library tells where its block is.
thread_local char landmark __attribute__((tls_model("initial-exec"), used));

// Its distance from the place that offsets in the table's terms count from.
inline intptr_t offset_of_landmark() {
    intptr_t offset;
    asm("lui %0, %%dtprel_hi(%1)\n\t"
        "addiu %0, %0, %%dtprel_lo(%1)"
        : "=r"(offset)
        : "i"(&landmark));
    return offset;
}

}  // namespace

extern "C" __attribute__((visibility("hidden"))) void* __tls_get_addr(const uintptr_t* index);
void* __tls_get_addr(const uintptr_t* index) {
    return &landmark - offset_of_landmark() + index[1];
}
