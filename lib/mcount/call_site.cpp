#include "lib/mcount/call_site.h"

#include "lib/mcount/known_registers.h"

namespace mipstrace::mcount {

namespace {

using mips::Flow;
using mips::Insn;

// Far more than compilers make.
constexpr uint64_t kLongestCall = 4 * 12;
constexpr uint64_t kLongestPrologue = 4 * 256;
constexpr uint64_t kLongestStub = 4 * 8;

constexpr uint32_t kAt = 1;
constexpr uint32_t kV0 = 2;
constexpr uint32_t kRaPlace = 12;
constexpr uint32_t kStaticChain = 15;
constexpr uint32_t kT9 = 25;
constexpr uint32_t kGp = 28;
constexpr uint32_t kSp = 29;
constexpr uint32_t kRa = 31;

// move rd, rs: or, addu or daddu with $0.
bool is_move(Insn insn, uint32_t rd, uint32_t rs) {
    const uint32_t f = insn.function();
    return insn.opcode() == mips::kSpecial && insn.rd() == rd && insn.rs() == rs &&
           insn.rt() == 0 && (f == mips::kOr || f == mips::kAddu || f == mips::kDaddu);
}

bool is_push(const Code& code, Insn insn) {
    return code.is_o32 && insn.opcode() == mips::kAddiu && insn.rs() == kSp && insn.rt() == kSp &&
           insn.offset() == -8;
}

bool is_reload_of_gp(const Code& code, Insn insn) {
    return code.is_o32 && insn.opcode() == mips::kLw && insn.rt() == kGp;
}

// The words of a call, and how it goes.
struct Call {
    uint64_t jump;        // address of the jal or jalr
    uint64_t end;         // behind its last word
    uint32_t target;      // the register with the address; 0: it is a jal
    bool tells_ra_place;  // -mmcount-ra-address
};

// What a call is made of, besides the jump.
bool is_part(const Code& code, Insn insn, bool* moves_chain) {
    if (is_move(insn, kV0, kStaticChain)) {
        *moves_chain = true;
        return true;
    }
    const mips::Effect effect = mips::effect_of(insn);
    if (effect.flow != Flow::straight) return false;
    // Stores have no place here either.
    const bool is_dead = effect.writes == kRaPlace || effect.writes == kT9;
    return insn.word == mips::kNop || is_dead || is_push(code, insn);
}

// The static chain returns from $2, behind a load of the gp, which has not changed.
bool take_chain_back(const Code& code, Call* call) {
    if (code.holds(call->end) && is_reload_of_gp(code, code.at(call->end))) call->end += 4;
    if (!code.holds(call->end) || !is_move(code.at(call->end), kStaticChain, kV0)) return false;
    call->end += 4;
    return true;
}

bool read_call(const Code& code, uint64_t address, Call* call) {
    bool moves_chain = false;
    bool tells = false;
    for (uint64_t at = address + 4; at < address + kLongestCall; at += 4) {
        if (!code.holds(at + 4)) return false;
        const Insn insn = code.at(at);
        tells |= mips::effect_of(insn).writes == kRaPlace;
        if (is_part(code, insn, &moves_chain)) continue;
        const bool is_jalr =
            insn.opcode() == mips::kSpecial && insn.function() == mips::kJalr && insn.rd() == kRa;
        if (!is_jalr && insn.opcode() != mips::kJal) return false;
        const Insn slot = code.at(at + 4);
        if (!is_part(code, slot, &moves_chain)) return false;
        tells |= mips::effect_of(slot).writes == kRaPlace;
        *call = {at, at + 8, is_jalr ? insn.rs() : 0, tells};
        return !moves_chain || take_chain_back(code, call);
    }
    return false;
}

// What lies behind the function in front: no earlier than that does the function begin, unless
// there are instructions in between that are not understood.
uint64_t first_possible_start(const Code& code, uint64_t address, uint64_t floor,
                              bool* is_certain) {
    *is_certain = true;
    for (uint64_t at = address; at > floor;) {
        at -= 4;
        switch (mips::effect_of(code.at(at)).flow) {
            case Flow::jump:
                return at + 8 < address ? at + 8 : address;  // behind the delay slot
            case Flow::unknown:
                *is_certain = false;
                break;
            default:
                break;
        }
        if (address - at < kLongestPrologue) continue;
        *is_certain = false;
        return at;
    }
    return floor;
}

// What a stub at `address` jumps to, as far as it is the content of a constant address.
Value target_of_stub(const Code& code, uint64_t address) {
    KnownRegisters registers;
    for (uint64_t at = address; at < address + kLongestStub && code.holds(at); at += 4) {
        const Insn insn = code.at(at);
        const uint32_t f = insn.function();
        if (insn.opcode() == mips::kSpecial && (f == mips::kJr || f == mips::kJalr) &&
            insn.rd() == 0)
            return registers[insn.rs()];
        registers.run(code, at, at + 4);
    }
    return {};
}

uint64_t target_of_jal(const Code& code, uint64_t at) {
    return ((at + 4) & ~uint64_t(0x0fffffff)) | uint64_t(code.at(at).word & 0x03ffffff) << 2;
}

// What is called, by instructions that begin at `first`.
Value target_of(const Code& code, const Call& call, uint64_t first) {
    if (call.target == 0) return target_of_stub(code, target_of_jal(code, call.jump));
    KnownRegisters registers;
    registers.run(code, first, call.jump);
    return registers[call.target];
}

// True if the call is one of _mcount. `*start` becomes its function's address if it tells that;
// else the function begins at or behind `first`, and if that is certain, not before it.
bool calls_mcount(const Code& code, const CallSlots& slots, const Call& call, uint64_t first,
                  bool is_certain, uint64_t address, uint64_t* start) {
    const Value target = target_of(code, call, first);
    if (target.kind == Value::at_constant) return slots.holds(uint64_t(target.number));
    if (target.kind != Value::at_function) return false;
    // It is the content of function + number: a slot tells where the function is.
    for (size_t i = 0; i < slots.count(); i++) {
        const uint64_t at = slots[i] - uint64_t(target.number);
        if (at > address || address - at > kLongestPrologue || at % 4 != 0 || !code.holds(at) ||
            (at < first && is_certain))
            continue;
        if (target_of(code, call, at).kind != Value::at_function) continue;
        *start = at;
        return true;
    }
    return false;
}

SiteFrame read_frame(const Code& code, const Call& call, uint64_t start, uint64_t address) {
    constexpr uint32_t kWord = 4;
    const SiteFrame unknown{};
    KnownRegisters registers;
    registers.run(code, start, address);
    const Value sp = registers[kSp];
    if (!registers.is_certain() || registers.is_caller_kept() || sp.kind != Value::stack ||
        registers[kRa].kind != Value::caller || sp.number > 0 || sp.number % 8 != 0 ||
        sp.number < -int64_t(kLargestFrame))
        return unknown;
    SiteFrame frame{true, uint32_t(-sp.number), 0};
    if (registers.is_caller_stored()) {
        const int64_t where = registers.where();
        if (where >= 0 || where < sp.number || where % kWord != 0 ||
            -where > int64_t(kFarthestPlace))
            return unknown;
        frame.ra_below = uint32_t(-where);
    }
    if (!call.tells_ra_place) return frame;
    KnownRegisters told = registers;
    told.run(code, address, call.jump);
    told.run(code, call.jump + 4, call.jump + 8);
    const Value place = told[kRaPlace];
    const bool agrees = frame.ra_below == 0 ? place.kind == Value::constant && place.number == 0
                                            : place.kind == Value::stack &&
                                                  place.number == -int64_t(frame.ra_below);
    return agrees ? frame : unknown;
}

}  // namespace

bool may_begin_call(Insn insn) {
    return is_move(insn, kAt, kRa);
}

uint32_t count_call_words(const Code& code, uint64_t address) {
    Call call;
    if (!code.holds(address) || !may_begin_call(code.at(address)) ||
        !read_call(code, address, &call))
        return 0;
    return uint32_t((call.end - address) / 4);
}

bool find_call_site(const Code& code, const CallSlots& slots, uint64_t address, uint64_t floor,
                    CallSite* site) {
    Call call;
    if (!read_call(code, address, &call)) return false;
    bool is_certain;
    const uint64_t first = first_possible_start(code, address, floor, &is_certain);
    uint64_t start = 0;
    if (!calls_mcount(code, slots, call, first, is_certain, address, &start)) return false;
    if (start == 0 && is_certain) start = first;
    *site = {address, start, uint32_t((call.end - address) / 4), {}};
    if (start != 0) site->frame = read_frame(code, call, start, address);
    return true;
}

}  // namespace mipstrace::mcount
