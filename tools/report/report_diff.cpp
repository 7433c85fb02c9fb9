#include <algorithm>
#include <map>

#include "tools/report/report_text.h"
#include "tools/text/csv.h"
#include "tools/text/time_text.h"

namespace mipstrace::tools {

namespace {

struct Sums {
    uint64_t calls = 0;
    uint64_t total_ns = 0;
    uint64_t self_ns = 0;
};

struct Pair {
    std::string name;
    std::string module;
    Sums before;
    Sums after;

    uint64_t change() const {
        return std::max(before.total_ns, after.total_ns) -
               std::min(before.total_ns, after.total_ns);
    }
};

using Pairs = std::map<std::pair<std::string, std::string>, Pair>;

void add(const Profile& profile, Sums Pair::*side, Pairs* pairs) {
    for (const FunctionProfile& row : profile.functions) {
        Pair& pair = (*pairs)[{row.name, row.module}];
        pair.name = row.name;
        pair.module = row.module;
        (pair.*side).calls += row.calls;
        (pair.*side).total_ns += row.total_ns;
        (pair.*side).self_ns += row.self_ns;
    }
}

// "   +1.234 us", eleven columns.
std::string change_text(uint64_t before, uint64_t after) {
    if (before == after) return std::string(11, ' ');
    std::string text = " " + time_text(after > before ? after - before : before - after);
    text[text.find_first_not_of(' ') - 1] = after > before ? '+' : '-';
    return text;
}

}  // namespace

void write_diff(OutBuffer& out, const Profile& before, const Profile& after, bool as_csv) {
    Pairs pairs;
    add(before, &Pair::before, &pairs);
    add(after, &Pair::after, &pairs);
    std::vector<Pair> rows;
    for (auto& [key, pair] : pairs)
        rows.push_back(std::move(pair));
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Pair& a, const Pair& b) { return a.change() > b.change(); });
    if (as_csv)
        out.add(
            "function,module,calls_before,calls_after,total_ns_before,total_ns_after,"
            "self_ns_before,self_ns_after\n");
    else
        out.add(
            "  Total before  Total after       Change  Self change  Calls before   Calls after"
            "  Function\n"
            "  ============  ===========  ===========  ===========  ============  ============"
            "  ====================\n");
    for (const Pair& row : rows) {
        if (as_csv) {
            out.add(csv_field(row.name) + "," + csv_field(row.module));
            for (uint64_t value : {row.before.calls, row.after.calls, row.before.total_ns,
                                   row.after.total_ns, row.before.self_ns, row.after.self_ns}) {
                out.add(',');
                out.number(value);
            }
            out.add("\n");
            continue;
        }
        out.add("    " + time_text(row.before.total_ns) + "   " + time_text(row.after.total_ns));
        out.add("  " + change_text(row.before.total_ns, row.after.total_ns));
        out.add("  " + change_text(row.before.self_ns, row.after.self_ns) + "  ");
        out.number(row.before.calls, 12);
        out.spaces(2);
        out.number(row.after.calls, 12);
        out.add("  " + row.name + "\n");
    }
}

}  // namespace mipstrace::tools
