// "[#######.............]  35%" on standard error, when somebody watches and it takes long enough
// to matter.
#pragma once

#include <cstdint>
#include <mutex>

namespace mipstrace::tools {

class Progress {
  public:
    // `total`: of the steps that add() counts. With `output_is_lines`, the output appears while
    // we read: then a terminal that shows it needs no progress.
    Progress(uint64_t total, bool output_is_lines);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Cheap enough for every few thousand events; from any thread.
    void add(uint64_t steps);
    // Removes the line, before output.
    void clear();

  private:
    void draw() const;

    const uint64_t total_;
    const bool is_on_;
    std::mutex mutex_;  // of what follows, and of the line on the terminal
    uint64_t done_ = 0;
    uint64_t next_ns_;
    bool is_shown_ = false;
};

}  // namespace mipstrace::tools
