#include "lib/direct/direct_call.h"

#include <errno.h>

#include "lib/base/arena.h"
#include "lib/direct/direct_sled.h"
#include "lib/mips/cpload.h"
#include "lib/patch/trampoline_page.h"

extern "C" {
__attribute__((visibility("hidden"))) extern const uint32_t direct_page[];
__attribute__((visibility("hidden"))) extern const uint32_t direct_page_end[];
__attribute__((visibility("hidden"))) extern const uint32_t direct_original[];
__attribute__((visibility("hidden"))) extern const uint32_t direct_original_with_gp[];
__attribute__((visibility("hidden"))) void ftrace_direct_caller();
}

namespace mipstrace::direct {

namespace {

constexpr size_t kCallsAtATime = 32;

const patch::PageCode page_code{direct_page, direct_page_end, nullptr, nullptr,
                                nullptr,     nullptr,         nullptr, nullptr};
patch::TrampolineTargets page_targets;
DirectCall* calls;
DirectCall* spare;
size_t spare_count;

// The one that the site had before, or one whose module is gone, or a new one. Null: no memory.
DirectCall* choose_call(const patch::Module& module, const patch::Site& site) {
    DirectCall* unused = nullptr;
    for (DirectCall* call = calls; call != nullptr; call = call->next) {
        if (call->module == &module && call->page.offset == site.offset) return call;
        if (call->module == nullptr) unused = call;
    }
    if (unused != nullptr) return unused;
    if (spare_count == 0) {
        spare = map_objects<DirectCall>(kCallsAtATime);
        if (spare == nullptr) return nullptr;
        spare_count = kCallsAtATime;
    }
    spare_count--;
    DirectCall* fresh = spare++;
    fresh->next = calls;
    calls = fresh;
    return fresh;
}

uintptr_t address_in(uint32_t page, const uint32_t* code) {
    return page + uintptr_t(code - direct_page) * sizeof *code;
}

// Describes the site to its call and page. False: there is no page.
bool describe(DirectCall& call, patch::Module& module, const patch::Site& site) {
    const uintptr_t words = reinterpret_cast<uintptr_t>(module.words(site));
    const bool cpload = module.has_cpload(site);
    call.function = module.entry_of(site);
    call.resume = words + mips::kSledBytes;
    if (cpload) {
        const auto* first = reinterpret_cast<const volatile uint32_t*>(call.function);
        call.gp = mips::gp_of_cpload(first[0], first[1], uint32_t(call.function));
    }
    const patch::PageUse use{module.bias(), &call, nullptr};
    uint32_t& page = call.page.page;
    if (page == 0)
        page = patch::make_trampoline_page(page_targets, use);
    else if (!patch::give_trampoline_page(page, page_targets, use))
        return false;
    if (page == 0) return false;
    call.original = address_in(page, cpload ? direct_original_with_gp : direct_original);
    call.page.offset = site.offset;
    call.module = &module;
    return true;
}

}  // namespace

void prepare(const patch::TrampolineTargets& targets) {
    page_targets = targets;
    page_targets.at_call = reinterpret_cast<const void*>(&ftrace_direct_caller);
    page_targets.without_bias = &page_code;
    page_targets.with_bias = &page_code;
}

int prepare_call(patch::Module& module, const patch::Site& site, DirectCall** out) {
    if (site.kind != patch::SiteKind::sled || site.state != patch::SiteState::ready)
        return -EOPNOTSUPP;
    DirectCall* call = choose_call(module, site);
    if (call == nullptr) return -ENOMEM;
    if (call->module != nullptr && call->replacement != 0) return -EBUSY;
    if (call->module == nullptr && !describe(*call, module, site)) return -ENOMEM;
    *out = call;
    return 0;
}

int redirect_call(DirectCall& call, patch::Site& site, uintptr_t replacement) {
    call.target.store(replacement, std::memory_order_release);
    if (!site.is_direct && !lead_to_page(*call.module, site, call.page)) {
        call.target = call.original;
        return -EACCES;
    }
    call.replacement = replacement;
    call.is_by_library = false;
    return 0;
}

int redirect(patch::Module& module, patch::Site& site, uintptr_t replacement, uintptr_t* original) {
    if (replacement == 0 || replacement == module.entry_of(site)) return -EINVAL;
    DirectCall* call = nullptr;
    if (const int error = prepare_call(module, site, &call); error != 0) return error;
    if (original != nullptr) *original = call->original;
    return redirect_call(*call, site, replacement);
}

DirectCall* find(uintptr_t function) {
    for (DirectCall* call = calls; call != nullptr; call = call->next) {
        if (call->module != nullptr && call->replacement != 0 && call->function == function)
            return call;
    }
    return nullptr;
}

// Who is on its way finds the original by the target. Where the sled can't be written any more,
// everybody does.
void restore(DirectCall& call) {
    call.target.store(call.original, std::memory_order_release);
    call.replacement = 0;
    call.is_by_library = false;
    patch::Site* site = patch::SiteTable::find(*call.module, call.page.offset);
    if (site != nullptr) lead_back(*call.module, *site, call.page);
}

DirectCall* first_call() {
    return calls;
}

void forget(patch::Module& module) {
    for (DirectCall* call = calls; call != nullptr; call = call->next) {
        if (call->module != &module) continue;
        call->module = nullptr;
        call->replacement = 0;
    }
    module.direct_pages = nullptr;
}

}  // namespace mipstrace::direct
