#pragma once

#include <string>

namespace mipstrace::tools {

// Makes the folder of a recording and returns its absolute path. A recording that is there already
// becomes PATH.old; anything else that is there is left alone. Throws DataError.
std::string make_output_folder(const std::string& path);

// Removes a recording: only files that are ours, and the folder when nothing else is in it.
void remove_recording(const std::string& path);

}  // namespace mipstrace::tools
