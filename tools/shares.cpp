#include "tools/shares.h"

#include <sched.h>

#include <algorithm>

namespace mipstrace::tools {

namespace {

// A smaller share is read faster than a thread is started.
constexpr uint64_t kSmallestShare = 64;  // chunks
// Each job has tables of its own.
constexpr uint32_t kMostJobs = 16;

// Processors that we may run on.
uint32_t processors() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::clamp<uint32_t>(uint32_t(CPU_COUNT(&set)), 1, kMostJobs);
}

}  // namespace

std::vector<Share> shares_of(const View& view, uint32_t jobs) {
    const uint64_t total = view.chunk_count();
    if (jobs == 0) jobs = uint32_t(std::min<uint64_t>(processors(), total / kSmallestShare + 1));
    const std::vector<View::Source>& sources = view.sources();
    std::vector<Share> shares;
    uint64_t before = 0;  // chunks
    for (size_t i = 0; i < sources.size(); i++) {
        if (before >= total * shares.size() / jobs)
            shares.emplace_back(&sources[i], 1);
        else
            shares.back() = Share(shares.back().data(), shares.back().size() + 1);
        before += sources[i].chunk_count;
    }
    return shares;
}

}  // namespace mipstrace::tools
