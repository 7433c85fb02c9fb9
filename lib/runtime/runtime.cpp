#include "lib/runtime/runtime.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/raw_log.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/site_filter.h"
#include "lib/fgraph/thread_state.h"
#include "lib/record/cycle_counter.h"
#include "lib/record/event_writer.h"
#include "lib/record/fast_handlers.h"
#include "lib/record/overhead.h"
#include "lib/record/recorder.h"
#include "lib/record/snapshot.h"
#include "lib/record/value_rules.h"
#include "lib/runtime/call_arcs.h"
#include "lib/runtime/children.h"
#include "lib/runtime/counter_watch.h"
#include "lib/runtime/description.h"
#include "lib/runtime/limits.h"
#include "lib/runtime/modules.h"
#include "lib/runtime/signal_actions.h"
#include "lib/runtime/steering.h"
#include "lib/runtime/triggers.h"
#include "lib/runtime/values.h"

namespace mipstrace::runtime {

namespace {

char data_directory[768];
format::ClockId clock_in_use;
constexpr unsigned kNoSlot = FGRAPH_MAX_USERS;
unsigned recorder_slot = kNoSlot;

void report_core_loss(fgraph::Loss cause) {
    switch (cause) {
        case fgraph::Loss::no_memory:
            return record::count_loss(format::Loss::no_memory);
        case fgraph::Loss::too_deep:
            return record::count_loss(format::Loss::too_deep);
        case fgraph::Loss::recursion:
            return record::count_loss(format::Loss::recursion);
    }
}

// The folder as an absolute path, since the program may change directory.
bool find_directory(const Config& config) {
    const char* wanted = config.directory != nullptr ? config.directory : "mipstrace.data";
    size_t used = 0;
    if (wanted[0] != '/') {
        if (getcwd(data_directory, sizeof data_directory - 1) == nullptr) return false;
        used = strlen(data_directory);
        data_directory[used++] = '/';
    }
    if (used + strlen(wanted) >= sizeof data_directory) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(data_directory + used, wanted);
    return mkdir(data_directory, 0777) == 0 || errno == EEXIST;
}

bool open_trace_file() {
    if (!record::trace_file.create(data_directory, clock_in_use)) return false;
    describe_process();
    open_control_socket();
    return true;
}

// Frees the locks of threads that are the parent's alone. True if the child is to be steered before
// it can record anything: its file has the socket beside it.
bool begin_fork_child() {
    free_modules_after_fork();
    free_description_after_fork();
    leave_control_to_parent();
    forget_counter_watch();
    record::forget_snapshot();
    return sites.size() != 0 && waits_for_control();
}

void choose_clock(const Config& config) {
    clock_in_use = config.clock;
    if (config.clock != format::ClockId::cycles) return;
    const char* reason = record::why_no_cycle_counter(config.clock_forced);
    if (reason == nullptr) return;
    LogLine() << "the cycle counter " << reason << ", the recording uses the clock mono";
    clock_in_use = format::ClockId::mono;
}

// By the first page there is: before its module's functions are called for the first time.
void measure_overhead_once() {
    static bool is_measured;
    for (size_t m = 0; m < sites.size() && !is_measured; m++) {
        format::OverheadRecord overhead;
        if (sites[m].page == 0) continue;
        is_measured = true;
        if (record::measure_overhead(sites[m].page, clock_in_use, &overhead))
            describe_overhead(overhead);
    }
}

void note_new_modules() {
    if (recorder_slot != kNoSlot) count_sites_on(recorder_slot);
    if (recorder_slot != kNoSlot && !record::are_limited()) measure_overhead_once();
    describe_new_modules();
}

void say_why_none_is_on(const Config& config) {
    char nearest[256];
    LockHolder lock(fgraph::registry_lock);
    const std::string_view unmatched =
        fgraph::find_unmatched(config.filter, sites, nearest, sizeof nearest);
    LogLine line;
    if (unmatched.empty()) {
        line << "no function is left to record: -N, " << config.notrace
             << ", takes away all that -F chooses";
        return;
    }
    line << "no function that is loaded so far matches the filter " << config.filter;
    if (nearest[0] != '\0') line << "; there is " << static_cast<const char*>(nearest);
    line << "; `mipstrace sites PROG` lists the names";
}

void register_recorder(const Config& config) {
    read_limits(config, clock_in_use);
    read_triggers(config);
    fgraph_ops& ops = record::recorder_ops({clock_in_use, record::count_value_rules() != 0});
    ops.filter = config.filter;
    ops.notrace = config.notrace;
    if (config.off && can_trigger_trace_on())
        record::limits.is_off = true;
    else if (config.off)
        ops.flags |= FGRAPH_OPS_FL_PAUSED;
    if (const int error = fgraph::register_recorder(&ops); error != 0) {
        LogLine().error(-error) << ": the recorder can't be registered, nothing is recorded";
        return;
    }
    open_ways();
    recorder_slot = ops.slot;
    record_values();
    register_triggers();
    note_new_modules();
    prepare_steering(config, &ops);
    if (!record::trace_file.is_open()) return;
    open_control_socket();
    const format::FileHeader& header = record::trace_file.header();
    const bool any = header.sites[size_t(format::SiteState::ready)] != 0;
    if (header.sites_on == 0 && any && !config.off) say_why_none_is_on(config);
}

void say_what_was_found() {
    LogLine line;
    if (!record::trace_file.is_open()) {
        line << "no sites; a library that has some, loaded later, will be recorded";
        return;
    }
    const format::FileHeader& header = record::trace_file.header();
    line << uint64_t(header.sites[size_t(format::SiteState::ready)]) << " sites ready, "
         << uint64_t(header.sites_on) << " on, in " << sites.size()
         << (sites.size() == 1 ? " module" : " modules") << "; recording to "
         << record::trace_file.path();
}

}  // namespace

void start(const Config& config, int argc, const char* const* argv) {
    prepare_children();
    prepare_signal_actions();
    find_vdso_clock();
    keep_command_line(argc, argv);
    keep_options(config);
    fgraph::count_loss = report_core_loss;
    fgraph::prepare_threads(config.max_stack, record::close_writer);
    fgraph::set_main_stack_marker(argv);
    fgraph::set_site_table(&sites);
    if (config.arcs) return count_arcs(config);
    choose_clock(config);
    read_value_rules(config);
    find_modules(record::trampoline_targets(clock_in_use), note_new_modules);
    const bool follows = follow_loader();
    if (!find_directory(config)) {
        LogLine().error(errno) << ": can't make the folder "
                               << (config.directory != nullptr ? config.directory
                                                               : "mipstrace.data")
                               << ", nothing is recorded; choose another with MIPSTRACE_DATA";
        return;
    }
    if (!record::trace_file.set_bounds({config.buffer, config.max_size})) {
        LogLine() << "no memory for MIPSTRACE_BUFFER, nothing is recorded";
        return;
    }
    // Most programs that a traced one starts were not compiled for it: they leave no file.
    const bool has_sites = sites.size() != 0;
    if (has_sites && !open_trace_file()) return;
    record::trace_file.create_anew_with(open_trace_file, begin_fork_child);
    if (!has_sites) record::trace_file.put_off();
    pthread_atfork(nullptr, nullptr, record::begin_in_child);
    if (clock_in_use == format::ClockId::cycles) watch_cycle_counter();
    register_recorder(config);
    if (config.snapshot_signal != 0 &&
        !record::take_snapshots_on(config.snapshot_signal, config.verbose))
        LogLine().error(errno) << ": the signal for snapshots can't be caught, none are taken";
    if (!config.verbose) return;
    say_what_was_found();
    if (!follows)
        LogLine() << "libraries that are loaded later are not traced: the dynamic linker "
                  << "can't be made to tell of them";
}

void finish() {
    finish_arcs();
    if (!record::trace_file.is_open() || record::is_muted()) return;
    close_control_socket();
    format::FileHeader& header = record::trace_file.header();
    header.end_mono_ns = mono_ns();
    header.flags |= format::kFlagFinished;
}

}  // namespace mipstrace::runtime
