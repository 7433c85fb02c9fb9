// What is known of the general registers at a place in a function that its beginning leads to in a
// straight line: each is a constant, or an address at a known distance from the function's own,
// from the stack pointer at its entry, or what lies at such an address.
#pragma once

#include <cstdint>

#include "lib/mcount/code.h"

namespace mipstrace::mcount {

struct Value {
    enum Kind : uint8_t {
        unknown,
        constant,
        function,  // the function's address + number, as position-independent code finds it in $25
        stack,     // the stack pointer at the entry + number
        caller,    // the return address
        at_constant,  // the content of the memory at `constant`
        at_function,  // and at `function`
    };
    Kind kind = unknown;
    int64_t number = 0;
};

class KnownRegisters {
  public:
    // Those at a function's entry.
    KnownRegisters();

    // Runs the instructions of [begin, end), which `code` holds.
    void run(const Code& code, uint64_t begin, uint64_t end);

    const Value& operator[](uint32_t reg) const { return values_[reg]; }
    // False: what was run may have gone other ways, or done what is not understood here.
    bool is_certain() const { return is_certain_; }
    // The return address was stored, at the entry's stack pointer + where().
    bool is_caller_stored() const { return is_caller_stored_; }
    int64_t where() const { return where_; }
    // A register that calls keep holds the return address.
    bool is_caller_kept() const;

  private:
    void step(mips::Insn insn);
    Value result_of(mips::Insn insn) const;
    void store(uint32_t reg, const Value& base, int16_t offset);
    void branch(const Code& code, uint64_t at, uint64_t begin, uint64_t end);

    Value values_[32];
    int64_t where_ = 0;
    bool is_caller_stored_ = false;
    bool is_certain_ = true;
};

}  // namespace mipstrace::mcount
