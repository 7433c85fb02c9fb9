#include "lib/arcs/gmon_writer.h"

#include <errno.h>

#include <algorithm>

#include "lib/arcs/gmon_format.h"
#include "lib/base/quiet_write.h"

namespace mipstrace::gmon {

GmonWriter::GmonWriter(int fd) : fd_(fd) {
    put(kMagic, sizeof kMagic);
    put(kVersion);
    constexpr char kSpare[kHeaderBytes - sizeof kMagic - sizeof kVersion] = {};
    put(kSpare, sizeof kSpare);
}

void GmonWriter::histogram(const Histogram& histogram) {
    constexpr uint16_t kNoSample = 0;
    put(kHistogramTag);
    put(histogram.low);
    put(histogram.high);
    put(std::max(histogram.bin_count, uint32_t(1)));
    put(kRate);
    put(kDimension, sizeof kDimension);
    put(kDimensionShort);
    if (histogram.bin_count == 0)
        put(kNoSample);
    else
        put(histogram.bins, histogram.bin_count * sizeof *histogram.bins);
}

void GmonWriter::arc(uintptr_t from, uintptr_t to, uint64_t count) {
    while (count != 0 && error_ == 0) {
        const uint32_t part = uint32_t(std::min(count, uint64_t(UINT32_MAX)));
        put(kArcTag);
        put(from);
        put(to);
        put(part);
        count -= part;
    }
}

int GmonWriter::finish() {
    flush();
    return error_;
}

void GmonWriter::put(const void* data, size_t size) {
    const char* from = static_cast<const char*>(data);
    while (size != 0) {
        if (used_ == sizeof buffer_) flush();
        const size_t part = std::min(size, sizeof buffer_ - used_);
        __builtin_memcpy(buffer_ + used_, from, part);
        used_ += part;
        from += part;
        size -= part;
    }
}

void GmonWriter::flush() {
    for (size_t done = 0; done < used_ && error_ == 0;) {
        const long result = write_quietly(fd_, buffer_ + done, used_ - done);
        if (result == -EINTR) continue;
        if (result <= 0)
            error_ = result == 0 ? ENOSPC : int(-result);
        else
            done += size_t(result);
    }
    used_ = 0;
}

}  // namespace mipstrace::gmon
