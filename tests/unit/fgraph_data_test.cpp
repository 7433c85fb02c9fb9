// The public API: what users reserve for a call.
#include "tests/unit/fgraph_users.h"

namespace mipstrace {
namespace {

// A user that keeps a pattern of its own in the data of each call.
class Keeper {
  public:
    explicit Keeper(size_t bytes, unsigned flags = 0) : bytes_(bytes) {
        ops_ = simple_ops();
        ops_.flags = flags;
        ops_.filter = "traced_*";
        ops_.private_data = this;
        ops_.entryfunc = [](const ftrace_graph_call* call, fgraph_ops* self, ftrace_regs*) {
            return of(self).reserve(call) ? 1 : 0;
        };
        ops_.retfunc = [](const ftrace_graph_call* call, fgraph_ops* self, ftrace_regs*) {
            of(self).compare(call);
        };
        ops_.leftfunc = [](const ftrace_graph_call* call, fgraph_ops* self) {
            of(self).compare(call);
        };
        EXPECT_EQ(register_ftrace_graph(&ops_), 0);
    }
    ~Keeper() { EXPECT_EQ(unregister_ftrace_graph(&ops_), 0); }

    int kept = 0;
    int refused = 0;
    int wrong = 0;

  private:
    static Keeper& of(fgraph_ops* ops) { return *static_cast<Keeper*>(ops->private_data); }
    unsigned char pattern(const ftrace_graph_call* call, size_t i) const {
        return static_cast<unsigned char>(ops_.slot * 16 + call->depth + int(i));
    }
    bool reserve(const ftrace_graph_call* call) {
        auto* data = static_cast<unsigned char*>(fgraph_reserve_data(call, &ops_, bytes_));
        if (data == nullptr) {
            refused++;
            return false;
        }
        for (size_t i = 0; i < bytes_; i++)
            data[i] = pattern(call, i);
        return true;
    }
    void compare(const ftrace_graph_call* call) {
        size_t size = 0;
        const auto* data =
            static_cast<const unsigned char*>(fgraph_retrieve_data(call, &ops_, &size));
        bool same = data != nullptr && size == bytes_;
        for (size_t i = 0; same && i < size; i++)
            same = data[i] == pattern(call, i);
        same ? kept++ : wrong++;
    }

    fgraph_ops ops_;
    size_t bytes_;
};

void call_nested() {
    run_traced([] {
        traced_add(1, 2);
        run_traced([] { traced_subtract(1, 2); });
        traced_add(1, 2);
    });
}
constexpr int kNested = 5;

TEST(Data, OfEachCallAndUserIsItsOwn) {
    std::vector<std::unique_ptr<Keeper>> keepers;
    for (int i = 1; i < FGRAPH_MAX_USERS; i++)
        keepers.push_back(std::make_unique<Keeper>(FGRAPH_MAX_DATA_SIZE));
    call_nested();
    std::thread(call_nested).join();
    for (const auto& keeper : keepers) {
        EXPECT_EQ(keeper->kept, 2 * kNested);
        EXPECT_EQ(keeper->wrong, 0);
    }
}

TEST(Data, IsThereForUsersOfAllRegisters) {
    Keeper regs(5, FGRAPH_OPS_FL_REGS);
    Keeper other(9);
    call_nested();
    EXPECT_EQ(regs.kept, kNested);
    EXPECT_EQ(other.kept, kNested);
}

TEST(Data, OfACallThatWasLeft) {
    Keeper keeper(8);
    static jmp_buf back;
    if (setjmp(back) == 0) {
        run_deeper([&] { run_traced([&] { longjmp(back, 1); }); });
    }
    traced_add(1, 2);
    EXPECT_EQ(keeper.kept, 2);
    EXPECT_EQ(keeper.wrong, 0);
}

TEST(Data, IsBounded) {
    for (size_t bytes : {size_t(0), size_t(FGRAPH_MAX_DATA_SIZE) + 1, SIZE_MAX}) {
        Keeper keeper(bytes);
        traced_add(1, 2);
        EXPECT_EQ(keeper.refused, 1) << bytes;
        EXPECT_EQ(keeper.kept + keeper.wrong, 0);
    }
}

// Nothing of an earlier call in the same place, or of another user, is found.
TEST(Data, IsNotFoundWhereNothingWasReserved) {
    {
        Keeper earlier(8);
        traced_add(1, 2);
    }
    static int found;
    found = 0;
    static bool reserves;
    fgraph_ops ops = simple_ops();
    ops.entryfunc = [](const ftrace_graph_call* call, fgraph_ops* self, ftrace_regs*) {
        found += fgraph_retrieve_data(call, self, nullptr) != nullptr;
        if (reserves) {
            EXPECT_NE(fgraph_reserve_data(call, self, 4), nullptr);
        }
        return 1;
    };
    ops.retfunc = [](const ftrace_graph_call* call, fgraph_ops* self, ftrace_regs*) {
        found += fgraph_retrieve_data(call, self, nullptr) != nullptr;
    };
    ASSERT_EQ(register_ftrace_graph(&ops), 0);
    Keeper other(8);
    reserves = true;
    traced_add(1, 2);
    EXPECT_EQ(found, 1);
    reserves = false;
    traced_add(1, 2);
    EXPECT_EQ(found, 1);
    EXPECT_EQ(fgraph_reserve_data(nullptr, &ops, 4), nullptr);
    ftrace_graph_call none{};
    EXPECT_EQ(fgraph_reserve_data(&none, &ops, 4), nullptr);
    EXPECT_EQ(fgraph_retrieve_data(&none, &ops, nullptr), nullptr);
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
}

}  // namespace
}  // namespace mipstrace
