// The entry sled: three words that the compiler leaves at the start of a function.
//
//              as compiled      ready, off                  on
//   site+0     nop              lui   $1, page >> 16        lui   $1, page >> 16
//   site+4     nop              nop                         jalr  $25, $1
//   site+8     nop              ori   $1, $0, users         ori   $1, $0, users   (delay slot)
//
// `users` is the set of fgraph users that want the function, one bit for each slot. Going between
// off and on, or to another set of users, changes one word.
#pragma once

#include <cstdint>

#include "lib/mips/insn.h"

namespace mipstrace::mips {

inline constexpr int kSledWords = 3;
inline constexpr uint32_t kSledBytes = 4 * kSledWords;

// Word of the sled that each part lives in.
inline constexpr int kPageWord = 0;
inline constexpr int kSwitchWord = 1;
inline constexpr int kUsersWord = 2;

// `page` is a multiple of 64 KiB below 2 GiB, so that lui alone makes its address on any ABI.
constexpr uint32_t sled_page_word(uint32_t page) {
    return lui(at, uint16_t(page >> 16));
}
constexpr uint32_t sled_switch_word(bool on) {
    return on ? jalr(t9, at) : kNop;
}
constexpr uint32_t sled_users_word(uint16_t users) {
    return ori(at, zero, users);
}

enum class SledWords {
    untouched,  // three nops (or more)
    ready_off,
    ready_on,
    too_short,   // begins with a nop, but has fewer than three
    unexpected,  // none of these
};

struct Sled {
    uint32_t w[kSledWords];
};

// What stands at a site. Describes the same sequences that the functions above emit.
constexpr SledWords match_sled(const Sled& sled, uint32_t page) {
    const auto& w = sled.w;
    if (w[0] == kNop) {
        if (w[1] == kNop && w[2] == kNop) return SledWords::untouched;
        return SledWords::too_short;
    }
    const bool ours =
        w[kPageWord] == sled_page_word(page) && (w[kUsersWord] & 0xffff0000) == sled_users_word(0);
    if (ours && w[kSwitchWord] == sled_switch_word(false)) return SledWords::ready_off;
    if (ours && w[kSwitchWord] == sled_switch_word(true)) return SledWords::ready_on;
    return SledWords::unexpected;
}

inline Sled read_sled(const volatile uint32_t* words) {
    return {{words[0], words[1], words[2]}};
}

}  // namespace mipstrace::mips
