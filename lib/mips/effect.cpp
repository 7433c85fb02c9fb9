#include "lib/mips/effect.h"

namespace mipstrace::mips {

namespace {

constexpr Effect kUnknown{Flow::unknown, 0};
constexpr Effect kJump{Flow::jump, 0};
constexpr Effect kBranch{Flow::branch, 0};

constexpr Effect writes(uint32_t reg) {
    return {Flow::straight, uint8_t(reg)};
}

Effect special(Insn insn) {
    switch (insn.function()) {
        case kJr:
        case kJalr:
        case 0x0c:  // syscall
        case 0x0d:  // break
            return kJump;
        default:  // those that write none have 0 in this place
            return writes(insn.rd());
    }
}

Effect regimm(Insn insn) {
    switch (insn.rt()) {
        case 0x00:  // bltz
        case 0x01:  // bgez
            return kBranch;
        case 0x10:  // bltzal
        case 0x11:  // bgezal, bal
            return kJump;
        case 0x08:  // the traps
        case 0x09:
        case 0x0a:
        case 0x0b:
        case 0x0c:
        case 0x0e:
        case 0x1f:  // synci
            return writes(0);
        default:
            return kUnknown;
    }
}

Effect coprocessor_1(Insn insn) {
    switch (insn.rs()) {
        case 0:  // mfc1, dmfc1, cfc1, mfhc1
        case 1:
        case 2:
        case 3:
            return writes(insn.rt());
        case 4:  // mtc1, dmtc1, ctc1, mthc1
        case 5:
        case 6:
        case 7:
        case 16:  // s, d, w, l
        case 17:
        case 20:
        case 21:
            return writes(0);
        default:  // the branches among them: some have a delay slot that may not run
            return kUnknown;
    }
}

Effect special_3(Insn insn) {
    switch (insn.function()) {
        case 0x00:  // ext and its kind
        case 0x01:
        case 0x02:
        case 0x03:
        case 0x04:  // ins and its kind
        case 0x05:
        case 0x06:
        case 0x07:
        case 0x3b:  // rdhwr
            return writes(insn.rt());
        case 0x20:  // seb, seh, wsbh and their kind
        case 0x24:
            return writes(insn.rd());
        default:
            return kUnknown;
    }
}

}  // namespace

Effect effect_of(Insn insn) {
    switch (insn.opcode()) {
        case kSpecial:
            return special(insn);
        case kRegimm:
            return regimm(insn);
        case kJ:
        case kJal:
            return kJump;
        case kBeq:
            return insn.rs() == insn.rt() ? kJump : kBranch;
        case 0x05:  // bne
            return kBranch;
        case 0x06:  // blez
        case 0x07:  // bgtz
            return insn.rt() == 0 ? kBranch : kUnknown;
        case kAddiu:
        case 0x0a:  // slti
        case 0x0b:  // sltiu
        case 0x0c:  // andi
        case kOri:
        case 0x0e:  // xori
        case kLui:
        case kDaddiu:
        case 0x1a:  // ldl
        case 0x1b:  // ldr
        case 0x20:  // lb
        case 0x21:  // lh
        case 0x22:  // lwl
        case kLw:
        case 0x24:  // lbu
        case 0x25:  // lhu
        case 0x26:  // lwr
        case 0x27:  // lwu
        case kLd:
            return writes(insn.rt());
        case 0x11:
            return coprocessor_1(insn);
        case 0x1c:  // mul and its kind
            return writes(insn.rd());
        case 0x1f:
            return special_3(insn);
        case 0x28:  // sb
        case 0x29:  // sh
        case 0x2a:  // swl
        case kSw:
        case 0x2c:  // sdl
        case 0x2d:  // sdr
        case 0x2e:  // swr
        case kSd:
        case 0x31:  // lwc1
        case 0x33:  // pref
        case 0x35:  // ldc1
        case 0x39:  // swc1
        case 0x3d:  // sdc1
            return writes(0);
        case 0x3b:  // addiupc and its kind
            return writes(insn.rs());
        default:
            return kUnknown;
    }
}

}  // namespace mipstrace::mips
