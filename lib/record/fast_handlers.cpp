#include "lib/record/fast_handlers.h"

#include <sys/mman.h>

#include "lib/base/membarrier.h"
#include "lib/fgraph/dispatch_lists.h"
#include "lib/fgraph/frames.h"
#include "lib/mips/insn.h"
#include "lib/patch/code_patcher.h"

// The code of pages; see trampoline/module_page.S.
#define MT_PAGE_CODE(name)                                                                \
    extern "C" __attribute__((visibility("hidden"))) const uint32_t name[], name##_end[], \
        name##_gate[], name##_check[], name##_light[], name##_general[], name##_mark[],   \
        name##_mark_sync[];                                                               \
    namespace {                                                                           \
    constexpr mipstrace::patch::PageCode name##_code{                                     \
        name,         name##_end,     name##_gate, name##_check,                          \
        name##_light, name##_general, name##_mark, name##_mark_sync};                     \
    }

MT_PAGE_CODE(module_page_by_cycles)
MT_PAGE_CODE(module_page_by_cycles_with_bias)
MT_PAGE_CODE(module_page_by_mono)
MT_PAGE_CODE(module_page_by_mono_with_bias)

extern "C" {
#define MT_CODE(label) __attribute__((visibility("hidden"))) extern const uint32_t label[];
MT_CODE(record_enter_by_mono_end)
MT_CODE(ftrace_regs_caller_saved)
MT_CODE(leave_by_cycles)  // an instruction to copy
MT_CODE(leave_by_list)
MT_CODE(return_to_handler_end)
// Stores, and what takes their place where there is no membarrier.
MT_CODE(light_caller_unmark)
MT_CODE(light_caller_unmark_sync)
MT_CODE(leave_by_list_mark)
MT_CODE(leave_by_list_mark_sync)
MT_CODE(leave_by_list_unmark)
MT_CODE(leave_by_list_unmark_sync)
}

namespace mipstrace::record {

namespace {

bool are_lists_open;
bool needs_sync;

intptr_t thread_offset() {
    return reinterpret_cast<intptr_t>(&fgraph::this_thread) -
           reinterpret_cast<intptr_t>(__builtin_thread_pointer());
}

const uint32_t* code_of(void (*function)()) {
    return reinterpret_cast<const uint32_t*>(reinterpret_cast<uintptr_t>(function));
}

// The library's own code between these.
struct OwnText : patch::WritableText {
    OwnText(const uint32_t* begin, const uint32_t* end)
        : WritableText(PROT_READ | PROT_EXEC, reinterpret_cast<uintptr_t>(begin),
                       reinterpret_cast<uintptr_t>(end)) {}
    void write_over(const uint32_t* at, uint32_t word) {
        write(const_cast<volatile uint32_t*>(at), word);
    }
};

// False: the text can't be written, or a load has no room for the offset.
bool put_thread_offset(const uint32_t* begin, const uint32_t* end) {
    OwnText text(begin, end);
    return text.ok() && patch::put_thread_offset(
                            begin, end, thread_offset(),
                            [&](const uint32_t* at, uint32_t word) { text.write_over(at, word); });
}

uint32_t branch(const uint32_t* from, const uint32_t* to) {
    return mips::b(int16_t(to - from - 1));
}

bool go_by(const uint32_t* from, const uint32_t* to) {
    OwnText text(from, from + 1);
    if (text.ok()) text.write_over(from, branch(from, to));
    return text.ok();
}

// The way by dispatch lists, for entries and returns. False: the library's text can't be written.
bool open_way_by_lists() {
    const uint32_t* leave = code_of(return_to_handler);
    needs_sync = !prepare_barrier_in_all_threads();
    if (!put_thread_offset(leave, return_to_handler_end) ||
        (needs_sync && (!go_by(light_caller_unmark, light_caller_unmark_sync) ||
                        !go_by(leave_by_list_mark, leave_by_list_mark_sync) ||
                        !go_by(leave_by_list_unmark, leave_by_list_unmark_sync))) ||
        !go_by(leave, leave_by_list))
        return false;
    fgraph::open_lists(needs_sync);
    return true;
}

// The first instruction of return_to_handler. Threads may be there; either is right for all
// returns.
uint32_t for_recorder;  // 0: it is not prepared
void prefer_recorder(bool prefer) {
    const uint32_t* leave = code_of(return_to_handler);
    const uint32_t word = prefer ? for_recorder : branch(leave, leave_by_list);
    if (*leave == word) return;
    OwnText text(leave, leave + 1);
    if (text.ok()) text.write_over(leave, word);
}

}  // namespace

patch::TrampolineTargets trampoline_targets(format::ClockId clock) {
    const bool cycles = clock == format::ClockId::cycles;
    are_lists_open = open_way_by_lists();
    return {
        reinterpret_cast<const void*>(&ftrace_regs_caller),
        reinterpret_cast<const void*>(&ftrace_mcount_caller),
        static_cast<const void*>(&fgraph_handlers),
        reinterpret_cast<const void*>(&record_enter_by_mono),
        are_lists_open ? static_cast<const void*>(ftrace_regs_caller_saved) : nullptr,
        cycles ? &module_page_by_cycles_code : &module_page_by_mono_code,
        cycles ? &module_page_by_cycles_with_bias_code : &module_page_by_mono_with_bias_code,
        thread_offset(),
        needs_sync,
    };
}

void prepare_fast_handlers(format::ClockId clock) {
    const uint32_t* enter = code_of(record_enter_by_mono);
    const uint32_t* leave = code_of(return_to_handler);
    if (!are_lists_open || !put_thread_offset(enter, record_enter_by_mono_end)) return;
    for_recorder = clock == format::ClockId::cycles ? *leave_by_cycles
                                                    : branch(leave, code_of(record_leave_by_mono));
}

bool use_fast_handlers(bool use) {
    if (for_recorder == 0) return true;
    if (!use) return fgraph::keep_recorder_from_standing_in();
    fgraph::let_recorder_stand_in(prefer_recorder);
    return true;
}

}  // namespace mipstrace::record
