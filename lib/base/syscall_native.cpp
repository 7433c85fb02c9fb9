// raw_syscall6 for the machines on which only the unit tests run it: by libc, keeping errno.
#include <errno.h>
#include <unistd.h>

#include "lib/base/syscall.h"

namespace mipstrace {

long raw_syscall6(long number, long a, long b, long c, long d, long e, long f) {
    const int saved_errno = errno;
    long result = ::syscall(number, a, b, c, d, e, f);
    if (result == -1) result = -errno;
    errno = saved_errno;
    return result;
}

}  // namespace mipstrace
