#include "tools/stacks/stack_record.h"

#include <algorithm>

#include "tools/model/byte_order.h"

namespace mipstrace::tools {

RecordedStack read_stack(const TraceFile& file, uint64_t offset, uint64_t mono_ns,
                         Functions& functions) {
    RecordedStack stack;
    unsigned char first[sizeof(format::Event) + sizeof(format::StackHeader)];
    if (file.read(offset, first, sizeof first) != sizeof first) return stack;
    const auto event = load<format::Event>(first, file.is_swapped());
    const auto header = load<format::StackHeader>(first + sizeof event, file.is_swapped());
    constexpr uint32_t kBeside = 3;
    const uint32_t units = format::units_of(event.word);
    if (units < kBeside) return stack;
    std::vector<uint64_t> addresses(std::min<uint32_t>(header.count, units - kBeside));
    const size_t bytes = addresses.size() * sizeof(uint64_t);
    addresses.resize(file.read(offset + sizeof first, addresses.data(), bytes) / sizeof(uint64_t));
    stack.is_cut = (header.flags & format::kStackCut) != 0;
    for (uint64_t word : addresses) {
        if (file.is_swapped()) word = swapped(word);
        const uint64_t place = word & ~format::kStackMarks;
        switch (word & format::kStackMarks) {
            case format::kOpenCall: {
                const uint32_t function = functions.at(file, uint32_t(place)).number();
                // It may be the one whose frame was not understood.
                if (stack.callers.empty() || stack.callers.back().function != function)
                    stack.callers.push_back({function, false, true});
                break;
            }
            case format::kInterrupted:
                stack.callers.push_back({functions.at_address(file, place, mono_ns), true, false});
                break;
            default:  // in the instruction that calls
                stack.callers.push_back(
                    {functions.at_address(file, place - 1, mono_ns), false, false});
        }
    }
    return stack;
}

}  // namespace mipstrace::tools
