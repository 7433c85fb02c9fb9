#include "lib/fgraph/thread_state.h"

#include <limits.h>
#include <pthread.h>

#include "lib/base/arena.h"
#include "lib/base/raw_log.h"

namespace mipstrace::fgraph {

thread_local constinit ThreadState this_thread{};

namespace {

pthread_key_t exit_key;
bool have_exit_key;
size_t frames_per_thread;
void (*exit_hook)();

// Guards the list. Taken at a thread's first and last traced call only, never by a signal handler
// that interrupted a holder: all signals are blocked meanwhile.
std::atomic<bool> list_lock;
ThreadState* all_threads;

class ListLock {
  public:
    ListLock() {
        const uint64_t all[2] = {~uint64_t(0), ~uint64_t(0)};
        raw_syscall(SYS_rt_sigprocmask, 0 /* any */, nullptr, saved_, kSetSize);
        raw_syscall(SYS_rt_sigprocmask, kSetMask, all, nullptr, kSetSize);
        while (list_lock.exchange(true, std::memory_order_acquire))
            raw_syscall(SYS_sched_yield);
    }
    ~ListLock() {
        list_lock.store(false, std::memory_order_release);
        raw_syscall(SYS_rt_sigprocmask, kSetMask, saved_, nullptr, kSetSize);
    }

  private:
    // MIPS numbers SIG_SETMASK 3 and has 128 signals.
#ifdef __mips__
    static constexpr long kSetMask = 3;
    static constexpr long kSetSize = 16;
#else
    static constexpr long kSetMask = 2;
    static constexpr long kSetSize = 8;
#endif
    uint64_t saved_[2];
};

void unlink(ThreadState& thread) {
    ListLock lock;
    (thread.previous != nullptr ? thread.previous->next : all_threads) = thread.next;
    if (thread.next != nullptr) thread.next->previous = thread.previous;
}

// Other destructors of thread-specific data may be traced: ours comes back until the last round.
void on_thread_exit(void*) {
    ThreadState& thread = this_thread;
    if (++thread.destructor_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(exit_key, &thread);
        return;
    }
    if (thread.phase != Phase::live) return;
    thread.phase = Phase::gone;
    exit_hook();
    unlink(thread);
    ShadowStack stack = thread.stack;
    thread.stack = {};
    unmap_pages(stack.base, thread.stack_bytes);
}

}  // namespace

void prepare_threads(size_t max_depth, void (*on_exit)()) {
    exit_hook = on_exit;
    frames_per_thread = max_depth + 1;  // and the sentinel
    have_exit_key = pthread_key_create(&exit_key, on_thread_exit) == 0;
    if (!have_exit_key)
        LogLine() << "no thread-specific key is left: the memory of threads that end stays taken";
}

bool set_up_thread(ThreadState& thread) {
    if (thread.phase != Phase::fresh) return false;
    ListLock lock;  // which keeps signal handlers out, too
    const size_t bytes = frames_per_thread * sizeof(Frame);
    void* memory = map_pages(bytes);
    if (memory == nullptr) {
        thread.phase = Phase::broken;
        return false;
    }
    thread.stack_bytes = bytes;
    thread.stack.init(memory, bytes);
    thread.previous = nullptr;
    thread.next = all_threads;
    if (all_threads != nullptr) all_threads->previous = &thread;
    all_threads = &thread;
    // glibc and musl keep the first 32 (128) keys in the thread itself: this allocates nothing.
    if (have_exit_key) pthread_setspecific(exit_key, &thread);
    thread.phase = Phase::live;
    return true;
}

void forget_other_threads() {
    list_lock.store(false, std::memory_order_relaxed);
    const bool live = this_thread.phase == Phase::live;
    all_threads = live ? &this_thread : nullptr;
    this_thread.next = this_thread.previous = nullptr;
}

void for_each_thread(void (*visit)(ThreadState&, void*), void* context) {
    ListLock lock;
    for (ThreadState* t = all_threads; t != nullptr; t = t->next)
        visit(*t, context);
}

}  // namespace mipstrace::fgraph
