#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace mipstrace::tools {

// A folder of our own in TMPDIR, gone with everything in it at the end of the object's life.
// Without a path if it could not be made.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        const char* base = getenv("TMPDIR");
        std::string name = std::string(base != nullptr && *base != 0 ? base : "/tmp");
        name += "/mipstrace-cflags-XXXXXX";
        if (mkdtemp(name.data()) != nullptr) path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace mipstrace::tools
