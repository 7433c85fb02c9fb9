// That every register is kept at a traced call and at its return. Run with different settings of
// the recorder, see meson.build.
#include <gtest/gtest.h>
#include <mipstrace/fgraph.h>
#include <stdlib.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/own_trace.h"
#include "tests/unit/register_checks.h"

namespace mipstrace {
namespace {

const uint64_t kBack = reinterpret_cast<uintptr_t>(call_with_registers_back);

// A setting of the recorder that this run has, by its environment variable.
bool set_to(const char* variable, const char* value) {
    const char* set = getenv(variable);
    return set != nullptr && std::string(set) == value;
}
bool is_recorded() {
    return !set_to("MIPSTRACE_FILTER", "nothing");
}

int trash_at_entry(const ftrace_graph_call*, fgraph_ops* ops, ftrace_regs*) {
    ++*static_cast<int*>(ops->private_data);
    trash_registers();
    return 1;
}
int decline(const ftrace_graph_call*, fgraph_ops* ops, ftrace_regs*) {
    ++*static_cast<int*>(ops->private_data);
    trash_registers();
    return 0;
}
void trash_at_return(const ftrace_graph_call*, fgraph_ops* ops, ftrace_regs*) {
    ++*static_cast<int*>(ops->private_data);
    trash_registers();
}

class User {
  public:
    User(fgraph_entry_t entry, fgraph_return_t leave, unsigned flags = 0) {
        ops_.size = sizeof ops_;
        ops_.flags = flags;
        ops_.entryfunc = entry;
        ops_.retfunc = leave;
        ops_.private_data = &called_;
        ops_.filter = "dump_registers*";
        EXPECT_EQ(register_ftrace_graph(&ops_), 0);
    }
    ~User() { EXPECT_EQ(unregister_ftrace_graph(&ops_), 0); }
    User(const User&) = delete;
    User& operator=(const User&) = delete;
    int called() const { return called_; }

