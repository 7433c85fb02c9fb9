#include "tools/graph/call_tree.h"

#include "tools/shares.h"

namespace mipstrace::tools {

size_t CallTree::slot_of(uint32_t parent, uint32_t function) const {
    uint64_t key = uint64_t(parent) << 32 | function;
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    // The lower bits hold nothing of the parent yet.
    hash ^= hash >> 32;
    size_t i = size_t(hash);
    for (;; i++) {
        uint32_t node = slots_[i & (slots_.size() - 1)];
        if (node == 0 || (nodes_[node].parent == parent && nodes_[node].function == function))
            return i & (slots_.size() - 1);
    }
}

void CallTree::grow() {
    slots_.assign(slots_.size() * 2, 0);
    for (uint32_t node = 1; node < nodes_.size(); node++)
        slots_[slot_of(nodes_[node].parent, nodes_[node].function)] = node;
}

uint32_t CallTree::child(uint32_t parent, uint32_t function) {
    size_t slot = slot_of(parent, function);
    if (slots_[slot] != 0) return slots_[slot];
    if (nodes_.size() * 2 > slots_.size()) {
        grow();
        slot = slot_of(parent, function);
    }
    uint32_t node = uint32_t(nodes_.size());
    nodes_.push_back({});
    nodes_[node].function = function;
    nodes_[node].parent = parent;
    CallNode& above = nodes_[parent];
    if (above.first_child == 0)
        above.first_child = node;
    else
        nodes_[above.last_child].next_sibling = node;
    above.last_child = node;
    slots_[slot] = node;
    return node;
}

void CallTree::merge_below(uint32_t here, const CallTree& other, uint32_t node) {
    // Deep recursions make deep trees: no recursion of our own.
    std::vector<std::pair<uint32_t, uint32_t>> todo{{here, node}};
    while (!todo.empty()) {
        auto [mine, its] = todo.back();
        todo.pop_back();
        for (uint32_t c = other[its].first_child; c != 0; c = other[c].next_sibling) {
            uint32_t copy = child(mine, other[c].function);
            nodes_[copy].calls += other[c].calls;
            nodes_[copy].total_ns += other[c].total_ns;
            todo.emplace_back(copy, c);
        }
    }
}

namespace {

void add_thread(CallStream stream, ShareProgress& progress, CallTree* tree) {
    std::vector<uint32_t> nodes;  // of the open calls, by number
    Step step;
    while (stream.next(&step)) {
        progress.step(stream);
        if (step.begins_call()) {
            if (step.call >= nodes.size()) nodes.resize(step.call + 1);
            const uint32_t outer = step.caller == kNone ? CallTree::kRoot : nodes[step.caller];
            nodes[step.call] = tree->child(outer, step.function);
            if (step.kind == StepKind::enter) tree->at(nodes[step.call]).calls++;
        } else if (step.ends_call()) {
            tree->at(nodes[step.call]).total_ns += step.duration;
        }
    }
    progress.end(stream);
}

CallTree tree_of_share(View& view, Share share, Progress& all) {
    CallTree tree;
    FunctionsOfReader functions(view.functions());
    ShareProgress progress(all);
    for (const View::Source& source : share)
        add_thread(view.stream(source, functions), progress, &tree);
    return tree;
}

}  // namespace

CallTree make_call_tree(View& view) {
    std::vector<CallTree> trees = read_shares(view, [&view](Share share, Progress& progress) {
        return tree_of_share(view, share, progress);
    });
    CallTree all;
    for (CallTree& tree : trees) {
        if (all.size() == 1)
            all = std::move(tree);
        else
            all.merge_below(CallTree::kRoot, tree, CallTree::kRoot);
    }
    return all;
}

}  // namespace mipstrace::tools
