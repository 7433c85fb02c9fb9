#include <cstdlib>
#include <memory>

#include "lib/base/signal_name.h"
#include "lib/base/size_text.h"
#include "lib/base/switch_text.h"
#include "lib/record/trace_format.h"
#include "tools/model/data_error.h"
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
    verb.texts({"-A,--argument", "FUNC@ARGS",
                "Record arguments, as strlen@arg1/s or 'f*@arg1/x,fparg2/32': argN or fpargN, then "
                "/FORMAT and bits: d i u x o c b p f s S e:NAME t; several by ';' or several -A"},
               &options->arguments);
    verb.texts({"-R,--retval", "FUNC@RETVAL",
                "Record what functions return, as strlen@retval/u; formats as for -A"},
               &options->retvals);
    verb.flag("-a,--auto-args",
              "Record the arguments and return values of all functions, as the program's debug "
              "information has their types (-g); -A FUNC and -R FUNC: those of these",
              &options->auto_args);
    verb.texts(
        {"-T,--trigger", "FUNC@ACTIONS",
         "What calls of FUNC set off, with ',' between: trace-on, trace-off, finish, depth=N, "
         "time=TIME (of it and what it calls), snapshot, read=proc/statm, read=page-fault, "
         "backtrace (as --stack), each only if:arg1>=5 holds; several by ';' or several -T"},
        &options->triggers);
    verb.texts(
        {"--plugin", "FILE.so",
         "Load a user of <mipstrace/fgraph.h> into the program; several by several --plugin"},
        &options->plugins);
    verb.texts(
        {"--stack", "FUNC",
         "Record with each call of these functions by whom it was made: the whole stack, with "
         "callers that are not traced; patterns as for -F, '*' for all that are recorded"},
        &options->stacks);
    verb.parsed(
        {"--stack-depth", "COUNT",
         "With --stack: so many callers at most, the innermost (default: 64)"},
        [options](const std::string& text) {
            options->stack_depth = uint32_t(strtoul(text.c_str(), nullptr, 10));
            return text.find_first_not_of("0123456789") == std::string::npos &&
                   options->stack_depth != 0 && text.size() <= 4 &&
                   options->stack_depth <= format::kMostInStack;
        },
        "a number of callers from 1 to 1000");
    verb.text({"--qemu", "QEMU", "The emulator that runs a foreign machine's program"},
              &options->qemu);
    verb.flag("--force", "Run it even if the program has no usable sleds", &options->force);
    verb.flag("-v,--verbose", "Say what is run and what the tracer does", &options->verbose);
    verb.program("The program and its arguments", &options->command);
    verb.footer("The exit status is the program's own, or 127 or 126 if it can't be run.");
}

namespace {

auto signal_into(std::string* name) {
    return [name](const std::string& text) {
        *name = text;
        return parse_signal(text) != 0;
    };
}

void add_bounds(Verb& verb, RecordOptions* options) {
    auto size = [](const SizeRange& range, uint64_t* value) {
        return [&range, value](const std::string& text) {
            *value = parse_size(text);
            return *value >= range.low && *value <= range.high;
        };
    };
    verb.parsed({"--buffer", "SIZE",
                 "Keep only the newest events of each process, so many bytes of them: 256K to 4G"},
                size(kBufferRange, &options->buffer), kBufferRange.text);
    verb.parsed(
        {"--snapshot-signal", "SIGNAL",
         "With --buffer: this signal to a process copies what its buffer holds then into a file "
         "of its own: USR2, WINCH, ... With --arcs: it has gmon.out written"},
        signal_into(&options->snapshot_signal), kSignalText);
    verb.parsed({"--max-size", "SIZE",
                 "End the recording of a process when its file has so many bytes: 100M, 2G"},
                size(kMaxSizeRange, &options->max_size), kMaxSizeRange.text);
}

void add_steering(Verb& verb, RecordOptions* options) {
    verb.flag("--off", "Record nothing before `mipstrace control PID on`, or the --toggle-signal",
              &options->off);
    verb.parsed({"--toggle-signal", "SIGNAL",
                 "This signal to a process switches its recording off, and on again: USR1, ..."},
                signal_into(&options->toggle_signal), kSignalText);
    verb.parsed(
        {"--control", "URG|WINCH|no",
         "The signal by which the kernel tells a process of `mipstrace control`: one that "
         "the program does not handle (default: URG)"},
        [options](const std::string& name) {
            options->control = name;
            return name == "URG" || name == "WINCH" || name == "no";
        },
        "URG, WINCH or no");
}

// As the library takes it.
bool is_switched_on(const char* variable) {
    const char* value = getenv(variable);
    return value != nullptr && parse_switch(value).value_or(false);
}

void check_bounds(const RecordOptions& options) {
    if (options.buffer != 0 && options.max_size != 0)
        throw DataError("--buffer keeps a recording going that --max-size ends: give one of them",
                        kExitUsage);
    if (!options.toggle_signal.empty() &&
        parse_signal(options.toggle_signal) == parse_signal(options.snapshot_signal))
        throw DataError("--toggle-signal and --snapshot-signal must differ", kExitUsage);
    if (!options.snapshot_signal.empty() && options.buffer == 0 && !options.arcs)
        throw DataError("--snapshot-signal needs --buffer or --arcs", kExitUsage);
    if (options.histogram && !options.arcs) throw DataError("--histogram needs --arcs", kExitUsage);
    if (options.arcs && (options.buffer != 0 || options.max_size != 0 || options.depth != 0 ||
                         options.threshold_ns != 0 || !options.clock.empty() || options.off ||
                         !options.toggle_signal.empty()))
        throw DataError(
            "--arcs counts calls and records none: it goes with -F, -N, --histogram and "
            "--snapshot-signal only",
            kExitUsage);
}

}  // namespace

void add_record(CLI::App& app, Runner* run) {
    auto options = std::make_shared<RecordOptions>();
    const char* data = getenv("MIPSTRACE_DATA");
    options->output = data != nullptr && *data != '\0' ? data : kDefaultData;
    Verb verb(app, "record", "Run a program and record its calls");
    verb.text(
        {"-o,--output,-d,--data", "DIR",
         "Folder for the recording (default: $MIPSTRACE_DATA or mipstrace.data); an older one "
         "becomes DIR.old"},
        &options->output);
    verb.texts({"-F,--filter", "FUNC",
                "Only these functions: GLOB[@MODULE], several separated by ';' or given by several "
                "-F"},
               &options->filters);
    verb.texts({"-N,--notrace", "FUNC", "Not these functions; wins over -F"}, &options->notrace);
    verb.number({"-D,--depth", "DEPTH", "At most that many nested calls"}, &options->depth);
    add_time_filter(verb, &options->threshold_ns);
    add_bounds(verb, options.get());
    add_steering(verb, options.get());
    verb.flag(
        "--arcs",
        "Record nothing: count who calls whom, and write gmon.out (or GMON_OUT_PREFIX.PID) at "
        "exit, also by a signal; see `mipstrace arcs`, gprof",
        &options->arcs);
    verb.flag("--histogram", "With --arcs: sample where time is spent, too, for gprof",
              &options->histogram);
    verb.text(
        {"--sysroot", "DIR", "Libraries of a foreign machine's program (or MIPSTRACE_SYSROOT)"},
        &options->sysroot);
    add_run_options(verb, options.get());
    verb.does(run, [=] {
        options->arcs = options->arcs || is_switched_on("MIPSTRACE_ARCS");
        check_bounds(*options);
        return record(*options).pass_on();
    });
}

}  // namespace mipstrace::tools
