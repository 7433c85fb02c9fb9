#include "lib/runtime/call_arcs.h"

#include <pthread.h>

#include "lib/arcs/crash.h"
#include "lib/base/raw_log.h"
#include "lib/base/signal_handler.h"
#include "lib/call_counter/call_counter.h"
#include "lib/call_counter/profile.h"
#include "lib/fgraph/core.h"
#include "lib/record/event_writer.h"
#include "lib/record/fast_handlers.h"
#include "lib/runtime/modules.h"

namespace mipstrace::runtime {

namespace {

bool is_counting;

void begin_in_child() {
    free_modules_after_fork();
    record::begin_in_child();
    call_counter::begin_profile_in_child();
}

void keep_quiet() {}

}  // namespace

void count_arcs(const Config& config) {
    if (!call_counter::prepare()) {
        LogLine() << "no memory for the counters of calls, nothing is counted";
        return;
    }
    patch::TrampolineTargets targets = record::trampoline_targets(format::ClockId::mono);
    targets.at_sled = reinterpret_cast<const void*>(&count_arc);
    targets.at_call = reinterpret_cast<const void*>(&count_arc_at_call);
    targets.saved = nullptr;
    targets.data_of = call_counter::sites_of;
    find_modules(targets, keep_quiet);
    follow_loader();
    fgraph_ops& ops = call_counter::counter_ops();
    ops.filter = config.filter;
    ops.notrace = config.notrace;
    if (const int error = fgraph::register_recorder(&ops); error != 0) {
        LogLine().error(-error) << ": the counter can't be registered, nothing is counted";
        return;
    }
    is_counting = true;
    call_counter::begin_profile();
    if (config.histogram) call_counter::sample_program();
    pthread_atfork(nullptr, nullptr, begin_in_child);
    gmon::dump_on_crash(call_counter::write_profile);
    if (config.snapshot_signal == 0) return;
    const int error = install_handler(
        config.snapshot_signal, [](int) { call_counter::write_profile(); }, false);
    if (error != 0)
        LogLine().error(error)
            << ": the signal for gmon.out can't be caught, it is written at exit";
}

bool is_counting_arcs() {
    return is_counting;
}

void finish_arcs() {
    if (is_counting) call_counter::write_profile();
}

}  // namespace mipstrace::runtime
