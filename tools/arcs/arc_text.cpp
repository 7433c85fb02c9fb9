#include "tools/arcs/arc_text.h"

#include <cstdio>

#include "tools/text/csv.h"

namespace mipstrace::tools {

namespace {

constexpr size_t kColumn = 12;

void add_list(OutBuffer& out, const char* word, const std::vector<NamedArc>& arcs,
              const ArcTable& table) {
    for (const NamedArc& arc : arcs) {
        out.number(arc.count, kColumn);
        out.add(std::string("    ") + word + " " + table.functions[arc.other].name + "\n");
    }
}

void add_seconds(OutBuffer& out, const ArcTable& table, uint64_t samples) {
    if (!table.has_samples) return;
    char text[32];
    snprintf(text, sizeof text, "  %.2f s", double(samples) / table.rate);
    out.add(text);
}

bool is_shown(const ArcFunction& function) {
    return function.name != kSpontaneous;
}

// "(3) name" the first time, "(3)" later: callgrind's own way to be short.
class Names {
  public:
    explicit Names(const ArcTable& table) : table_(table), seen_(table.functions.size()) {}

    std::string operator()(size_t function) {
        std::string text = "(" + std::to_string(function + 1) + ")";
        if (!seen_[function]) text += " " + table_.functions[function].name;
        seen_[function] = true;
        return text;
    }

  private:
    const ArcTable& table_;
    std::vector<bool> seen_;
};

}  // namespace

void write_arcs(OutBuffer& out, const ArcTable& table) {
    out.add("       calls  function\n");
    for (const ArcFunction& function : table.functions) {
        if (!is_shown(function)) continue;
        out.number(function.calls, kColumn);
        out.add("  " + function.name);
        add_seconds(out, table, function.samples);
        out.add("\n");
        add_list(out, "from", function.callers, table);
        add_list(out, "to  ", function.callees, table);
        out.add("\n");
    }
}

void write_arcs_csv(OutBuffer& out, const ArcTable& table) {
    out.add("caller,callee,calls\n");
    for (const ArcFunction& function : table.functions) {
        for (const NamedArc& arc : function.callers)
            out.add(csv_field(table.functions[arc.other].name) + "," + csv_field(function.name) +
                    "," + std::to_string(arc.count) + "\n");
    }
}

void write_callgrind(OutBuffer& out, const ArcTable& table, const std::string& program) {
    const std::string no_samples = table.has_samples ? " 0" : "";
    uint64_t calls = 0, samples = 0;
    for (const ArcFunction& function : table.functions) {
        calls += function.calls;
        samples += function.samples;
    }
    out.add(
        "# callgrind format\nversion: 1\ncreator: mipstrace arcs\npositions: line\nevents: Calls");
    out.add(table.has_samples ? " Samples\n" : "\n");
    out.add("summary: " + std::to_string(calls) +
            (table.has_samples ? " " + std::to_string(samples) : "") + "\n\nob=" + program +
            "\nfl=???\n");
    Names name(table);
    for (size_t i = 0; i < table.functions.size(); i++) {
        const ArcFunction& function = table.functions[i];
        out.add("fn=" + name(i) + "\n0 " + std::to_string(function.calls));
        out.add(table.has_samples ? " " + std::to_string(function.samples) + "\n" : "\n");
        for (const NamedArc& arc : function.callees) {
            const std::string count = std::to_string(arc.count);
            out.add("cfn=" + name(arc.other) + "\ncalls=" + count + " 0\n0 " + count + no_samples +
                    "\n");
        }
        out.add("\n");
    }
}

}  // namespace mipstrace::tools
