#include "tools/text/time_text.h"
#include "tools/verb.h"
#include "tools/view.h"

namespace mipstrace::tools {

void add_folder(Verb& verb, std::string* input) {
    verb.argument({"folder", "DIR", "The same as -i"}, input, false);
}

void add_input(Verb& verb, std::string* input, uint32_t* snapshot) {
    verb.text({"-i,--input,-d,--data", "DIR",
               "Folder of the recording, or one trace file (default: mipstrace.data)"},
              input);
    verb.number({"--snapshot", "N", "The N-th snapshot in it; `mipstrace info` lists them"},
                snapshot);
}

void add_input_options(Verb& verb, ViewOptions* options) {
    add_input(verb, &options->input, &options->snapshot);
    add_name_options(verb, options);
}

void add_name_options(Verb& verb, ViewOptions* options) {
    verb.text({"--sysroot", "DIR",
               "Where the traced machine's files are found here, for names of functions"},
              &options->sysroot);
    verb.texts({"--debug-dir", "DIR",
                "More places with debug files (.build-id/xx/yyy.debug) or the files themselves"},
               &options->debug_dirs);
    verb.flag("--no-demangle", "Show C++ names as the linker knows them", &options->no_demangle);
    auto parse = [options](const std::string& how) {
        options->demangle = how == "simple" ? Demangle::simple : Demangle::full;
        options->no_demangle = how == "no";
        return how == "full" || how == "simple" || how == "no";
    };
    verb.parsed(
        {"--demangle", "HOW", "C++ names: full (default), simple (without parameters) or no"},
        parse, "full, simple or no");
}

void add_select_options(Verb& verb, ViewOptions* options) {
    verb.numbers({"--tid", "TID,...", "Only these threads"}, &options->tids);
    verb.numbers({"--pid", "PID,...", "Only these processes"}, &options->pids);
    auto parse = [options](const std::string& text) {
        const std::optional<TimeRange> range = parse_time_range(text);
        if (range) options->range = *range;
        return range.has_value();
    };
    verb.parsed({"-r,--time-range", "START~STOP",
                 "Only what happened then: times since the first event like 1.5ms, or timestamps "
                 "as -f time shows them; one of the two may be left out"},
                parse, kTimeRangeForm);
}

void add_jobs(Verb& verb, ViewOptions* options) {
    verb.number({"-j,--jobs", "N",
                 "Read with so many processors (default: as many as there are); a thread of the "
                 "program is read by one"},
                &options->jobs);
}

void add_subtract_overhead(Verb& verb, ViewOptions* options) {
    verb.flag("--subtract-overhead",
              "Without the time that recording took, as it was measured when the program started",
              &options->subtracts_overhead);
}

void add_call_filters(Verb& verb, ViewOptions* options) {
    verb.texts({"-F,--filter", "FUNC",
                "Only functions that match and what they call: GLOB[@MODULE], several separated "
                "by ';' or given by several -F"},
               &options->filters);
    verb.texts({"-N,--notrace", "FUNC", "Not these functions nor what they call; wins over -F"},
               &options->notrace);
    verb.texts({"-H,--hide", "FUNC", "Not these functions, but what they call"}, &options->hidden);
    verb.texts(
        {"-C,--caller-filter", "FUNC", "Only calls of these functions, and those that lead to one"},
        &options->callers_of);
    verb.number({"-D,--depth", "DEPTH", "At most that many nested calls"}, &options->depth);
    add_time_filter(verb, &options->threshold_ns);
}

void add_time_filter(Verb& verb, uint64_t* threshold_ns) {
    auto parse = [threshold_ns](const std::string& text) {
        std::optional<uint64_t> time = parse_time(text);
        if (time) *threshold_ns = *time;
        return time.has_value();
    };
    verb.parsed({"-t,--time-filter", "TIME",
                 "Only calls that take at least that long: 5us, 1.5ms, 2s; without a unit "
                 "nanoseconds"},
                parse, "a time like 5us, 1.5ms or 2s");
}

}  // namespace mipstrace::tools
