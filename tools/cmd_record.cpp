#include <memory>

#include "tools/record/record.h"
#include "tools/verb.h"
#include "tools/view.h"

namespace mipstrace::tools {

void add_run_options(Verb& verb, RecordOptions* options) {
    auto parse = [options](const std::string& clock) {
        options->clock = clock;
        return clock == "mono" || clock == "cycles";
    };
    verb.parsed(
        {"--clock", "CLOCK",
         "mono (nanoseconds, default) or cycles (the CPU's counter: cheaper, and exact only "
         "where its frequency is constant)"},
        parse, "a clock: mono or cycles");
    verb.text({"--qemu", "QEMU", "The emulator that runs a foreign machine's program"},
              &options->qemu);
    verb.flag("--force", "Run it even if the program has no usable sleds", &options->force);
    verb.flag("-v,--verbose", "Say what is run and what the tracer does", &options->verbose);
    verb.program("The program and its arguments", &options->command);
    verb.footer("The exit status is the program's own, or 127 or 126 if it can't be run.");
}

void add_record(CLI::App& app, Runner* run) {
    auto options = std::make_shared<RecordOptions>();
    options->output = kDefaultData;
    Verb verb(app, "record", "Run a program and record its calls");
    verb.text({"-o,--output,-d,--data", "DIR",
               "Folder for the recording (default: mipstrace.data); an older one becomes DIR.old"},
              &options->output);
    verb.texts({"-F,--filter", "FUNC",
                "Only these functions: GLOB[@MODULE], several separated by ';' or given by several "
                "-F"},
               &options->filters);
    verb.texts({"-N,--notrace", "FUNC", "Not these functions; wins over -F"}, &options->notrace);
    verb.number({"-D,--depth", "DEPTH", "At most that many nested calls"}, &options->depth);
    add_time_filter(verb, &options->threshold_ns);
    verb.text(
        {"--sysroot", "DIR", "Libraries of a foreign machine's program (or MIPSTRACE_SYSROOT)"},
        &options->sysroot);
    add_run_options(verb, options.get());
    verb.does(run, [=] { return record(*options).pass_on(); });
}

}  // namespace mipstrace::tools
