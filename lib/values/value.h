// One argument or return value that is recorded, and where it is found when the call is made.
//
//   text      arg2/x32          a signed or unsigned integer, a string, ...; see parse.h
//   Value     'x', 4 bytes, of argument 2
//   place     slot 1            of the ABI's argument slots; see place.h
#pragma once

#include <cstdint>

namespace mipstrace::values {

inline constexpr uint8_t kReturned = 0;  // Value::index of what the function returns
inline constexpr unsigned kLastArgument = 64;
inline constexpr unsigned kMostValues = 16;  // of one rule
inline constexpr unsigned kLargest = 64;     // bytes of a structure
// Value::slot of the first one on the stack, before place_values knows how many are in registers.
inline constexpr unsigned kFirstStackSlot = 128;

struct Value {
    char format;            // a letter of kFormats
    uint8_t size;           // in bytes; 0: as the ABI has it
    uint8_t index;          // of the argument, from 1; kReturned
    bool is_placed;         // `slot` or `reg` was given and not computed
    bool in_fpr;            // in `reg`, and those behind it; else in `slot`, and those behind it
    uint8_t reg;            // number of a floating-point register
    uint8_t floating_part;  // of a structure: a bit for each 8 bytes that are a double
    uint8_t slot;           // of the arguments: registers, then the stack
};
static_assert(sizeof(Value) == 8);

// d as the number looks best, i signed, u unsigned, x hexadecimal, o octal, c character, b boolean,
// p pointer, e enumeration, f floating, s string, S std::string, t bytes of a structure
inline constexpr char kFormats[] = "diuxocbpefsSt";

constexpr bool is_string(const Value& value) {
    return value.format == 's' || value.format == 'S';
}
constexpr bool is_floating(const Value& value) {
    return value.format == 'f';
}
// Bytes that it takes in a record, if it is no string.
constexpr unsigned recorded_size(const Value& value) {
    return (value.size + 3u) & ~3u;
}

}  // namespace mipstrace::values
