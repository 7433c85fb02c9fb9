// "reading 42%" on standard error, when somebody watches and it takes long enough to matter.
#pragma once

#include <cstdint>

namespace mipstrace::tools {

class Progress {
  public:
    // `total`: of the steps that update() counts. With `output_is_lines`, the output appears while
    // we read: then a terminal that shows it needs no progress.
    Progress(uint64_t total, bool output_is_lines);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Cheap enough for every few thousand events.
    void update(uint64_t done);
    // Removes the line, before output.
    void clear();

  private:
    uint64_t total_;
    bool is_on_;
    bool is_shown_ = false;
    uint64_t next_ns_ = 0;
};

}  // namespace mipstrace::tools
