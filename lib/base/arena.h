// Memory straight from the kernel: the program's malloc may itself be traced, or be mid-call.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>

#include "lib/base/syscall.h"

namespace mipstrace {

// Zeroed pages, or null. Any context.
inline void* map_pages(size_t bytes) {
    long at = raw_syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return is_error(at) ? nullptr : reinterpret_cast<void*>(at);
}
// Zeroed pages at `address`, or null with errno: something is there.
inline void* map_pages_at(uintptr_t address, size_t bytes) {
    void* wanted = reinterpret_cast<void*>(address);
    void* pages = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (pages == wanted) return pages;
    if (pages != MAP_FAILED) munmap(pages, bytes);  // a kernel that takes the address for a hint
    return nullptr;
}
inline void unmap_pages(void* memory, size_t bytes) {
    raw_syscall(SYS_munmap, memory, bytes);
}

// `count` zero-initialised objects of a trivial type that live as long as the process, or null.
template <typename T>
T* map_objects(size_t count) {
    return static_cast<T*>(map_pages(count * sizeof(T)));
}

}  // namespace mipstrace
