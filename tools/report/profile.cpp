#include "tools/report/profile.h"

#include <algorithm>
#include <map>

#include "tools/text/progress.h"

namespace mipstrace::tools {

namespace {

using Rows = std::vector<FunctionProfile>;

// Calls that are open on the stacks of coroutines, by stack and function.
using OpenElsewhere = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

void count_end(FunctionProfile& row, const Step& step, OpenElsewhere& elsewhere) {
    row.self_ns += step.self;
    if (step.went_on) {
        row.went_on++;
    } else {
        row.calls++;
        row.sum_ns += step.duration;
        row.min_ns = std::min(row.min_ns, step.duration);
        row.max_ns = std::max(row.max_ns, step.duration);
    }
    if (step.stack != 0) {
        const auto open = elsewhere.find({step.stack, step.function});
        if (--open->second != 0) return;
        elsewhere.erase(open);
    } else if (--row.open != 0) {
        return;
    }
    row.total_ns += step.duration;
}

void count_thread(CallStream stream, const Functions& functions, Progress& progress,
                  uint64_t chunks_before, Rows* rows, Profile* profile) {
    Step step;
    OpenElsewhere elsewhere;
    for (uint64_t steps = 1; stream.next(&step); steps++) {
        if (steps % 65536 == 0) progress.update(chunks_before + stream.reader().chunks_begun());
        if (step.kind == StepKind::lost || step.kind == StepKind::switched) continue;
        if (step.kind == StepKind::unseen_call) {
            profile->unseen_calls++;
            continue;
        }
        if (step.function >= rows->size()) rows->resize(functions.size());
        FunctionProfile& row = (*rows)[step.function];
        if (step.begins_call()) {
            if (step.stack == 0)
                row.open++;
            else
                elsewhere[{step.stack, step.function}]++;
            continue;
        }
        if (step.kind == StepKind::in_flight) profile->in_flight++;
        if (step.went_on) profile->went_on++;
        count_end(row, step, elsewhere);
    }
}

uint64_t value_of(const FunctionProfile& row, const std::string& key) {
    if (key == "self") return row.self_ns;
    if (key == "call") return row.calls;
    if (key == "avg") return row.avg_ns();
    if (key == "min") return row.shortest_ns();
    if (key == "max") return row.max_ns;
    return row.total_ns;
}

}  // namespace

Profile make_profile(View& view) {
    Profile profile;
    Rows rows;
    Progress progress(view.chunk_count(), false);
    uint64_t chunks = 0;
    for (const View::Source& source : view.sources()) {
        count_thread(view.stream(source), view.functions(), progress, chunks, &rows, &profile);
        chunks += source.thread->chunks.size();
    }
    for (size_t i = 0; i < rows.size(); i++) {
        if (!rows[i].is_seen()) continue;
        const Function& function = view.functions()[uint32_t(i)];
        rows[i].name = function.name;
        rows[i].module = function.module;
        if (!profile.functions.empty() && profile.functions.back().module != function.module)
            profile.has_modules = true;
        profile.functions.push_back(std::move(rows[i]));
    }
    return profile;
}

bool parse_sort_keys(const std::string& list, SortKeys* keys) {
    static const char* const known[] = {"total", "self", "call", "avg", "min", "max", "func"};
    keys->clear();
    for (size_t begin = 0; begin <= list.size();) {
        size_t end = std::min(list.find(',', begin), list.size());
        std::string key = list.substr(begin, end - begin);
        if (key == "calls") key = "call";
        if (key == "function" || key == "name") key = "func";
        if (std::find(std::begin(known), std::end(known), key) == std::end(known)) return false;
        keys->push_back(key);
        begin = end + 1;
    }
    return true;
}

void sort_profile(Profile* profile, const SortKeys& keys) {
    std::stable_sort(profile->functions.begin(), profile->functions.end(),
                     [&keys](const FunctionProfile& a, const FunctionProfile& b) {
                         for (const std::string& key : keys) {
                             if (key == "func") {
                                 if (a.name != b.name) return a.name < b.name;
                                 continue;
                             }
                             uint64_t x = value_of(a, key);
                             uint64_t y = value_of(b, key);
                             if (x != y) return x > y;
                         }
                         return a.name != b.name ? a.name < b.name : a.module < b.module;
                     });
}

}  // namespace mipstrace::tools
