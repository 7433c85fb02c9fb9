// The verbs of the command `mipstrace`. Each cmd_*.cpp defines one of the functions below: it adds
// its subcommand and options to `app` and, when that subcommand is the one given, sets `*run`.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace mipstrace::tools {

// Returns the exit status: 0, 1 for bad data or a failure, 2 for bad usage.
using Runner = std::function<int()>;

inline constexpr int kExitData = 1;
inline constexpr int kExitUsage = 2;

void add_record(CLI::App& app, Runner* run);
void add_live(CLI::App& app, Runner* run);
void add_replay(CLI::App& app, Runner* run);
void add_report(CLI::App& app, Runner* run);
void add_graph(CLI::App& app, Runner* run);
void add_info(CLI::App& app, Runner* run);
void add_arcs(CLI::App& app, Runner* run);
void add_sites(CLI::App& app, Runner* run);
void add_control(CLI::App& app, Runner* run);
void add_cflags(CLI::App& app, Runner* run);

}  // namespace mipstrace::tools
