// Counts of indirect calls: the elements of the lists, and where they come from.
#include <errno.h>
#include <sys/mman.h>

#include <atomic>

#include "lib/base/wide_count.h"
#include "lib/callarc/callarc.h"

namespace mipstrace::callarc {

namespace {

// A block holds as many elements as fit. They are never given back.
constexpr size_t kBlockBytes = 16384;

struct Block {
    std::atomic<uint32_t> used;
    CallArcCons elements[(kBlockBytes - sizeof(uint64_t)) / sizeof(CallArcCons)];
};
static_assert(sizeof(Block) <= kBlockBytes);
constexpr uint32_t kInBlock = sizeof(Block::elements) / sizeof(CallArcCons);

std::atomic<Block*> current;

Block* map_block() {
    void* memory =
        mmap(nullptr, kBlockBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<Block*>(memory);
}

CallArcCons* new_element() {
    Block* block = current.load(std::memory_order_acquire);
    for (;;) {
        if (block != nullptr) {
            const uint32_t index = block->used.fetch_add(1, std::memory_order_relaxed);
            if (index < kInBlock) return &block->elements[index];
        }
        Block* fresh = map_block();
        if (fresh == nullptr) return nullptr;
        if (current.compare_exchange_strong(block, fresh, std::memory_order_acq_rel))
            block = fresh;
        else
            munmap(fresh, kBlockBytes);
    }
}

CallArcCons* find(CallArcCons* from, const CallArcCons* end, const void* callee) {
    for (; from != end; from = from->next)
        if (from->func_addr == callee) return from;
    return nullptr;
}

// Adds an element, unless somebody else does at the same time. Errno stays the program's.
__attribute__((noinline, cold)) CallArcCons* add(CallArcList* list, CallArcCons* seen,
                                                 const void* callee) {
    const int saved_errno = errno;
    CallArcCons* fresh = new_element();
    errno = saved_errno;
    if (fresh == nullptr) return nullptr;
    fresh->func_addr = callee;
    for (;;) {
        fresh->next = seen;
        CallArcCons* first = seen;
        if (__atomic_compare_exchange_n(&list->first, &first, fresh, false, __ATOMIC_RELEASE,
                                        __ATOMIC_ACQUIRE))
            return fresh;
        if (CallArcCons* other = find(first, seen, callee); other != nullptr) return other;
        seen = first;
    }
}

inline CallArcCons* element(CallArcList* list, const void* callee) {
    CallArcCons* first = __atomic_load_n(&list->first, __ATOMIC_ACQUIRE);
    CallArcCons* found = find(first, nullptr, callee);
    return __builtin_expect(found != nullptr, 1) ? found : add(list, first, callee);
}

}  // namespace

}  // namespace mipstrace::callarc

using namespace mipstrace::callarc;

void __callarc_count(CallArcList* list, const void* callee) {
    if (CallArcCons* found = element(list, callee); found != nullptr) found->count++;
}

void __callarc_count_atomic(CallArcList* list, const void* callee) {
    CallArcCons* found = element(list, callee);
    if (found != nullptr) mipstrace::add_one_atomically(&found->count);
}
