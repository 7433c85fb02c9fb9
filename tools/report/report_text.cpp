#include "tools/report/report_text.h"

#include "tools/text/csv.h"
#include "tools/text/time_text.h"

namespace mipstrace::tools {

namespace {

constexpr size_t kColumn = 10;

void add_time(OutBuffer& out, uint64_t ns) {
    out.spaces(2);
    out.add(time_text(ns));
}

void add_csv_number(OutBuffer& out, uint64_t value) {
    out.add(',');
    out.number(value);
}

}  // namespace

void write_table(OutBuffer& out, const Profile& profile) {
    out.add("  Total time   Self time       Calls    Avg time    Min time    Max time  Function\n");
    for (int i = 0; i < 6; i++)
        out.add("  ==========");
    out.add("  ====================\n");
    for (const FunctionProfile& row : profile.functions) {
        add_time(out, row.total_ns);
        add_time(out, row.self_ns);
        out.spaces(2);
        out.number(row.calls, kColumn);
        add_time(out, row.avg_ns());
        add_time(out, row.shortest_ns());
        add_time(out, row.max_ns);
        out.spaces(2);
        out.add(row.name);
        if (profile.has_modules) out.add("  [" + row.module + "]");
        out.add("\n");
    }
}

void write_csv(OutBuffer& out, const Profile& profile) {
    out.add("function,module,calls,total_ns,self_ns,avg_ns,min_ns,max_ns\n");
    for (const FunctionProfile& row : profile.functions) {
        out.add(csv_field(row.name));
        out.add(',');
        out.add(csv_field(row.module));
        for (uint64_t value :
             {row.calls, row.total_ns, row.self_ns, row.avg_ns(), row.shortest_ns(), row.max_ns})
            add_csv_number(out, value);
        out.add("\n");
    }
}

}  // namespace mipstrace::tools
