// Calls a traced function with a pattern of its own in every register, and compares what the
// function and its caller find.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "tests/unit/register_file.h"

namespace mipstrace {

enum class Users {
    plain,    // none, or only such that leave all registers but dead ones alone
    guarded,  // they may change all that a function may change
    full,     // the same, and every register is kept for them
};

// Rounding towards zero and some flags; and others at the return.
inline constexpr uint32_t kFcsrBefore = 0x00000001 | 0x50;
#if __mips_isa_rev >= 6
inline constexpr uint32_t kFcsrReturned = 0x00000002 | 0x28;
#else
inline constexpr uint32_t kFcsrReturned = 0x00800000 | 0x00000002 | 0x28;  // and a condition
#endif

// Registers that the harness knows; floating-point ones of o32 are the even ones.
inline constexpr int kFprStep = FRAME_REG == 4 ? 2 : 1;
inline bool is_callee_saved_fpr(int n) {
    return _MIPS_SIM == _ABI64 ? n >= 24 : n >= 20 && n % 2 == 0;
}
inline bool is_argument_fpr(int n) {
    return n >= 12 && n <= (FRAME_REG == 4 ? 14 : 19);
}

inline RegisterFile pattern(uint64_t seed) {
    RegisterFile file;
    for (uint64_t n = 0; n < 32; n++) {
        file.gpr[n] = Register((n + 1) * 0x0102030405060708 ^ seed);
        file.fpr[n] = (n + 1) * 0x0807060504030201 ^ ~seed;
    }
#if __mips_isa_rev < 6
    file.hi = Register(0x1111111122222222 ^ seed);
    file.lo = Register(0x3333333344444444 ^ seed);
#endif
    return file;
}

inline bool one_of(int n, std::initializer_list<int> list) {
    return std::find(list.begin(), list.end(), n) != list.end();
}
inline bool is_callee_saved(int n) {
    return (n >= 16 && n <= 23) || n == 28 || n == 30;
}

// What a function may rely on at its entry, and some that it may not, which stay anyway.
inline void expect_entry(const RegisterFile& before, const RegisterFile& entry, uint64_t sp,
                         Users users, bool is_25_changed) {
    for (int n = 1; n < 32; n++) {
        if (one_of(n, {1, 2, 3, 12, 13, 14, 24, 26, 27, 29, 31})) continue;
        if (FRAME_REG == 4 && n >= 8 && n <= 11) continue;  // no arguments
        if (n == 25 && is_25_changed) continue;
        EXPECT_EQ(entry.gpr[n], before.gpr[n]) << "$" << n << " at entry";
    }
    EXPECT_EQ(entry.gpr[29], sp);
    for (int n = 0; n < 32; n += kFprStep) {
        const bool live = is_argument_fpr(n) || is_callee_saved_fpr(n);
        if (!live && users == Users::guarded) continue;
        EXPECT_EQ(entry.fpr[n], before.fpr[n]) << "$f" << n << " at entry";
    }
    if (users != Users::guarded) {
        EXPECT_EQ(entry.hi, before.hi) << "at entry";
        EXPECT_EQ(entry.lo, before.lo) << "at entry";
    }
    EXPECT_EQ(entry.fcsr, before.fcsr) << "at entry";
}

inline void expect_return(const RegisterFile& before, const RegisterFile& returned,
                          const RegisterFile& after, uint64_t sp, Users users) {
    for (int n = 1; n < 32; n++) {
        if (!is_callee_saved(n)) continue;
        EXPECT_EQ(after.gpr[n], before.gpr[n]) << "$" << n << " after";
    }
    EXPECT_EQ(after.gpr[2], returned.gpr[2]) << "$2 after";
    EXPECT_EQ(after.gpr[3], returned.gpr[3]) << "$3 after";
    EXPECT_EQ(after.gpr[29], sp);
    for (int n = 0; n < 32; n += kFprStep) {
        const bool kept = is_callee_saved_fpr(n);
        if (!kept && n != 0 && n != 2 && users != Users::plain) continue;
        EXPECT_EQ(after.fpr[n], kept ? before.fpr[n] : returned.fpr[n]) << "$f" << n << " after";
    }
    if (users == Users::plain) {
        EXPECT_EQ(after.hi, returned.hi) << "after";
        EXPECT_EQ(after.lo, returned.lo) << "after";
    }
    EXPECT_EQ(after.fcsr, returned.fcsr) << "after";
}

// Before it looks at it.
inline bool changes_25(void (*function)()) {
    return function == dump_registers_by_tail_call || function == dump_registers_calling_mcount ||
           function == dump_registers_calling_mcount_as_leaf;
}

// Returns the address that the function was to return to. `reached` is what stands for the function
// when it is called, if that is another one.
inline uint64_t call_and_compare(void (*function)(), Users users, void (*reached)() = nullptr) {
    RegisterFile before = pattern(0x5a5a000000000000);
    RegisterFile returned = pattern(0x00a5a500a5a500a5);
    before.gpr[25] = Register(reinterpret_cast<uintptr_t>(function));
    before.fcsr = kFcsrBefore;
    returned.fcsr = kFcsrReturned;
    CallResult result{};
    call_with_registers(&before, &returned, &result);
    expect_entry(before, result.at_entry, result.sp, users,
                 reached != nullptr || changes_25(function));
    if (reached != nullptr) {
        EXPECT_EQ(result.at_entry.gpr[25], Register(reinterpret_cast<uintptr_t>(reached)));
    }
    expect_return(before, returned, result.after, result.sp, users);
    if (function == dump_registers_by_tail_call) {
        EXPECT_EQ(result.at_entry.gpr[25], Register(reinterpret_cast<uintptr_t>(&dump_registers)));
    }
    return result.at_entry.gpr[31];
}

}  // namespace mipstrace
