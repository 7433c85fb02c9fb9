#include "lib/runtime/counter_watch.h"

#include <errno.h>

#include "lib/base/raw_log.h"
#include "lib/base/syscall.h"
#include "lib/control/helper_thread.h"
#include "lib/fgraph/thread_state.h"
#include "lib/record/event_writer.h"

namespace mipstrace::runtime {

namespace {

control::HelperThread helper;

// A reader can tell a silence of up to half a wrap. No counter ticks faster than at 2 GHz, so two
// of these are less.
constexpr long kPauseNs = 500'000'000;

// Who goes on after its cursor was parked wakes the helper, so it does this once more.
void park_after_pause() {
    fgraph::this_thread = &fgraph::gone_thread;
    const KernelTimespec pause{0, kPauseNs};
    raw_syscall(SYS_nanosleep, &pause, nullptr);
    record::park_cursors();
}

}  // namespace

void watch_cycle_counter() {
    if (!helper.prepare(park_after_pause, &fgraph::this_thread)) {
        LogLine().error(errno) << ": the wraps of the cycle counter can't be watched, times behind "
                                  "a long silence of a thread may be wrong";
        return;
    }
    record::on_clocks_noted = [] { helper.wake(); };
}

void forget_counter_watch() {
    helper.forget();
}

}  // namespace mipstrace::runtime
