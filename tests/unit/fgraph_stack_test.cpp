// The public API: a callback that walks over the stack by itself finds the program's own callers.
#include "lib/fgraph/ftrace_regs.h"
#include "lib/mips/frame_search.h"
#include "tests/unit/fgraph_users.h"

namespace mipstrace {
namespace {

constexpr unsigned kLevels = 4;
#if defined(__mips_isa_rev) && __mips_isa_rev >= 6
constexpr bool kIsR6 = true;
#else
constexpr bool kIsR6 = false;
#endif

struct Place {
    uintptr_t pc, sp, fp;
};

uintptr_t slot_below(uintptr_t sp, int32_t offset) {
    return uintptr_t(*reinterpret_cast<const ftrace_reg*>(sp - uintptr_t(offset)));
}

bool read_word(uint64_t address, uint32_t* word, void*) {
    *word = *reinterpret_cast<const uint32_t*>(uintptr_t(address));
    return true;
}

// What is found on the stack is put right by the public function alone.
bool go_to_caller(Place* place, unsigned* replaced) {
    const auto leads_up = [](const mips::FrameRule& rule, void* from) {
        const Place& at = *static_cast<const Place*>(from);
        const uintptr_t sp = (rule.by_fp ? at.fp : at.sp) + uintptr_t(rule.size);
        return !rule.ra_in_register && !rule.fp_is_lost && sp > at.sp && sp - at.sp < 65536;
    };
    mips::FrameRule rule;
    if (!mips::find_frame_rule({place->pc, false, kIsR6}, {read_word, leads_up, place}, &rule))
        return false;
    const uintptr_t sp = (rule.by_fp ? place->fp : place->sp) + uintptr_t(rule.size);
    const uintptr_t found = slot_below(sp, rule.ra_below);
    const uintptr_t pc = ftrace_graph_ret_addr(found, sp);
    *replaced += pc != found;
    *place = {pc, sp, rule.fp_below != 0 ? slot_below(sp, rule.fp_below) : place->fp};
    return true;
}

struct Walk {
    std::vector<uintptr_t> callers;
    unsigned replaced = 0;
};
Walk walk;
void (*runner)(void (*)(void*), void*);

int walk_from_call(const ftrace_graph_call*, fgraph_ops*, ftrace_regs* regs) {
    Place place{ftrace_regs_get_return_address(regs), ftrace_regs_get_stack_pointer(regs),
                uintptr_t(regs->gpr[30])};
    walk = {};
    do
        walk.callers.push_back(place.pc);
    while (walk.callers.size() <= size_t(2) * kLevels && go_to_caller(&place, &walk.replaced));
    return 0;
}

void descend(void* levels) {
    unsigned left = *static_cast<unsigned*>(levels);
    volatile long result = 0;
    if (left-- == 0)
        result = traced_add(1, 2);
    else
        runner(descend, &left);
    result = result + 1;
}

TEST(Stack, AWalkThroughNestedCallsFindsTheProgramsOwnCallers) {
    fgraph_ops ops{};
    ops.size = sizeof ops;
    ops.flags = FGRAPH_OPS_FL_REGS;
    ops.filter = "traced_add";
    ops.entryfunc = walk_from_call;
    ASSERT_EQ(register_ftrace_graph(&ops), 0);
    User user;  // of all of them, with their returns
    Walk walks[2];
    unsigned levels = kLevels;
    for (unsigned is_traced = 0; is_traced < 2; is_traced++) {
        // The traced one goes on in the other, with the same return address.
        runner = is_traced != 0 ? traced_run : run_body;
        descend(&levels);
        walks[is_traced] = walk;
    }
    EXPECT_EQ(unregister_ftrace_graph(&ops), 0);
    EXPECT_EQ(walks[0].replaced, 0u);
    EXPECT_EQ(walks[1].replaced, kLevels);
    EXPECT_EQ(walks[0].callers.size(), size_t(2) * kLevels + 1);
    EXPECT_EQ(walks[1].callers, walks[0].callers);
}

}  // namespace
}  // namespace mipstrace
