#include "tools/view.h"

#include <algorithm>

#include "tools/commands.h"
#include "tools/model/data_error.h"
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
    return result;
}

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
        of_file_[file.get()] = std::make_unique<FunctionsOfFile>(functions_, *file);
        for (const Thread& thread : file->threads()) {
            has_threads = true;
            if (is_chosen(options.pids, file->header().pid) && is_chosen(options.tids, thread.tid))
                sources_.push_back({file.get(), &thread});
        }
    }
    if (has_threads && sources_.empty())
        throw DataError(
            "no thread of the recording is among those of --tid and --pid: "
            "`mipstrace info` lists them");
    std::stable_sort(sources_.begin(), sources_.end(), [](const Source& a, const Source& b) {
        return a.thread->chunks.front().mono_ns < b.thread->chunks.front().mono_ns;
    });
}

std::vector<Marker> View::markers() const {
    std::vector<Marker> all;
    for (const auto& file : session_.files())
        if (is_chosen(options_.pids, file->header().pid))
            all.insert(all.end(), file->markers().begin(), file->markers().end());
    std::stable_sort(all.begin(), all.end(),
                     [](const Marker& a, const Marker& b) { return a.mono_ns < b.mono_ns; });
    return all;
}

uint64_t View::chunk_count() const {
    uint64_t count = 0;
    for (const Source& source : sources_)
        count += source.thread->chunks.size();
    return count;
}

CallStream View::stream(const Source& source) {
    const format::FileHeader& header = source.file->header();
    // exit() ends the calls of the main thread; how the others end is not known. In a snapshot all
    // go on.
    bool knows_end =
        (header.flags & format::kFlagSnapshot) != 0 ||
        ((header.flags & format::kFlagFinished) != 0 && source.thread->tid == header.pid);
    return CallStream(*source.file, *source.thread, *of_file_[source.file],
                      {options_.depth, options_.threshold_ns}, knows_end ? header.end_mono_ns : 0);
}

int View::finish(bool saw_calls) {
    if (!saw_calls) {
        if (session_.has_events()) {
            warn("the options leave no call to show");
        } else {
            for (const std::string& text : why_nothing(session_))
                say(text);
        }
    }
    for (const std::string& text : functions_.warnings())
        warn(text);
    std::string overwritten = overwritten_sentence(session_);
    if (!overwritten.empty()) say(overwritten);
    std::string losses = losses_sentence(session_.lost());
    if (!losses.empty()) warn("not everything was recorded: " + losses);
    return session_.is_damaged() ? kExitData : 0;
}

}  // namespace mipstrace::tools
