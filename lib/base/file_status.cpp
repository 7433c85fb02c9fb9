#include "lib/base/file_status.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#ifndef STATX_INO  // musl, before 1.2.5
#include <linux/stat.h>
#endif

#include "lib/base/syscall.h"

namespace mipstrace {

bool file_status(int fd, FileStatus* status) {
    constexpr uint64_t kSecond = 1000000000;
    struct statx now;
    const long result = raw_syscall(SYS_statx, fd, "", AT_EMPTY_PATH,
                                    STATX_INO | STATX_SIZE | STATX_MTIME | STATX_MODE, &now);
    if (result == 0) {
        status->identity = {uint64_t(now.stx_dev_major) << 32 | now.stx_dev_minor, now.stx_ino};
        status->size = now.stx_size;
        status->modified_ns = uint64_t(now.stx_mtime.tv_sec) * kSecond + now.stx_mtime.tv_nsec;
        status->mode = now.stx_mode;
        return true;
    }
    if (result != -ENOSYS) return false;
    struct stat old;
    if (fstat(fd, &old) != 0) return false;
    status->identity = {old.st_dev, old.st_ino};
    status->size = uint64_t(old.st_size);
    status->modified_ns = uint64_t(old.st_mtim.tv_sec) * kSecond + uint64_t(old.st_mtim.tv_nsec);
    status->mode = old.st_mode;
    return true;
}

long create_file(const char* path, int flags) {
    constexpr uint32_t kOwn = S_IRUSR | S_IWUSR;
    const long fd = raw_syscall(SYS_openat, AT_FDCWD, path,
                                flags | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_LARGEFILE, 0666);
    FileStatus status;
    if (!is_error(fd) && file_status(int(fd), &status) && (status.mode & kOwn) != kOwn)
        raw_syscall(SYS_fchmod, fd, (status.mode & 0777) | kOwn);
    return fd;
}

long move_high(long fd) {
    if (is_error(fd)) return fd;
    for (long lowest = 512; lowest > 3; lowest /= 2) {
        const long high = raw_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, lowest);
        if (is_error(high)) continue;
        raw_syscall(SYS_close, fd);
        return high;
    }
    return fd;
}

}  // namespace mipstrace
