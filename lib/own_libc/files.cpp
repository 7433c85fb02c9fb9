// System calls under the names that libc has for them. A program's own open or write may be traced.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "lib/base/syscall.h"

// A function of this file under another name: libc has some twice, for files of any size.
#define ALSO_NAMED(name, function) \
    asm(".globl " name "\n.hidden " name "\n.set " name ", " function)

namespace {

// glibc's functions of a plain name know small files on 32-bit ABIs; musl's know all.
#ifdef __GLIBC__
using PlainOffset = long;
#else
using PlainOffset = int64_t;
#endif

// As libc's functions give it back.
long result_of(long raw) {
    if (!mipstrace::is_error(raw)) return raw;
    errno = int(-raw);
    return -1;
}

}  // namespace

extern "C" {

using mipstrace::raw_syscall;

int own_open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const int mode = (flags & O_CREAT) != 0 ? va_arg(more, int) : 0;
    va_end(more);
    return int(result_of(raw_syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode)));
}
ALSO_NAMED("open", "own_open");
ALSO_NAMED("open64", "own_open");

int own_close(int fd) {
    return int(result_of(raw_syscall(SYS_close, fd)));
}
ALSO_NAMED("close", "own_close");

int own_fcntl(int fd, int command, ...) {
    va_list more;
    va_start(more, command);
    const long argument = va_arg(more, long);
    va_end(more);
    return int(result_of(raw_syscall(SYS_fcntl, fd, command, argument)));
}
ALSO_NAMED("fcntl", "own_fcntl");
ALSO_NAMED("fcntl64", "own_fcntl");

// With the offsets that libc's functions of a plain name take, and with those of any file.
ssize_t own_pread(int fd, void* to, size_t size, PlainOffset offset) {
    return result_of(raw_syscall(SYS_pread64, fd, to, size, int64_t(offset)));
}
ALSO_NAMED("pread", "own_pread");

ssize_t own_pread64(int fd, void* to, size_t size, int64_t offset) {
    return result_of(raw_syscall(SYS_pread64, fd, to, size, offset));
}
ALSO_NAMED("pread64", "own_pread64");

// _FORTIFY_SOURCE's: the size of the buffer comes behind.
ALSO_NAMED("__pread_chk", "own_pread");
ALSO_NAMED("__pread64_chk", "own_pread64");

ssize_t own_pwrite(int fd, const void* from, size_t size, PlainOffset offset) {
    return result_of(raw_syscall(SYS_pwrite64, fd, from, size, int64_t(offset)));
}
ALSO_NAMED("pwrite", "own_pwrite");

ssize_t own_pwrite64(int fd, const void* from, size_t size, int64_t offset) {
    return result_of(raw_syscall(SYS_pwrite64, fd, from, size, offset));
}
ALSO_NAMED("pwrite64", "own_pwrite64");

void* own_mmap(void* at, size_t size, int protection, int flags, int fd, PlainOffset offset) {
    return reinterpret_cast<void*>(
        result_of(mipstrace::raw_mmap(at, size, protection, flags, fd, uint64_t(int64_t(offset)))));
}
ALSO_NAMED("mmap", "own_mmap");

void* own_mmap64(void* at, size_t size, int protection, int flags, int fd, int64_t offset) {
    return reinterpret_cast<void*>(
        result_of(mipstrace::raw_mmap(at, size, protection, flags, fd, uint64_t(offset))));
}
ALSO_NAMED("mmap64", "own_mmap64");

int own_munmap(void* at, size_t size) {
    return int(result_of(raw_syscall(SYS_munmap, at, size)));
}
ALSO_NAMED("munmap", "own_munmap");

int own_mprotect(void* at, size_t size, int protection) {
    return int(result_of(raw_syscall(SYS_mprotect, at, size, protection)));
}
ALSO_NAMED("mprotect", "own_mprotect");

int own_madvise(void* at, size_t size, int advice) {
    return int(result_of(raw_syscall(SYS_madvise, at, size, advice)));
}
ALSO_NAMED("madvise", "own_madvise");

char* own_getcwd(char* to, size_t size) {
    return result_of(raw_syscall(SYS_getcwd, to, size)) < 0 ? nullptr : to;
}
ALSO_NAMED("getcwd", "own_getcwd");

ssize_t own_readlink(const char* path, char* to, size_t size) {
    return result_of(raw_syscall(SYS_readlinkat, AT_FDCWD, path, to, size));
}
ALSO_NAMED("readlink", "own_readlink");

int own_mkdir(const char* path, mode_t mode) {
    return int(result_of(raw_syscall(SYS_mkdirat, AT_FDCWD, path, mode)));
}
ALSO_NAMED("mkdir", "own_mkdir");

int own_unlink(const char* path) {
    return int(result_of(raw_syscall(SYS_unlinkat, AT_FDCWD, path, 0)));
}
ALSO_NAMED("unlink", "own_unlink");

// As wide as the system call's, which glibc's of the plain name is on 64-bit ABIs alone.
static_assert(sizeof(rlim_t) == 8, "compiled for large files");
int own_getrlimit(int resource, struct rlimit* limit) {
    return int(result_of(raw_syscall(SYS_prlimit64, 0, resource, nullptr, limit)));
}
ALSO_NAMED("getrlimit64", "own_getrlimit");
#if __SIZEOF_LONG__ == 8 || !defined(__GLIBC__)
ALSO_NAMED("getrlimit", "own_getrlimit");
#endif

pid_t own_getpid() {
    return pid_t(raw_syscall(SYS_getpid));
}
ALSO_NAMED("getpid", "own_getpid");

pid_t own_getppid() {
    return pid_t(raw_syscall(SYS_getppid));
}
ALSO_NAMED("getppid", "own_getppid");

}  // extern "C"
