// Finds the calls of _mcount in a loaded object that was compiled with -pg.
#pragma once

#include "lib/elf/elf_file.h"
#include "lib/patch/site_table.h"

namespace mipstrace::patch {

// The calls in one file. Writes nothing to text.
class CallScanner {
  public:
    // `file` stays open. With `is_program`, it is the program: where that defines an _mcount that
    // others see, calls are its own, in all objects.
    CallScanner(const elf::ElfFile& file, bool is_program);

    // How many there are at most.
    size_t most() const { return most_; }
    // Appends them to the sorted sites of `module`, which have room for them, sorts these again and
    // makes the table of frames. Functions that have a sled keep to that. False: no memory.
    bool add_to(Module& module) const;

  private:
    const elf::ElfFile& file_;
    mcount::CallSlots slots_;
    size_t most_ = 0;
};

}  // namespace mipstrace::patch
