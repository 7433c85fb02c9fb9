#pragma once

#include <string>
#include <vector>

#include "tools/replay/note_text.h"
#include "tools/replay/replay.h"
#include "tools/text/out_buffer.h"

namespace mipstrace::tools {

// Writes the lines of replay. One for all threads; each call tells which one it is about.
class CallPrinter {
  public:
    struct Lane {
        uint32_t tid = 0;
        uint64_t last_time = 0;
        const Thread* thread = nullptr;
        const TraceFile* file = nullptr;
        NoteText notes = {};
    };

    // `zero`: from when on times count as elapsed; 0: from the first line.
    CallPrinter(OutBuffer& out, Functions& functions, const ReplayOptions& options, uint64_t zero)
        : out_(out), functions_(functions), options_(options), zero_(zero) {}

    void header();
    // One step of a call that has others inside, or that is not to be merged.
    void step(Lane& lane, const Step& step);
    // A call that has none: its begin and its end.
    void leaf(Lane& lane, const Step& begin, const Step& end);

    void marker(const Marker& marker);

  private:
    void columns(Lane& lane, const Step& step, bool has_duration, uint64_t duration);
    const std::string& call_text(uint32_t function);
    void call(const Lane& lane, const Step& begin);
    void returned(const Lane& lane, const Step& end);
    void closing(const Lane& lane, const Step& step);
    void note(Lane& lane, const Step& step);
    void losses(const Lane& lane, const Step& step);
    void callers(Lane& lane, const Step& step);

    OutBuffer& out_;
    Functions& functions_;
    const ReplayOptions& options_;
    std::vector<std::string> call_texts_;  // by function; empty: not made yet
    bool has_first_ = false;
    uint64_t zero_;
};

}  // namespace mipstrace::tools
