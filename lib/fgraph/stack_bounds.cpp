// Where the stack of a thread lies. /proc/self/maps tells which mapping holds an address, but a
// mapping need not be one stack: coroutine stacks sit side by side in the heap or in one mmap. Only
// two kinds are certain, and only those are used: a thread's own stack, and the signal stack.
#include <fcntl.h>
#include <signal.h>

#include "lib/base/syscall.h"
#include "lib/fgraph/thread_state.h"

namespace mipstrace::fgraph {

namespace {

const void* main_stack_marker;

// Finds the mapping that holds `address`. Reads through a small buffer, line by line.
StackBounds find_mapping(uintptr_t address) {
    long fd = raw_syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (is_error(fd)) return {};
    StackBounds current;
    StackBounds found;
    enum { low, high, rest } field = low;
    char buffer[128];  // a signal stack may be small
    for (bool done = false; !done;) {
        long size = raw_syscall(SYS_read, fd, static_cast<char*>(buffer), sizeof buffer);
        if (size <= 0) break;
        for (long i = 0; i < size && !done; i++) {
            const char c = buffer[i];
            if (c == '\n') {
                field = low;
                current = {};
            } else if (field == low && c == '-') {
                field = high;
            } else if (field == high && c == ' ') {
                field = rest;
                if (current.holds(address)) {
                    found = current;
                    done = true;
                }
            } else if (field != rest) {
                uintptr_t digit = uintptr_t(c <= '9' ? c - '0' : c - 'a' + 10);
                uintptr_t& value = field == low ? current.low : current.high;
                value = value << 4 | digit;
            }
        }
    }
    raw_syscall(SYS_close, fd);
    return found;
}

bool is_main_thread() {
    return raw_syscall(SYS_gettid) == raw_syscall(SYS_getpid);
}

// The main thread's stack is the mapping that holds the program's arguments; it grows, and what is
// mapped now is only the part that was used. The others' end where their thread descriptor begins,
// which lies in the same mapping.
StackBounds find_own_stack() {
    if (is_main_thread()) return find_mapping(reinterpret_cast<uintptr_t>(main_stack_marker));
    const uintptr_t descriptor = reinterpret_cast<uintptr_t>(&this_thread);
    StackBounds own = find_mapping(descriptor);
    if (own.high != 0) own.high = descriptor;
    return own;
}

// The main stack does not grow by more than this between two looks, or is not recognised.
constexpr uintptr_t kGrowth = 16 * 1024 * 1024;

bool may_have_grown(const ThreadState& thread, uintptr_t sp) {
    return sp <= thread.bounds.low && thread.bounds.low - sp < kGrowth &&
           !thread.foreign.holds_sp(sp);
}

}  // namespace

void set_main_stack_marker(const void* marker) {
    main_stack_marker = marker;
}

StackBounds bounds_of_stack(ThreadState& thread, uintptr_t sp) {
    stack_t alternate{};
    raw_syscall(SYS_sigaltstack, nullptr, &alternate);
    if ((alternate.ss_flags & SS_ONSTACK) != 0) {
        const uintptr_t low = reinterpret_cast<uintptr_t>(alternate.ss_sp);
        const StackBounds bounds{low, low + alternate.ss_size};
        // With SS_ONSTACK and another sp, the handler has switched stacks itself.
        return bounds.holds_sp(sp) ? bounds : StackBounds{};
    }
    if (thread.bounds.high == 0 || may_have_grown(thread, sp)) {
        thread.bounds = find_own_stack();
        // Not to look again at each switch to this coroutine.
        if (!thread.bounds.holds_sp(sp)) thread.foreign = find_mapping(sp - 1);
    }
    return thread.bounds.holds_sp(sp) ? thread.bounds : StackBounds{};
}

}  // namespace mipstrace::fgraph
