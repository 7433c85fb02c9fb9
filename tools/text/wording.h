// The words for what the format only numbers, and the sentences about what is not in a recording.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/model/session.h"
#include "tools/model/trace_file.h"

namespace mipstrace::tools {

// What to do about sites that are missing or in the wrong place.
inline constexpr char kFlagsAdvice[] =
    "build it with the flags that `mipstrace cflags --cc=COMPILER` prints "
    "(-fpatchable-function-entry=3 and what your compiler needs beside it), or with -pg";

const char* site_state_name(size_t state);
// Why a site in that state is not traced; empty for ready.
const char* site_state_reason(size_t state);
// "12 sites found: 10 ready, 2 skipped (2 before_label: the sled stands before ...)"; between ready
// and skipped, where there are any: "3 entry_only (why)".
std::string sites_sentence(const SiteCounts& sites);
SiteCounts sites_of(const Session& session);

// "1 chunk", "2 chunks".
std::string counted(uint64_t count, std::string_view what);

const char* loss_name(size_t cause);
// "12 events (the file could not grow), 3 calls (...)"; empty when nothing was lost. `lost`: of the
// file, or of a part of it.
std::string losses_sentence(const LossCounts& lost, const TraceFile& file);
std::string losses_sentence(const Session& session);

// That a recording with a buffer is not the whole; empty when it is.
std::string overwritten_sentence(const Session& session);

// Why a recording holds no events; one sentence each.
std::vector<std::string> why_nothing(const Session& session);

std::string abi_name(uint8_t abi);
std::string clock_name(uint8_t clock);

}  // namespace mipstrace::tools
