// What a note of a trigger says, as a comment.
#pragma once

#include <map>
#include <string>

#include "tools/model/step.h"
#include "tools/model/trace_file.h"

namespace mipstrace::tools {

// Of one thread: remembers what was read at the entries of its open calls, for the difference at
// their returns.
class NoteText {
  public:
    // "read proc/statm: size=6812KB rss=776KB shared=712KB". Empty: it says nothing that is known.
    std::string text(const TraceFile& file, const Step& note);

  private:
    // By call and kind of note.
    std::map<std::pair<uint32_t, uint32_t>, format::Note> entries_;
};

}  // namespace mipstrace::tools
