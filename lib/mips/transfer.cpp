#include "lib/mips/transfer.h"

namespace mipstrace::mips {

namespace {

constexpr uint32_t kReturn = 31;

Way branch(Insn insn, uint64_t address) {
    return {Transfer::branch, true, false, 0, branch_target(insn, address)};
}

Way likely(Insn insn, uint64_t address) {
    return {Transfer::branch, true, true, 0, branch_target(insn, address)};
}

// Release 6: nothing behind it runs before.
Way compact(Transfer kind, uint64_t target) {
    return {kind, false, false, 0, target};
}

uint64_t far_target(Insn insn, uint64_t address, unsigned bits) {
    const uint64_t words = insn.word & ((1u << bits) - 1);
    const uint64_t sign = uint64_t(1) << (bits - 1);
    return address + 4 + ((words ^ sign) - sign) * 4;
}

Way through(uint32_t reg, bool has_slot) {
    return {reg == kReturn ? Transfer::returns : Transfer::indirect, has_slot, false, uint8_t(reg),
            0};
}

Way special(Insn insn) {
    switch (insn.function()) {
        case kJr:
            return through(insn.rs(), true);
        case kJalr:  // a link elsewhere is a sled's
            if (insn.rd() == 0) return through(insn.rs(), true);
            return {insn.rd() == kReturn ? Transfer::call : Transfer::none};
        case 0x0d:  // break
            return {Transfer::stops, false};
        default:
            return {};
    }
}

Way regimm(Insn insn, uint64_t address, bool is_r6) {
    switch (insn.rt()) {
        case 0x00:  // bltz
        case 0x01:  // bgez
            return branch(insn, address);
        case 0x02:
        case 0x03:
            return likely(insn, address);
        case 0x10:  // bltzal; of $0 it only notes where it is
            return is_r6 && insn.rs() == 0 ? Way{} : Way{Transfer::call};
        case 0x11:  // bgezal, bal
        case 0x12:
        case 0x13:
            return {Transfer::call};
        default:
            return {};
    }
}

Way coprocessor(Insn insn, uint64_t address) {
    constexpr uint32_t kLikely = 1u << 17;
    const uint32_t rs = insn.rs();
    if (rs == 8) return (insn.word & kLikely) != 0 ? likely(insn, address) : branch(insn, address);
    // Release 6, and those of MSA.
    const bool is_branch = rs == 9 || rs == 13 || rs == 11 || rs == 15 || rs >= 24;
    return is_branch ? branch(insn, address) : Way{};
}

Way release_6(Insn insn, uint64_t address) {
    const uint64_t near = branch_target(insn, address);
    switch (insn.opcode()) {
        case 0x06:
        case 0x07:
            return insn.rt() == 0                             ? branch(insn, address)
                   : insn.rs() == 0 || insn.rs() == insn.rt() ? compact(Transfer::call, near)
                                                              : compact(Transfer::branch, near);
        case 0x08:
        case 0x18:
            return compact(insn.rs() == 0 && insn.rt() != 0 ? Transfer::call : Transfer::branch,
                           near);
        case 0x16:
        case 0x17:
            return compact(Transfer::branch, near);
        case 0x32:
            return compact(Transfer::jump, far_target(insn, address, 26));
        case 0x3a:
            return compact(Transfer::call, 0);
        case 0x36:
            if (insn.rs() == 0) return through(insn.rt(), false);
            return compact(Transfer::branch, far_target(insn, address, 21));
        case 0x3e:
            if (insn.rs() == 0) return compact(Transfer::call, 0);
            return compact(Transfer::branch, far_target(insn, address, 21));
        default:
            return {};
    }
}

}  // namespace

Way way_of(Insn insn, uint64_t address, bool is_r6) {
    switch (insn.opcode()) {
        case kSpecial:
            return special(insn);
        case kRegimm:
            return regimm(insn, address, is_r6);
        case kJ: {
            const uint64_t region = (address + 4) & ~uint64_t(0x0fffffff);
            return {Transfer::jump, true, false, 0, region | uint64_t(insn.word & 0x03ffffff) << 2};
        }
        case kJal:
            return {Transfer::call};
        case kBeq:
            if (insn.rs() != insn.rt()) return branch(insn, address);
            return {Transfer::jump, true, false, 0, branch_target(insn, address)};
        case 0x05:  // bne
            return branch(insn, address);
        case 0x11:
        case 0x12:
            return coprocessor(insn, address);
        default:
            break;
    }
    if (is_r6) return release_6(insn, address);
    switch (insn.opcode()) {
        case 0x06:  // blez
        case 0x07:  // bgtz
            return branch(insn, address);
        case 0x14:
        case 0x15:
        case 0x16:
        case 0x17:
            return likely(insn, address);
        case 0x1d:  // jalx
            return {Transfer::call};
        default:
            return {};
    }
}

}  // namespace mipstrace::mips
