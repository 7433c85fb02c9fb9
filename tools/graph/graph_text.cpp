#include "tools/graph/graph_text.h"

#include <algorithm>

#include "tools/text/time_text.h"

namespace mipstrace::tools {

namespace {

// Deeper lines are not indented further.
constexpr size_t kDeepest = 4096;

struct Line {
    uint32_t node;
    uint32_t depth;
};

void add_line(OutBuffer& out, const CallNode& node, const std::string& bars, bool is_top,
              const Functions& functions) {
    out.add(' ');
    out.add(time_text(node.total_ns));
    out.add(" : ");
    out.add(bars);
    out.add(is_top ? "(" : " +-(");
    out.number(node.calls);
    out.add(") ");
    out.add(functions[node.function].name);
    out.add("\n");
}

// The outermost calls of functions that are named.
std::vector<uint32_t> find_outermost(const CallTree& tree, const std::vector<bool>& is_named) {
    std::vector<uint32_t> found;
    std::vector<bool> is_below(tree.size());  // a named one's callee
    // A node is made behind its parent.
    for (uint32_t node = 1; node < tree.size(); node++) {
        uint32_t parent = tree[node].parent;
        is_below[node] =
            parent != CallTree::kRoot && (is_below[parent] || is_named[tree[parent].function]);
        if (!is_below[node] && is_named[tree[node].function]) found.push_back(node);
    }
    return found;
}

void write_backtrace(OutBuffer& out, const CallTree& tree, uint32_t node,
                     const Functions& functions) {
    std::vector<uint32_t> path;
    for (; node != CallTree::kRoot && path.size() < kDeepest; node = tree[node].parent)
        path.push_back(node);
    if (node != CallTree::kRoot) out.add("   ...\n");
    for (size_t k = 0; k < path.size(); k++)
        out.add("   [" + std::to_string(k) + "] " +
                functions[tree[path[path.size() - 1 - k]].function].name + "\n");
}

}  // namespace

void write_tree(OutBuffer& out, const CallTree& tree, uint32_t node, const Functions& functions) {
    std::vector<Line> todo;
    auto push_children = [&](uint32_t parent, uint32_t depth) {
        size_t first = todo.size();
        for (uint32_t c = tree[parent].first_child; c != 0; c = tree[c].next_sibling)
            todo.push_back({c, depth});
        std::reverse(todo.begin() + ptrdiff_t(first), todo.end());
    };
    out.add("# TOTAL TIME   (CALLS) FUNCTION\n");
    push_children(node, 0);
    std::string bars;  // of the line at hand: " | " where a caller has more callees to come
    while (!todo.empty()) {
        Line line = todo.back();
        todo.pop_back();
        uint32_t depth = std::min<uint32_t>(line.depth, kDeepest);
        bars.resize(depth == 0 ? 0 : (depth - 1) * 3, ' ');
        add_line(out, tree[line.node], bars, line.depth == 0, functions);
        if (depth != 0 && depth < kDeepest)
            bars += tree[line.node].next_sibling != 0 ? " | " : "   ";
        push_children(line.node, line.depth + 1);
    }
}

bool write_function_graph(OutBuffer& out, const CallTree& tree, const Functions& functions,
                          const std::string& patterns) {
    std::vector<bool> is_named(functions.size());
    for (uint32_t i = 0; i < functions.size(); i++)
        is_named[i] = functions.matches(patterns, i);
    std::vector<uint32_t> found = find_outermost(tree, is_named);
    if (found.empty()) return false;

    out.add("=============== BACKTRACE ===============\n");
    CallTree below;
    for (size_t i = 0; i < found.size(); i++) {
        const CallNode& node = tree[found[i]];
        out.add(" backtrace #" + std::to_string(i) + ": hit " + std::to_string(node.calls) +
                ", time " + time_text(node.total_ns) + "\n");
        write_backtrace(out, tree, found[i], functions);
        out.add("\n");
        uint32_t top = below.child(CallTree::kRoot, node.function);
        below.at(top).calls += node.calls;
        below.at(top).total_ns += node.total_ns;
        below.merge_below(top, tree, found[i]);
    }
    out.add("========== FUNCTION CALL GRAPH ==========\n");
    write_tree(out, below, CallTree::kRoot, functions);
    return true;
}

}  // namespace mipstrace::tools
