// Where the stack of a thread lies. /proc/self/maps tells which mapping holds an address, but a
// mapping need not be one stack: coroutine stacks sit side by side in the heap or in one mmap. Only
// three kinds are certain, and only those are used: a thread's own stack, the signal stack, and
// what makecontext was told of.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "lib/base/syscall.h"
#include "lib/fgraph/coroutine_stacks.h"
#include "lib/fgraph/thread_state.h"

namespace mipstrace::fgraph {

namespace {

const void* main_stack_marker;
uintptr_t main_stack_room;  // the kernel keeps as much free below the top of the main stack

// Linux leaves at least this much, however low the limit is, and no more for "unlimited".
constexpr rlim_t kGap = 128 * 1024 * 1024;

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
// mapped now is only the part that was used.
StackBounds find_main_stack() {
    StackBounds own = find_mapping(reinterpret_cast<uintptr_t>(main_stack_marker));
    if (own.high == 0) return own;
    if (main_stack_room < own.high - own.low) return own;
    own.low = own.high - main_stack_room;
    return own;
}

// The others' end where their thread descriptor begins, which lies in the same mapping.
StackBounds find_own_stack() {
    const uintptr_t descriptor = reinterpret_cast<uintptr_t>(&this_thread);
    StackBounds own = is_main_thread() ? find_main_stack() : find_mapping(descriptor);
    if (own.high == 0) return own;
    if (own.holds(descriptor)) own.high = descriptor;
    own.kind = StackKind::own;
    return own;
}

// The main stack does not grow by more than this between two looks, or is not recognised.
constexpr uintptr_t kGrowth = 16 * 1024 * 1024;

bool may_have_grown(const ThreadState& thread, uintptr_t sp) {
    if (sp > thread.bounds.low || thread.bounds.low - sp >= kGrowth) return false;
    for (const StackBounds& mapping : thread.foreign) {
        if (mapping.holds_sp(sp)) return false;
    }
    return true;
}

}  // namespace

void set_main_stack_marker(const void* marker) {
    main_stack_marker = marker;
    rlimit limit{};
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur <= kGap)
        main_stack_room = uintptr_t(limit.rlim_cur);
}

// One inside the thread's own stack is an array in somebody's frame, and gone with that.
static bool is_in_use(const ThreadState& thread, const CoroutineStack& stack) {
    return stack.holder_sp == 0 || !thread.bounds.holds(stack.bounds.low) ||
           thread.stack.find(stack.holder_sp) != nullptr;
}

// A mapping that holds a stack of which nothing else is known.
static StackBounds foreign_mapping(ThreadState& thread, uintptr_t sp) {
    for (const StackBounds& mapping : thread.foreign) {
        if (mapping.holds_sp(sp)) return mapping;
    }
    const StackBounds found = find_mapping(sp - 1);
    thread.foreign[thread.next_foreign++ % (sizeof thread.foreign / sizeof found)] = found;
    return found;
}

// The thread's own stack, or a coroutine's.
static StackBounds known_stack(const ThreadState& thread, uintptr_t sp) {
    const bool own = thread.bounds.holds_sp(sp);
    const CoroutineStack coroutine = find_coroutine_stack(sp);
    if (coroutine.bounds.high != 0) {
        const bool inside = thread.bounds.holds(coroutine.bounds.low);
        if (!own || (inside && is_in_use(thread, coroutine))) return coroutine.bounds;
    }
    return own ? thread.bounds : StackBounds{};
}

StackBounds bounds_of_stack(ThreadState& thread, uintptr_t sp) {
    stack_t alternate{};
    raw_syscall(SYS_sigaltstack, nullptr, &alternate);
    if ((alternate.ss_flags & SS_ONSTACK) != 0) {
        const uintptr_t low = reinterpret_cast<uintptr_t>(alternate.ss_sp);
        const StackBounds bounds{low, low + alternate.ss_size, StackKind::signal};
        // With SS_ONSTACK and another sp, the handler has switched stacks itself.
        return bounds.holds_sp(sp) ? bounds : StackBounds{};
    }
    if (thread.bounds.high == 0 || may_have_grown(thread, sp)) {
        thread.bounds = find_own_stack();
        // Not to look again at each switch to this coroutine.
        if (!thread.bounds.holds_sp(sp)) foreign_mapping(thread, sp);
    }
    return known_stack(thread, sp);
}

const Frame* find_outer(ThreadState& thread, uintptr_t sp, const StackBounds& bounds,
                        uintptr_t* reaches) {
    *reaches = bounds.low;
    const bool is_known = bounds.high != 0;
    const StackBounds range = is_known ? bounds : foreign_mapping(thread, sp);
    const Frame* outer = thread.stack.find_outer(
        sp, is_known,
        [&](uintptr_t frame_sp) {
            return range.holds_sp(frame_sp) && (bounds.kind == StackKind::signal ||
                                                known_stack(thread, frame_sp).low == bounds.low);
        },
        reaches);
    const uintptr_t inner = end_of_coroutine_stack_below(sp);
    if (inner > *reaches) *reaches = inner;
    return outer;
}

}  // namespace mipstrace::fgraph
