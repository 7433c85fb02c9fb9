// All calls merged by their path from the outermost one: a node for each chain of functions.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/view.h"

namespace mipstrace::tools {

struct CallNode {
    uint32_t function = 0;
    uint32_t parent = 0;
    uint32_t first_child = 0;  // in the order of the first calls; 0: none
    uint32_t last_child = 0;
    uint32_t next_sibling = 0;
    uint64_t calls = 0;
    uint64_t total_ns = 0;
};

class CallTree {
  public:
    static constexpr uint32_t kRoot = 0;  // no function: what the threads began with

    CallTree() : nodes_(1), slots_(256) {}

    // The node for `function` called from `parent`; made when it is new.
    uint32_t child(uint32_t parent, uint32_t function);
    const CallNode& operator[](uint32_t node) const { return nodes_[node]; }
    CallNode& at(uint32_t node) { return nodes_[node]; }
    size_t size() const { return nodes_.size(); }
    // Adds the calls below `node` of `other` to those below `here`.
    void merge_below(uint32_t here, const CallTree& other, uint32_t node);

  private:
    size_t slot_of(uint32_t parent, uint32_t function) const;
    void grow();

    std::vector<CallNode> nodes_;
    std::vector<uint32_t> slots_;  // open addressing by (parent, function), a power of two; 0: free
};

// Reads the whole recording.
CallTree make_call_tree(View& view);

}  // namespace mipstrace::tools
