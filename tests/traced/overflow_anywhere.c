//! flags: -pthread -fno-optimize-sibling-calls
//! environment: MIPSTRACE_MAX_STACK=64
//! graph: none
//! lost: too_deep=*
// The stack ends at each place of what the tracer uses of it, whatever it does there: the first
// call of a thread and of a child, a full chunk, calls that were left, a full shadow stack. Each
// time the program's own handler gets the overflow, as it would untraced, and goes on.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

enum { kStack = 256 * 1024, kGuard = 64 * 1024, kMost = 6 * 1024, kCallsOfAChunk = 4100 };

static char* stack;  // of the threads, one after the other; its lowest bytes can't be used
static sigjmp_buf target;

KEEP static int leaf(int a) {
    return a + 1;
}
UNTRACED static void one_call(void) {
    leaf(1);
}
UNTRACED static void a_chunk_of_calls(void) {
    for (int i = 0; i < kCallsOfAChunk; i++)
        leaf(i);
}

UNTRACED static void on_overflow(int number) {
    siglongjmp(target, number);
}
UNTRACED KEEP static void near_the_end(long left, void (*work)(void)) {
    const long space = (char*)__builtin_frame_address(0) - (stack + kGuard);
    volatile char* pad = __builtin_alloca(space - left);
    pad[0] = 0;
    work();
}
// Does `work` where `left` bytes of the stack are left.
UNTRACED KEEP static void survive(long left, void (*work)(void)) {
    if (sigsetjmp(target, 1) == 0) near_the_end(left, work);
}

KEEP static void is_left(long left, jmp_buf* outside) {
    survive(left, one_call);
    longjmp(*outside, 1);
}
UNTRACED KEEP static void behind_a_left_call(long left) {
    jmp_buf outside;
    if (setjmp(outside) == 0) is_left(left, &outside);
    survive(left, one_call);
}
KEEP static int nested(int depth, long left) {
    if (depth > 0) return nested(depth - 1, left) + 1;
    survive(left, one_call);
    return 0;
}
UNTRACED KEEP static void in_a_child(long left) {
    pid_t child = fork();
    if (child == 0) {
        survive(left, one_call);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (status != 0) printf("with %ld bytes left, a child ended with status %x\n", left, status);
}

UNTRACED static void* all_levels(void* unused) {
    for (long left = 0; left < kMost; left += 16) {
        survive(left, one_call);
        behind_a_left_call(left);
        nested(70, left);
        if (left % 64 == 0) survive(left, a_chunk_of_calls);
        if (left % 64 == 32) in_a_child(left);
    }
    return unused;
}
UNTRACED static void* one_level(void* left) {
    survive((long)left, one_call);
    return NULL;
}

struct Job {
    void* (*work)(void*);
    void* argument;
};
UNTRACED static void* run(void* of) {
    static char space[65536];
    const stack_t signals = {.ss_sp = space, .ss_size = sizeof space};
    const struct Job* job = of;
    sigaltstack(&signals, NULL);
    return job->work(job->argument);
}
UNTRACED static void in_thread(void* (*work)(void*), void* argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    struct Job job = {work, argument};
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, kStack);
    pthread_create(&thread, &attributes, run, &job);
    pthread_join(thread, NULL);
}

int main(void) {
    // With -pg, glibc's SIGPROF finds no room for its frame, and under qemu-user that is the end.
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
    const struct sigaction action = {.sa_handler = on_overflow, .sa_flags = SA_ONSTACK};
    sigaction(SIGSEGV, &action, NULL);
    stack = mmap(NULL, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(stack, kGuard, PROT_NONE);
    for (long left = 0; left < kMost; left += 16)
        in_thread(one_level, (void*)left);
    in_thread(all_levels, NULL);
    puts("survived");
    return 0;
}
