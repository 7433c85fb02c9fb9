// Writes a recording of as many calls as one wants, to see how fast it is read.
//
//     make_recording [--threads=N] [--uftrace=DIR] CALLS DIR
//
// The calls are those of a program of kLayers layers, of kWidth functions each, that call kCallees
// of the next layer at random; always the same ones. With --uftrace the same events are written in
// the format of uftrace 0.13 as well.
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/recording_files.h"

using namespace mipstrace;

namespace {

constexpr uint32_t kLayers = 10;
constexpr uint32_t kWidth = 48;
constexpr uint32_t kCallees = 3;
constexpr uint32_t kFirstTid = 1000;
constexpr uint64_t kStart = 1'000'000'000'000;

// Numerical Recipes' generator: the upper bits are random enough.
class Random {
  public:
    explicit Random(uint32_t seed) : state_(seed) {}
    uint32_t below(uint32_t limit) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return uint32_t((state_ >> 32) * limit >> 32);
    }

  private:
    uint64_t state_;
};

class Thread {
  public:
    Thread(uint32_t number, bench::TraceWriter& trace, const std::string& uftrace)
        : random_(number),
          events_(trace, kFirstTid + number),
          uftrace_(uftrace.empty()
                       ? nullptr
                       : std::make_unique<bench::UftraceTask>(uftrace, kFirstTid + number)) {}

    uint64_t time() const { return time_; }
    uint64_t calls() const { return calls_; }

    // Makes calls until a chunk is full, or there were `limit` of them and all have returned.
    bool run(uint64_t limit) {
        for (uint32_t i = 0; i < bench::kChunkEvents; i++) {
            const bool ends = calls_ >= limit;
            if (ends && stack_.empty()) return false;
            time_ += 20 + random_.below(200);
            const bool is_leaf = stack_.size() == kLayers;
            if (!stack_.empty() && (ends || is_leaf || random_.below(2) == 0))
                leave();
            else
                enter();
        }
        return true;
    }

  private:
    void enter() {
        const auto layer = uint32_t(stack_.size());
        const uint32_t above = layer == 0 ? 0 : stack_.back() % kWidth;
        const uint32_t in_layer = (above * kCallees + random_.below(kCallees)) % kWidth;
        const uint32_t function = layer * kWidth + in_layer;
        events_.add(time_, function, false);
        if (uftrace_) uftrace_->add(time_, layer, function, false);
        stack_.push_back(function);
        calls_++;
    }
    void leave() {
        const uint32_t function = stack_.back();
        stack_.pop_back();
        events_.add(time_, function, true);
        if (uftrace_) uftrace_->add(time_, uint32_t(stack_.size()), function, true);
    }

    Random random_;
    bench::ThreadWriter events_;
    std::unique_ptr<bench::UftraceTask> uftrace_;
    std::vector<uint32_t> stack_;
    uint64_t time_ = kStart;
    uint64_t calls_ = 0;
};

void make(uint64_t calls, uint32_t count, const std::string& folder, const std::string& uftrace) {
    mkdir(folder.c_str(), 0777);
    const uint32_t functions = kLayers * kWidth;
    bench::TraceWriter trace(folder + "/" + std::to_string(kFirstTid) + "-0.trace", kFirstTid,
                             kStart, functions);
    if (!uftrace.empty()) {
        mkdir(uftrace.c_str(), 0777);
        bench::write_uftrace_session(uftrace, kFirstTid, count, kStart, functions);
    }
    std::vector<std::unique_ptr<Thread>> threads;
    for (uint32_t i = 0; i < count; i++)
        threads.push_back(std::make_unique<Thread>(i, trace, uftrace));
    // So that chunks lie in the file as they would: by time.
    while (!threads.empty()) {
        auto first = std::min_element(threads.begin(), threads.end(),
                                      [](auto& a, auto& b) { return a->time() < b->time(); });
        if (!(*first)->run(calls / count)) threads.erase(first);
    }
    trace.finish();
}

int usage() {
    fputs("usage: make_recording [--threads=N] [--uftrace=DIR] CALLS DIR\n", stderr);
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    uint32_t threads = 1;
    std::string uftrace;
    int i = 1;
    for (; i < argc && std::string_view(argv[i]).starts_with("--"); i++) {
        const std::string_view option = argv[i];
        if (option.starts_with("--threads="))
            threads = uint32_t(atoi(argv[i] + sizeof "--threads=" - 1));
        else if (option.starts_with("--uftrace="))
            uftrace = argv[i] + sizeof "--uftrace=" - 1;
        else
            return usage();
    }
    if (argc - i != 2 || threads == 0) return usage();
    make(strtoull(argv[i], nullptr, 10), threads, argv[i + 1], uftrace);
    return 0;
}
