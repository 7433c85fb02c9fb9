#include <unistd.h>

#include <memory>

#include "tools/graph/graph_text.h"
#include "tools/model/data_error.h"
#include "tools/stacks/stack_tree.h"
#include "tools/verb.h"

namespace mipstrace::tools {

namespace {

struct GraphOptions {
    std::string patterns;
    bool by_stack = false;
    std::string folded;  // what its numbers are; empty: a graph
};

void write_graph(OutBuffer& out, const CallTree& tree, const Functions& functions,
                 const std::string& patterns) {
    if (patterns.empty()) return write_tree(out, tree, CallTree::kRoot, functions);
    if (!write_function_graph(out, tree, functions, patterns))
        throw DataError("no recorded call is of a function like '" + patterns +
                        "': `mipstrace report -s func` lists those that were called");
}

int graph(const ViewOptions& options, const GraphOptions& how) {
    if (!how.folded.empty() && !how.patterns.empty())
        throw DataError("--folded shows all stacks: choose some by -F", kExitUsage);
    View view(options);
    const bool by_stack = how.by_stack || !how.folded.empty();
    CallTree tree = by_stack ? make_stack_tree(view) : make_call_tree(view);
    const bool saw_calls = tree.size() > 1;
    if (by_stack && !saw_calls)
        throw DataError("no stacks were recorded: `mipstrace record --stack FUNC` does");
    OutBuffer out(STDOUT_FILENO);
    if (!how.folded.empty())
        write_folded(out, tree, view.functions(),
                     how.folded == "calls" ? Weight::calls : Weight::time);
    else if (saw_calls)
        write_graph(out, tree, view.functions(), how.patterns);
    out.flush();
    return view.finish(saw_calls);
}

}  // namespace

void add_graph(CLI::App& app, Runner* run) {
    auto view = std::make_shared<ViewOptions>();
    auto how = std::make_shared<GraphOptions>();
    Verb verb(app, "graph", "Show the merged call graph, with times and counts");
    add_input_options(verb, view.get());
    add_select_options(verb, view.get());
    add_call_filters(verb, view.get());
    add_subtract_overhead(verb, view.get());
    add_jobs(verb, view.get());
    verb.flag("--stack",
              "Of the calls whose stacks were recorded (record --stack) alone, with all callers, "
              "traced or not",
              &how->by_stack);
    verb.parsed(
        {"--folded", "calls|time",
         "The same as a line for each stack, with its calls or nanoseconds, for "
         "flamegraph.pl and the like"},
        [how](const std::string& text) {
            how->folded = text;
            return text == "calls" || text == "time";
        },
        "calls or time");
    verb.argument({"FUNC", "FUNC",
                   "Show who called the functions that match and what they called: "
                   "GLOB[@MODULE]"},
                  &how->patterns, false);
    verb.does(run, [=] { return graph(*view, *how); });
}

}  // namespace mipstrace::tools
