// What the filter reads and writes. Whatever goes wrong ends it with one sentence.
#pragma once

#include <functional>
#include <string>

#include "tools/as_filter/sled_mover.h"

namespace mipstrace::as_filter {

inline constexpr size_t kBlock = 1 << 16;

[[noreturn]] void fail(const std::string& sentence);

// Does the input, "--" for standard input, hold sleds? Only a regular file can be looked into.
enum class Content { no_sleds, sleds, unknown };
Content look_into(const std::string& path);

// Gives the lines of one input to `mover`, and calls `after_block` now and then and at the end.
void feed_lines(const std::string& input, SledMover* mover,
                const std::function<void()>& after_block);

int open_unnamed_file();
void write_all(int fd, std::string* text);  // and empties `text`

}  // namespace mipstrace::as_filter
