// What the tests of the public API share. They run in a process whose own functions are traced; the
// recorder is one of the users.
#pragma once

#include <errno.h>
#include <gtest/gtest.h>
#include <mipstrace/fgraph.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/own_trace.h"
#include "tests/unit/traced_functions.h"

namespace mipstrace {

template <typename F>
uintptr_t address(F* function) {
    return reinterpret_cast<uintptr_t>(function);
}

// Calls `f` far below on the stack, so that calls in it lie below those that follow it.
template <typename F>
__attribute__((noinline)) void run_deeper(F&& f) {
    volatile char space[16384];
    space[0] = 1;
    f();
    space[1] = space[0];
}

struct Seen {
    ftrace_graph_call call;
    uintptr_t sp;
};

// A user that notes what it is called for.
class User {
  public:
    struct Options {
        unsigned flags = 0;
        const char* filter = "traced_*;shape::*";
        const char* notrace = nullptr;
        int answer = 1;
        bool entry = true;
        bool leave = true;
    };
    User() : User(Options{}) {}
    explicit User(const Options& options) : answer_(options.answer) {
        ops_.size = sizeof ops_;
        ops_.flags = options.flags;
        ops_.filter = options.filter;
        ops_.notrace = options.notrace;
        ops_.private_data = this;
        if (options.entry) ops_.entryfunc = on_entry;
        if (options.leave) ops_.retfunc = on_return;
        ops_.leftfunc = on_left;
        EXPECT_EQ(start(), 0);
    }
    ~User() {
        if (registered_) stop();
    }
    User(const User&) = delete;
    User& operator=(const User&) = delete;

    int start() {
        const int result = register_ftrace_graph(&ops_);
        registered_ |= result == 0;
        return result;
    }
    void stop() {
        EXPECT_EQ(unregister_ftrace_graph(&ops_), 0);
        registered_ = false;
    }
    unsigned slot() const { return ops_.slot; }

    // Of one thread only.
    std::vector<Seen> entries, returns, lefts;

    std::set<uintptr_t> functions() const {
        std::set<uintptr_t> set;
        for (const Seen& seen : entries)
            set.insert(seen.call.func);
        return set;
    }

  private:
    static User& self(fgraph_ops* ops) { return *static_cast<User*>(ops->private_data); }
    static int on_entry(const ftrace_graph_call* call, fgraph_ops* ops, ftrace_regs* regs) {
        self(ops).entries.push_back({*call, ftrace_regs_get_stack_pointer(regs)});
        return self(ops).answer_;
    }
    static void on_return(const ftrace_graph_call* call, fgraph_ops* ops, ftrace_regs* regs) {
        self(ops).returns.push_back({*call, ftrace_regs_get_stack_pointer(regs)});
    }
    static void on_left(const ftrace_graph_call* call, fgraph_ops* ops) {
        self(ops).lefts.push_back({*call, 0});
    }

    fgraph_ops ops_{};
    int answer_;
    bool registered_ = false;
};

inline int count_nothing(const ftrace_graph_call*, fgraph_ops*, ftrace_regs*) {
    return 0;
}

inline fgraph_ops simple_ops() {
    fgraph_ops ops{};
    ops.size = sizeof ops;
    ops.entryfunc = count_nothing;
    ops.filter = "traced_*";
    return ops;
}

}  // namespace mipstrace
