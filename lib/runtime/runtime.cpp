#include "lib/runtime/runtime.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/raw_log.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/thread_state.h"
#include "lib/patch/code_patcher.h"
#include "lib/patch/site_scanner.h"
#include "lib/patch/trampoline_page.h"
#include "lib/record/event_writer.h"
#include "lib/record/fast_handlers.h"
#include "lib/record/recorder.h"

namespace mipstrace::runtime {

namespace {

patch::SiteTable sites;
char data_directory[768];
format::ClockId clock_in_use;
// "NAME=value" of each option in force, each ended by NUL. Kept here because the environment is the
// program's to overwrite, and a forked child describes itself later.
char options_in_force[2048];
size_t options_size;
char command_line[4096];
size_t command_line_size;
uint32_t sites_on;  // for the recorder, at the start

static_assert(size_t(patch::SiteState::count_) == size_t(format::SiteState::count_) &&
              int(patch::SiteState::refused) == int(format::SiteState::refused));

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

void keep_command_line(int argc, const char* const* argv) {
    for (int i = 0; i < argc && argv[i] != nullptr; i++) {
        const size_t size = strlen(argv[i]) + 1;
        if (command_line_size + size > sizeof command_line) break;
        memcpy(command_line + command_line_size, argv[i], size);
        command_line_size += size;
    }
}

void add_module(const patch::Module& module) {
    format::ModuleRecord record{};
    record.load_bias = module.load_bias;
    record.text_vaddr = module.text_start - module.load_bias;
    record.text_size = module.text_size;
    record.pos_base = module.pos_base;
    for (size_t s = 0; s < size_t(patch::SiteState::count_); s++)
        record.sites[s] = module.by_state[s];
    const std::string_view path = module.path;
    record.build_id_size = uint16_t(module.build_id_size);
    record.path_size = uint16_t(path.size());
    record::trace_file.add_meta(format::MetaType::module,
                                {reinterpret_cast<const char*>(&record), sizeof record},
                                {module.build_id, module.build_id_size}, path);
}

void keep_option(std::string_view name, std::string_view value) {
    if (value.empty() || options_size + name.size() + value.size() + 2 > sizeof options_in_force)
        return;
    for (std::string_view part : {name, std::string_view("="), value, std::string_view("\0", 1)}) {
        memcpy(options_in_force + options_size, part.data(), part.size());
        options_size += part.size();
    }
}

void keep_option(std::string_view name, uint64_t value) {
    char digits[20];
    if (value != 0) keep_option(name, std::string_view(digits, format_decimal(value, digits)));
}

void keep_options(const Config& config) {
    keep_option("filter", config.filter);
    keep_option("notrace", config.notrace);
    keep_option("depth", config.max_depth);
    keep_option("time", config.min_duration_ns);
}

void describe_process() {
    using format::MetaType;
    record::TraceFile& file = record::trace_file;
    file.add_meta(MetaType::command, {command_line, command_line_size});
    char path[512];
    if (getcwd(path, sizeof path) != nullptr) file.add_meta(MetaType::cwd, path);
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
    if (size > 0) file.add_meta(MetaType::exe, {path, size_t(size)});
    for (size_t at = 0; at < options_size; at += strlen(options_in_force + at) + 1)
        file.add_meta(MetaType::option, options_in_force + at);
    for (size_t m = 0; m < sites.size(); m++) {
        add_module(sites[m]);
        for (size_t s = 0; s < size_t(patch::SiteState::count_); s++)
            file.header().sites[s] += sites[m].by_state[s];
    }
    file.header().sites_on = sites_on;
}

bool open_trace_file() {
    if (!record::trace_file.create(data_directory, clock_in_use)) return false;
    describe_process();
    return true;
}

// fork() leaves the child this one thread. Its calls that are open keep their frames; its events go
// to a file of its own, which is made at the first of them: most children exec at once.
void after_fork_in_child() {
    fgraph::forget_other_threads();
    record::reset_writer();
    record::trace_file.abandon();
}

void choose_clock(const Config& config) {
    clock_in_use = config.clock;
    if (config.clock == format::ClockId::cycles && !config.clock_forced &&
        !record::cycle_counter_runs()) {
        LogLine() << "the cycle counter stands still here (an emulator does not run it), the "
                  << "recording uses the clock mono";
        clock_in_use = format::ClockId::mono;
    }
}

record::RecorderOptions recorder_options(const Config& config) {
    record::RecorderOptions options;
    options.clock = clock_in_use;
    options.max_depth = config.max_depth;
    if (config.min_duration_ns != 0) {
        const uint64_t limit =
            config.min_duration_ns < 1u << 31 ? config.min_duration_ns : 1u << 31;
        options.min_duration =
            clock_in_use == format::ClockId::cycles ? record::cycles_of_ns(limit) : uint32_t(limit);
    }
    return options;
}

void make_sites_ready() {
    const patch::TrampolineTargets targets{
        reinterpret_cast<const void*>(clock_in_use == format::ClockId::cycles
                                          ? &record_enter_by_cycles
                                          : &record_enter_by_mono),
        static_cast<const void*>(&fgraph_handlers),
    };
    for (size_t m = 0; m < sites.size(); m++) {
        patch::Module& module = sites[m];
        const uintptr_t bias = module.text_start + mips::kSledBytes - module.pos_base;
        module.page = patch::make_trampoline_page(targets, bias);
        if (module.page == 0) {
            LogLine().error(errno)
                << ": no page below 2 GiB for " << module.base_name() << ", it is not traced";
            for (size_t i = 0; i < module.site_count; i++) {
                if (module.sites[i].state == patch::SiteState::ready)
                    module.sites[i].state = patch::SiteState::refused;
            }
        }
        patch::make_ready(module);
        if (module.by_state[size_t(patch::SiteState::refused)] != 0 && module.page != 0)
            LogLine() << "the system does not let the text of " << module.base_name()
                      << " be written, " << module.by_state[size_t(patch::SiteState::refused)]
                      << " functions are not traced";
    }
}

// A page that a module got, whichever; 0: none did.
uint32_t any_page() {
    for (size_t m = 0; m < sites.size(); m++) {
        if (sites[m].page != 0) return sites[m].page;
    }
    return 0;
}

void register_recorder(const Config& config) {
    const record::RecorderOptions options = recorder_options(config);
    fgraph_ops& ops = record::recorder_ops(options);
    ops.filter = config.filter;
    ops.notrace = config.notrace;
    if (const int error = register_ftrace_graph(&ops); error != 0) {
        LogLine().error(-error) << ": the recorder can't be registered, nothing is recorded";
        return;
    }
    if (options.max_depth == 0 && options.min_duration == 0 && any_page() != 0)
        record::install_fast_handlers(clock_in_use, ops.slot, any_page());
    sites_on = uint32_t(fgraph::count_sites_of(ops.slot));
    record::trace_file.header().sites_on = sites_on;
    const bool any = record::trace_file.header().sites[size_t(format::SiteState::ready)] != 0;
    if (sites_on == 0 && any && config.filter[0] != '\0')
        LogLine() << "no function matches the filter " << config.filter
                  << ", nothing is recorded; `mipstrace sites PROG` lists the names";
}

void say_what_was_found() {
    LogLine line;
    const format::FileHeader& header = record::trace_file.header();
    line << uint64_t(header.sites[size_t(format::SiteState::ready)]) << " sites ready, "
         << uint64_t(header.sites_on) << " on, in " << sites.size() << " modules; recording to "
         << record::trace_file.path();
}

}  // namespace

void start(const Config& config, int argc, const char* const* argv) {
    find_vdso_clock();
    keep_command_line(argc, argv);
    keep_options(config);
    fgraph::count_loss = report_core_loss;
    fgraph::prepare_threads(config.max_stack, record::close_writer);
    fgraph::set_main_stack_marker(argv);
    fgraph::set_site_table(&sites);
    patch::scan_loaded_objects(sites, reinterpret_cast<const void*>(&start));
    choose_clock(config);
    make_sites_ready();
    if (!find_directory(config)) {
        LogLine().error(errno) << ": can't make the folder "
                               << (config.directory != nullptr ? config.directory
                                                               : "mipstrace.data")
                               << ", nothing is recorded; choose another with MIPSTRACE_DATA";
        return;
    }
    if (!open_trace_file()) return;
    record::trace_file.create_anew_with(open_trace_file);
    pthread_atfork(nullptr, nullptr, after_fork_in_child);
    register_recorder(config);
    if (config.verbose) say_what_was_found();
}

void finish() {
    if (!record::trace_file.is_open()) return;
    format::FileHeader& header = record::trace_file.header();
    header.end_mono_ns = mono_ns();
    header.flags |= format::kFlagFinished;
}

}  // namespace mipstrace::runtime
