// Runs a program traced.
//
//   check_program --> find_runtime --> OutputFolder --> run_child --> look at what was recorded
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mipstrace::tools {

class Verb;

struct RecordOptions {
    std::string output;
    std::vector<std::string> filters;
    std::vector<std::string> notrace;
    std::vector<std::string> arguments;
    std::vector<std::string> retvals;
    std::vector<std::string> triggers;
    bool auto_args = false;
    std::vector<std::string> stacks;  // of which functions
    uint32_t stack_depth = 0;         // 0: the default
    uint32_t depth = 0;
    uint64_t threshold_ns = 0;
    std::string clock;  // empty: the default
    uint64_t buffer = 0;
    uint64_t max_size = 0;
    std::string snapshot_signal;
    std::string toggle_signal;
    bool off = false;
    std::vector<std::string> plugins;
    std::string control;  // empty: the default
    bool arcs = false;
    bool histogram = false;
    std::string sysroot;
    std::string qemu;
    bool force = false;
    bool verbose = false;
    std::vector<std::string> command;
};

// How a program ended.
struct ProgramEnd {
    int status = 0;
    int signal = 0;  // not 0: that ended it

    // Ends our process in the same way, so that a shell sees what it would see without us.
    int pass_on() const;
};

// PROG, its arguments and what is the same for `record` and `live`, but -F, -N, -D, -t and -o.
void add_run_options(Verb& verb, RecordOptions* options);

// Throws DataError when the program can't be traced. With `arcs` there is no recording: the program
// writes gmon.out by itself.
ProgramEnd record(const RecordOptions& options);

}  // namespace mipstrace::tools
