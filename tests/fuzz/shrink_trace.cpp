// shrink_trace FROM TO: makes a seed of a recording: the same in chunks of 4 KiB, of each thread no
// more than begins it. Small inputs are what makes fuzzing fast.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/fuzz/trace_image.h"

using namespace mipstrace;

namespace {

constexpr size_t kMostUnits = 300;
constexpr size_t kMostChunks = 7;

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    std::ifstream in(argv[1], std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    auto image = fuzz::TraceImage::parse(bytes);
    if (!image || image->chunks.empty()) {
        fprintf(stderr, "%s is not a recording\n", argv[1]);
        return 1;
    }
    std::erase_if(image->chunks, [](const auto& chunk) { return chunk.units.empty(); });
    if (image->chunks.size() > kMostChunks) image->chunks.resize(kMostChunks);
    for (auto& chunk : image->chunks)
        if (chunk.units.size() > kMostUnits) chunk.units.resize(kMostUnits);
    std::ofstream out(argv[2], std::ios::binary);
    out << image->bytes((1 + kMostChunks) * size_t(format::kMinChunkSize));
    return out.good() ? 0 : 1;
}
