// What is interrupted: the traced functions, how often they were called, and the state of the main
// thread in the runtime while they are.
#pragma once

#include <mipstrace/fgraph.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lib/fgraph/thread_state.h"
#include "lib/record/event_writer.h"
#include "tests/unit/breakpoints.h"

namespace mipstrace {

enum Traced {
    kRun,
    kSum,
    kSubtract,
    kScale,
    kDump,
    kDumpByTailCall,
    kCallsMcount,
    kCallsMcountAsLeaf,
    kMark,
    kTraced
};

extern const std::array<uintptr_t, kTraced> kAddresses;
extern std::array<long, kTraced> calls;

const RuntimeSymbols& symbols();

// Of the main thread, the only one that has a block while it asks.
fgraph::ThreadState& this_state();
long count_claimed();
record::EventWriter& writer();

// The number of the clock's period. A traced call in another one than the last sync brings a sync.
uint64_t period_now();
// The main thread goes on in another chunk.
void begin_chunk();
// As another thread does with the cycle counter as clock; here none does.
void park_cursor();
void let_nobody_park();
// Room in the chunk, and no sync before the clock's next period. Returns the number of this one.
uint64_t settle();

const char* clock_name();
bool has_depth_limit();

enum class Wants { returns, none_as_it_says, none_as_it_has_no_retfunc };

// A user that counts its callbacks, and unless it is a plain one changes all registers in each.
struct CountingUser {
    CountingUser(unsigned flags, Wants wants);
    ~CountingUser();
    fgraph_ops ops{};
    const Wants wants;
    long entries = 0;
    long returns = 0;  // and calls that were left
};

// Those that are registered beside the recorder.
extern std::vector<std::unique_ptr<CountingUser>> present_users;

struct Scenario {
    const char* name;
    void (*prepare)();
    void (*run)();
    int user_flags = -1;  // of the users that are registered beside the recorder; none
    bool leaves_calls = false;
    bool in_thread = false;  // where it checks its calls itself, and can't jump
    std::vector<Wants> users = {Wants::returns};
    bool only_new = false;  // never all instructions: others share what is not this one's own
};

extern const std::span<const Scenario> kScenarios;

}  // namespace mipstrace
