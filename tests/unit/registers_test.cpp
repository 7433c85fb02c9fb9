// Calls a traced function with a pattern of its own in every register, and compares what the
// function and its caller find. Run with different settings of the recorder, see meson.build.
#include <gtest/gtest.h>
#include <mipstrace/fgraph.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/own_trace.h"
#include "tests/unit/register_file.h"

namespace mipstrace {
namespace {

enum class Users {
    plain,    // none, or only such that leave all registers but dead ones alone
    guarded,  // they may change all that a function may change
    full,     // the same, and every register is kept for them
};

// Rounding towards zero and some flags; and others at the return.
constexpr uint64_t kFcsrBefore = 0x00000001 | 0x50;
constexpr uint64_t kFcsrReturned = 0x00800000 | 0x00000002 | 0x28;

RegisterFile pattern(uint64_t seed) {
    RegisterFile file;
    for (uint64_t n = 0; n < 32; n++) {
        file.gpr[n] = (n + 1) * 0x0102030405060708 ^ seed;
        file.fpr[n] = (n + 1) * 0x0807060504030201 ^ ~seed;
    }
    file.hi = 0x1111111122222222 ^ seed;
    file.lo = 0x3333333344444444 ^ seed;
    return file;
}

bool one_of(int n, std::initializer_list<int> list) {
    return std::find(list.begin(), list.end(), n) != list.end();
}
bool is_callee_saved(int n) {
    return (n >= 16 && n <= 23) || n == 28 || n == 30;
}

// What a function may rely on at its entry, and some that it may not, which stay anyway.
void expect_entry(const RegisterFile& before, const RegisterFile& entry, uint64_t sp, Users users,
                  bool through_tail_call) {
    for (int n = 1; n < 32; n++) {
        if (one_of(n, {1, 2, 3, 12, 13, 14, 24, 26, 27, 29, 31})) continue;
        if (n == 25 && through_tail_call) continue;
        EXPECT_EQ(entry.gpr[n], before.gpr[n]) << "$" << n << " at entry";
    }
    EXPECT_EQ(entry.gpr[29], sp);
    for (int n = 0; n < 32; n++) {
        const bool live = (n >= 12 && n <= 19) || n >= 24;
        if (!live && users == Users::guarded) continue;
        EXPECT_EQ(entry.fpr[n], before.fpr[n]) << "$f" << n << " at entry";
    }
    EXPECT_EQ(entry.hi, before.hi) << "at entry";
    EXPECT_EQ(entry.lo, before.lo) << "at entry";
    EXPECT_EQ(entry.fcsr, before.fcsr) << "at entry";
}

void expect_return(const RegisterFile& before, const RegisterFile& returned,
                   const RegisterFile& after, uint64_t sp, Users users) {
    for (int n = 1; n < 32; n++) {
        if (!is_callee_saved(n)) continue;
        EXPECT_EQ(after.gpr[n], before.gpr[n]) << "$" << n << " after";
    }
    EXPECT_EQ(after.gpr[2], returned.gpr[2]) << "$2 after";
    EXPECT_EQ(after.gpr[3], returned.gpr[3]) << "$3 after";
    EXPECT_EQ(after.gpr[29], sp);
    for (int n = 0; n < 32; n++) {
        if (n < 24 && n != 0 && n != 2 && users != Users::plain) continue;
        EXPECT_EQ(after.fpr[n], n < 24 ? returned.fpr[n] : before.fpr[n]) << "$f" << n << " after";
    }
    EXPECT_EQ(after.hi, returned.hi) << "after";
    EXPECT_EQ(after.lo, returned.lo) << "after";
    EXPECT_EQ(after.fcsr, returned.fcsr) << "after";
}

// Returns the address that the function was to return to.
uint64_t call_and_compare(void (*function)(), Users users) {
    RegisterFile before = pattern(0x5a5a000000000000);
    RegisterFile returned = pattern(0x00a5a500a5a500a5);
    before.gpr[25] = reinterpret_cast<uint64_t>(function);
    before.fcsr = kFcsrBefore;
    returned.fcsr = kFcsrReturned;
    CallResult result{};
    call_with_registers(&before, &returned, &result);
    expect_entry(before, result.at_entry, result.sp, users,
                 function == dump_registers_by_tail_call);
    expect_return(before, returned, result.after, result.sp, users);
    if (function == dump_registers_by_tail_call) {
        EXPECT_EQ(result.at_entry.gpr[25], reinterpret_cast<uint64_t>(&dump_registers));
    }
    return result.at_entry.gpr[31];
}

const uint64_t kBack = reinterpret_cast<uint64_t>(call_with_registers_back);

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

TEST(Registers, AfterTheLastUserLeft) {
    EXPECT_EQ(call_and_compare(dump_registers, Users::plain) != kBack, is_recorded());
}

}  // namespace
}  // namespace mipstrace
