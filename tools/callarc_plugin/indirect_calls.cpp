// Before an indirect call, a call of the library that counts the one to come. While calls are still
// statements: a call can't be put between another's arguments and its instruction.
#include "tools/callarc_plugin/counters.h"
#include "tools/callarc_plugin/passes.h"

namespace mipstrace::callarc {

namespace {

const pass_data kIndirectData = {
    GIMPLE_PASS,
    "callarc_indirect",
    OPTGROUP_NONE,
    TV_NONE,
    PROP_cfg | PROP_ssa,
    0,
    0,
    0,
    TODO_update_ssa_only_virtuals,
};

// void NAME(struct callarc_list*, const void* callee), of the static library.
tree declare_counter(const char* name) {
    tree type =
        build_function_type_list(void_type_node, ptr_type_node, const_ptr_type_node, NULL_TREE);
    tree function = build_fn_decl(name, type);
    TREE_NOTHROW(function) = 1;
    DECL_VISIBILITY(function) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(function) = 1;
    // It calls nothing of this unit, so that even where setjmp was called it ends no basic block.
    for (const char* attribute : {"leaf", "no_instrument_function"})
        DECL_ATTRIBUTES(function) =
            tree_cons(get_identifier(attribute), NULL_TREE, DECL_ATTRIBUTES(function));
    return function;
}

class IndirectCalls : public gimple_opt_pass {
  public:
    IndirectCalls(gcc::context* context, bool atomic)
        : gimple_opt_pass(kIndirectData, context), atomic_(atomic) {}

    unsigned int execute(function* caller) override {
        if (is_left_alone(caller->decl)) return 0;
        basic_block block;
        FOR_EACH_BB_FN(block, caller) {
            for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
                auto* call = dyn_cast<gcall*>(gsi_stmt(at));
                if (call == nullptr || gimple_call_internal_p(call) ||
                    gimple_call_fndecl(call) != NULL_TREE)
                    continue;
                count_before(&at, caller->decl, call);
            }
        }
        return 0;
    }

  private:
    void count_before(gimple_stmt_iterator* at, tree caller, gcall* call) {
        if (counter_ == NULL_TREE)
            counter_ = declare_counter(atomic_ ? "__callarc_count_atomic" : "__callarc_count");
        tree callee = gimple_call_fn(call);
        if (TREE_CODE(callee) == OBJ_TYPE_REF) callee = OBJ_TYPE_REF_EXPR(callee);
        gcall* count =
            gimple_build_call(counter_, 2, build_fold_addr_expr(arc_list(caller)), callee);
        gimple_set_location(count, gimple_location(call));
        gsi_insert_before(at, count, GSI_SAME_STMT);
    }

    const bool atomic_;
    tree counter_ = NULL_TREE;
};

}  // namespace

opt_pass* make_indirect_calls(gcc::context* context, bool atomic) {
    return new IndirectCalls(context, atomic);
}

}  // namespace mipstrace::callarc
