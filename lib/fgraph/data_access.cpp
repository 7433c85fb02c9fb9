// The data of a call in the public API.
#include "lib/fgraph/call_data.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/thread_state.h"

#define MT_PUBLIC extern "C" __attribute__((visibility("default")))

namespace mipstrace::fgraph {

namespace {

// The frame of a call of this thread, as callbacks get it; null for anything else.
Frame* frame_of(const ftrace_graph_call* call) {
    static_assert(offsetof(Frame, call) == 0);
    const ShadowStack& stack = this_thread->stack;
    const auto at = reinterpret_cast<uintptr_t>(call);
    const auto first = reinterpret_cast<uintptr_t>(stack.base + 1);
    const auto end = reinterpret_cast<uintptr_t>(stack.limit);
    if (stack.base == nullptr || at < first || at >= end ||
        at % sizeof(Frame) != first % sizeof(Frame))
        return nullptr;
    return reinterpret_cast<Frame*>(at);
}

bool is_user(const fgraph_ops* ops) {
    return ops != nullptr && ops->slot < FGRAPH_MAX_USERS && core.slots[ops->slot].ops == ops;
}

}  // namespace

}  // namespace mipstrace::fgraph

using namespace mipstrace::fgraph;

MT_PUBLIC void* fgraph_reserve_data(const ftrace_graph_call* call, const fgraph_ops* ops,
                                    size_t size_bytes) {
    Frame* frame = frame_of(call);
    if (frame == nullptr || !is_user(ops) || size_bytes == 0 || size_bytes > FGRAPH_MAX_DATA_SIZE ||
        !make_call_data(*frame))
        return nullptr;
    const CallData data = call_data_of(*frame, ops->slot);
    *data.size = static_cast<unsigned char>(size_bytes);
    return data.bytes;
}

MT_PUBLIC void* fgraph_retrieve_data(const ftrace_graph_call* call, const fgraph_ops* ops,
                                     size_t* size_bytes) {
    const Frame* frame = frame_of(call);
    if (frame == nullptr || !is_user(ops) || (frame->users & kHasData) == 0) return nullptr;
    const CallData data = call_data_of(*frame, ops->slot);
    if (*data.size == 0) return nullptr;
    if (size_bytes != nullptr) *size_bytes = *data.size;
    return data.bytes;
}
