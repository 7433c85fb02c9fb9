#include "tools/values/value_text.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "tools/text/printable.h"

namespace mipstrace::tools {

namespace {

// Greater numbers, or lower ones, are rather addresses or sets of bits.
constexpr int64_t kLargestDecimal = 100'000;

std::string in_base(uint64_t value, int base, const char* prefix) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, base).ptr;
    return prefix + std::string(digits, end);
}

std::string hex(uint64_t value) {
    return in_base(value, 16, "0x");
}

uint64_t number_in(const std::string& bytes) {
    if (bytes.size() == sizeof(uint32_t)) {
        uint32_t low = 0;
        std::memcpy(&low, bytes.data(), sizeof low);
        return low;
    }
    uint64_t value = 0;
    if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

int64_t sign_extended(uint64_t value, unsigned bytes) {
    const unsigned unused = 64 - 8 * std::min(bytes, 8u);
    return int64_t(value << unused) >> unused;
}

uint64_t zero_extended(uint64_t value, unsigned bytes) {
    const unsigned unused = 64 - 8 * std::min(bytes, 8u);
    return value << unused >> unused;
}

std::string escaped(char c, char quote) {
    switch (c) {
        case '\n':
            return "\\n";
        case '\t':
            return "\\t";
        case '\r':
            return "\\r";
        case '\0':
            return "\\0";
        default:
            break;
    }
    if (c == quote || c == '\\') return std::string("\\") + c;
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f && (byte < 0x80 || quote == '"')) return std::string(1, c);
    char text[8];
    snprintf(text, sizeof text, "\\x%02x", byte);
    return text;
}

std::string string_text(const RecordedValue& value) {
    if (value.state == format::StringState::null) return "NULL";
    if (value.state == format::StringState::unreadable)
        return "<" + hex(number_in(value.bytes)) + ">";
    std::string text = "\"";
    for (const char c : value.bytes)
        text += escaped(c, '"');
    return printable(text) + (value.state == format::StringState::whole ? "\"" : "\"...");
}

template <typename Number>
std::string shortest(Number number) {
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    std::string text(digits, end);
    const bool is_plain = text.find_first_not_of("-0123456789") == std::string::npos;
    return is_plain ? text + ".0" : text;
}

// IEEE binary128, of which a double keeps the most significant bits.
double from_quad(const std::string& bytes) {
    uint64_t halves[2];
    std::memcpy(halves, bytes.data(), sizeof halves);
    const bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    const uint64_t high = halves[is_little ? 1 : 0];
    const uint64_t low = halves[is_little ? 0 : 1];
    const int exponent = int(high >> 48 & 0x7fff);
    const uint64_t fraction = high << 16 | low >> 48;  // the 64 bits behind the point
    const double sign = high >> 63 != 0 ? -1 : 1;
    if (exponent == 0x7fff) return sign * (fraction != 0 ? std::nan("") : HUGE_VAL);
    if (exponent == 0 && fraction == 0) return sign * 0.0;
    return sign * std::ldexp(1 + std::ldexp(double(fraction), -64), exponent - 16383);
}

std::string floating_text(const RecordedValue& value) {
    if (value.bytes.size() == sizeof(float)) {
        float number = 0;
        std::memcpy(&number, value.bytes.data(), sizeof number);
        return shortest(number);
    }
    double number = 0;
    if (value.bytes.size() == 2 * sizeof(double))
        number = from_quad(value.bytes);
    else if (value.bytes.size() == sizeof number)
        std::memcpy(&number, value.bytes.data(), sizeof number);
    return shortest(number);
}

std::string enumeration_text(const RecordedValue& value, int64_t number) {
    if (value.enumeration == nullptr) return std::to_string(number);
    const auto found = value.enumeration->find(number);
    if (found != value.enumeration->end()) return found->second;
    // Or words that are bits.
    std::string text;
    uint64_t left = uint64_t(number);
    for (const auto& [bit, word] : *value.enumeration) {
        if (bit <= 0 || (bit & (bit - 1)) != 0 || (left & uint64_t(bit)) == 0) continue;
        text += (text.empty() ? "" : "|") + word;
        left &= ~uint64_t(bit);
    }
    return left == 0 && !text.empty() ? text : std::to_string(number);
}

std::string pointer_text(uint64_t address, const TraceFile& file, Functions& functions) {
    if (file.header().abi != uint8_t(format::Abi::n64)) address = zero_extended(address, 4);
    for (const Module& module : file.modules()) {
        const uint64_t offset = address - module.load_bias - module.text_vaddr;
        if (offset >= module.text_size) continue;
        const uint32_t number = functions.at(file, module.pos_base + uint32_t(offset)).number();
        return "&" + std::string(filter::without_parameters(functions[number].name));
    }
    return hex(address);
}

// Word by word of the ABI.
std::string structure_text(const RecordedValue& value, const TraceFile& file) {
    const size_t word = file.header().abi == uint8_t(format::Abi::o32) ? 4 : 8;
    std::string text = "{";
    for (size_t at = 0; at < value.bytes.size(); at += word) {
        const std::string part = value.bytes.substr(at, word);
        uint64_t number = 0;
        for (size_t i = 0; i < part.size(); i++) {
            const size_t from = file.is_big_endian() ? i : part.size() - 1 - i;
            number = number << 8 | static_cast<unsigned char>(part[from]);
        }
        text += (at != 0 ? ", " : "") + hex(number);
    }
    return text + "}";
}

}  // namespace

std::string value_text(const RecordedValue& value, const TraceFile& file, Functions& functions) {
    if (is_string(value.value)) return string_text(value);
    if (value.value.format == 'f') return floating_text(value);
    if (value.value.format == 't') return structure_text(value, file);
    const uint64_t raw = number_in(value.bytes);
    const unsigned size = value.value.size;
    const int64_t number = sign_extended(raw, size);
    const uint64_t bits = zero_extended(raw, size);
    switch (value.value.format) {
        case 'i':
            return std::to_string(number);
        case 'u':
            return std::to_string(bits);
        case 'x':
            return hex(bits);
        case 'o':
            return in_base(bits, 8, "0");
        case 'c':
            return "'" + escaped(char(bits), '\'') + "'";
        case 'b':
            return bits == 0 ? "false" : "true";
        case 'p':
            return pointer_text(bits, file, functions);
        case 'e':
            return enumeration_text(value, number);
        default:
            if (number >= -kLargestDecimal && number <= kLargestDecimal)
                return std::to_string(number);
            return hex(bits);
    }
}

}  // namespace mipstrace::tools
