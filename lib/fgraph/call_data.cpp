#include "lib/fgraph/call_data.h"

#include "lib/base/arena.h"
#include "lib/fgraph/thread_state.h"

namespace mipstrace::fgraph {

namespace {

constexpr size_t kSizeBytes = FGRAPH_MAX_USERS;
constexpr size_t kDataBytes = FGRAPH_MAX_USERS * FGRAPH_MAX_DATA_SIZE;
static_assert(FGRAPH_MAX_DATA_SIZE <= UINT8_MAX);

struct Area {
    unsigned char* sizes;
    unsigned char* data;
};

ThreadState& thread_of(const Frame& frame) {
    return *reinterpret_cast<ThreadState*>(reinterpret_cast<char*>(frame.stack) -
                                           offsetof(ThreadState, stack));
}

Area area_of(const Frame& frame) {
    const ShadowStack& stack = *frame.stack;
    const size_t index = size_t(&frame - stack.base);
    unsigned char* const sizes = thread_of(frame).call_data;
    unsigned char* const data = sizes + size_t(stack.end - stack.base) * kSizeBytes;
    return {sizes + index * kSizeBytes, data + index * kDataBytes};
}

void copy(unsigned char* to, const unsigned char* from, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        to[i] = from[i];
}

// A handler that comes in between may be first.
bool map_area(ThreadState& thread) {
    if (thread.call_data != nullptr) return true;
    const size_t bytes = size_t(thread.stack.end - thread.stack.base) * (kSizeBytes + kDataBytes);
    auto* area = static_cast<unsigned char*>(map_pages(bytes));
    unsigned char* none = nullptr;
    if (area != nullptr && !thread.call_data.compare_exchange_strong(none, area))
        unmap_pages(area, bytes);
    return thread.call_data != nullptr;
}

}  // namespace

CallData call_data_of(const Frame& frame, unsigned slot) {
    const Area area = area_of(frame);
    return {area.sizes + slot, area.data + slot * FGRAPH_MAX_DATA_SIZE};
}

bool make_call_data(Frame& frame) {
    if ((frame.users & kHasData) != 0) return true;
    if (!map_area(thread_of(frame))) return false;
    unsigned char* sizes = area_of(frame).sizes;
    for (size_t i = 0; i < kSizeBytes; i++)
        sizes[i] = 0;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    frame.users |= kHasData;
    return true;
}

void move_call_data(Frame& to, const Frame& from) {
    if (!is_full(from) || (from.users & kHasData) == 0) return;
    if (to.stack != from.stack) {
        to.users &= ~kHasData;
        return;
    }
    const Area target = area_of(to);
    const Area source = area_of(from);
    copy(target.sizes, source.sizes, kSizeBytes);
    copy(target.data, source.data, kDataBytes);
}

}  // namespace mipstrace::fgraph