  private:
    fgraph_ops ops_{};
    int called_ = 0;
};

constexpr int kCalls = 20;

TEST(Registers, TheHarnessItselfIsExact) {
    EXPECT_EQ(call_and_compare(dump_registers_plain, Users::plain), kBack);
}

TEST(Registers, RecorderAlone) {
    for (int i = 0; i < kCalls; i++)
        EXPECT_EQ(call_and_compare(dump_registers, Users::plain) != kBack, is_recorded());
}

TEST(Registers, RecorderAloneThroughATailCall) {
    for (int i = 0; i < kCalls; i++)
        call_and_compare(dump_registers_by_tail_call, Users::plain);
}

TEST(Registers, AtACallOfMcount) {
    for (int i = 0; i < kCalls; i++) {
        EXPECT_EQ(call_and_compare(dump_registers_calling_mcount, Users::plain) != kBack,
                  is_recorded());
        EXPECT_EQ(call_and_compare(dump_registers_calling_mcount_as_leaf, Users::plain) != kBack,
                  is_recorded());
    }
    User user(trash_at_entry, trash_at_return);
    for (int i = 0; i < kCalls; i++) {
        EXPECT_NE(call_and_compare(dump_registers_calling_mcount, Users::guarded), kBack);
        EXPECT_NE(call_and_compare(dump_registers_calling_mcount_as_leaf, Users::guarded), kBack);
    }
    EXPECT_EQ(user.called(), 4 * kCalls);
    User regs(trash_at_entry, trash_at_return, FGRAPH_OPS_FL_REGS);
    call_and_compare(dump_registers_calling_mcount, Users::full);
    call_and_compare(dump_registers_calling_mcount_as_leaf, Users::full);
    EXPECT_EQ(regs.called(), 4);
}

TEST(Registers, FirstCallsOfThreads) {
    for (int i = 0; i < 3; i++) {
        std::thread([] {
            for (int call = 0; call < 3; call++)
                call_and_compare(dump_registers, Users::plain);
        }).join();
        std::thread([] { call_and_compare(dump_registers_by_tail_call, Users::plain); }).join();
    }
}

// A chunk takes 8184 events, so that it is full once at an entry and once at a return.
TEST(Registers, AcrossChunks) {
    const size_t chunks = OwnTrace().chunks().size();
    for (int i = 0; i < 8200 && !HasFailure(); i++)
        call_and_compare(dump_registers, Users::plain);
    call_and_compare(dump_registers_by_tail_call, Users::plain);
    for (int i = 0; i < 4200 && !HasFailure(); i++)
        call_and_compare(dump_registers, Users::plain);
    if (is_recorded() && getenv("MIPSTRACE_TIME") == nullptr) {
        EXPECT_GE(OwnTrace().chunks().size(), chunks + 3);
    }
}

// The clock's low bits have become ambiguous: the next event needs a sync.
TEST(Registers, AfterAPause) {
    usleep(1'200'000);
    call_and_compare(dump_registers, Users::plain);
}

TEST(Registers, AUserThatTrashesAll) {
    User user(trash_at_entry, trash_at_return);
    for (int i = 0; i < kCalls; i++)
        EXPECT_NE(call_and_compare(dump_registers, Users::guarded), kBack);
    EXPECT_EQ(user.called(), 2 * kCalls);
}

TEST(Registers, AUserThatTrashesAllThroughATailCall) {
    User user(trash_at_entry, trash_at_return);
    for (int i = 0; i < kCalls; i++)
        call_and_compare(dump_registers_by_tail_call, Users::guarded);
    EXPECT_EQ(user.called(), 4 * kCalls);
}

TEST(Registers, AUserOfEntriesOnly) {
    User user(trash_at_entry, nullptr);
    for (int i = 0; i < kCalls; i++)
        EXPECT_EQ(call_and_compare(dump_registers, Users::guarded) != kBack, is_recorded());
    EXPECT_EQ(user.called(), kCalls);
}

TEST(Registers, AUserThatDeclinesTheReturn) {
    User user(decline, trash_at_return);
    for (int i = 0; i < kCalls; i++)
        EXPECT_EQ(call_and_compare(dump_registers, Users::guarded) != kBack, is_recorded());
    EXPECT_EQ(user.called(), kCalls);
}

TEST(Registers, AUserOfReturnsOnly) {
    User user(nullptr, trash_at_return);
    for (int i = 0; i < kCalls; i++)
        EXPECT_NE(call_and_compare(dump_registers, Users::guarded), kBack);
    EXPECT_EQ(user.called(), kCalls);
}

TEST(Registers, AUserThatWantsAllRegisters) {
    User user(trash_at_entry, trash_at_return, FGRAPH_OPS_FL_REGS);
    for (int i = 0; i < kCalls; i++)
        EXPECT_NE(call_and_compare(dump_registers, Users::full), kBack);
    EXPECT_EQ(user.called(), 2 * kCalls);
}

TEST(Registers, AUserThatWantsAllRegistersThroughATailCall) {
    User user(trash_at_entry, trash_at_return, FGRAPH_OPS_FL_REGS);
    for (int i = 0; i < kCalls; i++)
        call_and_compare(dump_registers_by_tail_call, Users::full);
    EXPECT_EQ(user.called(), 4 * kCalls);
}

TEST(Registers, TwoUsers) {
    User first(trash_at_entry, trash_at_return);
    {
        User second(trash_at_entry, trash_at_return, FGRAPH_OPS_FL_REGS);
        for (int i = 0; i < kCalls; i++)
            EXPECT_NE(call_and_compare(dump_registers, Users::full), kBack);
        EXPECT_EQ(second.called(), 2 * kCalls);
    }
    for (int i = 0; i < kCalls; i++)
        EXPECT_NE(call_and_compare(dump_registers, Users::guarded), kBack);
    EXPECT_EQ(first.called(), 4 * kCalls);
}

TEST(Registers, AsManyUsersAsThereCanBe) {
    std::vector<std::unique_ptr<User>> users;
    for (int i = 1; i < FGRAPH_MAX_USERS; i++)
        users.push_back(std::make_unique<User>(trash_at_entry, trash_at_return));
    for (int i = 0; i < kCalls; i++)
        EXPECT_NE(call_and_compare(dump_registers, Users::guarded), kBack);
    for (const auto& user : users)
        EXPECT_EQ(user->called(), 2 * kCalls);
}

TEST(Registers, FirstCallOfAThreadWithAUser) {
    User user(trash_at_entry, trash_at_return);
    std::thread([] { call_and_compare(dump_registers, Users::guarded); }).join();
    EXPECT_EQ(user.called(), 2);
}

TEST(Registers, AFunctionThatIsReplaced) {
    void* const function = reinterpret_cast<void*>(dump_registers);
    void* original = nullptr;
    ASSERT_EQ(
        register_ftrace_direct(function, reinterpret_cast<void*>(dump_registers_plain), &original),
        0);
    const auto compare = [](Users users) {
        return call_and_compare(dump_registers, users, dump_registers_plain);
    };
    for (int i = 0; i < kCalls; i++)
        EXPECT_EQ(compare(Users::plain) != kBack, is_recorded());
    EXPECT_EQ(
        call_and_compare(reinterpret_cast<void (*)()>(original), Users::plain, dump_registers),
        kBack);
    {
        User user(trash_at_entry, trash_at_return);
        for (int i = 0; i < kCalls; i++)
            EXPECT_NE(compare(Users::guarded), kBack);
        EXPECT_EQ(user.called(), 2 * kCalls);
        User full(trash_at_entry, trash_at_return, FGRAPH_OPS_FL_REGS);
        EXPECT_NE(compare(Users::full), kBack);
        EXPECT_EQ(full.called(), 2);
    }
    EXPECT_EQ(compare(Users::plain) != kBack, is_recorded());
    ASSERT_EQ(unregister_ftrace_direct(function), 0);
    EXPECT_EQ(call_and_compare(dump_registers, Users::plain) != kBack, is_recorded());
}

TEST(Registers, AfterTheLastUserLeft) {
    EXPECT_EQ(call_and_compare(dump_registers, Users::plain) != kBack, is_recorded());
}

}  // namespace
}  // namespace mipstrace
