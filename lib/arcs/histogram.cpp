#include "lib/arcs/histogram.h"

#include <sys/mman.h>
#include <unistd.h>

namespace mipstrace::gmon {

namespace {

// As in glibc's own gmon: a bin of two bytes for each four bytes of text. profil's scale is 0x10000
// where a bin is for two.
constexpr uintptr_t kBytesPerBin = 4;
[[maybe_unused]] constexpr unsigned kScale = 0x10000 * 2 / kBytesPerBin;

// libc begins to count there, by SIGPROF. musl can't.
bool begin_to_count(void* bins, size_t size, uintptr_t from) {
#ifdef __GLIBC__
    return profil(static_cast<unsigned short*>(bins), size, from, kScale) == 0;
#else
    (void)bins, (void)size, (void)from;
    return false;
#endif
}

}  // namespace

Histogram start_histogram(uintptr_t low, uintptr_t high, uintptr_t bias) {
    Histogram histogram{low & -kBytesPerBin, (high + kBytesPerBin - 1) & -kBytesPerBin};
    const size_t count = (histogram.high - histogram.low) / kBytesPerBin;
    const size_t size = count * sizeof(uint16_t);
    void* bins = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bins == MAP_FAILED) return histogram;
    if (!begin_to_count(bins, size, histogram.low + bias)) {
        munmap(bins, size);
        return histogram;
    }
    histogram.bins = static_cast<const uint16_t*>(bins);
    histogram.bin_count = uint32_t(count);
    return histogram;
}

}  // namespace mipstrace::gmon
