// Triggers: those that the environment tells, and those that come while the program runs.
#pragma once

#include <string_view>

#include "lib/control/protocol.h"
#include "lib/runtime/config.h"

namespace mipstrace::runtime {

// Takes the rules of the configuration. What is wrong with one is said on standard error. Before
// the recorder is registered, after read_limits.
void read_triggers(const Config& config);

// The recorder is registered: registers the user that acts. Before other threads.
void register_triggers();

// A trigger may switch the recording on, so that it is interrupted by Limits::is_off, with all
// functions left on.
bool can_trigger_trace_on();

// What `trigger RULE` of the control socket does. In the helper thread. False: says why not.
bool add_trigger(std::string_view rule, control::Reply& reply);

// "trigger" of the status, for each.
void say_triggers(control::Reply& reply);

}  // namespace mipstrace::runtime
