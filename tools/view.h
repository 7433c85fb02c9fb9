// What replay, report, graph and live have in common: which recording, which of its threads, which
// of their calls, and how functions are named.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/model/call_stream.h"
#include "tools/model/functions.h"
#include "tools/model/session.h"
#include "tools/text/progress.h"
#include "tools/time_range.h"

namespace mipstrace::tools {

class Verb;

inline constexpr char kDefaultData[] = "mipstrace.data";

struct ViewOptions {
    std::string input = kDefaultData;
    uint32_t snapshot = 0;  // 0: the recording itself
    std::vector<std::string> filters;
    std::vector<std::string> notrace;
    std::vector<std::string> hidden;
    std::vector<std::string> callers_of;
    uint32_t depth = 0;
    uint64_t threshold_ns = 0;
    TimeRange range;
    std::vector<uint32_t> tids;
    std::vector<uint32_t> pids;
    std::string sysroot;
    std::vector<std::string> debug_dirs;
    uint32_t jobs = 0;  // threads of ours that read; 0: as many as suit
    Demangle demangle = Demangle::full;
    bool no_demangle = false;  // wins
    bool subtracts_overhead = false;
};

// For verbs that take no other argument: the folder without -i.
void add_folder(Verb& verb, std::string* input);
void add_input(Verb& verb, std::string* input, uint32_t* snapshot);  // -i, --snapshot
void add_input_options(Verb& verb, ViewOptions* options);            // these and the next ones
void add_name_options(Verb& verb, ViewOptions* options);             // --sysroot, --demangle, ...
void add_select_options(Verb& verb, ViewOptions* options);           // --tid, --pid, --time-range
void add_call_filters(Verb& verb, ViewOptions* options);             // -F, -N, -H, -C, -D, -t
void add_subtract_overhead(Verb& verb, ViewOptions* options);
void add_jobs(Verb& verb, ViewOptions* options);  // --jobs
void add_time_filter(Verb& verb, uint64_t* threshold_ns);

std::string joined(const std::vector<std::string>& patterns);

// A chunk is begun for an event whose time was taken before: the file may have had to be made.
inline constexpr uint64_t kEarlier = 1'000'000'000;

class View {
  public:
    // Throws DataError.
    explicit View(const ViewOptions& options);

    // One thread, and which of its chunks are read.
    struct Source {
        const TraceFile* file;
        const Thread* thread;
        size_t first_chunk;
        size_t chunk_count;  // or a few more
        uint64_t start_ns() const { return thread->chunks[first_chunk].mono_ns; }
    };

    const Session& session() const { return session_; }
    Functions& functions() { return functions_; }
    // The chosen threads by the time at which their part of the range begins. Throws DataError when
    // there are none.
    const std::vector<Source>& sources() const { return sources_; }
    // The moment that a range of elapsed times counts from; 0: there is no range.
    uint64_t zero() const { return zero_; }
    // Of the chosen processes, in the order of time.
    std::vector<Marker> markers() const;
    uint64_t chunk_count() const;
    uint32_t jobs() const { return options_.jobs; }
    // `functions` belongs to the thread that reads.
    CallStream stream(const Source& source, FunctionsOfReader& functions) const;

    // Says on standard error what the reader should know: losses, damage, missing names, or why
    // there is nothing. Returns the exit status.
    int finish(bool saw_calls);

  private:
    // The chosen threads' first event, or 0.
    uint64_t first_moment() const;
    void choose_range();

    ViewOptions options_;
    Session session_;
    Functions functions_;
    std::vector<Source> sources_;
    uint64_t zero_ = 0;
    uint64_t start_ns_ = 0;
    uint64_t stop_ns_ = ~uint64_t(0);
};

}  // namespace mipstrace::tools
