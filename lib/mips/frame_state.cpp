#include "lib/mips/frame_state.h"

namespace mipstrace::mips {

namespace {

Value sum(const Value& a, const Value& b) {
    if (b.kind == Value::constant) return a.plus(b.number);
    return a.kind == Value::constant ? b.plus(a.number) : Value{};
}

Value result_of(const State& state, Insn insn) {
    const Value rs = state.get(insn.rs());
    const Value rt = state.get(insn.rt());
    switch (insn.opcode()) {
        case kAddiu:
        case kDaddiu:
            return rs.plus(insn.offset());
        case kLui:
            return insn.rs() == 0 ? Value{Value::constant, int32_t(insn.word << 16)} : Value{};
        case kOri:
            return rs.kind == Value::constant
                       ? Value{Value::constant, rs.number | int32_t(insn.immediate())}
                       : Value{};
        case kLw:
        case kLd:
            return state.load(rs.plus(insn.offset()));
        case kSpecial:
            break;
        default:
            return {};
    }
    switch (insn.function()) {
        case kAddu:
        case kDaddu:
            return sum(rs, rt);
        case kOr:
            return insn.rt() == 0 ? rs : insn.rs() == 0 ? rt : Value{};
        case kSubu:
        case kDsubu:
            return rt.kind == Value::constant ? rs.plus(-int64_t(rt.number)) : Value{};
        default:
            return {};
    }
}

}  // namespace

void run(State& state, Insn insn) {
    if (insn.opcode() == kSw || insn.opcode() == kSd) {
        const Value to = state.get(insn.rs()).plus(insn.offset()).content();
        if (insn.rt() == kRa && state.ra.kind == Value::caller) state.ra_slot = to;
        if (insn.rt() == kFp && state.fp == Value{Value::fp, 0}) state.fp_slot = to;
    }
    const uint32_t writes = effect_of(insn).writes;
    if (writes != 0) state.set(writes, result_of(state, insn));
}

bool rule_of(const State& state, FrameRule* rule) {
    if (!state.sp.is_address() || state.sp.number < 0) return false;
    const bool by_fp = state.sp.kind == Value::fp;
    const Value::Kind content = by_fp ? Value::at_fp : Value::at_sp;
    *rule = {by_fp, false, false, state.sp.number, 0, 0};
    if (state.ra.kind == Value::caller) {
        rule->ra_in_register = true;
    } else {
        rule->ra_below = rule->size - state.ra.number;
        if (state.ra.kind != content || rule->ra_below <= 0 || rule->ra_below % 4 != 0)
            return false;
    }
    if (state.fp == Value{Value::fp, 0}) return true;
    rule->fp_below = rule->size - state.fp.number;
    rule->fp_is_lost = state.fp.kind != content || rule->fp_below <= 0;
    return true;
}

}  // namespace mipstrace::mips
