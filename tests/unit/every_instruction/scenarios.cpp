#include "tests/unit/every_instruction/scenarios.h"

#include <gtest/gtest.h>
#include <setjmp.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <string_view>
#include <thread>

#include "tests/unit/every_instruction/matching.h"
#include "tests/unit/every_instruction/stepping.h"
#include "tests/unit/register_checks.h"
#include "tests/unit/thread_events.h"
#include "tests/unit/traced_functions.h"

namespace mipstrace {

const std::array<uintptr_t, kTraced> kAddresses = {
    reinterpret_cast<uintptr_t>(&traced_run),
    reinterpret_cast<uintptr_t>(&traced_sum),
    reinterpret_cast<uintptr_t>(&traced_subtract),
    reinterpret_cast<uintptr_t>(&traced_scale),
    reinterpret_cast<uintptr_t>(&dump_registers),
    reinterpret_cast<uintptr_t>(&dump_registers_by_tail_call),
    reinterpret_cast<uintptr_t>(dump_registers_calling_mcount_site),
    reinterpret_cast<uintptr_t>(dump_registers_calling_mcount_as_leaf_site),
    reinterpret_cast<uintptr_t>(&other_add),
};

std::array<long, kTraced> calls;
std::vector<std::unique_ptr<CountingUser>> present_users;

}  // namespace mipstrace

using mipstrace::calls;

extern "C" {
long add_body(long a, long b) {
    calls[mipstrace::kMark]++;
    return a + b;
}
long subtract_body(long a, long b) {
    calls[mipstrace::kSubtract]++;
    return a - b;
}
long sum_body(long a, long b, long c, long d, long e, long f, long g, long h) {
    calls[mipstrace::kSum]++;
    return a + b + c + d + e + f + g + h;
}
void run_body(void (*function)(void*), void* argument) {
    calls[mipstrace::kRun]++;
    function(argument);
    asm volatile("");  // no tail call
}
double double_body(double (*function)(void*), void* argument) {
    return function(argument) + 0;
}
double scale_body(double a, double b) {
    calls[mipstrace::kScale]++;
    return a * b;
}
long area_body(int side) {
    return long(side) * side;
}
}

namespace mipstrace {

const RuntimeSymbols& symbols() {
    static const RuntimeSymbols symbols;
    return symbols;
}

fgraph::ThreadState& this_state() {
    auto* block = *reinterpret_cast<fgraph::ThreadState**>(symbols().object("fgraph_all_blocks"));
    while (!block->taken)
        block = block->next_block;
    return *block;
}
long count_claimed() {
    const fgraph::ShadowStack& stack = this_state().stack;
    return std::count_if(stack.base + 1, stack.top,
                         [](const fgraph::Frame& frame) { return fgraph::is_claimed(frame); });
}
record::EventWriter& writer() {
    return record::writer_of(this_state());
}

uint64_t period_now() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec)) >> 30;
}

namespace {

// Leaves `units` units in the chunk.
void fill_chunk(uint32_t units) {
    const uint32_t used = writer().cursor & record::kChunkMask;
    ASSERT_NE(used, 0u);
    const uint32_t filler = (record::kChunkSize - used) / 8 - units;
    auto* event = reinterpret_cast<format::Event*>(writer().cursor);
    event->word = format::record_word(format::RecordType(0x7fff), filler);
    writer().cursor += 8 * filler;
}
// It is looked for again.
void forget_stack_bounds() {
    this_state().bounds = {};
}
void make_sync_due() {
    writer().sync ^= 1;
}

// More than what a run with all its handlers writes.
constexpr uint32_t kEnoughUnits = 2000;

}  // namespace

void begin_chunk() {
    fill_chunk(0);
    traced_subtract(1, 1);
}

void park_cursor() {
    const uintptr_t at = writer().cursor;
    if ((at & record::kChunkMask) == 0) return;
    writer().parked = at;
    writer().cursor = at & ~record::kChunkMask;
}

void let_nobody_park() {
    const uintptr_t hook = symbols().object("_ZN9mipstrace6record15on_clocks_notedE");
    ASSERT_NE(hook, 0u);
    *reinterpret_cast<void (**)()>(hook) = nullptr;
}

uint64_t settle() {
    traced_subtract(1, 1);  // the cursor may be parked
    if (record::kChunkSize - (writer().cursor & record::kChunkMask) < 8 * kEnoughUnits)
        begin_chunk();
    traced_subtract(1, 1);
    return period_now();
}

const char* clock_name() {
    const char* set = getenv("MIPSTRACE_CLOCK");
    return set != nullptr && std::string_view(set).starts_with("cycles") ? "cycles" : "mono";
}

bool has_depth_limit() {
    return getenv("MIPSTRACE_DEPTH") != nullptr;
}

namespace {

void trash(fgraph_ops* self) {
    if ((self->flags & (FGRAPH_OPS_FL_PLAIN | FGRAPH_OPS_FL_NO_FP)) == 0) trash_registers();
}

}  // namespace

