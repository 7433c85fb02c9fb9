// What compilers call on their own, and what is linked into this library uses. A program's own
// memcpy may be traced.
#include <cstddef>
#include <cstdint>

// Not <string.h>: C++ gives some of them other types.

namespace {

using Bytes = unsigned char*;
using ConstBytes = const unsigned char*;

constexpr size_t kWord = sizeof(uintptr_t);

bool both_aligned(const void* a, const void* b) {
    return ((reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b)) & (kWord - 1)) == 0;
}

// Words whatever their type.
using AnyWord __attribute__((may_alias)) = uintptr_t;

}  // namespace

extern "C" {

void* memcpy(void* __restrict to, const void* __restrict from, size_t size) {
    auto* t = static_cast<Bytes>(to);
    auto* f = static_cast<ConstBytes>(from);
    if (both_aligned(t, f)) {
        for (; size >= kWord; size -= kWord, t += kWord, f += kWord)
            *reinterpret_cast<AnyWord*>(t) = *reinterpret_cast<const AnyWord*>(f);
    }
    while (size-- > 0)
        *t++ = *f++;
    return to;
}

void* memmove(void* to, const void* from, size_t size) {
    auto* t = static_cast<Bytes>(to);
    auto* f = static_cast<ConstBytes>(from);
    if (reinterpret_cast<uintptr_t>(t) - reinterpret_cast<uintptr_t>(f) >= size) {
        while (size-- > 0)
            *t++ = *f++;
    } else {
        while (size-- > 0)
            t[size] = f[size];
    }
    return to;
}

void* memset(void* to, int byte, size_t size) {
    auto* t = static_cast<Bytes>(to);
    const uintptr_t word = UINTPTR_MAX / 0xff * static_cast<unsigned char>(byte);
    if (both_aligned(t, t)) {
        for (; size >= kWord; size -= kWord, t += kWord)
            *reinterpret_cast<AnyWord*>(t) = word;
    }
    while (size-- > 0)
        *t++ = static_cast<unsigned char>(byte);
    return to;
}

int memcmp(const void* a, const void* b, size_t size) {
    auto* x = static_cast<ConstBytes>(a);
    auto* y = static_cast<ConstBytes>(b);
    for (; size > 0; size--, x++, y++)
        if (*x != *y) return *x - *y;
    return 0;
}

void* memchr(const void* in, int byte, size_t size) {
    auto* at = static_cast<ConstBytes>(in);
    for (; size > 0; size--, at++)
        if (*at == static_cast<unsigned char>(byte)) return const_cast<Bytes>(at);
    return nullptr;
}

void* memrchr(const void* in, int byte, size_t size) {
    auto* bytes = static_cast<ConstBytes>(in);
    while (size-- > 0)
        if (bytes[size] == static_cast<unsigned char>(byte)) return const_cast<Bytes>(bytes + size);
    return nullptr;
}

size_t strlen(const char* text) {
    size_t size = 0;
    while (text[size] != '\0')
        size++;
    return size;
}

int strncmp(const char* a, const char* b, size_t size) {
    for (; size > 0; size--, a++, b++) {
        if (*a != *b) return static_cast<unsigned char>(*a) - static_cast<unsigned char>(*b);
        if (*a == '\0') break;
    }
    return 0;
}

int strcmp(const char* a, const char* b) {
    return strncmp(a, b, SIZE_MAX);
}

char* strcpy(char* __restrict to, const char* __restrict from) {
    memcpy(to, from, strlen(from) + 1);
    return to;
}

// What _FORTIFY_SOURCE makes of memcpy.
void* __memcpy_chk(void* __restrict to, const void* __restrict from, size_t size, size_t room) {
    if (size > room) __builtin_trap();
    return memcpy(to, from, size);
}

}  // extern "C"
