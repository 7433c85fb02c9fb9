#include "lib/fgraph/thread_state.h"

#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include "lib/base/arena.h"
#include "lib/base/block_signals.h"
#include "lib/base/clock.h"
#include "lib/base/lock.h"
#include "lib/base/raw_log.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/coroutine_stacks.h"
#include "lib/fgraph/dispatch_lists.h"
#include "trampoline/frame_layout.h"

// What the assembler knows of them.
using mipstrace::fgraph::Frame;
using mipstrace::fgraph::ThreadState;
static_assert(offsetof(ThreadState, stack.top) == THREAD_TOP);
static_assert(offsetof(ThreadState, stack.limit) == THREAD_LIMIT);
static_assert(offsetof(ThreadState, stack.base) == THREAD_BASE);
static_assert(offsetof(ThreadState, stack.low) == THREAD_LOW);
static_assert(offsetof(ThreadState, return_address) == THREAD_RETURN);
static_assert(offsetof(ThreadState, in_callback) == THREAD_IN_CALLBACK);
static_assert(offsetof(ThreadState, lists) == THREAD_LISTS);
static_assert(offsetof(ThreadState, clock) == THREAD_CLOCK);
static_assert(offsetof(ThreadState, next_block) == THREAD_NEXT_BLOCK);
static_assert(offsetof(ThreadState, wiped_words) == THREAD_WRITER_CURSOR);
static_assert(offsetof(ThreadState, handler_words) == mipstrace::fgraph::kWipedBytes);
static_assert(offsetof(Frame, sp) == FRAME_SP && offsetof(Frame, ret) == FRAME_RET);
static_assert(offsetof(Frame, call.func) == FRAME_FUNC);
static_assert(offsetof(Frame, call.position) == FRAME_POSITION);
static_assert(offsetof(Frame, epoch) == FRAME_EPOCH && offsetof(Frame, users) == FRAME_USERS);
static_assert(offsetof(Frame, list) == FRAME_LIST && offsetof(Frame, stack) == FRAME_STACK);
static_assert(sizeof(Frame) == FRAME_SIZE);

extern "C" {
// Blocks are only ever added, at the front.
__attribute__((visibility("hidden"))) std::atomic<mipstrace::fgraph::ThreadState*>
    fgraph_all_blocks;
}

