// Breakpoints in the code that a scenario runs through. At each, a handler makes traced calls
// itself, and returns or jumps away, or the thread's cursor is parked.
#pragma once

#include <string>
#include <vector>

#include "tests/unit/breakpoints.h"
#include "tests/unit/every_instruction/scenarios.h"

namespace mipstrace {

enum class Way { returns, jumps, parks };

// From now on. The handler begins `chunks` chunks, too.
void catch_traps(Way way, int chunks = 0);

// Code that may be interrupted: of the sleds, the pages, the trampolines, the core, the recorder.
std::vector<CodeRange> code_of(const Scenario& scenario);
std::string place_of(const Scenario& scenario, CodeWord word);

// The instructions that a run goes through, each found by a breakpoint.
std::vector<CodeWord> words_met(const Scenario& scenario);
// True while that goes on: then not all that is called is recorded.
bool is_looking();

// Runs the scenario with a breakpoint at `word`, and `after` behind it, all in one traced call.
// True if it was met.
bool run_with_break(const Scenario& scenario, CodeWord word, void (*after)());

}  // namespace mipstrace