CountingUser::CountingUser(unsigned flags, Wants what) : wants(what) {
    ops.size = sizeof ops;
    ops.flags = flags;
    ops.private_data = this;
    ops.entryfunc = [](const ftrace_graph_call*, fgraph_ops* self, ftrace_regs*) {
        auto* user = static_cast<CountingUser*>(self->private_data);
        user->entries++;
        trash(self);
        return int(user->wants != Wants::none_as_it_says);
    };
    ops.retfunc = [](const ftrace_graph_call*, fgraph_ops* self, ftrace_regs*) {
        static_cast<CountingUser*>(self->private_data)->returns++;
        trash(self);
    };
    ops.leftfunc = [](const ftrace_graph_call*, fgraph_ops* self) {
        static_cast<CountingUser*>(self->private_data)->returns++;
        trash(self);
    };
    if (wants == Wants::none_as_it_has_no_retfunc) ops.retfunc = nullptr;
    EXPECT_EQ(register_ftrace_graph(&ops), 0);
}

CountingUser::~CountingUser() {
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
}

namespace {

Users kind_of_users() {
    constexpr unsigned kNoFp = FGRAPH_OPS_FL_PLAIN | FGRAPH_OPS_FL_NO_FP;
    if (present_users.empty() || (present_users.front()->ops.flags & kNoFp) != 0)
        return Users::plain;
    return (present_users.front()->ops.flags & FGRAPH_OPS_FL_REGS) != 0 ? Users::full
                                                                        : Users::guarded;
}

void call_functions() {
    calls[kDump]++;
    call_and_compare(dump_registers, kind_of_users());
    calls[kDumpByTailCall]++;
    call_and_compare(dump_registers_by_tail_call, kind_of_users());
    calls[kDump]++;
    run_traced([] {
        EXPECT_EQ(traced_sum(1, 2, 3, 4, 5, 6, 7, 8), 36);
        EXPECT_EQ(traced_scale(1.5, 4), 6);
        EXPECT_EQ(traced_subtract(9, 4), 5);
    });
}

void call_what_calls_mcount() {
    calls[kCallsMcount]++;
    call_and_compare(dump_registers_calling_mcount, kind_of_users());
    calls[kCallsMcountAsLeaf]++;
    call_and_compare(dump_registers_calling_mcount_as_leaf, kind_of_users());
}

void call_with_sync_at_return() {
    run_traced([] { make_sync_due(); });
}

void call_with_cursor_parked_at_return() {
    run_traced([] { park_cursor(); });
}

void leave_calls() {
    static jmp_buf start;
    auto go_back = [] { longjmp(start, 1); };
    run_traced([&] {
        if (setjmp(start) == 0) run_traced([&] { run_traced(go_back); });
        EXPECT_EQ(traced_sum(1, 2, 3, 4, 5, 6, 7, 8), 36);  // notices that they were left
    });
    run_traced([&] {
        if (setjmp(start) == 0) run_traced(go_back);
    });
}

void call_in_new_thread() {
    const auto calls_before = calls;
    std::thread([] {
        calls = {};
        ThreadEvents events{ThreadEvents::NewThread()};
        call_functions();
        if (!is_looking()) expect_whole(Matched(events.take()), {});
    }).join();
    calls = calls_before;
}

void nothing() {}

const Scenario kAll[] = {
    {"the recorder alone", nothing, call_functions},
    {"a user", nothing, call_functions, 0},
    {"a plain user", nothing, call_functions, FGRAPH_OPS_FL_PLAIN},
    {"a user without floating point", nothing, call_functions, FGRAPH_OPS_FL_NO_FP},
    {"a user of all registers", nothing, call_functions, FGRAPH_OPS_FL_REGS},
    {.name = "a user that declines",
     .prepare = nothing,
     .run = call_functions,
     .user_flags = 0,
     .users = {Wants::none_as_it_says},
     .only_new = true},
    {.name = "a user without a retfunc",
     .prepare = nothing,
     .run = call_functions,
     .user_flags = 0,
     .users = {Wants::none_as_it_has_no_retfunc},
     .only_new = true},
    {.name = "five users",
     .prepare = nothing,
     .run = call_functions,
     .user_flags = 0,
     .users = {Wants::returns, Wants::none_as_it_says, Wants::returns,
               Wants::none_as_it_has_no_retfunc, Wants::returns}},
    {"calls of _mcount", nothing, call_what_calls_mcount},
    {"calls of _mcount, a user", nothing, call_what_calls_mcount, 0},
    {"calls of _mcount, a user of all registers", nothing, call_what_calls_mcount,
     FGRAPH_OPS_FL_REGS},
    {"calls are left", forget_stack_bounds, leave_calls, -1, true},
    {"calls are left, a user", forget_stack_bounds, leave_calls, 0, true},
    {"the chunk is full at an entry", [] { fill_chunk(0); }, call_functions},
    {"the chunk is full at a return", [] { fill_chunk(1); }, call_functions},
    {"a sync is due at an entry", make_sync_due, call_functions},
    {"a sync is due at a return", nothing, call_with_sync_at_return},
    {.name = "the cursor is parked at an entry",
     .prepare = park_cursor,
     .run = call_functions,
     .only_new = true},
    {"the cursor is parked at a return", nothing, call_with_cursor_parked_at_return},
    {"the first call of a thread", nothing, call_in_new_thread, -1, false, true},
};

}  // namespace

const std::span<const Scenario> kScenarios = kAll;

}  // namespace mipstrace
