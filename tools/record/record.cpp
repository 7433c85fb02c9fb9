#include "tools/record/record.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "lib/base/signal_name.h"
#include "tools/model/data_error.h"
#include "tools/model/session.h"
#include "tools/record/auto_values.h"
#include "tools/record/child.h"
#include "tools/record/output_folder.h"
#include "tools/record/plugin.h"
#include "tools/record/program.h"
#include "tools/record/runtime_files.h"
#include "tools/record/triggers.h"
#include "tools/record/values.h"
#include "tools/text/say.h"
#include "tools/text/wording.h"
#include "tools/version.h"
#include "tools/view.h"

namespace mipstrace::tools {

namespace {

uint64_t realtime_ns() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec);
}

using Variables = std::vector<std::pair<std::string, std::string>>;

// The options as the runtime takes them. What is not given stays as the environment has it.
Variables runtime_variables(const RecordOptions& options, const std::string& folder) {
    Variables all;
    if (!folder.empty()) all.emplace_back("MIPSTRACE_DATA", folder);
    if (options.arcs) all.emplace_back("MIPSTRACE_ARCS", "1");
    if (options.histogram) all.emplace_back("MIPSTRACE_HISTOGRAM", "1");
    if (!options.clock.empty()) all.emplace_back("MIPSTRACE_CLOCK", options.clock);
    if (!options.filters.empty()) all.emplace_back("MIPSTRACE_FILTER", joined(options.filters));
    if (!options.notrace.empty()) all.emplace_back("MIPSTRACE_NOTRACE", joined(options.notrace));
    if (!options.arguments.empty())
        all.emplace_back("MIPSTRACE_ARGUMENT", rules_by_hand(options.arguments));
    if (!options.retvals.empty())
        all.emplace_back("MIPSTRACE_RETVAL", rules_by_hand(options.retvals));
    if (!options.triggers.empty()) all.emplace_back("MIPSTRACE_TRIGGER", joined(options.triggers));
    if (!options.stacks.empty()) all.emplace_back("MIPSTRACE_STACK", joined(options.stacks));
    if (options.stack_depth != 0)
        all.emplace_back("MIPSTRACE_STACK_DEPTH", std::to_string(options.stack_depth));
    if (options.depth != 0) all.emplace_back("MIPSTRACE_DEPTH", std::to_string(options.depth));
    if (options.threshold_ns != 0)
        all.emplace_back("MIPSTRACE_TIME", std::to_string(options.threshold_ns));
    if (options.buffer != 0) all.emplace_back("MIPSTRACE_BUFFER", std::to_string(options.buffer));
    if (options.max_size != 0)
        all.emplace_back("MIPSTRACE_MAX_SIZE", std::to_string(options.max_size));
    if (!options.snapshot_signal.empty())
        all.emplace_back("MIPSTRACE_SNAPSHOT_SIGNAL", options.snapshot_signal);
    if (!options.toggle_signal.empty())
        all.emplace_back("MIPSTRACE_TOGGLE_SIGNAL", options.toggle_signal);
    if (!options.control.empty()) all.emplace_back("MIPSTRACE_CONTROL", options.control);
    if (options.off) all.emplace_back("MIPSTRACE_OFF", "1");
    if (options.verbose) all.emplace_back("MIPSTRACE_VERBOSE", "1");
    return all;
}

// The library is before the plugins, which use it.
std::string with_plugins(const std::string& library, const RecordOptions& options,
                         const Program& program) {
    std::string list = library;
    for (const std::string& plugin : options.plugins)
        list += ":" + check_plugin(plugin, program.target);
    return list;
}

std::string preload_list(const std::string& ours) {
    const char* others = getenv("LD_PRELOAD");
    return others != nullptr && *others != '\0' ? ours + ":" + others : ours;
}

ChildCommand make_command(const RecordOptions& options, const Program& program,
                          const RuntimeFiles& runtime, const std::string& folder) {
    ChildCommand command;
    command.environment = runtime_variables(options, folder);
    command.passed_signals = {parse_signal(options.snapshot_signal),
                              parse_signal(options.toggle_signal)};
    if (runtime.qemu.empty()) {
        command.file = program.path;
        command.words = options.command;
        command.environment.emplace_back("LD_PRELOAD", preload_list(runtime.preload));
        return command;
    }
    command.file = runtime.qemu;
    command.words = {runtime.qemu};
    if (!program.target.cpu.empty()) {
        command.words.push_back("-cpu");
        command.words.push_back(program.target.cpu);
    }
    // By -E, because the emulator itself should not load it. The rest of the environment passes
    // through: -E would split a value at its commas.
    for (const std::string& word :
         {std::string("-L"), runtime.sysroot, std::string("-E"), "LD_PRELOAD=" + runtime.preload,
          std::string("-0"), options.command[0], program.path})
        command.words.push_back(word);
    command.words.insert(command.words.end(), options.command.begin() + 1, options.command.end());
    // For MIPS programs that the program runs, where the system hands them to an emulator.
    command.environment.emplace_back("QEMU_LD_PREFIX", runtime.sysroot);
    return command;
}

