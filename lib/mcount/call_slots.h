// Where a module keeps the address of the _mcount that it calls and that another object defines:
// words that the dynamic linker fills in.
//
//   lw $25, offset($28)       the global entry of a global offset table (GOT): the primary one is
//   jalr $25                  described by DT_PLTGOT, DT_MIPS_LOCAL_GOTNO and DT_MIPS_GOTSYM, the
//                             others' entries have relocations
//   jal plt_entry             the entry of .got.plt that the PLT entry loads: R_MIPS_JUMP_SLOT
//
// MIPS ABI supplement, chapter 5; "MIPS non-PIC ABI specification" for the PLT.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lib/elf/elf_file.h"

namespace mipstrace::mcount {

inline constexpr char kMcount[] = "_mcount";

class CallSlots {
  public:
    // False: the module calls no _mcount of another object.
    bool find(const elf::ElfFile& file);

    void add(uint64_t address);
    // As an ELF address; those of 32-bit files may come sign-extended.
    bool holds(uint64_t address) const;
    size_t count() const { return count_; }
    uint64_t operator[](size_t i) const { return slots_[i]; }

  private:
    // A table serves some 8,000 entries, so these are enough for more code than a position can
    // tell.
    static constexpr size_t kMost = 512;

    uint64_t slots_[kMost];
    size_t count_ = 0;
    bool is_64_ = true;
};

// True if the file defines a function _mcount; with `dynamic`, one that other objects may find.
bool defines_mcount(const elf::ElfFile& file, bool dynamic);

}  // namespace mipstrace::mcount
