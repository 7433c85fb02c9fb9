// `.cpload $25`, what position-independent code of o32 begins with: the sled stands behind it.
//
//   function+0       lui    $28, hi
//   function+4       addiu  $28, $28, lo
//   function+8       addu   $28, $28, $25
#pragma once

#include <cstdint>

namespace mipstrace::mips {

inline constexpr uint32_t kCploadWords = 3;
inline constexpr uint32_t kCploadBytes = 4 * kCploadWords;

constexpr bool is_cpload(uint32_t first, uint32_t second, uint32_t third) {
    return (first & 0xffff0000) == 0x3c1c0000 && (second & 0xffff0000) == 0x279c0000 &&
           third == 0x0399e021;
}

// What is in $28 behind it, in the function at `function`.
constexpr uint32_t gp_of_cpload(uint32_t first, uint32_t second, uint32_t function) {
    return (first << 16) + uint32_t(int32_t(int16_t(second))) + function;
}

}  // namespace mipstrace::mips
