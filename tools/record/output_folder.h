#pragma once

#include <string>

#include "lib/base/unique_fd.h"

namespace mipstrace::tools {

// Makes the folder of a recording and returns its absolute path. A recording that is there already
// becomes PATH.old, unless it goes on; anything else that is there is left alone. Nobody else gets
// the same folder as long as this lives. Throws DataError.
class OutputFolder {
  public:
    explicit OutputFolder(const std::string& path);
    const std::string& path() const { return path_; }

  private:
    std::string path_;
    UniqueFd lock_;
};

// Removes a recording: only files that are ours, and the folder when nothing else is in it.
void remove_recording(const std::string& path);

}  // namespace mipstrace::tools
