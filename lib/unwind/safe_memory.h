// Reads what may not be there: on a broken stack every address is a guess.
#pragma once

#include <cstdint>

#include "lib/base/readable.h"

namespace mipstrace::unwind {

// Remembers the last pages that were found to be readable. For one thread, and for a short time.
class SafeMemory {
  public:
    // `known`: an address whose page can be read.
    explicit SafeMemory(uintptr_t known) { pages_[0] = known / kPage; }

    template <typename Word>
    bool read(uintptr_t address, Word* out) {
        if (address % sizeof(Word) != 0 || !is_readable(address / kPage)) return false;
        *out = *reinterpret_cast<const volatile Word*>(address);
        return true;
    }

  private:
    static constexpr uintptr_t kPage = 4096;  // or a multiple of it
    static constexpr unsigned kPages = 4;

    bool is_readable(uintptr_t page) {
        if (page == 0) return false;
        for (const uintptr_t known : pages_)
            if (known == page) return true;
        if (readable_bytes(page * kPage, 1) == 0) return false;
        pages_[next_++ % kPages] = page;
        return true;
    }

    uintptr_t pages_[kPages] = {};  // 0: none
    unsigned next_ = 1;
};

}  // namespace mipstrace::unwind
