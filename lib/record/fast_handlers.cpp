#include "lib/record/fast_handlers.h"

#include <sys/mman.h>

#include "lib/base/clock.h"
#include "lib/fgraph/frames.h"
#include "lib/mips/insn.h"
#include "lib/patch/code_patcher.h"

namespace mipstrace::record {

void install_fast_handlers(format::ClockId clock, unsigned slot, uint32_t page) {
    using namespace mips;
    fgraph_handlers.thread = reinterpret_cast<intptr_t>(&fgraph::this_thread) -
                             reinterpret_cast<intptr_t>(__builtin_thread_pointer());
    fgraph_handlers.clock = reinterpret_cast<const void*>(vdso_clock_gettime);
    patch::Module self{};
    self.text_protection = PROT_READ | PROT_EXEC;
    const uintptr_t start = fgraph::handler_address();
    patch::WritableText text(self, start, start + 2 * sizeof(uint32_t));
    if (!text.ok()) return;  // entries and returns go through the core
    auto* words = reinterpret_cast<volatile uint32_t*>(start);
    const uint32_t load_page = lui(r12, uint16_t(page >> 16));
    if (clock == format::ClockId::cycles) {
        text.write(words, load_page);
        text.write(words + 1, load_pointer(r14, TRAMPOLINE_PAGE_HANDLERS, r12));
    } else {
        const uintptr_t target = reinterpret_cast<uintptr_t>(&record_leave_by_mono);
        text.write(words + 1, load_page);
        text.write(words, b(int16_t((target - start) / sizeof(uint32_t) - 1)));
    }
    fgraph_handlers.fast_users = 1u << slot;
}

}  // namespace mipstrace::record
