#include "tools/replay/replay.h"

#include <algorithm>
#include <memory>
#include <queue>

#include "tools/replay/call_printer.h"
#include "tools/text/progress.h"

namespace mipstrace::tools {

namespace {

constexpr uint64_t kNever = ~uint64_t(0);

struct Lane {
    CallStream stream;
    CallPrinter::Lane facts;
    size_t number;  // keeps the order of threads that do something at the same moment
    uint64_t time;  // of the next step
    size_t chunks_told = 0;
};

struct IsLater {
    bool operator()(const std::unique_ptr<Lane>& a, const std::unique_ptr<Lane>& b) const {
        return a->time != b->time ? a->time > b->time : a->number > b->number;
    }
};

// Merges the threads by time. A thread is opened when its first moment has come, so that only
// those that live at the same time are open together.
class Merger {
  public:
    Merger(View& view, CallPrinter& printer, bool merges_leaves)
        : view_(view),
          printer_(printer),
          merges_leaves_(merges_leaves),
          functions_(view.functions()),
          progress_(view.chunk_count(), true),
          markers_(view.markers()) {}

    bool run() {
        for (;;) {
            while (next_source_ < view_.sources().size() &&
                   (lanes_.empty() || source_start() <= lanes_.top()->time))
                open();
            print_markers_before(lanes_.empty() ? kNever : lanes_.top()->time);
            if (lanes_.empty()) return saw_calls_;
            auto lane = std::move(const_cast<std::unique_ptr<Lane>&>(lanes_.top()));
            lanes_.pop();
            uint64_t others = std::min(
                {lanes_.empty() ? kNever : lanes_.top()->time, source_start(), marker_time()});
            do {
                print_next(*lane);
                advance(*lane);
            } while (lane->time < others);
            put_back(std::move(lane));
        }
    }

  private:
    uint64_t source_start() const {
        if (next_source_ == view_.sources().size()) return kNever;
        const uint64_t start = view_.sources()[next_source_].start_ns();
        return start - std::min(start, kEarlier);
    }
    void open() {
        const View::Source& source = view_.sources()[next_source_];
        CallPrinter::Lane facts{source.thread->tid, 0, source.thread, source.file};
        auto lane = std::unique_ptr<Lane>(
            new Lane{view_.stream(source, functions_), facts, next_source_, 0});
        next_source_++;
        advance(*lane);
        put_back(std::move(lane));
    }
    void put_back(std::unique_ptr<Lane> lane) {
        if (lane->time != kNever)
            lanes_.push(std::move(lane));
        else
            tell_progress(*lane, lane->stream.reader().chunks_begun());
    }
    void tell_progress(Lane& lane, size_t chunks) {
        progress_.add(chunks - lane.chunks_told);
        lane.chunks_told = chunks;
    }
    static void advance(Lane& lane) {
        const Step* step = lane.stream.peek();
        lane.time = step != nullptr ? std::min(step->time, kNever - 1) : kNever;
    }
    uint64_t marker_time() const {
        return next_marker_ < markers_.size() ? markers_[next_marker_].mono_ns : kNever;
    }
    void print_markers_before(uint64_t time) {
        for (; next_marker_ < markers_.size() && markers_[next_marker_].mono_ns <= time;
             next_marker_++)
            printer_.marker(markers_[next_marker_]);
    }
    void print_next(Lane& lane) {
        Step step;
        if (!lane.stream.next(&step)) return;
        saw_calls_ = true;
        if (++steps_ % 65536 == 0) tell_progress(lane, lane.stream.reader().chunks_begun());
        if (merges_leaves_ && step.kind == StepKind::enter) {
            const Step* behind = lane.stream.peek();
            if (behind != nullptr && behind->ends_call() && behind->call == step.call) {
                Step end;
                lane.stream.next(&end);
                printer_.leaf(lane.facts, step, end);
                return;
            }
        }
        printer_.step(lane.facts, step);
    }

    View& view_;
    CallPrinter& printer_;
    const bool merges_leaves_;
    FunctionsOfReader functions_;
    Progress progress_;
    std::priority_queue<std::unique_ptr<Lane>, std::vector<std::unique_ptr<Lane>>, IsLater> lanes_;
    const std::vector<Marker> markers_;
    size_t next_marker_ = 0;
    size_t next_source_ = 0;
    uint64_t steps_ = 0;
    bool saw_calls_ = false;
};

}  // namespace

int replay(View& view, const ReplayOptions& options, int fd) {
    OutBuffer out(fd);
    CallPrinter printer(out, view.functions(), options, view.zero());
    printer.header();
    bool saw_calls = Merger(view, printer, !options.splits_leaves).run();
    out.flush();
    return view.finish(saw_calls);
}

}  // namespace mipstrace::tools
