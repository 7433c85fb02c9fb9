#include "lib/mips/frame_search.h"

#include "lib/mips/frame_state.h"
#include "lib/mips/transfer.h"

namespace mipstrace::mips {

namespace {

constexpr uint32_t kT9 = 25;

constexpr unsigned kMostSteps = 6000;
constexpr unsigned kMostPending = 16;
constexpr unsigned kMostSeen = 64;
constexpr unsigned kFarthestPrologue = 4096;  // words

class Search {
  public:
    Search(const CodePlace& place, const FrameSources& sources)
        : place_(place), sources_(sources) {}

    bool forward(FrameRule* rule) {
        Kept first{};
        first.address = place_.address;
        first.sp = {Value::sp, 0};
        first.fp = {Value::fp, 0};
        if (place_.is_interrupted) first.ra = {Value::caller, 0};
        pending_[count_++] = first;
        while (count_ != 0) {
            State state(take());
            if (follow(state, rule)) return true;
        }
        return false;
    }

    // The stores of the prologue that is nearest in front of the place.
    bool backward(FrameRule* rule) {
        int32_t ra_at = -1;
        int32_t fp_at = -1;
        int32_t more = 0;  // what the frame was made larger by, behind the stores
        bool has_fp = false;
        for (unsigned back = 2; back < kFarthestPrologue; back++) {
            Insn insn;
            if (!read(place_.address - 4 * back, &insn)) return false;
            const bool is_store = insn.opcode() == kSw || insn.opcode() == kSd;
            if (is_store && insn.rs() == kSp && insn.rt() == kRa) ra_at = insn.offset();
            if (is_store && insn.rs() == kSp && insn.rt() == kFp) fp_at = insn.offset();
            has_fp |= insn.opcode() == kSpecial && insn.rd() == kFp && insn.rs() == kSp;
            const bool makes_frame = (insn.opcode() == kAddiu || insn.opcode() == kDaddiu) &&
                                     insn.rs() == kSp && insn.rt() == kSp && insn.offset() < 0;
            if (makes_frame && ra_at >= 0) {
                const int32_t size = -insn.offset();
                if (ra_at >= size) return false;
                *rule = {has_fp,      false,        false,
                         size + more, size - ra_at, fp_at >= 0 ? size - fp_at : 0};
                return sources_.accept(*rule, sources_.context);
            }
            if (makes_frame) more -= insn.offset();
            // Room for an array, not a part of the prologue.
            if (way_of(insn, 0, place_.is_r6).kind != Transfer::none) more = 0;
            if (is_outermost(insn)) return false;
        }
        return false;
    }

  private:
    bool read(uint64_t address, Insn* insn) const {
        return sources_.read(address, &insn->word, sources_.context);
    }
    // The way that has passed the fewest calls, of these the newest.
    Kept take() {
        unsigned best = count_ - 1;
        for (unsigned i = count_ - 1; i-- > 0;)
            if (pending_[i].calls < pending_[best].calls) best = i;
        const Kept found = pending_[best];
        for (unsigned i = best + 1; i < count_; i++)
            pending_[i - 1] = pending_[i];
        count_--;
        return found;
    }
    void follow_later(const Kept& way) {
        if (count_ != kMostPending) pending_[count_++] = way;
    }
    // True the first time.
    bool see(uint64_t target) {
        const auto offset = uint32_t(target - place_.address);
        for (unsigned i = 0; i < seen_count_; i++)
            if (seen_[i] == offset) return false;
        if (seen_count_ == kMostSeen) return false;
        seen_[seen_count_++] = offset;
        return true;
    }
    bool is_frame_made(Insn insn) const {
        return (insn.opcode() == kAddiu || insn.opcode() == kDaddiu) && insn.rs() == kSp &&
               insn.rt() == kSp && insn.offset() < 0;
    }
    // move $31, $0: in a function that has no caller.
    static bool is_outermost(Insn insn) {
        return insn.opcode() == kSpecial && insn.rd() == kRa && insn.rs() == 0 && insn.rt() == 0 &&
               (insn.function() == kOr || insn.function() == kAddu || insn.function() == kDaddu);
    }
    bool ends(const State& state, FrameRule* rule) const {
        return rule_of(state, rule) && sources_.accept(*rule, sources_.context);
    }
    bool run_slot(State& state, const Way& way) {
        Insn slot;
        if (!way.has_slot) return true;
        if (!read(state.address + 4, &slot)) return false;
        run(state, slot);
        return true;
    }

    // One way until it returns, ends otherwise, or others should come before.
    bool follow(State& state, FrameRule* rule) {
        for (; steps_ < kMostSteps; steps_++) {
            Insn insn;
            if (state.sp.kind == Value::unknown || !read(state.address, &insn)) return false;
            if (is_frame_made(insn) && !place_.is_interrupted) {
                // The prologue of another function: one that is jumped to at the end, or what
                // lies behind a call that does not come back.
                return state.ra.is_content() && ends(state, rule);
            }
            const Way way = way_of(insn, state.address, place_.is_r6);
            switch (way.kind) {
                case Transfer::none:
                    run(state, insn);
                    state.address += 4;
                    continue;
                case Transfer::stops:
                    return false;
                case Transfer::returns:
                    return run_slot(state, way) && ends(state, rule);
                case Transfer::indirect: {
                    if (!run_slot(state, way)) return false;
                    // Or it is a switch.
                    const bool is_call =
                        state.ra.is_content() || (way.reg == kT9 && state.ra.kind == Value::caller);
                    return is_call && ends(state, rule);
                }
                case Transfer::jump:
                    if (!run_slot(state, way) || !see(way.target)) return false;
                    state.address = way.target;
                    continue;
                case Transfer::branch:
                    branch(state, way);
                    continue;
                case Transfer::call:
                    if (!run_slot(state, way)) return false;
                    state.address += way.has_slot ? 8 : 4;
                    state.forget_temporaries();
                    state.calls++;
                    if (count_ == 0) continue;
                    follow_later(state);
                    return false;
            }
        }
        count_ = 0;
        return false;
    }

    void branch(State& state, const Way& way) {
        Kept on = state;
        if (!run_slot(state, way)) return state.set(kSp, {});
        if (!way.is_slot_taken) on = state;
        on.address = state.address + (way.has_slot ? 8 : 4);
        state.address = way.target;
        if (see(way.target)) follow_later(state);
        if (way.is_slot_taken)
            state = State(on);
        else
            static_cast<Kept&>(state) = on;
    }

    const CodePlace& place_;
    const FrameSources& sources_;
    unsigned steps_ = 0;
    unsigned count_ = 0;
    unsigned seen_count_ = 0;
    Kept pending_[kMostPending];
    uint32_t seen_[kMostSeen];
};

}  // namespace

bool find_frame_rule(const CodePlace& place, const FrameSources& sources, FrameRule* rule) {
    Search search(place, sources);
    return search.forward(rule) || (!place.is_interrupted && search.backward(rule));
}

bool may_return_to(uint64_t address, bool is_r6, const FrameSources& sources) {
    uint32_t before[2];
    if (address % 4 != 0 || !sources.read(address - 4, &before[1], sources.context)) return false;
    const Way compact = way_of({before[1]}, address - 4, is_r6);
    if (compact.kind == Transfer::call && !compact.has_slot) return true;
    if (!sources.read(address - 8, &before[0], sources.context)) return false;
    const Way way = way_of({before[0]}, address - 8, is_r6);
    return way.kind == Transfer::call && way.has_slot;
}

}  // namespace mipstrace::mips
