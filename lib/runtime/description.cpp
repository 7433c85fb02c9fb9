#include "lib/runtime/description.h"

#include <string.h>
#include <unistd.h>

#include "lib/base/block_signals.h"
#include "lib/base/clock.h"
#include "lib/base/lock.h"
#include "lib/base/raw_log.h"
#include "lib/fgraph/core.h"
#include "lib/record/event_writer.h"
#include "lib/record/value_file.h"
#include "lib/record/value_rules.h"
#include "lib/runtime/modules.h"
#include "lib/runtime/objects.h"

namespace mipstrace::runtime {

namespace {

using format::MetaType;
using record::trace_file;

// "NAME=value" of each option in force, each ended by NUL.
char options_in_force[2048];
size_t options_size;
char command_line[4096];
size_t command_line_size;

Lock lock;         // of what follows, and of the file's metadata
size_t described;  // modules, in the file of now
size_t counted;    // modules, in sites_on
std::atomic<uint32_t> sites_on;
format::OverheadRecord overhead;
bool has_overhead;

static_assert(size_t(patch::SiteState::count_) == size_t(format::SiteState::count_) &&
              int(patch::SiteState::entry_only) == int(format::SiteState::entry_only));

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

void add_module(const patch::Module& module) {
    format::ModuleRecord record{};
    record.load_bias = module.load_bias;
    record.text_vaddr = module.text_start - module.load_bias;
    record.text_size = module.text_size;
    record.pos_base = module.pos_base;
    for (size_t s = 0; s < size_t(patch::SiteState::count_); s++) {
        record.sites[s] = module.by_state[s];
        trace_file.header().sites[s] += module.by_state[s];
    }
    const std::string_view path = module.path;
    record.build_id_size = uint16_t(module.file.build_id_size);
    record.path_size = uint16_t(path.size());
    trace_file.add_meta(MetaType::module, {reinterpret_cast<const char*>(&record), sizeof record},
                        {module.file.build_id, module.file.build_id_size}, path);
}

void add_overhead() {
    trace_file.add_meta(MetaType::overhead,
                        {reinterpret_cast<const char*>(&overhead), sizeof overhead});
}

void add_new_modules() {
    for (; described < count_ready_modules(); described++)
        add_module(sites[described]);
    trace_file.header().sites_on = sites_on;
}

}  // namespace

void keep_command_line(int argc, const char* const* argv) {
    for (int i = 0; i < argc && argv[i] != nullptr; i++) {
        const size_t size = strlen(argv[i]) + 1;
        if (command_line_size + size > sizeof command_line) break;
        memcpy(command_line + command_line_size, argv[i], size);
        command_line_size += size;
    }
}

void keep_options(const Config& config) {
    keep_option("filter", config.filter);
    keep_option("notrace", config.notrace);
    keep_option("argument", config.argument);
    keep_option("retval", config.retval);
    keep_option("trigger", config.trigger);
    keep_option("stack", config.stack);
    keep_option("depth", config.max_depth);
    keep_option("time", config.min_duration_ns);
    keep_option("buffer", config.buffer);
    keep_option("max_size", config.max_size);
    keep_option("off", uint64_t(config.off));
}

void describe_process() {
    LockHolder holder(lock);
    trace_file.add_meta(MetaType::command, {command_line, command_line_size});
    char path[512];
    if (getcwd(path, sizeof path) != nullptr) trace_file.add_meta(MetaType::cwd, path);
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
    if (size > 0) trace_file.add_meta(MetaType::exe, {path, size_t(size)});
    for (size_t at = 0; at < options_size; at += strlen(options_in_force + at) + 1)
        trace_file.add_meta(MetaType::option, options_in_force + at);
    for (unsigned number = 1; number <= record::count_value_rules(); number++) {
        if (record::value_rule(number).count == 0) continue;
        const format::RuleRecord rule{number, 0};
        trace_file.add_meta(MetaType::rule, {reinterpret_cast<const char*>(&rule), sizeof rule},
                            record::value_rule(number).text);
    }
    record::for_each_enumeration(
        [](std::string_view text) { trace_file.add_meta(MetaType::enumeration, text); });
    if (has_overhead) add_overhead();
    described = 0;
    add_new_modules();
    begin_objects();
    add_new_objects();
}

void describe_overhead(const format::OverheadRecord& measured) {
    BlockSignals quiet;
    LockHolder holder(lock);
    overhead = measured;
    has_overhead = true;
    if (trace_file.is_open()) add_overhead();
}

void describe_new_modules() {
    BlockSignals quiet;  // a handler that traces may want to make the file, and describe it
    LockHolder holder(lock);
    // Without a file: whoever makes one describes them all.
    if (!trace_file.is_open()) return;
    add_new_modules();
    add_new_objects();
}

void count_sites_on(unsigned slot) {
    for (; counted < count_ready_modules(); counted++)
        sites_on += uint32_t(fgraph::count_sites_of(slot, sites[counted]));
}

void recount_sites_on(unsigned slot) {
    BlockSignals quiet;
    LockHolder holder(lock);
    uint32_t on = 0;
    for (size_t m = 0; m < counted; m++)
        on += uint32_t(fgraph::count_sites_of(slot, sites[m]));
    sites_on = on;
    if (trace_file.is_open()) trace_file.header().sites_on = on;
}

bool are_sites_on() {
    return sites_on != 0;
}

bool describe_marker(std::string_view text) {
    BlockSignals quiet;
    LockHolder holder(lock);
    if (!trace_file.is_open()) return false;
    const format::MarkerRecord record{mono_ns()};
    trace_file.add_meta(MetaType::marker, {reinterpret_cast<const char*>(&record), sizeof record},
                        text);
    return true;
}

void free_description_after_fork() {
    lock.free_after_fork();
}

}  // namespace mipstrace::runtime
