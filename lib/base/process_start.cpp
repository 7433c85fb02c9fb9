#include "lib/base/process_start.h"

#include <fcntl.h>

#include <string_view>

#include "lib/base/raw_log.h"
#include "lib/base/syscall.h"

namespace mipstrace {

namespace {

constexpr int kStartField = 22;  // of /proc/PID/stat, from 1; the second is "(NAME)", of any bytes

uint64_t start_field(std::string_view stat) {
    const size_t name_end = stat.rfind(')');
    if (name_end == std::string_view::npos) return 0;
    size_t at = name_end + 1;
    for (int field = 2; field < kStartField; field++) {
        at = stat.find(' ', at);
        if (at == std::string_view::npos) return 0;
        at++;
    }
    uint64_t ticks = 0;
    for (; at < stat.size() && stat[at] >= '0' && stat[at] <= '9'; at++)
        ticks = ticks * 10 + uint64_t(stat[at] - '0');
    return ticks;
}

}  // namespace

uint64_t process_start(uint32_t pid) {
    // As a thread's: qemu-user makes up what /proc/self/stat and /proc/PID/stat say.
    char path[64] = "/proc/self/task/";
    size_t used = std::string_view(path).size();
    used += format_decimal(pid, path + used);
    for (char c : std::string_view("/stat"))
        path[used++] = c;
    path[used] = '\0';
    const long fd =
        raw_syscall(SYS_openat, AT_FDCWD, static_cast<const char*>(path), O_RDONLY | O_CLOEXEC);
    if (is_error(fd)) return 0;
    char text[512];
    const long size = raw_syscall(SYS_read, fd, static_cast<char*>(text), sizeof text);
    raw_syscall(SYS_close, fd);
    return size > 0 ? start_field({text, size_t(size)}) : 0;
}

}  // namespace mipstrace
