// What recording a call costs, measured at start, so that readers can subtract it.
//
//   caller  | entry, before its time is read | callee | return, behind its time | caller
//                                  ^ enter event        ^ leave event
//            outside ------------->| inside      inside |<------------- outside
#pragma once

#include <cstdint>

#include "lib/record/trace_format.h"

namespace mipstrace::record {

// Of a call that the recorder alone wants, by way of this page of a module. While no other thread
// records and before the calling one has recorded anything; takes the time of some hundred calls,
// none of which is in the recording. False: it can't be measured, as where the clock stands still.
bool measure_overhead(uint32_t page, format::ClockId clock, format::OverheadRecord* out);

}  // namespace mipstrace::record
