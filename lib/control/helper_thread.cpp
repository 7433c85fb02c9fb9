#include "lib/control/helper_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>

#include "lib/base/arena.h"
#include "lib/base/syscall.h"

namespace mipstrace::control {

namespace {

constexpr size_t kStackBytes = 256 * 1024;  // filters demangle names
// Of what libc has below a thread's variables (and MIPS has a bias of 0x7000 there), and above the
// furthest of ours.
constexpr size_t kSlack = 64 * 1024;
constexpr uint32_t kStarting = ~0u;

#if _MIPS_SIM == _ABIO32
// The fifth argument is behind the room for four.
#define MT_ARGUMENTS "addiu $29, $29, -32\n\tsw $8, 16($29)\n\t"
#define MT_DROP_ARGUMENTS "addiu $29, $29, 32\n\t"
#else
#define MT_ARGUMENTS
#define MT_DROP_ARGUMENTS
#endif
#if __mips_isa_rev >= 6
#define MT_HI_LO
#else
#define MT_HI_LO "hi", "lo",
#endif

// A process that ends thread by thread has the status of the last one (since Linux 5.19; of the
// first one before). That may be us, where the program's first thread has ended alone, as children
// of clone() do: so we end with its status. It is the last number in the file, 0 while it lives.
long status_of_first_thread() {
    const long fd = raw_syscall(SYS_openat, AT_FDCWD, "/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (is_error(fd)) return 0;
    char text[2048];
    const long size = raw_syscall(SYS_read, fd, static_cast<char*>(text), sizeof text);
    raw_syscall(SYS_close, fd);
    long code = 0;
    for (long i = 0; i < size; i++) {
        if (text[i] == ' ') code = 0;
        if (text[i] >= '0' && text[i] <= '9') code = (code * 10 + text[i] - '0') & 0xffff;
    }
    return code >> 8;
}

// The child runs `function(argument)` on the new stack and ends with what it returns. Its thread
// pointer is set by the same call, so that it never has the one of the thread that made it.
long clone_thread(char* stack_end, char* thread_pointer, std::atomic<uint32_t>* tid,
                  long (*function)(HelperThread*), HelperThread* argument) {
    register long number asm("$2") = SYS_clone;
    register long flags asm("$4") = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                                    CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |
                                    CLONE_CHILD_CLEARTID;
    register long stack asm("$5") = reinterpret_cast<long>(stack_end);
    register long parent_tid asm("$6") = 0;
    register long tls asm("$7") = reinterpret_cast<long>(thread_pointer);
    register long child_tid asm("$8") = reinterpret_cast<long>(tid);
    register long callee asm("$16") = reinterpret_cast<long>(function);
    register long first asm("$17") = reinterpret_cast<long>(argument);
    asm volatile(
        ".set push\n"
        ".set noreorder\n" MT_ARGUMENTS
        "syscall\n"
        "bnez $7, 1f\n"
        " nop\n"
        "bnez $2, 1f\n"
        " nop\n"
        "move $30, $0\n"
        "move $31, $0\n"
        "move $25, $16\n"
        "jalr $25\n"
        " move $4, $17\n"
        "move $4, $2\n"
        "li $2, %[exit]\n"
        "syscall\n"
        "1:\n" MT_DROP_ARGUMENTS ".set pop"
        : "+r"(number), "+r"(tls)
        : "r"(flags), "r"(stack), "r"(parent_tid), "r"(child_tid), "r"(callee),
          "r"(first), [exit] "i"(SYS_exit)
        : "$1", "$3", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25",
          MT_HI_LO "memory");
    return tls != 0 ? -number : number;
}

}  // namespace

bool HelperThread::prepare(void (*work)(), const void* variable) {
    const auto here = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
    size_t below = kSlack, above = kSlack;
    for (const void* used : {variable, static_cast<const void*>(&errno)}) {
        const auto distance = static_cast<intptr_t>(reinterpret_cast<uintptr_t>(used) - here);
        if (distance < 0 && kSlack + size_t(-distance) > below) below = kSlack + size_t(-distance);
        if (distance > 0 && kSlack + size_t(distance) > above) above = kSlack + size_t(distance);
    }
    below = (below + kSlack - 1) & ~(kSlack - 1);
    // One mapping: below its thread pointer is the stack, with room between.
    char* memory = static_cast<char*>(map_pages(kStackBytes + below + above));
    if (memory == nullptr) return false;
    stack_end_ = memory + kStackBytes - 16 * sizeof(long);
    thread_pointer_ = memory + kStackBytes + below;
    work_ = work;
    return true;
}

long HelperThread::run(HelperThread* self) {
    for (;;) {
        while (self->wanted_.exchange(0) != 0)
            self->work_();
        // Who wants something now sees that we end, or we see that it is wanted.
        self->is_ending_ = 1;
        if (self->wanted_ == 0) return status_of_first_thread();
        self->is_ending_ = 0;
    }
}

bool HelperThread::start() {
    is_ending_ = 0;
    const long tid = clone_thread(stack_end_, thread_pointer_, &tid_, run, this);
    if (is_error(tid)) tid_ = 0;
    return !is_error(tid);
}

bool HelperThread::wake() {
    if (work_ == nullptr) return false;
    wanted_ = 1;
    for (;;) {
        uint32_t none = 0;
        if (tid_.compare_exchange_strong(none, kStarting)) return start();
        if (is_ending_ == 0) return true;
        raw_syscall(SYS_sched_yield);  // it ends, or sees that more is wanted
    }
}

void HelperThread::forget() {
    wanted_ = 0;
    is_ending_ = 0;
    tid_ = 0;
}

}  // namespace mipstrace::control
