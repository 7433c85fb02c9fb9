#include "tools/stacks/stack_tree.h"

#include <algorithm>

#include "tools/shares.h"
#include "tools/stacks/stack_record.h"

namespace mipstrace::tools {

namespace {

// Calls and times of a node and of all around it.
void add_along(CallTree* tree, uint32_t node, uint64_t calls, uint64_t ns) {
    for (; node != CallTree::kRoot; node = (*tree)[node].parent) {
        tree->at(node).calls += calls;
        tree->at(node).total_ns += ns;
    }
}

uint32_t node_of(CallTree* tree, Functions& functions, const TraceFile& file, const Step& step) {
    const RecordedStack stack = read_stack(file, step.values, step.time, functions);
    uint32_t node = CallTree::kRoot;
    for (auto caller = stack.callers.rbegin(); caller != stack.callers.rend(); ++caller)
        node = tree->child(node, caller->function);
    return tree->child(node, step.function);
}

void add_thread(CallStream stream, const TraceFile& file, Functions& functions,
                ShareProgress& progress, CallTree* tree) {
    std::vector<uint32_t> nodes;  // of the open calls, by number; kRoot: no stack is known
    Step step;
    while (stream.next(&step)) {
        progress.step(stream);
        if (step.begins_call()) {
            if (step.call >= nodes.size()) nodes.resize(step.call + 1);
            nodes[step.call] = CallTree::kRoot;
        } else if (step.kind == StepKind::callers) {
            nodes[step.call] = node_of(tree, functions, file, step);
            add_along(tree, nodes[step.call], 1, 0);
        } else if (step.ends_call()) {
            add_along(tree, nodes[step.call], 0, step.duration);
        }
    }
    progress.end(stream);
}

struct Sum {
    uint64_t calls = 0;
    uint64_t ns = 0;
};

// A name may hold what separates names.
std::string folded_name(std::string name) {
    std::replace(name.begin(), name.end(), ';', ':');
    return name;
}

}  // namespace

CallTree make_stack_tree(View& view) {
    std::vector<CallTree> trees = read_shares(view, [&view](Share share, Progress& all) {
        CallTree tree;
        FunctionsOfReader functions(view.functions());
        ShareProgress progress(all);
        for (const View::Source& source : share)
            add_thread(view.stream(source, functions), *source.file, view.functions(), progress,
                       &tree);
        return tree;
    });
    CallTree all;
    for (const CallTree& tree : trees)
        all.merge_below(CallTree::kRoot, tree, CallTree::kRoot);
    return all;
}

void write_folded(OutBuffer& out, const CallTree& tree, const Functions& functions, Weight weight) {
    std::vector<Sum> inside(tree.size());  // of the nodes below
    for (uint32_t node = 1; node < tree.size(); node++) {
        inside[tree[node].parent].calls += tree[node].calls;
        inside[tree[node].parent].ns += tree[node].total_ns;
    }
    std::vector<uint32_t> path;
    for (uint32_t node = 1; node < tree.size(); node++) {
        if (tree[node].calls == inside[node].calls) continue;
        path.clear();
        for (uint32_t outer = node; outer != CallTree::kRoot; outer = tree[outer].parent)
            path.push_back(outer);
        for (auto outer = path.rbegin(); outer != path.rend(); ++outer) {
            if (outer != path.rbegin()) out.add(';');
            out.add(folded_name(functions[tree[*outer].function].name));
        }
        out.add(' ');
        out.number(weight == Weight::calls ? tree[node].calls - inside[node].calls
                                           : tree[node].total_ns - inside[node].ns);
        out.add("\n");
    }
}

}  // namespace mipstrace::tools
