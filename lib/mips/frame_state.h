// What is known of the registers on a way through code that leads to a return.
#pragma once

#include <cstdint>

#include "lib/mips/effect.h"
#include "lib/mips/frame_search.h"

namespace mipstrace::mips {

inline constexpr uint32_t kSp = 29;
inline constexpr uint32_t kFp = 30;
inline constexpr uint32_t kRa = 31;

// What is known of a register.
struct Value {
    enum Kind : uint8_t {
        unknown,
        constant,
        sp,     // the stack pointer at the place + number
        fp,     // and $30
        at_sp,  // the content of the memory there
        at_fp,
        caller,  // the return address, which was in $31
    };
    Kind kind = unknown;
    int32_t number = 0;

    bool operator==(const Value&) const = default;
    bool is_address() const { return kind == sp || kind == fp; }
    bool is_content() const { return kind == at_sp || kind == at_fp; }
    Value plus(int64_t by) const {
        const int64_t to = number + by;
        if ((kind != constant && !is_address()) || to != int32_t(to)) return {};
        return {kind, int32_t(to)};
    }
    Value content() const {
        if (!is_address()) return {};
        return {kind == sp ? at_sp : at_fp, number};
    }
};

// What has to be kept of a way that is followed later.
struct Kept {
    uint64_t address;
    uint32_t calls;  // that were passed: one may not have come back
    Value sp, fp, ra;
    Value ra_slot, fp_slot;  // where the code itself has stored what was in $31 and $30
};

struct State : Kept {
    Value temporaries[32];

    explicit State(const Kept& kept) : Kept(kept) { temporaries[0] = {Value::constant, 0}; }
    Value get(uint32_t reg) const {
        return reg == kSp ? sp : reg == kFp ? fp : reg == kRa ? ra : temporaries[reg];
    }
    void set(uint32_t reg, const Value& value) {
        if (reg != 0)
            (reg == kSp ? sp : reg == kFp ? fp : reg == kRa ? ra : temporaries[reg]) = value;
    }
    void forget_temporaries() {
        for (unsigned reg = 1; reg < 32; reg++)
            if (reg < 16 || reg > 23) temporaries[reg] = {};
        ra = {};
    }
    Value load(const Value& from) const {
        const Value content = from.content();
        if (content.kind == Value::unknown) return content;
        if (content == ra_slot) return {Value::caller, 0};
        if (content == fp_slot) return {Value::fp, 0};
        return content;
    }
};

// Does what an instruction does that sends the flow nowhere.
void run(State& state, Insn insn);

// The rule of a function that returns in this state. False: it can't.
bool rule_of(const State& state, FrameRule* rule);

}  // namespace mipstrace::mips
