// Direct calls are counted where they have become call instructions, so that what is inlined,
// folded or expanded in place is no call, and what became one (a structure that is copied by
// memcpy) is.
#include "tools/callarc_plugin/counters.h"
#include "tools/callarc_plugin/passes.h"

namespace mipstrace::callarc {

namespace {

const pass_data kDirectData = {
    RTL_PASS, "callarc_direct", OPTGROUP_NONE, TV_NONE, PROP_rtl, 0, 0, 0, 0,
};

// The counter is volatile: the compiler may know that the callee is pure or const, and would keep
// the count in a register across a call that counts, too.
rtx counter_memory(const char* symbol) {
    rtx address = gen_rtx_SYMBOL_REF(Pmode, ggc_strdup(symbol));
    SYMBOL_REF_FLAGS(address) = SYMBOL_FLAG_LOCAL;
    rtx memory = gen_rtx_MEM(DImode, address);
    MEM_VOLATILE_P(memory) = 1;
    MEM_NOTRAP_P(memory) = 1;
    set_mem_align(memory, 64);
    return validize_mem(memory);
}

rtx_insn* increment(const char* symbol, bool atomic) {
    start_sequence();
    rtx memory = counter_memory(symbol);
    if (atomic) {
        expand_atomic_fetch_op(const0_rtx, memory, const1_rtx, PLUS, MEMMODEL_RELAXED, false);
    } else {
        expand_inc(memory, const1_rtx);
    }
    rtx_insn* code = get_insns();
    end_sequence();
    return code;
}

// The function that a call instruction names; null if it takes an address that was computed. The
// note is there with -fipa-ra alone.
tree callee_of(const rtx_insn* insn) {
    if (tree named = get_call_fndecl(insn); named != NULL_TREE) return named;
    rtx call = get_call_rtx_from(insn);
    tree named = call != NULL_RTX ? MEM_EXPR(XEXP(call, 0)) : NULL_TREE;
    return named != NULL_TREE && TREE_CODE(named) == FUNCTION_DECL ? named : NULL_TREE;
}

class DirectCalls : public rtl_opt_pass {
  public:
    DirectCalls(gcc::context* context, bool atomic)
        : rtl_opt_pass(kDirectData, context), atomic_(atomic) {}

    unsigned int execute(function* caller) override {
        note_thunks(caller->decl);
        if (is_left_alone(caller->decl)) return 0;
        for (rtx_insn* insn = get_insns(); insn != nullptr; insn = NEXT_INSN(insn)) {
            if (!CALL_P(insn)) continue;
            tree callee = callee_of(insn);
            if (callee == NULL_TREE || is_left_alone(callee)) continue;
            emit_insn_before(increment(arc_counter(caller->decl, callee), atomic_), insn);
        }
        return 0;
    }

  private:
    const bool atomic_;
};

}  // namespace

opt_pass* make_direct_calls(gcc::context* context, bool atomic) {
    return new DirectCalls(context, atomic);
}

}  // namespace mipstrace::callarc
