#include <CLI/CLI.hpp>

#include "tools/command_line.h"
#include "tools/commands.h"
#include "tools/record/record.h"
#include "tools/text/time_text.h"
#include "tools/view.h"

namespace mipstrace::tools {

void add_run_options(CLI::App& verb, RecordOptions* options) {
    verb.add_option("--clock", options->clock,
                    "mono (nanoseconds, default) or cycles (the CPU's counter: cheaper, and exact "
                    "only where its frequency is constant)")
        ->check(CLI::IsMember({"mono", "cycles"}))
        ->type_name("CLOCK");
    verb.add_option("--qemu", options->qemu, "The emulator that runs a foreign machine's program")
        ->type_name("QEMU");
    verb.add_flag("--force", options->force, "Run it even if the program has no usable sleds");
    verb.add_flag("-v,--verbose", options->verbose, "Say what is run and what the tracer does");
    verb.add_option(kProgramOption, options->command, "The program and its arguments")->required();
    verb.footer("The exit status is the program's own, or 127 or 126 if it can't be run.");
}

void add_record(CLI::App& app, Runner* run) {
    auto options = std::make_shared<RecordOptions>();
    options->output = kDefaultData;
    CLI::App* verb = app.add_subcommand("record", "Run a program and record its calls");
    verb->add_option("-o,--output,-d,--data", options->output,
                     "Folder for the recording (default: mipstrace.data); an older one becomes "
                     "DIR.old")
        ->type_name("DIR");
    verb->add_option("-F,--filter", options->filters,
                     "Only these functions: GLOB[@MODULE], several separated by ';' or given by "
                     "several -F")
        ->type_name("FUNC")
        ->allow_extra_args(false);
    verb->add_option("-N,--notrace", options->notrace, "Not these functions; wins over -F")
        ->type_name("FUNC")
        ->allow_extra_args(false);
    verb->add_option("-D,--depth", options->depth, "At most that many nested calls")
        ->type_name("DEPTH")
        ->check(CLI::PositiveNumber);
    verb->add_option_function<std::string>(
            "-t,--time-filter",
            [options](const std::string& text) { options->threshold_ns = *parse_time(text); },
            "Only calls that take at least that long: 5us, 1.5ms, 2s; without a unit nanoseconds")
        ->type_name("TIME")
        ->check([](const std::string& text) {
            return parse_time(text) ? std::string()
                                    : "'" + text + "' is not a time like 5us, 1.5ms or 2s";
        });
    verb->add_option("--sysroot", options->sysroot,
                     "Libraries of a foreign machine's program (or MIPSTRACE_SYSROOT)")
        ->type_name("DIR");
    add_run_options(*verb, options.get());
    verb->callback([=] { *run = [=] { return record(*options).pass_on(); }; });
}

}  // namespace mipstrace::tools
