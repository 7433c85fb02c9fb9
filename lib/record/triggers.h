// The user of fgraph that acts when functions with triggers are called, before the recorder looks
// at the same call. To be registered as the recorder's companion, one that leads.
//
//   Frame::noted   | stack : 1 | notes : 11 | time : 8 | depth : 12 |     of calls inside of others
//                    its own     counters     rule       calls that may       with such
//                                                        still be open in it
#pragma once

#include <mipstrace/fgraph.h>

#include <cstdint>

#include "lib/fgraph/shadow_stack.h"

namespace mipstrace::record {

inline constexpr uint32_t kDepthMask = 0xfff;
inline constexpr uint32_t kAnyDepth = kDepthMask;
inline constexpr unsigned kTimeShift = 12;
inline constexpr uint32_t kTimeMask = 0xffu << kTimeShift;
inline constexpr unsigned kNotesShift = 20;
inline constexpr uint32_t kStackNote = 1u << 31;
inline constexpr uint32_t kLimitMask = kDepthMask | kTimeMask;
inline constexpr uint32_t kNoLimit = kAnyDepth;

fgraph_ops& trigger_ops();

// Frame::noted without the notes, as calls that are made from the one of `frame`'s caller have it.
// In a callback of that call's entry.
uint32_t limit_around(const fgraph::Frame& frame);

}  // namespace mipstrace::record
