// The environment variables that set up a traced process. They mirror the options of
// `mipstrace record`, which sets them; on a board without it they are set by hand.
#pragma once

#include <signal.h>

#include <cstdint>

#include "lib/record/trace_format.h"

namespace mipstrace::runtime {

// Where addresses have 32 bits, all that is kept for a thread fits into 256 KiB: 64 KiB for each of
// its two chunks and 32 bytes for each open call, with pages of up to 16 KiB.
inline constexpr uint32_t kDefaultMaxStack = sizeof(void*) == 8 ? 65535 : 3500;

struct Config {
    const char* directory = nullptr;  // MIPSTRACE_DATA; null: mipstrace.data in the current one
    const char* filter = "";          // MIPSTRACE_FILTER: functions to trace, "" all
    const char* notrace = "";         // MIPSTRACE_NOTRACE: functions not to trace
    const char* argument = "";        // MIPSTRACE_ARGUMENT: what to record with calls
    const char* retval = "";          // MIPSTRACE_RETVAL: the same
    const char* values = nullptr;     // MIPSTRACE_VALUES: a file of rules, see value_file.h
    const char* trigger = "";         // MIPSTRACE_TRIGGER: what calls set off
    const char* stack = "";           // MIPSTRACE_STACK: functions whose callers are recorded
    uint32_t stack_depth = format::kUsualInStack;   // MIPSTRACE_STACK_DEPTH: so many of them
    format::ClockId clock = format::ClockId::mono;  // MIPSTRACE_CLOCK=mono|cycles
    bool clock_forced = false;              // MIPSTRACE_CLOCK=cycles:force, even if it stands still
    uint32_t max_depth = 0;                 // MIPSTRACE_DEPTH; 0: any
    uint64_t min_duration_ns = 0;           // MIPSTRACE_TIME
    uint32_t max_stack = kDefaultMaxStack;  // MIPSTRACE_MAX_STACK: a thread's open calls
    uint64_t buffer = 0;      // MIPSTRACE_BUFFER: bytes of the newest events to keep; 0: all
    uint64_t max_size = 0;    // MIPSTRACE_MAX_SIZE: of the trace file; 0: any
    int snapshot_signal = 0;  // MIPSTRACE_SNAPSHOT_SIGNAL; 0: none
    bool off = false;         // MIPSTRACE_OFF=1: nothing is recorded before it is switched on
    int toggle_signal = 0;    // MIPSTRACE_TOGGLE_SIGNAL; switches recording on and off; 0: none
    // MIPSTRACE_CONTROL: the signal by which the kernel tells of a client of the control socket;
    // one that does no harm to a program that has no handler for it. no: there is no socket.
    int control_signal = SIGURG;
    bool arcs = false;       // MIPSTRACE_ARCS=1: count calls, for gmon.out; record nothing
    bool histogram = false;  // MIPSTRACE_HISTOGRAM=1: and sample where time is spent
    bool verbose = false;    // MIPSTRACE_VERBOSE=1
};

// Reads `environment` (as main's third argument). A value that makes no sense is reported on
// standard error and left at its default. The strings stay the environment's.
Config read_config(const char* const* environment);

}  // namespace mipstrace::runtime
