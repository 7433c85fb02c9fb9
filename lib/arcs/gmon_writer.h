// Writes the content of a gmon.out.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mipstrace::gmon {

struct Histogram {
    uintptr_t low = 0;   // of the text, as an address of the file
    uintptr_t high = 0;  // behind it
    const uint16_t* bins = nullptr;
    uint32_t bin_count =
        0;  // 0: none was taken; gprof wants one all the same, and gets an empty one
};

// Any context, no allocation. After an error nothing more is written.
class GmonWriter {
  public:
    // `fd` stays the caller's.
    explicit GmonWriter(int fd);
    void histogram(const Histogram& histogram);
    // Counts beyond 32 bits become several arcs, which gprof adds up. None at all for 0.
    void arc(uintptr_t from, uintptr_t to, uint64_t count);
    // Writes what is still buffered. 0, or the error number of what has failed.
    int finish();

  private:
    template <typename T>
    void put(T value) {
        put(&value, sizeof value);
    }
    void put(const void* data, size_t size);
    void flush();

    const int fd_;
    int error_ = 0;
    size_t used_ = 0;
    char buffer_[1024];  // a signal stack is small
};

}  // namespace mipstrace::gmon
