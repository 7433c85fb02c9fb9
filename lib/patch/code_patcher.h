// Writes sleds. Old words are checked before each write; text is made writable for ranges of
// pages, flushed from the instruction caches of all CPUs, and given back its protection.
#pragma once

#include <cstdint>

#include "lib/patch/site_table.h"

namespace mipstrace::patch {

// A stretch of code that can be written while the object lives.
class WritableText {
  public:
    // [begin, end) are run-time addresses of text that has, and gets back, these PROT_*.
    WritableText(int protection, uintptr_t begin, uintptr_t end);
    ~WritableText();
    WritableText(const WritableText&) = delete;
    WritableText& operator=(const WritableText&) = delete;

    // False: mprotect and /proc/self/mem were both refused.
    bool ok() const { return mode_ != Mode::refused; }
    // Replaces one aligned word; other threads see the old one or the new one.
    void write(volatile uint32_t* at, uint32_t word);

  private:
    enum class Mode { refused, protection, memory_file };
    uintptr_t page_begin_ = 0;
    uintptr_t page_end_ = 0;
    uintptr_t begin_;
    uintptr_t end_;
    int protection_;
    int fd_ = -1;
    Mode mode_ = Mode::refused;
};

// Makes every site of `module` that is to be traced into a sled that is off, with its page in it; a
// call of _mcount, too. Only before a thread can be inside one. A site that can't be written
// becomes refused.
void make_ready(Module& module);

// Gives each site for which `users_of(site)` differs from site.users its new set of users, writing
// only the words that change. Any number of threads may be running through the sleds.
using UsersOf = uint16_t (*)(const Site&, void* context);
void set_users(Module& module, UsersOf users_of, void* context);

}  // namespace mipstrace::patch