namespace mipstrace::fgraph {

namespace {
// Above every stack pointer, and no one's.
constinit Frame no_frames[1] = {{{}, ~kSpMarks, 0, 0, 0, 0, 0, nullptr, nullptr}};
constexpr ShadowStack kNoStack{no_frames + 1, no_frames + 1, nullptr, kNowhere, no_frames + 1};
}  // namespace

constinit ThreadState no_thread{.stack = kNoStack};
constinit ThreadState gone_thread{.stack = kNoStack};
thread_local constinit ThreadState* this_thread = &no_thread;

namespace {

pthread_key_t exit_key;
bool have_exit_key;
size_t block_bytes;
size_t page_size;
void (*exit_hook)();
constinit Lock kept_lock;  // of what is next
ThreadState* kept;         // frames of threads that have ended

ThreadState* take_free_block() {
    for (ThreadState* b = fgraph_all_blocks; b != nullptr; b = b->next_block) {
        bool taken = false;
        if (b->taken.compare_exchange_strong(taken, true)) return b;
    }
    return nullptr;
}

ThreadState* map_block() {
    char* pages = static_cast<char*>(map_pages(page_size + block_bytes));
    if (pages == nullptr) return nullptr;
    raw_syscall(SYS_madvise, pages, page_size, MADV_WIPEONFORK);  // before Linux 4.14: no effect
    auto* block = reinterpret_cast<ThreadState*>(pages + page_size - kWipedBytes);
    block->taken = true;
    block->return_address = return_to_handler;
    block->clock = vdso_clock_gettime;
    block->lists = &fgraph_lists;
    block->stack.init(block + 1, block_bytes - sizeof(ThreadState));
    block->next_block = fgraph_all_blocks;
    while (!fgraph_all_blocks.compare_exchange_weak(block->next_block, block)) {
    }
    return block;
}

void reset(ThreadState& block, bool keep_frames) {
    while (!keep_frames && block.stack.top != block.stack.base + 1)
        (--block.stack.top)->users = kNobody;
    block.stack.low = kNowhere;
    block.stack.may_have_handlers = false;
    if (!keep_frames) block.stack.may_have_gaps = false;
    block.switched_from = nullptr;
    block.compact_at = nullptr;
    block.in_callback = nullptr;
    block.destructor_rounds = 0;
    block.has_taken_frames = false;
    block.bounds = {};
    for (StackBounds& mapping : block.foreign)
        mapping = {};
    for (uintptr_t& word : block.wiped_words)
        word = 0;
    for (uintptr_t& word : block.handler_words)
        word = 0;
}

void give_back(ThreadState& block) {
    reset(block, false);
    block.taken = false;
}

// Of a thread that is gone. What is left are calls of coroutines, which any thread may resume.
void end_calls_on_own_stack(ThreadState& block) {
    for (Frame* frame = block.stack.base + 1; frame != block.stack.top; frame++) {
        if (!block.bounds.holds_sp(sp_of(*frame))) continue;
        block.stack.fill_in(*frame);
        block.stack.bury(*frame);
    }
    block.stack.trim();
}

// Other destructors of thread-specific data may be traced: ours comes back until the last round.
void on_thread_exit(void*) {
    ThreadState& block = *this_thread;
    if (&block == &no_thread || &block == &gone_thread) return;
    if (++block.destructor_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(exit_key, &block);
        return;
    }
    BlockSignals quiet;  // a handler may trace, and would meet the block while it changes
    end_open_calls(block);
    exit_hook();
    this_thread = &gone_thread;
    give_back(block);
}

}  // namespace

void prepare_threads(size_t max_depth, void (*on_exit)()) {
    exit_hook = on_exit;
    page_size = size_t(sysconf(_SC_PAGESIZE));
    block_bytes = sizeof(ThreadState) + (max_depth + 1) * sizeof(Frame);  // one is the sentinel
    have_exit_key = pthread_key_create(&exit_key, on_thread_exit) == 0;
    if (!have_exit_key)
        LogLine() << "no thread-specific key is left: the memory of threads that end stays taken";
}

ThreadState* set_up_thread() {
    ThreadState* block = this_thread;
    if (block == &gone_thread) return nullptr;
    if (block != &no_thread) return block;
    BlockSignals quiet;
    if (this_thread != &no_thread) return this_thread;  // a handler came first
    block = take_free_block();
    if (block == nullptr) block = map_block();
    if (block == nullptr) return nullptr;
    this_thread = block;
    // glibc and musl keep the first 32 (128) keys in the thread itself: this allocates nothing.
    if (have_exit_key) pthread_setspecific(exit_key, block);
    return block;
}

void forget_other_threads() {
    kept_lock.free_after_fork();  // nobody forks while holding it: signals are blocked there
    settle_coroutine_stacks_after_fork();
    for (ThreadState* b = fgraph_all_blocks; b != nullptr; b = b->next_block) {
        if (b == this_thread || !b->taken || b->has_no_thread) continue;
        end_calls_on_own_stack(*b);
        const bool keep = b->stack.top != b->stack.base + 1;
        reset(*b, keep);
        b->has_no_thread = keep;
        b->taken = keep;
    }
}

void for_each_thread(void (*visit)(ThreadState&, void*), void* context) {
    for (ThreadState* b = fgraph_all_blocks; b != nullptr; b = b->next_block) {
        if (b->taken) visit(*b, context);
    }
}

bool take_from_other_threads(uintptr_t sp, Frame* taken) {
    for (ThreadState* b = fgraph_all_blocks; b != nullptr; b = b->next_block) {
        Frame* frame = b != this_thread && b->taken ? b->stack.find(sp) : nullptr;
        if (frame == nullptr) continue;
        b->stack.fill_in(*frame);
        *taken = *frame;
        frame->sp = b->has_no_thread ? kDead : kTaken;
        b->has_taken_frames = true;
        return true;
    }
    return false;
}

bool keep_for_other_threads(const Frame& frame) {
    BlockSignals quiet;
    LockHolder holder(kept_lock);
    if (kept == nullptr) kept = map_block();
    bool room = false;
    if (kept != nullptr) {
        kept->has_no_thread = true;
        if (kept->stack.top == kept->stack.end) kept->stack.compact();
        room = kept->stack.has_room();
    }
    if (room) {
        ShadowStack::copy(*kept->stack.top, frame);
        std::atomic_thread_fence(std::memory_order_release);
        kept->stack.top++;
    }
    return room;
}

}  // namespace mipstrace::fgraph
