#include "tools/model/open_calls.h"

namespace mipstrace::tools {

uint32_t OpenCalls::further(uint32_t above) const {
    if (above >= size()) return kNone;
    if (gaps_ == 0) return order_[order_.size() - 1 - above];
    size_t i = order_.size() - 1;
    for (;; i--) {
        if (order_[i] == kNone) continue;
        if (above-- == 0) return order_[i];
    }
}

void OpenCalls::orphan_callees_of(uint32_t call) {
    for (size_t i = calls_[call].place_ + 1; i < order_.size(); i++) {
        if (order_[i] == kNone) continue;
        OpenCall& callee = calls_[order_[i]];
        if (callee.caller == call) callee.caller = kNone;
        if (callee.shown_above == call) callee.shown_above = kNone;
    }
}

void OpenCalls::close_gaps() {
    size_t to = 0;
    size_t visited = 0;
    for (size_t from = 0; from < order_.size(); from++) {
        if (from == visited_) visited = to;
        if (order_[from] == kNone) continue;
        calls_[order_[from]].place_ = uint32_t(to);
        order_[to++] = order_[from];
    }
    visited_ = visited_ >= order_.size() ? to : visited;
    order_.resize(to);
    gaps_ = 0;
}

}  // namespace mipstrace::tools
