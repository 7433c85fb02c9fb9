// Reads gmon.out files, whoever wrote them: glibc, the call counter, or a program with counters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mipstrace::tools {

struct RawArc {
    uint64_t from;  // somewhere in the caller; 0: unknown
    uint64_t to;    // somewhere in the callee
    uint64_t count;
};

struct RawHistogram {
    uint64_t low;
    uint64_t high;
    uint32_t rate;  // samples a second
    std::vector<uint16_t> bins;
};

struct GmonContent {
    std::vector<RawArc> arcs;
    std::vector<RawHistogram> histograms;
};

// How the program that wrote it has its numbers.
struct GmonShape {
    bool is_big_endian = false;
    bool is_64 = true;
};

// Throws DataError where `data`, the content of `path`, is no gmon.out of this shape.
GmonContent read_gmon(const std::string& data, const std::string& path, GmonShape shape);

}  // namespace mipstrace::tools
