#include "lib/values/place.h"

#include <algorithm>

namespace mipstrace::values {

namespace {

unsigned usual_size(const AbiRules& rules, const Value& value) {
    switch (value.format) {
        case 'c':
        case 'b':
            return 1;
        case 'e':
            return 4;
        case 'f':
            return 8;
        default:
            return rules.long_bytes();
    }
}

const Value* argument(const Value* values, size_t count, unsigned index) {
    for (size_t i = 0; i < count; i++)
        if (values[i].index == index && !values[i].is_placed) return &values[i];
    return nullptr;
}

void place(const AbiRules& rules, Value* value, unsigned slot, unsigned floating_before) {
    value->slot = uint8_t(std::min(slot, 255u));
    if (!is_floating(*value) || !rules.has_fpu) return;
    if (!rules.is_o32()) {
        value->in_fpr = slot < rules.slots_in_registers();
        value->reg = uint8_t(12 + slot);
    } else if (floating_before < 2) {
        value->in_fpr = true;
        value->reg = uint8_t(12 + 2 * floating_before);
    }
}

void place_arguments(const AbiRules& rules, Value* values, size_t count) {
    unsigned last = 0;
    for (size_t i = 0; i < count; i++)
        last = std::max(last, unsigned(values[i].index));
    constexpr unsigned kNoneFloating = 2;  // no more of them are in their registers
    unsigned slot = 0;
    unsigned floating = 0;
    for (unsigned index = 1; index <= last; index++) {
        const Value* first = argument(values, count, index);
        const unsigned size = first != nullptr && !is_string(*first) ? first->size : 1;
        const unsigned slots = std::max(1u, (size + rules.slot_bytes() - 1) / rules.slot_bytes());
        const bool is_double_wide =
            first != nullptr && first->format != 't' && size == 2 * rules.slot_bytes();
        if (is_double_wide && slot % 2 != 0) slot++;
        const bool is_fp = first != nullptr && is_floating(*first);
        for (size_t i = 0; i < count; i++)
            if (values[i].index == index && !values[i].is_placed)
                place(rules, &values[i], slot, floating);
        floating = is_fp ? floating + 1 : kNoneFloating;
        slot += slots;
    }
}

}  // namespace

void place_values(const AbiRules& rules, Value* values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Value& value = values[i];
        if (value.size == 0) value.size = uint8_t(usual_size(rules, value));
        // A long double of o32 is a double.
        if (rules.is_o32() && is_floating(value) && value.size == 16) value.size = 8;
        if (value.is_placed) {
            if (value.slot >= kFirstStackSlot)
                value.slot = uint8_t(value.slot - kFirstStackSlot + rules.slots_in_registers());
            value.in_fpr = value.in_fpr && rules.has_fpu;
        } else if (value.index == kReturned) {
            value.in_fpr = is_floating(value) && rules.has_fpu;
        }
    }
    place_arguments(rules, values, count);
}

}  // namespace mipstrace::values
