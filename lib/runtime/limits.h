// How much of the calls is recorded: their depth and their duration, which may change at run time.
#pragma once

#include <string_view>

#include "lib/control/protocol.h"
#include "lib/runtime/config.h"

namespace mipstrace::runtime {

// What the configuration says. `clock` is the recording's. Before other threads.
void read_limits(const Config& config, format::ClockId clock);

// The recorder is registered: opens the trampolines' own way where nothing is limited. Before other
// threads.
void open_ways();

// Opens them or closes them as the limits are now. False: the system does not let them be closed.
// Not in a callback.
bool apply_limits();

// Of a time; 0 only of 0.
uint32_t units_of_clock(uint64_t ns);

// What `depth N` and `time T` of the control socket do; without an argument there is no limit. In
// the helper thread. False: says why not.
bool change_depth(std::string_view number, control::Reply& reply);
bool change_time(std::string_view time, control::Reply& reply);

// "depth" and "time" of the state.
void say_limits(control::Reply& reply);

}  // namespace mipstrace::runtime
