// The columns in front of a replayed call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/text/out_buffer.h"

namespace mipstrace::tools {

enum class Field : uint8_t { duration, tid, time, elapsed, delta };

// "duration,tid", "none", "+time" (behind the usual ones); nothing when a name is unknown.
std::optional<std::vector<Field>> parse_fields(const std::string& list);
// What parse_fields takes.
inline constexpr char kFieldNames[] = "a list of duration, tid, time, elapsed, delta or none";

// What the columns show of one line.
struct LineFacts {
    std::optional<uint64_t> duration;
    uint32_t tid = 0;
    uint64_t time = 0;
    uint64_t since_first = 0;
    uint64_t since_last = 0;  // of the same thread
};

std::string fields_header(const std::vector<Field>& fields);
void add_fields(OutBuffer& out, const std::vector<Field>& fields, const LineFacts& facts);

}  // namespace mipstrace::tools
