#include <unistd.h>

#include <memory>

#include "tools/graph/graph_text.h"
#include "tools/model/data_error.h"
#include "tools/verb.h"

namespace mipstrace::tools {

namespace {

int graph(const ViewOptions& options, const std::string& patterns) {
    View view(options);
    CallTree tree = make_call_tree(view);
    bool saw_calls = tree.size() > 1;
    OutBuffer out(STDOUT_FILENO);
    if (saw_calls && !patterns.empty()) {
        if (!write_function_graph(out, tree, view.functions(), patterns))
            throw DataError("no recorded call is of a function like '" + patterns +
                            "': `mipstrace report -s func` lists those that were called");
    } else if (saw_calls) {
        write_tree(out, tree, CallTree::kRoot, view.functions());
    }
    out.flush();
    return view.finish(saw_calls);
}

}  // namespace

void add_graph(CLI::App& app, Runner* run) {
    auto view = std::make_shared<ViewOptions>();
    auto patterns = std::make_shared<std::string>();
    Verb verb(app, "graph", "Show the merged call graph, with times and counts");
    add_input_options(verb, view.get());
    add_select_options(verb, view.get());
    add_call_filters(verb, view.get());
    add_subtract_overhead(verb, view.get());
    add_jobs(verb, view.get());
    verb.argument({"FUNC", "FUNC",
                   "Show who called the functions that match and what they called: "
                   "GLOB[@MODULE]"},
                  patterns.get(), false);
    verb.does(run, [=] { return graph(*view, *patterns); });
}

}  // namespace mipstrace::tools
