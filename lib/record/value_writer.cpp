#include "lib/record/value_writer.h"

#include <algorithm>

#include "lib/base/clock.h"
#include "lib/base/readable.h"
#include "lib/fgraph/core.h"
#include "lib/record/value_source.h"

namespace mipstrace::record {

using format::Kind;
using format::StringState;
using values::Value;

namespace {

// Of one record; what is beyond is told by its pointer.
constexpr unsigned kMostStrings = 16;

struct Characters {
    uintptr_t address;
    uint16_t length;
    StringState state;
};

Characters text_at(uintptr_t pointer) {
    Characters found{pointer, 0, StringState::cut};
    for (;;) {
        const size_t more = readable_bytes(pointer + found.length, 1);
        if (more == 0) break;
        // To the end of the page, which can be read as a whole.
        for (;;) {
            const uintptr_t at = pointer + found.length;
            if (*reinterpret_cast<const volatile char*>(at) == '\0') {
                found.state = StringState::whole;
                return found;
            }
            if (found.length == format::kLongestString) return found;
            found.length++;
            if ((at + 1) % 4096 == 0) break;
        }
    }
    if (found.length == 0) found.state = StringState::unreadable;
    return found;
}

// libstdc++'s: a pointer to the characters, then their number.
Characters string_object_at(uintptr_t pointer) {
    struct Object {
        uintptr_t characters;
        size_t size;
    };
    Characters found{pointer, 0, StringState::unreadable};
    if (pointer % sizeof(uintptr_t) != 0 ||
        readable_bytes(pointer, sizeof(Object)) != sizeof(Object))
        return found;
    const Object object = *reinterpret_cast<const Object*>(pointer);
    const size_t length = std::min(object.size, format::kLongestString);
    if (readable_bytes(object.characters, length) != length) return found;
    found.address = object.characters;
    found.length = uint16_t(length);
    found.state = length < object.size ? StringState::cut : StringState::whole;
    return found;
}

Characters characters_of(const ftrace_regs& regs, const Value& value) {
    const uintptr_t pointer = read_pointer(regs, value);
    if (pointer == 0) return {0, 0, StringState::null};
    return value.format == 's' ? text_at(pointer) : string_object_at(pointer);
}

size_t bytes_behind(const Characters& characters) {
    return characters.state == StringState::unreadable ? sizeof(uintptr_t) : characters.length;
}

// Goes through the values of one kind twice: to measure them, then to write them.
class ValueRecord {
  public:
    ValueRecord(const FunctionRules& function, const ftrace_regs& regs, bool is_return)
        : function_(function), regs_(regs), is_return_(is_return) {}

    uint32_t measure() {
        size_t bytes = sizeof(format::WithValues) + 2 * sizeof(uint32_t);
        for_each([&](const Value& value) { bytes += size_of(value); },
                 [&](uint32_t) { bytes += sizeof(uint32_t); });
        return 1 + uint32_t((bytes + 7) / 8);
    }

    void write(unsigned char* to, unsigned char* end) {
        at_ = to;
        next_string_ = 0;
        for_each([&](const Value& value) { put_value(value); },
                 [&](uint32_t number) { put(&number, sizeof number); });
        const auto units = uint32_t(end - to + 16) / 8;
        while (at_ < end - sizeof units)
            *at_++ = 0;
        put(&units, sizeof units);
    }

