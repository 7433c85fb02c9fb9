#include "tools/view.h"

#include <algorithm>

#include "tools/commands.h"
#include "tools/model/data_error.h"
#include "tools/model/event_reader.h"
#include "tools/text/say.h"
#include "tools/text/wording.h"

namespace mipstrace::tools {

namespace {

FunctionOptions function_options(const ViewOptions& options, const Session& session) {
    FunctionOptions result;
    if (!options.sysroot.empty()) result.places.sysroots.push_back(options.sysroot);
    if (!session.info().sysroot.empty()) result.places.sysroots.push_back(session.info().sysroot);
    result.places.debug_dirs = options.debug_dirs;
    result.demangle = options.no_demangle ? Demangle::no : options.demangle;
    result.wanted = joined(options.filters);
    result.unwanted = joined(options.notrace);
    result.hidden = joined(options.hidden);
    result.targets = joined(options.callers_of);
    return result;
}

constexpr uint64_t kNever = ~uint64_t(0);

bool is_chosen(const std::vector<uint32_t>& chosen, uint32_t id) {
    return chosen.empty() || std::find(chosen.begin(), chosen.end(), id) != chosen.end();
}

}  // namespace

std::string joined(const std::vector<std::string>& patterns) {
    std::string list;
    for (const std::string& pattern : patterns) {
        if (!list.empty()) list += filter::kSeparator;
        list += pattern;
    }
    return list;
}

View::View(const ViewOptions& options)
    : options_(options),
      session_(options.input, options.snapshot),
      functions_(function_options(options, session_)) {
    for (const std::string& text : session_.warnings())
        warn(text);
    bool has_threads = false;
    for (const auto& file : session_.files()) {
        for (const Thread& thread : file->threads()) {
            has_threads = true;
            if (is_chosen(options.pids, file->header().pid) && is_chosen(options.tids, thread.tid))
                sources_.push_back({file.get(), &thread, 0, thread.chunks.size()});
        }
    }
    if (has_threads && sources_.empty())
        throw DataError(
            "no thread of the recording is among those of --tid and --pid: "
            "`mipstrace info` lists them");
    choose_range();
    for (const Source& source : sources_) {
        if (options.subtracts_overhead && !source.file->overhead())
            throw DataError(source.file->path() +
                            " does not say what recording costs, as where the program ran with -D "
                            "or -t, or the clock stood still: leave out --subtract-overhead");
    }
    std::stable_sort(sources_.begin(), sources_.end(),
                     [](const Source& a, const Source& b) { return a.start_ns() < b.start_ns(); });
}

uint64_t View::first_moment() const {
    uint64_t first = kNever;
    for (const Source& source : sources_) {
        Event event;
        if (source.start_ns() - std::min(source.start_ns(), kEarlier) < first &&
            EventReader(*source.file, *source.thread).next(&event))
            first = std::min(first, event.time);
    }
    return first == kNever ? 0 : first;
}

// Only chunks that may hold events of the range are read.
void View::choose_range() {
    if (!options_.range.start && !options_.range.stop) return;
    zero_ = first_moment();
    auto absolute = [this](const Moment& moment) {
        return moment.is_elapsed ? zero_ + std::min(moment.ns, ~zero_) : moment.ns;
    };
    if (options_.range.start) start_ns_ = absolute(*options_.range.start);
    if (options_.range.stop) stop_ns_ = absolute(*options_.range.stop);
    std::erase_if(sources_, [this](const Source& source) {
        return source.start_ns() - std::min(source.start_ns(), kEarlier) > stop_ns_;
    });
    for (Source& source : sources_) {
        const std::vector<Chunk>& chunks = source.thread->chunks;
        auto is_later = [](uint64_t ns, const Chunk& chunk) { return ns < chunk.mono_ns; };
        const auto behind = std::upper_bound(chunks.begin(), chunks.end(), start_ns_, is_later);
        const auto end = std::upper_bound(behind, chunks.end(), stop_ns_, is_later);
        const auto first = behind == chunks.begin() ? behind : behind - 1;
        source.first_chunk = size_t(first - chunks.begin());
        source.chunk_count = std::max<size_t>(1, size_t(end - first));
    }
}

std::vector<Marker> View::markers() const {
    std::vector<Marker> all;
    for (const auto& file : session_.files())
        if (is_chosen(options_.pids, file->header().pid))
            for (const Marker& marker : file->markers())
                if (marker.mono_ns >= start_ns_ && marker.mono_ns <= stop_ns_)
                    all.push_back(marker);
    std::stable_sort(all.begin(), all.end(),
                     [](const Marker& a, const Marker& b) { return a.mono_ns < b.mono_ns; });
    return all;
}

uint64_t View::chunk_count() const {
    uint64_t count = 0;
    for (const Source& source : sources_)
        count += source.chunk_count;
    return count;
}

CallStream View::stream(const Source& source, FunctionsOfReader& functions) const {
    const format::FileHeader& header = source.file->header();
    // exit() ends the calls of the main thread; how the others end is not known. In a snapshot all
    // go on. Where the recording has ended before the thread, any of its calls may have returned.
    const auto& chunks = source.thread->chunks;
    const bool has_stopped = header.buffer_chunks == 0 && !chunks.empty() &&
                             chunks.back().lost[size_t(format::Loss::no_space)] != 0;
    const bool knows_end =
        !has_stopped &&
        ((header.flags & format::kFlagSnapshot) != 0 ||
         ((header.flags & format::kFlagFinished) != 0 && source.thread->tid == header.pid));
    return CallStream(
        *source.file, *source.thread, functions.of(*source.file),
        {options_.depth, options_.threshold_ns, start_ns_, stop_ns_, options_.subtracts_overhead},
        knows_end ? header.end_mono_ns : 0, source.first_chunk);
}

int View::finish(bool saw_calls) {
    if (!saw_calls) {
        if (session_.has_events()) {
            warn("the options leave no call to show");
        } else if (session_.is_incomplete()) {
            return kExitData;  // why has been said
        } else {
            for (const std::string& text : why_nothing(session_))
                say(text);
        }
    }
    for (const std::string& text : functions_.warnings())
        warn(text);
    std::string overwritten = overwritten_sentence(session_);
    if (!overwritten.empty()) say(overwritten);
    std::string losses = losses_sentence(session_);
    if (!losses.empty()) warn("not everything was recorded: " + losses);
    return session_.is_damaged() ? kExitData : 0;
}

}  // namespace mipstrace::tools
