// Everything that the commands do with one trace file. What they print is thrown away; what they
// take the calls for is compared.
#include <fcntl.h>

#include <cstdint>
#include <map>

#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"
#include "tools/graph/graph_text.h"
#include "tools/info/info.h"
#include "tools/model/data_error.h"
#include "tools/replay/replay.h"
#include "tools/report/profile.h"
#include "tools/report/report_text.h"
#include "tools/stacks/stack_tree.h"

using namespace mipstrace;
using namespace mipstrace::tools;

namespace {

struct Totals {
    uint64_t calls = 0;
    uint64_t went_on = 0;
    uint64_t in_flight = 0;
    uint64_t unseen_calls = 0;
    uint64_t self_ns = 0;
    uint64_t sum_ns = 0;
    uint64_t outermost_ns = 0;
};

int nowhere() {
    static const int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    return fd;
}

void check_events(const TraceFile& file, const Thread& thread) {
    FUZZ_CHECK(!thread.chunks.empty());
    EventReader reader(file, thread);
    Event event;
    uint64_t before = 0;
    while (reader.next(&event)) {
        FUZZ_CHECK(event.time >= before);
        before = event.time;
        if (event.kind == EventKind::lost) FUZZ_CHECK(event.detail < thread.chunks.size());
    }
    FUZZ_CHECK(!reader.next(&event));
}

// Steps come in the order of their times, calls begin inside of open ones, and each of them ends.
void add_steps(CallStream stream, const Thread& thread, Totals* totals) {
    std::map<uint32_t, Step> open;  // by their numbers
    Step step;
    uint64_t before = 0;
    while (stream.next(&step)) {
        FUZZ_CHECK(step.time >= before);
        before = step.time;
        if (step.kind == StepKind::lost) {
            FUZZ_CHECK(step.function < thread.chunks.size());
        } else if (step.kind == StepKind::unseen_call) {
            totals->unseen_calls++;
        } else if (step.kind == StepKind::noted) {
            FUZZ_CHECK(step.call == kNone || open.contains(step.call));
        } else if (step.kind == StepKind::switched) {
            FUZZ_CHECK(step.call == kNone);
        } else if (step.kind == StepKind::callers) {
            FUZZ_CHECK(open.contains(step.call) && step.values != 0);
        } else if (step.begins_call()) {
            auto caller = open.find(step.caller);
            FUZZ_CHECK(caller != open.end() ? step.depth == caller->second.depth + 1
                                            : step.depth == 0);
            FUZZ_CHECK(open.emplace(step.call, step).second);
        } else {
            auto call = open.find(step.call);
            FUZZ_CHECK(step.ends_call() && call != open.end());
            const Step& begin = call->second;
            FUZZ_CHECK(begin.function == step.function && begin.depth == step.depth);
            FUZZ_CHECK(step.duration <= step.time - begin.time && step.self <= step.duration);
            FUZZ_CHECK(step.went_on == (begin.kind == StepKind::goes_on));
            totals->calls += !step.went_on;
            totals->went_on += step.went_on;
            totals->in_flight += step.kind == StepKind::in_flight;
            totals->self_ns += step.self;
            if (!step.went_on) totals->sum_ns += step.duration;
            if (step.depth == 0) totals->outermost_ns += step.duration;
            open.erase(call);
        }
    }
    FUZZ_CHECK(open.empty() && stream.peek() == nullptr);
}

void check_profile(View& view, const Totals& totals) {
    Profile profile = make_profile(view);
    Totals sum;
    for (const FunctionProfile& row : profile.functions) {
        FUZZ_CHECK(row.is_seen() && row.open == 0 && row.shortest_ns() <= row.max_ns);
        sum.calls += row.calls;
        sum.self_ns += row.self_ns;
        sum.sum_ns += row.sum_ns;
    }
    FUZZ_CHECK(sum.calls == totals.calls && sum.self_ns == totals.self_ns);
    FUZZ_CHECK(sum.sum_ns == totals.sum_ns && profile.in_flight == totals.in_flight);
    FUZZ_CHECK(profile.unseen_calls == totals.unseen_calls && profile.went_on == totals.went_on);
    OutBuffer out(nowhere());
    for (const char* key : {"total", "avg", "func"}) {
        sort_profile(&profile, {key});
        write_table(out, profile);
        write_csv(out, profile);
    }
    write_diff(out, profile, profile, false);
    out.flush();
}

void check_tree(View& view, const Totals& totals) {
    CallTree tree = make_call_tree(view);
    uint64_t calls = 0;
    uint64_t outermost_ns = 0;
    for (uint32_t node = 1; node < tree.size(); node++) {
        FUZZ_CHECK(tree[node].parent < node);
        calls += tree[node].calls;
        if (tree[node].parent == CallTree::kRoot) outermost_ns += tree[node].total_ns;
    }
    FUZZ_CHECK(calls == totals.calls && outermost_ns == totals.outermost_ns);
    OutBuffer out(nowhere());
    write_tree(out, tree, CallTree::kRoot, view.functions());
    bool found = write_function_graph(out, tree, view.functions(), "*");
    FUZZ_CHECK(found == (tree.size() != 1));
    write_function_graph(out, tree, view.functions(), "*a*;unknown*");
    out.flush();
}

void check_stacks(View& view) {
    CallTree tree = make_stack_tree(view);
    OutBuffer out(nowhere());
    write_tree(out, tree, CallTree::kRoot, view.functions());
    write_folded(out, tree, view.functions(), Weight::time);
    out.flush();
}

void check_view(const ViewOptions& options) {
    View view(options);
    Totals totals;
    FunctionsOfReader functions(view.functions());
    for (const View::Source& source : view.sources()) {
        check_events(*source.file, *source.thread);
        add_steps(view.stream(source, functions), *source.thread, &totals);
    }
    check_profile(view, totals);
    check_tree(view, totals);
    check_stacks(view);
    ReplayOptions every_column;
    every_column.fields = *parse_fields("duration,tid,time,elapsed,delta");
    every_column.splits_leaves = options.depth != 0;
    replay(view, every_column, nowhere());
}

void check_info(const std::string& path) {
    Session session(path);
    OutBuffer out(nowhere());
    write_info(out, session);
    write_info_json(out, session);
    out.flush();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::MemoryFile file(data, size);
    try {
        ViewOptions plain;
        plain.input = file.path();
        check_view(plain);
        ViewOptions shallow = plain;
        shallow.depth = 2;
        shallow.threshold_ns = 1000;
        shallow.no_demangle = true;
        check_view(shallow);
        ViewOptions chosen = plain;
        chosen.filters = {"*a*", "*+0x*c"};
        chosen.notrace = {"*b*"};
        chosen.depth = 3;
        check_view(chosen);
        ViewOptions leading = shallow;
        leading.callers_of = {"*a*"};
        leading.hidden = {"*b*"};
        check_view(leading);
        ViewOptions part = plain;
        part.range = *parse_time_range("1us~1ms");
        part.jobs = 2;
        check_view(part);
        check_info(file.path());
        ViewOptions less = plain;  // last: many files are refused
        less.subtracts_overhead = true;
        check_view(less);
    } catch (const DataError&) {
        // One clear sentence: what a file that can't be read is to get.
    }
    return 0;
}
