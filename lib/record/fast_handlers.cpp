#include "lib/record/fast_handlers.h"

#include <sys/mman.h>

#include "lib/fgraph/dispatch_lists.h"
#include "lib/fgraph/frames.h"
#include "lib/mips/insn.h"
#include "lib/patch/code_patcher.h"

// The code of pages; see trampoline/module_page.S.
#define MT_PAGE_CODE(name)                                                                        \
    extern "C" __attribute__((visibility("hidden"))) const uint32_t name[], name##_end[],         \
        name##_gate[], name##_check[], name##_general[];                                          \
    namespace {                                                                                   \
    constexpr mipstrace::patch::PageCode name##_code{name, name##_end, name##_gate, name##_check, \
                                                     name##_general};                             \
    }

MT_PAGE_CODE(module_page_by_cycles)
MT_PAGE_CODE(module_page_by_cycles_with_bias)
MT_PAGE_CODE(module_page_by_mono)

extern "C" {
__attribute__((visibility("hidden"))) extern const uint32_t record_enter_by_mono_end[];
__attribute__((visibility("hidden"))) extern const uint32_t ftrace_light_caller_end[];
__attribute__((visibility("hidden"))) extern const uint32_t leave_by_list[];
__attribute__((visibility("hidden"))) extern const uint32_t return_to_handler_end[];
}

namespace mipstrace::record {

namespace {

bool are_lists_open;

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

// The way by dispatch lists, for entries and returns. False: the library's text can't be written.
bool open_way_by_lists() {
    const uint32_t* leave = code_of(return_to_handler);
    if (!put_thread_offset(code_of(ftrace_light_caller), ftrace_light_caller_end) ||
        !put_thread_offset(leave, return_to_handler_end))
        return false;
    OwnText text(leave, leave + 1);
    if (!text.ok()) return false;
    text.write_over(leave, mips::b(int16_t(leave_by_list - leave - 1)));
    fgraph::open_lists();
    return true;
}

}  // namespace

patch::TrampolineTargets trampoline_targets(format::ClockId clock) {
    const bool cycles = clock == format::ClockId::cycles;
    are_lists_open = open_way_by_lists();
    return {
        reinterpret_cast<const void*>(are_lists_open ? &ftrace_light_caller : &ftrace_regs_caller),
        reinterpret_cast<const void*>(&ftrace_mcount_caller),
        static_cast<const void*>(&fgraph_handlers),
        reinterpret_cast<const void*>(&record_enter_by_mono),
        static_cast<const void*>(&fgraph_lists),
        cycles ? &module_page_by_cycles_code : &module_page_by_mono_code,
        cycles ? &module_page_by_cycles_with_bias_code : &module_page_by_mono_code,
        thread_offset(),
    };
}

void install_fast_handlers(format::ClockId clock) {
    const uint32_t* enter = code_of(record_enter_by_mono);
    const uint32_t* leave = code_of(return_to_handler);
    if (!are_lists_open || !put_thread_offset(enter, record_enter_by_mono_end)) return;
    OwnText text(leave, leave + 1);
    if (!text.ok()) return;
    const ptrdiff_t by_mono = code_of(record_leave_by_mono) - leave;
    text.write_over(leave, clock == format::ClockId::cycles ? mips::rdhwr(mips::r13, 29)
                                                            : mips::b(int16_t(by_mono - 1)));
    fgraph::let_recorder_stand_in();
}

}  // namespace mipstrace::record
