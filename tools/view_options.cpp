#include <CLI/CLI.hpp>

#include "tools/text/time_text.h"
#include "tools/view.h"

namespace mipstrace::tools {

void add_input_options(CLI::App& verb, ViewOptions* options) {
    verb.add_option("-i,--input,-d,--data", options->input,
                    "Folder of the recording, or one trace file (default: mipstrace.data)")
        ->type_name("DIR");
    add_name_options(verb, options);
}

void add_name_options(CLI::App& verb, ViewOptions* options) {
    verb.add_option("--sysroot", options->sysroot,
                    "Where the traced machine's files are found here, for names of functions")
        ->type_name("DIR");
    verb.add_option("--debug-dir", options->debug_dirs,
                    "More places with debug files (.build-id/xx/yyy.debug) or the files themselves")
        ->type_name("DIR")
        ->allow_extra_args(false);
    verb.add_flag_callback(
        "--no-demangle", [options] { options->demangle = Demangle::no; },
        "Show C++ names as the linker knows them");
    verb.add_option_function<std::string>(
            "--demangle",
            [options](const std::string& how) {
                options->demangle = how == "no"       ? Demangle::no
                                    : how == "simple" ? Demangle::simple
                                                      : Demangle::full;
            },
            "C++ names: full (default), simple (without parameters) or no")
        ->check(CLI::IsMember({"full", "simple", "no"}))
        ->type_name("HOW");
}

void add_select_options(CLI::App& verb, ViewOptions* options) {
    verb.add_option("--tid", options->tids, "Only these threads")
        ->type_name("TID,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    verb.add_option("--pid", options->pids, "Only these processes")
        ->type_name("PID,...")
        ->delimiter(',')
        ->allow_extra_args(false);
}

void add_call_filters(CLI::App& verb, ViewOptions* options) {
    verb.add_option("-F,--filter", options->filters,
                    "Only functions that match and what they call: GLOB[@MODULE], several "
                    "separated by ';' or given by several -F")
        ->type_name("FUNC")
        ->allow_extra_args(false);
    verb.add_option("-N,--notrace", options->notrace,
                    "Not these functions nor what they call; wins over -F")
        ->type_name("FUNC")
        ->allow_extra_args(false);
    verb.add_option("-D,--depth", options->depth, "At most that many nested calls")
        ->type_name("DEPTH")
        ->check(CLI::PositiveNumber);
    verb.add_option_function<std::string>(
            "-t,--time-filter",
            [options](const std::string& text) { options->threshold_ns = *parse_time(text); },
            "Only calls that take at least that long: 5us, 1.5ms, 2s; without a unit nanoseconds")
        ->type_name("TIME")
        ->check([](const std::string& text) {
            return parse_time(text) ? std::string()
                                    : "'" + text + "' is not a time like 5us, 1.5ms or 2s";
        });
}

}  // namespace mipstrace::tools