  private:
    template <typename OnValue, typename OnRule>
    void for_each(OnValue&& on_value, OnRule&& on_rule) {
        for (const uint16_t number : function_.rules) {
            if (number == 0) break;
            const ValueRule& rule = value_rule(number);
            bool is_begun = false;
            for (unsigned i = 0; i < rule.count; i++) {
                if ((rule.all[i].index == values::kReturned) != is_return_) continue;
                if (!is_begun) on_rule(number);
                is_begun = true;
                on_value(rule.all[i]);
            }
        }
    }
    size_t size_of(const Value& value) {
        if (!is_string(value)) return recorded_size(value);
        size_t bytes = sizeof(uintptr_t);
        if (next_string_ < kMostStrings) {
            strings_[next_string_] = characters_of(regs_, value);
            bytes = bytes_behind(strings_[next_string_++]);
        }
        return sizeof(format::StringHeader) + (bytes + 3) / 4 * 4;
    }
    void put_value(const Value& value) {
        if (!is_string(value)) {
            read_value(regs_, value, at_);
            at_ += recorded_size(value);
            return;
        }
        Characters found{read_pointer(regs_, value), 0, StringState::unreadable};
        if (next_string_ < kMostStrings) found = strings_[next_string_++];
        const auto bytes = uint16_t(bytes_behind(found));
        const format::StringHeader header{bytes, uint16_t(found.state)};
        put(&header, sizeof header);
        if (found.state == StringState::unreadable)
            put(&found.address, bytes);
        else
            put(reinterpret_cast<const void*>(found.address), bytes);
        for (unsigned i = bytes; i % 4 != 0; i++)
            *at_++ = 0;
    }
    void put(const void* from, size_t bytes) {
        for (size_t i = 0; i < bytes; i++)
            *at_++ = static_cast<const unsigned char*>(from)[i];
    }

    const FunctionRules& function_;
    const ftrace_regs& regs_;
    const bool is_return_;
    unsigned char* at_ = nullptr;
    unsigned next_string_ = 0;
    Characters strings_[kMostStrings];
};

}  // namespace

void write_with_values(EventWriter& writer, uint32_t now, format::WithValues event,
                       const FunctionRules& function, ftrace_regs* regs, size_t own_claims) {
    KeepHiLo keep;
    const bool is_return = format::kind_of(event.word) == Kind::leave;
    if (function.has_floating && (regs->flags & FTRACE_REGS_FLAG_FP) == 0) {
        if (is_return)
            ftrace_save_return_fp(regs);
        else
            ftrace_save_argument_fp(regs);
    }
    ValueRecord record(function, *regs, is_return);
    const uint32_t units = record.measure();
    format::Event* first = claim(writer, units, own_claims);
    if (first == nullptr) {
        count_loss(format::Loss::no_space);
        return;
    }
    first->word = format::record_word(format::RecordType::values, units, Kind::unfinished);
    first->time = now;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    *reinterpret_cast<format::WithValues*>(first + 1) = event;
    record.write(reinterpret_cast<unsigned char*>(first + 2),
                 reinterpret_cast<unsigned char*>(first + units));
    std::atomic_signal_fence(std::memory_order_seq_cst);
    first->word = format::record_word(format::RecordType::values, units);
}

bool take_back_with_values(EventWriter& writer, uint32_t position, uint32_t now,
                           uint32_t duration) {
    uintptr_t at = __atomic_load_n(&writer.cursor, __ATOMIC_RELAXED);
    const uint32_t used = at & kChunkMask;
    constexpr uint32_t kFewest = 3;
    if (used < sizeof(format::ChunkHeader) + kFewest * sizeof(format::Event)) return false;
    const uint32_t units = reinterpret_cast<const uint32_t*>(at)[-1];
    if (units < kFewest || units > (used - sizeof(format::ChunkHeader)) / sizeof(format::Event))
        return false;
    auto* first = reinterpret_cast<format::Event*>(at) - units;
    const auto& event = *reinterpret_cast<const format::WithValues*>(first + 1);
    if (first->word != format::record_word(format::RecordType::values, units) ||
        event.word != (position | uint32_t(Kind::enter)) || now - first->time >= duration)
        return false;
    first->word = format::record_word(format::RecordType::values, units, Kind::unfinished);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    for (uint32_t i = 1; i < units; i++)
        first[i] = {};
    std::atomic_signal_fence(std::memory_order_seq_cst);
    first[0] = {};
    // If a handler has written behind it meanwhile, the place stays empty.
    __atomic_compare_exchange_n(&writer.cursor, &at, at - units * sizeof(format::Event), false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return true;
}

}  // namespace mipstrace::record