SessionInfo session_info(const RecordOptions& options, const Program& program,
                         const RuntimeFiles& runtime) {
    SessionInfo info;
    std::error_code error;
    info.tool_version = kVersion;
    info.command = options.command;
    info.program = std::filesystem::absolute(program.path, error).lexically_normal().string();
    info.cwd = std::filesystem::current_path(error).string();
    info.target = program.target.name;
    info.library = runtime.library;
    info.qemu = runtime.qemu;
    info.sysroot = runtime.sysroot;
    if (!options.clock.empty()) info.options.emplace_back("clock", options.clock);
    if (!options.filters.empty()) info.options.emplace_back("filter", joined(options.filters));
    if (!options.notrace.empty()) info.options.emplace_back("notrace", joined(options.notrace));
    if (!options.arguments.empty())
        info.options.emplace_back("argument", joined(options.arguments));
    if (options.auto_args) info.options.emplace_back("auto_args", "1");
    if (!options.retvals.empty()) info.options.emplace_back("retval", joined(options.retvals));
    if (!options.triggers.empty()) info.options.emplace_back("trigger", joined(options.triggers));
    if (!options.stacks.empty()) info.options.emplace_back("stack", joined(options.stacks));
    if (options.depth != 0) info.options.emplace_back("depth", std::to_string(options.depth));
    if (options.threshold_ns != 0)
        info.options.emplace_back("time", std::to_string(options.threshold_ns) + "ns");
    if (options.buffer != 0) info.options.emplace_back("buffer", std::to_string(options.buffer));
    if (options.max_size != 0)
        info.options.emplace_back("max_size", std::to_string(options.max_size));
    if (!options.snapshot_signal.empty())
        info.options.emplace_back("snapshot_signal", options.snapshot_signal);
    if (!options.toggle_signal.empty())
        info.options.emplace_back("toggle_signal", options.toggle_signal);
    if (options.off) info.options.emplace_back("off", "1");
    return info;
}

// Replaces the file as a whole; false, with errno, if that can't be done.
bool write_file(const std::string& path, const std::string& text) {
    std::string fresh = path + ".new";
    FILE* out = fopen(fresh.c_str(), "we");
    if (out == nullptr) return false;
    bool ok = fwrite(text.data(), 1, text.size(), out) == text.size();
    ok = fclose(out) == 0 && ok;
    if (ok && rename(fresh.c_str(), path.c_str()) == 0) return true;
    int error = errno;
    unlink(fresh.c_str());
    errno = error;
    return false;
}

bool write_info(const SessionInfo& info, const std::string& folder) {
    return write_file(folder + "/" + kSessionFile, info.to_json());
}

void say_command(const ChildCommand& command) {
    std::string text = "running";
    for (const std::string& word : command.words)
        text += " " + word;
    say(text);
}

void say_what_is_missing(const std::string& folder) {
    Session session(folder);
    for (const std::string& text : session.warnings())
        warn(text);
    if (!session.has_events())
        for (const std::string& text : why_nothing(session))
            say(text);
    std::string overwritten = overwritten_sentence(session);
    if (!overwritten.empty()) say(overwritten);
    std::string losses = losses_sentence(session);
    if (!losses.empty()) warn("not everything was recorded: " + losses);
}

}  // namespace

int ProgramEnd::pass_on() const {
    if (signal == 0) return status;
    // Its core, if any, is the one worth having.
    rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    ::signal(signal, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
    fflush(nullptr);
    raise(signal);
    return 128 + signal;
}

ProgramEnd record(const RecordOptions& options) {
    check_values(options);
    check_triggers(options);
    Program program = check_program(options.command[0], options.force);
    RuntimeFiles runtime = find_runtime(program, options);
    check_sites(program, options.force);
    const std::string rules = rules_from_debug_info(options, program);
    runtime.preload = with_plugins(runtime.library, options, program);
    if (options.arcs) {
        const ChildCommand command = make_command(options, program, runtime, "");
        if (options.verbose) say_command(command);
        return run_child(command);
    }
    const OutputFolder output(options.output);
    const std::string& folder = output.path();
    SessionInfo info = session_info(options, program, runtime);
    info.start_realtime_ns = realtime_ns();
    if (!write_info(info, folder))
        throw DataError("cannot write into " + folder + ": " + strerror(errno) +
                        "; choose another folder with -o");
    ChildCommand command = make_command(options, program, runtime, folder);
    if (!rules.empty()) {
        const std::string path = folder + "/" + kValueFile;
        if (!write_file(path, rules))
            throw DataError("cannot write " + path + ": " + strerror(errno));
        command.environment.emplace_back("MIPSTRACE_VALUES", path);
    }
    if (options.verbose) say_command(command);
    ProgramEnd end = run_child(command);
    info.end_realtime_ns = realtime_ns();
    if (end.signal != 0)
        info.signal = end.signal;
    else
        info.exit_status = end.status;
    if (!write_info(info, folder))
        warn("cannot note the program's end in " + folder + "/" + kSessionFile + ": " +
             strerror(errno));
    try {
        say_what_is_missing(folder);
    } catch (const DataError& error) {
        warn(error.what());
    }
    return end;
}

}  // namespace mipstrace::tools
