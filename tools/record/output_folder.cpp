#include "tools/record/output_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tools/control/client.h"
#include "tools/model/data_error.h"
#include "tools/model/session.h"
#include "tools/record/auto_values.h"

namespace mipstrace::tools {

namespace {

namespace fs = std::filesystem;

enum class Content { nothing, recording, other };

bool is_ours(const fs::path& file) {
    return file.filename() == kSessionFile || file.filename() == kValueFile ||
           file.extension() == kTraceSuffix || file.extension() == kControlSuffix;
}

Content content_of(const fs::path& folder) {
    Content content = Content::nothing;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (!is_ours(entry->path())) return Content::other;
        content = Content::recording;
    }
    if (error) throw DataError("cannot read " + folder.string() + ": " + error.message());
    return content;
}

// False: another `mipstrace record` has the folder. A file system that knows no locks leaves it to
// anybody.
bool take(const std::string& folder, UniqueFd* lock) {
    lock->reset(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return !*lock || flock(lock->get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

// A process that has outlived its `mipstrace record` records on.
bool has_listener(const std::string& folder) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == kControlSuffix && is_listening(entry->path().string()))
            return true;
    return false;
}

[[noreturn]] void throw_in_use(const std::string& folder) {
    throw DataError(folder +
                    " holds a recording that goes on: wait for its end, or choose another folder "
                    "with -o");
}

void move_away(const std::string& path) {
    std::string old = path + ".old";
    struct stat info;
    if (lstat(old.c_str(), &info) == 0) {
        if (!S_ISDIR(info.st_mode) || content_of(old) == Content::other)
            throw DataError(old +
                            " is in the way and is no recording: move it, or choose another "
                            "folder with -o");
        remove_recording(old);
    }
    if (rename(path.c_str(), old.c_str()) != 0)
        throw DataError("cannot rename " + path + " to " + old + ": " + strerror(errno));
}

}  // namespace

OutputFolder::OutputFolder(const std::string& given) {
    std::string path = given;
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
    struct stat info;
    if (path.empty()) throw DataError("the name of the output folder is empty");
    if (lstat(path.c_str(), &info) == 0) {
        if (stat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
            throw DataError(path + " is not a folder: choose another one with -o");
        Content content = content_of(path);
        if (content == Content::other)
            throw DataError(path +
                            " holds something else than a recording: choose another folder "
                            "with -o");
        if (content == Content::recording) {
            UniqueFd old;
            if (!take(path, &old) || has_listener(path)) throw_in_use(path);
            move_away(path);
        }
    }
    if (mkdir(path.c_str(), 0777) != 0 && errno != EEXIST)
        throw DataError("cannot make the output folder " + path + ": " + strerror(errno) +
                        "; choose another one with -o");
    if (access(path.c_str(), W_OK | X_OK) != 0)
        throw DataError("cannot write into " + path + ": " + strerror(errno) +
                        "; choose another folder with -o");
    std::error_code error;
    fs::path absolute = fs::canonical(path, error);
    if (error) throw DataError("cannot use " + path + ": " + error.message());
    path_ = absolute.string();
    if (!take(path_, &lock_)) throw_in_use(path);
}

void remove_recording(const std::string& path) {
    std::error_code error;
    for (fs::directory_iterator entry(path, error), end; !error && entry != end;
         entry.increment(error))
        if (is_ours(entry->path())) unlink(entry->path().c_str());
    rmdir(path.c_str());
}

}  // namespace mipstrace::tools
