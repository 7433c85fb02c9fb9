#include "lib/direct/direct_sled.h"

#include "lib/patch/code_patcher.h"

namespace mipstrace::direct {

namespace {

// Writes one word, which every CPU sees from then on. False: the text can't be written.
bool write_word(const patch::Module& module, volatile uint32_t* at, uint32_t word) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(at);
    patch::WritableText text(module.text_protection, address, address + sizeof word);
    if (!text.ok()) return false;
    text.write(at, word);
    return true;
}

mips::SledWords match(const patch::Module& module, const patch::Site& site) {
    return mips::match_sled(mips::read_sled(module.words(site)), module.page_of(site));
}

void add_page(patch::Module& module, patch::Site& site, patch::DirectPage& own) {
    own.next = module.direct_pages;
    module.direct_pages = &own;
    site.is_direct = true;
}

void take_page(patch::Module& module, patch::Site& site, const patch::DirectPage& own) {
    patch::DirectPage** link = &module.direct_pages;
    while (*link != &own)
        link = &(*link)->next;
    *link = own.next;
    site.is_direct = false;
}

}  // namespace

bool lead_to_page(patch::Module& module, patch::Site& site, patch::DirectPage& own) {
    volatile uint32_t* words = module.words(site);
    const mips::SledWords now = match(module, site);
    if (now != mips::SledWords::ready_off && now != mips::SledWords::ready_on) return false;
    if (!write_word(module, words + mips::kPageWord, mips::sled_page_word(own.page))) return false;
    if (now == mips::SledWords::ready_off &&
        !write_word(module, words + mips::kSwitchWord, mips::sled_switch_word(true))) {
        write_word(module, words + mips::kPageWord, mips::sled_page_word(module.page_of(site)));
        return false;
    }
    add_page(module, site, own);
    return true;
}

// The switch first, or the module's page would get calls that nobody wants.
void lead_back(patch::Module& module, patch::Site& site, patch::DirectPage& own) {
    volatile uint32_t* words = module.words(site);
    if (!site.is_direct || match(module, site) != mips::SledWords::ready_on) return;
    if (site.users == 0 &&
        !write_word(module, words + mips::kSwitchWord, mips::sled_switch_word(false)))
        return;
    if (!write_word(module, words + mips::kPageWord, mips::sled_page_word(module.page))) {
        write_word(module, words + mips::kSwitchWord, mips::sled_switch_word(true));
        return;
    }
    take_page(module, site, own);
}

}  // namespace mipstrace::direct
