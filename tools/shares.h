// Several processors read a recording: each takes a share of its threads.
#pragma once

#include <future>
#include <span>
#include <vector>

#include "tools/text/progress.h"
#include "tools/view.h"

namespace mipstrace::tools {

// Threads that follow each other in View::sources().
using Share = std::span<const View::Source>;

// At most `jobs` shares that take about equally long; with 0, what suits this machine.
std::vector<Share> shares_of(const View& view, uint32_t jobs);

// Tells how far a share has been read.
class ShareProgress {
  public:
    explicit ShareProgress(Progress& progress) : progress_(progress) {}
    // To be called for each step.
    void step(const CallStream& stream) {
        if (++steps_ % kOften != 0) return;
        progress_.add(stream.reader().chunks_begun() - told_);
        told_ = stream.reader().chunks_begun();
    }
    void end(const CallStream& stream) {
        progress_.add(stream.reader().chunks_begun() - told_);
        told_ = 0;
    }

  private:
    static constexpr uint64_t kOften = 65536;

    Progress& progress_;
    uint64_t steps_ = 0;
    size_t told_ = 0;  // chunks of the thread
};

// Calls read(share, progress) for all shares, at the same time where the system lets us; the
// results stand in the order of the shares. What `read` throws comes out of here.
template <typename Read>
auto read_shares(const View& view, Read read) {
    using Result = decltype(read(Share(), std::declval<Progress&>()));
    const std::vector<Share> shares = shares_of(view, view.jobs());
    Progress progress(view.chunk_count(), false);
    std::vector<std::future<Result>> others;
    // Without a policy the library may run it when its result is asked for, if it gets no thread.
    for (size_t i = 1; i < shares.size(); i++)
        others.push_back(std::async(std::launch::async | std::launch::deferred, read, shares[i],
                                    std::ref(progress)));
    std::vector<Result> results;
    if (!shares.empty()) results.push_back(read(shares[0], progress));
    for (auto& other : others)
        results.push_back(other.get());
    return results;
}

}  // namespace mipstrace::tools
