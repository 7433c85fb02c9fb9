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

void add_nothing(OutBuffer& out) {
    out.spaces(2 + kColumn - 1);
    out.add('-');
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
        for (uint64_t ns : {row.avg_ns(), row.shortest_ns(), row.max_ns})
            row.calls != 0 ? add_time(out, ns) : add_nothing(out);
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
