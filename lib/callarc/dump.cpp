// Writes what was counted: at exit, on request, and, where CALLARC_ON_CRASH asks for it, when a
// signal ends the program.
#include <errno.h>
#include <mipstrace/callarc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>

#include "lib/arcs/crash.h"
#include "lib/arcs/gmon_file.h"
#include "lib/arcs/gmon_writer.h"
#include "lib/arcs/histogram.h"
#include "lib/base/raw_log.h"
#include "lib/callarc/bounds.h"
#include "lib/callarc/module.h"

using namespace mipstrace;
using namespace mipstrace::callarc;

namespace {

Module module;
gmon::Histogram histogram;
gmon::GmonFile file;
char suffix[256];
std::atomic_flag is_dumping;

uintptr_t number(const void* address) {
    return reinterpret_cast<uintptr_t>(address);
}

// What a call of `callee` enters.
const void* behind_thunk(const void* callee) {
    for (const CallArcThunk& at : counters.thunks)
        if (at.thunk == callee) return at.function;
    return callee;
}

// Calls of other modules are left out: a gmon.out is about one file.
void write_arc(gmon::GmonWriter& out, const void* from, const void* to, uint64_t count) {
    if (count == 0 || !module.holds(number(to))) return;
    out.arc(number(from) - module.bias, number(to) - module.bias, count);
}

void write_arcs(gmon::GmonWriter& out) {
    for (const CallArc& arc : counters.arcs)
        write_arc(out, arc.from, arc.to, arc.count);
    for (const CallArcList& list : counters.lists) {
        const CallArcCons* at = __atomic_load_n(&list.first, __ATOMIC_ACQUIRE);
        for (; at != nullptr; at = at->next)
            write_arc(out, list.from, behind_thunk(at->func_addr), at->count);
    }
}

// The counts so far are the parent's.
void begin_in_child() {
    for (CallArc& arc : counters.arcs)
        arc.count = 0;
    for (CallArcList& list : counters.lists)
        for (CallArcCons* at = list.first; at != nullptr; at = at->next)
            at->count = 0;
    file.begin_in_child();
    is_dumping.clear();
}

bool is_set(const char* name) {
    const char* value = secure_getenv(name);
    return value != nullptr && *value != '\0' && strcmp(value, "0") != 0;
}

// First, so that a program's constructors may already ask for a file.
__attribute__((constructor(101))) void begin() {
    module = find_own_module();
    if (*module.path != '\0') {
        const char* slash = strrchr(module.path, '/');
        suffix[0] = '.';
        strncpy(suffix + 1, slash != nullptr ? slash + 1 : module.path, sizeof suffix - 2);
    }
    histogram.low = module.low;
    histogram.high = module.high;
    file.begin(suffix);
    pthread_atfork(nullptr, nullptr, begin_in_child);
    if (*module.path != '\0') return;  // signals are the program's
    if (is_set("CALLARC_HISTOGRAM")) {
        histogram = gmon::start_histogram(module.low, module.high, module.bias);
        if (histogram.bin_count == 0)
            LogLine("callarc").error(errno) << ": the program's time can't be sampled";
    }
    if (is_set("CALLARC_ON_CRASH")) gmon::dump_on_crash([] { callarc_dump(); });
}

// Last, when the program's destructors have made their calls.
__attribute__((destructor(101))) void end() {
    callarc_dump();
}

}  // namespace

int callarc_dump() {
    if (is_dumping.test_and_set()) return EBUSY;
    const int saved_errno = errno;
    const int fd = file.open(secure_getenv("GMON_OUT_PREFIX"));
    int error = fd < 0 ? -fd : 0;
    if (error == 0) {
        gmon::GmonWriter out(fd);
        out.histogram(histogram);
        write_arcs(out);
        error = file.close(out.finish());
    }
    if (error != 0)
        (LogLine("callarc") << "can't write " << file.name() << ": ").error(error);
    else if (file.was_evaded())
        LogLine("callarc")
            << "another process has written gmon.out meanwhile, this one's calls are "
            << "in " << file.name() << "; with GMON_OUT_PREFIX each process has a file of its own";
    errno = saved_errno;
    is_dumping.clear();
    return error;
}
