#include "lib/arcs/gmon_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>

#include <initializer_list>
#include <string_view>

#include "lib/base/raw_log.h"
#include "lib/base/syscall.h"

namespace mipstrace::gmon {

namespace {

constexpr std::string_view kName = "gmon.out";

// Puts the parts together. False: they don't fit.
template <size_t size>
bool join(char (&to)[size], std::initializer_list<std::string_view> parts) {
    size_t used = 0;
    for (std::string_view part : parts) {
        if (used + part.size() >= size) return false;
        memcpy(to + used, part.data(), part.size());
        used += part.size();
    }
    to[used] = '\0';
    return true;
}

long open_file(const char* path, int flags) {
    return raw_syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC | O_NOFOLLOW, 0666);
}

void close_file(long fd) {
    if (!is_error(fd)) raw_syscall(SYS_close, fd);
}

long rename_file(const char* from, const char* to) {
    return raw_syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

void remove_file(const char* path) {
    raw_syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

FileIdentity current_folder() {
    FileStatus status;
    const long fd = raw_syscall(SYS_openat, AT_FDCWD, ".", O_PATH | O_CLOEXEC, 0);
    if (!is_error(fd)) file_status(int(fd), &status);
    close_file(fd);
    return status.identity;
}

}  // namespace

GmonFile::Seen GmonFile::look(const char* path) {
    Seen seen;
    const long fd = open_file(path, O_PATH);
    if (!is_error(fd)) seen.exists = file_status(int(fd), &seen.status);
    close_file(fd);
    return seen;
}

void GmonFile::begin(const char* suffix) {
    suffix_ = suffix;
    folder_ = current_folder();
    if (join(name_, {kName, suffix_})) seen_ = look(name_);
}

int GmonFile::open(const char* prefix) {
    char digits[20];
    const size_t size = format_decimal(uint64_t(raw_syscall(SYS_getpid)), digits);
    const bool has_prefix = prefix != nullptr && *prefix != '\0';
    wants_common_name_ = !has_prefix && !is_child_;
    was_evaded_ = false;
    const std::string_view base = has_prefix ? std::string_view(prefix) : kName;
    if (!join(name_, {base, ".", {digits, size}, suffix_}) || !join(fresh_, {name_, ".new"}))
        return -ENAMETOOLONG;
    fd_ = int(open_file(fresh_, O_WRONLY | O_CREAT | O_TRUNC));
    return fd_;
}

// Moves what is written to the name that all processes share. False: another one has used it, or an
// error.
bool GmonFile::publish(const char* common, int* error) {
    const bool same_folder = current_folder() == folder_;
    // Whoever replaces the file that is there holds its lock.
    const long old = open_file(common, O_RDONLY | O_NONBLOCK);
    if (!is_error(old)) raw_syscall(SYS_flock, old, LOCK_EX);
    const Seen now = look(common);
    long result = 0;
    bool ours = true;
    if (now.exists) {
        ours = !same_folder || now == seen_;
    } else {
        result = raw_syscall(SYS_linkat, AT_FDCWD, fresh_, AT_FDCWD, common, 0);
        ours = result != -EEXIST;
        if (result == 0) remove_file(fresh_);
    }
    // Also where the file system has no hard links.
    if (ours && (now.exists || is_error(result))) result = rename_file(fresh_, common);
    if (ours && is_error(result)) *error = int(-result);
    if (ours && *error == 0) {
        seen_ = look(common);
        folder_ = current_folder();
    }
    close_file(old);
    return ours && *error == 0;
}

int GmonFile::close(int error) {
    close_file(fd_);
    fd_ = -1;
    char common[kPathBytes];
    if (error == 0 && wants_common_name_ && join(common, {kName, suffix_})) {
        if (publish(common, &error)) {
            memcpy(name_, common, sizeof name_);
            return 0;
        }
        was_evaded_ = error == 0;
    }
    if (error == 0) {
        const long result = rename_file(fresh_, name_);
        if (is_error(result)) error = int(-result);
    }
    if (error != 0) remove_file(fresh_);
    return error;
}

}  // namespace mipstrace::gmon
