#include "tools/report/profile.h"

#include <algorithm>
#include <map>

#include "tools/shares.h"

namespace mipstrace::tools {

namespace {

// What one share of the recording's threads sums up to.
struct Tally {
    std::vector<CallCounts> rows;  // by number of the function
    std::vector<uint32_t> order;   // FunctionsOfReader's
    uint64_t in_flight = 0;
    uint64_t went_on = 0;
    uint64_t unseen_calls = 0;
};

// Calls that are open on the stacks of coroutines, by stack and function.
using OpenElsewhere = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

void count_end(CallCounts& row, const Step& step, OpenElsewhere& elsewhere) {
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

void count_thread(CallStream stream, ShareProgress& progress, Tally* tally) {
    Step step;
    OpenElsewhere elsewhere;
    while (stream.next(&step)) {
        progress.step(stream);
        if (!step.begins_call() && !step.ends_call()) {
            if (step.kind == StepKind::unseen_call) tally->unseen_calls++;
            continue;
        }
        if (step.function >= tally->rows.size()) tally->rows.resize(step.function + 1);
        CallCounts& row = tally->rows[step.function];
        if (step.begins_call()) {
            if (step.stack == 0)
                row.open++;
            else
                elsewhere[{step.stack, step.function}]++;
            continue;
        }
        if (step.kind == StepKind::in_flight) tally->in_flight++;
        if (step.went_on) tally->went_on++;
        count_end(row, step, elsewhere);
    }
    progress.end(stream);
}

Tally count_share(View& view, Share share, Progress& all) {
    Tally tally;
    FunctionsOfReader functions(view.functions());
    ShareProgress progress(all);
    for (const View::Source& source : share)
        count_thread(view.stream(source, functions), progress, &tally);
    tally.order = functions.order();
    return tally;
}

void add_row(CallCounts& sum, const CallCounts& row) {
    sum.calls += row.calls;
    sum.total_ns += row.total_ns;
    sum.self_ns += row.self_ns;
    sum.sum_ns += row.sum_ns;
    sum.min_ns = std::min(sum.min_ns, row.min_ns);
    sum.max_ns = std::max(sum.max_ns, row.max_ns);
    sum.went_on += row.went_on;
}

// Functions come in the order in which they were met, whatever the shares.
Profile sum_up(const std::vector<Tally>& tallies, const Functions& functions) {
    Profile profile;
    std::vector<bool> is_done(functions.size());
    for (const Tally& tally : tallies) {
        profile.in_flight += tally.in_flight;
        profile.went_on += tally.went_on;
        profile.unseen_calls += tally.unseen_calls;
        for (const uint32_t number : tally.order) {
            if (is_done[number]) continue;
            is_done[number] = true;
            const Function& function = functions[number];
            FunctionProfile row{{}, function.name, function.module};
            for (const Tally& its : tallies)
                if (number < its.rows.size()) add_row(row, its.rows[number]);
            if (!row.is_seen()) continue;
            if (!profile.functions.empty() && profile.functions.back().module != row.module)
                profile.has_modules = true;
            profile.functions.push_back(std::move(row));
        }
    }
    return profile;
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
    const std::vector<Tally> tallies = read_shares(view, [&view](Share share, Progress& progress) {
        return count_share(view, share, progress);
    });
    return sum_up(tallies, view.functions());
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
