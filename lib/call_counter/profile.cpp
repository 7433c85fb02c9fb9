#include "lib/call_counter/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include <atomic>

#include "lib/arcs/gmon_file.h"
#include "lib/arcs/gmon_writer.h"
#include "lib/arcs/histogram.h"
#include "lib/base/arena.h"
#include "lib/base/raw_log.h"
#include "lib/call_counter/call_counter.h"

namespace mipstrace::call_counter {

namespace {

struct ModuleFile {
    const CallSites* sites;
    gmon::GmonFile file;
    char suffix[256];
};

gmon::GmonFile program_file;
gmon::Histogram histogram;
uintptr_t program_entry;
bool is_child;
std::atomic_flag is_writing;

bool is_program(const CallSites& sites) {
    return program_entry - sites.start < sites.size;
}

uintptr_t first_address(const CallSites& sites) {
    return sites.start - sites.module->load_bias;
}

void write_arc(uintptr_t from, uintptr_t to, uint64_t count, void* writer) {
    static_cast<gmon::GmonWriter*>(writer)->arc(from, to, count);
}

bool has_arcs(const CallSites& sites) {
    bool any = false;
    for_each_arc(
        sites,
        [](uintptr_t, uintptr_t, uint64_t, void* found) { *static_cast<bool*>(found) = true; },
        &any);
    return any;
}

void write_file(const CallSites& sites, gmon::GmonFile& file) {
    const int fd = file.open(secure_getenv("GMON_OUT_PREFIX"));
    int error = fd < 0 ? -fd : 0;
    if (error == 0) {
        gmon::GmonWriter out(fd);
        gmon::Histogram samples{first_address(sites), first_address(sites) + sites.size};
        out.histogram(is_program(sites) && histogram.bin_count != 0 ? histogram : samples);
        for_each_arc(sites, write_arc, &out);
        error = file.close(out.finish());
    }
    if (error != 0)
        (LogLine() << "can't write " << file.name() << ": ").error(error);
    else if (file.was_evaded())
        LogLine() << "another process has written gmon.out meanwhile, this one's calls are in "
                  << file.name() << "; with GMON_OUT_PREFIX each process has a file of its own";
}

void write_library(const CallSites& sites) {
    if (!has_arcs(sites)) return;
    auto* own = map_objects<ModuleFile>(1);
    if (own == nullptr) return;
    new (&own->file) gmon::GmonFile;
    const std::string_view name = sites.module->base_name();
    own->suffix[0] = '.';
    memcpy(own->suffix + 1, name.data(), name.size() < 254 ? name.size() : 254);
    own->file.begin(own->suffix);
    if (is_child) own->file.begin_in_child();
    write_file(sites, own->file);
    unmap_pages(own, sizeof *own);
}

}  // namespace

void begin_profile() {
    program_entry = getauxval(AT_ENTRY);
    program_file.begin();
}

void sample_program() {
    if (histogram.bin_count != 0) return;
    for (const CallSites* at = all_sites(); at != nullptr; at = at->next) {
        if (!is_program(*at)) continue;
        const uintptr_t low = first_address(*at);
        histogram = gmon::start_histogram(low, low + at->size, at->module->load_bias);
        if (histogram.bin_count == 0)
            LogLine().error(errno) << ": the program's time can't be sampled";
        return;
    }
    LogLine() << "the program itself has no sites: its time is not sampled";
}

void write_profile() {
    if (is_writing.test_and_set()) return;
    const int saved_errno = errno;
    for (const CallSites* at = all_sites(); at != nullptr; at = at->next) {
        if (is_program(*at))
            write_file(*at, program_file);
        else
            write_library(*at);
    }
    if (lost_arcs() != 0)
        LogLine() << lost_arcs() << " calls are not counted: no memory for more arcs";
    errno = saved_errno;
    is_writing.clear();
}

void begin_profile_in_child() {
    is_child = true;
    program_file.begin_in_child();
    forget_counts();
    if (histogram.bin_count != 0) {
        histogram = {};
        sample_program();
    }
    is_writing.clear();
}

}  // namespace mipstrace::call_counter
