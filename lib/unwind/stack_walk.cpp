#include "lib/unwind/stack_walk.h"

#include "lib/fgraph/frames.h"
#include "lib/mips/frame_search.h"
#include "lib/unwind/open_frames.h"
#include "lib/unwind/rule_cache.h"
#include "lib/unwind/signal_frame.h"

namespace mipstrace::unwind {

namespace {

using mips::CodePlace;
using mips::FrameRule;

#if defined(__mips_isa_rev) && __mips_isa_rev >= 6
constexpr bool kIsR6 = true;
#else
constexpr bool kIsR6 = false;
#endif

constexpr uintptr_t kLargestFrame = 64 * 1024 * 1024;

class Walker {
  public:
    Walker(const fgraph::Frame& frame, const ftrace_regs& regs)
        : memory_(reinterpret_cast<uintptr_t>(&regs)), open_(*frame.stack, frame) {
        sp_ = fgraph::entry_sp(&regs);
        knows_fp_ = (regs.flags & FTRACE_REGS_FLAG_FULL) != 0;
        fp_ = knows_fp_ ? uintptr_t(regs.gpr[30]) : 0;
        // A call of _mcount: the function has begun to make its frame.
        if (regs.frame_size != 0 && knows_fp_) take_fp_back(regs);
        // A call at the end of a traced function has its return address.
        pc_ = frame.ret == fgraph::handler_address() ? open_.find(sp_) : frame.ret;
        leave_handler();
    }

    // 0: the end of the stack.
    uintptr_t place() const {
        if (open_call_ != 0) return open_call_ | kOpenCall;
        return pc_ | (pc_ != 0 && is_interrupted_ ? kInterrupted : 0);
    }

    void go_on() {
        if (open_call_ != 0) {
            open_call_ = 0;
            return;
        }
        if (!find_caller()) {
            const fgraph::Frame* traced = open_.next(sp_);
            if (traced == nullptr) return end();
            pc_ = traced->ret;
            sp_ = fgraph::sp_of(*traced);
            knows_fp_ = false;
            is_interrupted_ = false;
            open_call_ = traced->call.position;
        }
        leave_handler();
    }

  private:
    void end() { pc_ = 0; }

    // Where a signal handler returns to is nobody's function.
    void leave_handler() {
        Interrupted then;
        if (pc_ == 0 || !is_signal_return(pc_, memory_)) return;
        if (!read_signal_frame(pc_, sp_, memory_, &then)) return end();
        pc_ = then.pc & ~uintptr_t(3);
        sp_ = then.sp;
        fp_ = then.fp;
        ra_ = then.ra;
        knows_fp_ = is_interrupted_ = true;
    }

    void take_fp_back(const ftrace_regs& regs) {
        const uintptr_t entry = sp_;
        sp_ = fgraph::exit_sp(&regs);
        FrameRule rule;
        const CodePlace place{uintptr_t(regs.gpr[25]), true, kIsR6};
        knows_fp_ = find_frame_rule(place, {read_code, accept_any, this}, &rule) &&
                    caller_sp(rule) == entry && read_caller_fp(rule, entry);
        sp_ = entry;
    }

    bool find_caller() {
        const CodePlace place{pc_, is_interrupted_, kIsR6};
        FrameRule rule;
        const bool is_known =
            !is_interrupted_ && find_cached_rule(pc_, &rule) && leads_to_caller(rule);
        if (!is_known) {
            if (!find_frame_rule(place, {read_code, accept, this}, &rule)) return false;
            if (!is_interrupted_) cache_rule(pc_, rule);
        }
        const uintptr_t sp = caller_sp(rule);
        uintptr_t ra = return_address(rule, sp);
        if (ra == fgraph::handler_address()) ra = open_.find(sp);
        if (ra == 0) return false;  // the end, unless open calls tell otherwise
        knows_fp_ = read_caller_fp(rule, sp);
        pc_ = ra;
        sp_ = sp;
        is_interrupted_ = false;
        return true;
    }

    uintptr_t caller_sp(const FrameRule& rule) const {
        return (rule.by_fp ? fp_ : sp_) + uintptr_t(rule.size);
    }

    // Of the rule's frame; 0 where there is none, and at the end of a stack.
    uintptr_t return_address(const FrameRule& rule, uintptr_t sp) {
        if (rule.ra_in_register) return ra_;
        ftrace_reg found = 0;
        return memory_.read(sp - uintptr_t(rule.ra_below), &found) ? uintptr_t(found) : 0;
    }

    // Whether $30 is known then.
    bool read_caller_fp(const FrameRule& rule, uintptr_t sp) {
        if (rule.fp_is_lost) return false;
        if (rule.fp_below == 0) return knows_fp_;
        ftrace_reg found;
        if (!memory_.read(sp - uintptr_t(rule.fp_below), &found)) return false;
        fp_ = uintptr_t(found);
        return true;
    }

    bool leads_to_caller(const FrameRule& rule) {
        if (rule.by_fp && !knows_fp_) return false;
        const uintptr_t sp = caller_sp(rule);
        if (sp % 8 != 0 || sp < sp_ || sp - sp_ > kLargestFrame) return false;
        if (sp == sp_ && !is_interrupted_) return false;
        if (!rule.ra_in_register) {
            ftrace_reg found;
            if (!memory_.read(sp - uintptr_t(rule.ra_below), &found)) return false;
        }
        const uintptr_t ra = return_address(rule, sp);
        if (ra == fgraph::handler_address()) return OpenFrames(open_).find(sp) != 0;
        return ra == 0 || mips::may_return_to(ra, kIsR6, {read_code, nullptr, this}) ||
               is_signal_return(ra, memory_);
    }

    static bool read_code(uint64_t address, uint32_t* word, void* walker) {
        return static_cast<Walker*>(walker)->memory_.read(uintptr_t(address), word);
    }
    static bool accept(const FrameRule& rule, void* walker) {
        return static_cast<Walker*>(walker)->leads_to_caller(rule);
    }
    static bool accept_any(const FrameRule&, void*) { return true; }

    SafeMemory memory_;
    OpenFrames open_;
    uintptr_t pc_ = 0;
    uintptr_t sp_ = 0;
    uintptr_t fp_ = 0;
    uintptr_t ra_ = 0;  // $31, where it was interrupted
    bool knows_fp_ = false;
    bool is_interrupted_ = false;
    uint32_t open_call_ = 0;  // position of the call where the way was found again
};

}  // namespace

Walk walk_stack(const fgraph::Frame& frame, const ftrace_regs& regs, unsigned most,
                void (*put)(unsigned index, uintptr_t address, void* context), void* context) {
    Walk walk;
    Walker walker(frame, regs);
    for (; walker.place() != 0; walker.go_on()) {
        if (walk.count == most) {
            walk.is_cut = true;
            break;
        }
        put(walk.count++, walker.place(), context);
    }
    return walk;
}

}  // namespace mipstrace::unwind
