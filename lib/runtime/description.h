// What the trace file says of this process besides its calls: command line, options, modules. It is
// kept here, since the environment is the program's to overwrite, and a forked child describes
// itself later.
#pragma once

#include <string_view>

#include "lib/runtime/config.h"

namespace mipstrace::runtime {

void keep_command_line(int argc, const char* const* argv);
void keep_options(const Config& config);

// Writes all of it into the trace file, which is new.
void describe_process();
// Writes what has come since. Any thread.
void describe_new_modules();
// Counts the sites that are on for the user in `slot`, the recorder, in modules that have come
// since the last time. For the next description.
void count_sites_on(unsigned slot);

// After its filters have changed: counts them all again.
void recount_sites_on(unsigned slot);

// As of the last count.
bool are_sites_on();

// Notes a text with the time. False: there is no trace file. Any thread.
bool describe_marker(std::string_view text);

// Keeps what recording costs for the file, and for those of children that are forked.
void describe_overhead(const format::OverheadRecord& measured);

// In the child of a fork.
void free_description_after_fork();

}  // namespace mipstrace::runtime
