#include "lib/mcount/known_registers.h"

namespace mipstrace::mcount {

namespace {

using mips::Flow;
using mips::Insn;

constexpr uint32_t kT9 = 25;
constexpr uint32_t kSp = 29;
constexpr uint32_t kRa = 31;
constexpr uint32_t kKeptByCalls[] = {16, 17, 18, 19, 20, 21, 22, 23, 28, 30};

bool is_store(Insn insn) {
    return insn.opcode() == mips::kSw || insn.opcode() == mips::kSd;
}

bool is_address(const Value& value) {
    return value.kind == Value::constant || value.kind == Value::function ||
           value.kind == Value::stack;
}

Value moved(const Value& value, int64_t by) {
    if (!is_address(value)) return {};
    return {value.kind, value.number + by};
}

Value sum(const Value& a, const Value& b) {
    if (b.kind == Value::constant) return b.number == 0 ? a : moved(a, b.number);
    if (a.kind == Value::constant) return a.number == 0 ? b : moved(b, a.number);
    return {};
}

Value content(const Value& address, int64_t offset) {
    if (address.kind == Value::constant) return {Value::at_constant, address.number + offset};
    if (address.kind == Value::function) return {Value::at_function, address.number + offset};
    return {};
}

}  // namespace

KnownRegisters::KnownRegisters() {
    values_[0] = {Value::constant, 0};
    values_[kT9] = {Value::function, 0};
    values_[kSp] = {Value::stack, 0};
    values_[kRa] = {Value::caller, 0};
}

Value KnownRegisters::result_of(Insn insn) const {
    const Value& rs = values_[insn.rs()];
    const Value& rt = values_[insn.rt()];
    switch (insn.opcode()) {
        case mips::kAddiu:
        case mips::kDaddiu:
            return moved(rs, insn.offset());
        case mips::kLui:
            return moved(rs, int32_t(uint32_t(insn.immediate()) << 16));
        case mips::kOri:
            if (rs.kind != Value::constant) return {};
            return {Value::constant, rs.number | insn.immediate()};
        case mips::kLw:
        case mips::kLd:
            return content(rs, insn.offset());
        case mips::kSpecial:
            break;
        default:
            return {};
    }
    switch (insn.function()) {
        case mips::kAddu:
        case mips::kDaddu:
            return sum(rs, rt);
        case mips::kOr:
            return insn.rt() == 0 ? rs : insn.rs() == 0 ? rt : Value{};
        case mips::kSubu:
        case mips::kDsubu:
            return rt.kind == Value::constant ? moved(rs, -rt.number) : Value{};
        default:
            return {};
    }
}

void KnownRegisters::store(uint32_t reg, const Value& base, int16_t offset) {
    if (values_[reg].kind != Value::caller) return;
    const int64_t to = base.number + offset;
    if (base.kind != Value::stack || (is_caller_stored_ && where_ != to)) is_certain_ = false;
    is_caller_stored_ = true;
    where_ = to;
}

void KnownRegisters::step(Insn insn) {
    if (is_store(insn)) store(insn.rt(), values_[insn.rs()], insn.offset());
    const mips::Effect effect = mips::effect_of(insn);
    if (effect.flow == Flow::jump || effect.flow == Flow::unknown) is_certain_ = false;
    if (effect.writes != 0) values_[effect.writes] = result_of(insn);
}

// One that leaves what is looked at says nothing about the way on. A loop, such as one that touches
// the pages of a large frame, leaves its registers in a state that is not known.
void KnownRegisters::branch(const Code& code, uint64_t at, uint64_t begin, uint64_t end) {
    const uint64_t target = mips::branch_target(code.at(at), at);
    if (target > end) return;
    if (target > at || target < begin) {
        is_certain_ = false;
        return;
    }
    for (uint64_t inside = target; inside <= at + 4 && inside < end; inside += 4) {
        const Insn insn = code.at(inside);
        const uint32_t written = mips::effect_of(insn).writes;
        if (written != 0) values_[written] = {};
        if (is_store(insn) && insn.rt() == kRa) is_certain_ = false;
    }
}

void KnownRegisters::run(const Code& code, uint64_t begin, uint64_t end) {
    uint64_t last_branch = 0;
    for (uint64_t at = begin; at < end; at += 4) {
        const Insn insn = code.at(at);
        step(insn);
        if (last_branch != 0) branch(code, last_branch, begin, end);
        last_branch = mips::effect_of(insn).flow == Flow::branch ? at : 0;
    }
    if (last_branch != 0) is_certain_ = false;
}

bool KnownRegisters::is_caller_kept() const {
    for (uint32_t reg : kKeptByCalls) {
        if (values_[reg].kind == Value::caller) return true;
    }
    return false;
}

}  // namespace mipstrace::mcount
