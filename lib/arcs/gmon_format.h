// gmon.out, as gprof reads it: `struct gmon_hdr` and the records of binutils' gprof/gmon_out.h and
// gprof/gmon.texi ("File format").
//
//   "gmon"  version  12 x 0          then records, each a tag byte and
//     0 histogram   low_pc  high_pc  bins  rate  "seconds" 15 bytes  's'    bins x 16-bit counts
//     1 arc         from_pc  self_pc  count
//
// Addresses have the program's word size, other numbers 32 bits; all are in its byte order, and
// nothing is padded. Addresses are those of the file, before the dynamic linker moved it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mipstrace::gmon {

inline constexpr char kMagic[4] = {'g', 'm', 'o', 'n'};
inline constexpr uint32_t kVersion = 1;
inline constexpr size_t kHeaderBytes = 20;
inline constexpr uint8_t kHistogramTag = 0;
inline constexpr uint8_t kArcTag = 1;
inline constexpr uint8_t kBlockTag = 2;  // of basic blocks; not written here
inline constexpr char kDimension[15] = "seconds";
inline constexpr char kDimensionShort = 's';
inline constexpr uint32_t kRate = 100;  // samples a second, as profil(3) takes them

}  // namespace mipstrace::gmon
