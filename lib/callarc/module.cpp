#include "lib/callarc/module.h"

#include <link.h>

#include <algorithm>

namespace mipstrace::callarc {

namespace {

constexpr uintptr_t kNone = UINTPTR_MAX;

int look_at(dl_phdr_info* info, size_t, void* result) {
    Module module{info->dlpi_addr, kNone, 0, info->dlpi_name};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
        module.low = std::min(module.low, uintptr_t(segment.p_vaddr));
        module.high = std::max(module.high, uintptr_t(segment.p_vaddr + segment.p_memsz));
    }
    if (module.low == kNone || !module.holds(reinterpret_cast<uintptr_t>(&look_at))) return 0;
    *static_cast<Module*>(result) = module;
    return 1;
}

}  // namespace

Module find_own_module() {
    Module module;
    dl_iterate_phdr(look_at, &module);
    return module;
}

}  // namespace mipstrace::callarc
