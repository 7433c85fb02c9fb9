#include "lib/values/parse.h"

namespace mipstrace::values {

namespace {

constexpr size_t kNone = std::string_view::npos;

std::string_view slice(std::string_view s, size_t from, size_t to) {
    return {s.data() + from, to - from};
}

bool take(std::string_view* text, std::string_view prefix) {
    if (!text->starts_with(prefix)) return false;
    text->remove_prefix(prefix.size());
    return true;
}

// The digits at the front. False: there are none, or too many.
bool take_number(std::string_view* text, unsigned* number) {
    size_t digits = 0;
    *number = 0;
    for (; digits < text->size() && (*text)[digits] >= '0' && (*text)[digits] <= '9'; digits++) {
        if (digits == 4) return false;
        *number = *number * 10 + unsigned((*text)[digits] - '0');
    }
    text->remove_prefix(digits);
    return digits != 0;
}

bool is_value(std::string_view text) {
    if (text.starts_with("retval")) return true;
    take(&text, "fp");
    return take(&text, "arg") && !text.empty() && text[0] >= '0' && text[0] <= '9';
}

constexpr char kFormatError[] =
    "has an unknown format: there are d, i, u, x, o, c, b, p, f, s, S, e:NAME and t, behind each "
    "the number of its bits, if need be";
constexpr char kSizeError[] =
    "has a size that its format can't: integers have 8, 16, 32 or 64 bits, floating-point numbers "
    "32, 64 or 80 (long double), structures at most 512";
constexpr char kPlaceError[] = "has an unknown place: there are %a0 to %a7, %f12 to %f19, %stack+1";

const char* set_size(unsigned bits, Value* value) {
    const bool is_integer_size = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    switch (value->format) {
        case 's':
        case 'S':
            return kSizeError;
        case 'f':
            if (bits != 32 && bits != 64 && bits != 80 && bits != 128) return kSizeError;
            // 80 is that of another machine: a long double, whatever its size.
            value->size = uint8_t(bits == 80 ? 16 : bits / 8);
            return nullptr;
        case 't':
            if (bits == 0 || bits % 8 != 0 || bits / 8 > kLargest) return kSizeError;
            value->size = uint8_t(bits / 8);
            return nullptr;
        default:
            if (!is_integer_size) return kSizeError;
            value->size = uint8_t(bits / 8);
            return nullptr;
    }
}

const char* parse_units(std::string_view letters, Value* value) {
    if (letters.size() > (value->size + 7u) / 8) return kFormatError;
    for (size_t i = 0; i < letters.size(); i++) {
        if (letters[i] == 'f')
            value->floating_part |= uint8_t(1u << i);
        else if (letters[i] != 'i')
            return kFormatError;
    }
    return nullptr;
}

const char* parse_format(std::string_view text, Value* value, std::string_view* enumeration) {
    if (text.empty()) return kFormatError;
    const bool has_letter = text[0] < '0' || text[0] > '9';
    if (has_letter) {
        if (std::string_view(kFormats).find(text[0]) == kNone) return kFormatError;
        if (value->format == 'f' && text[0] != 'f')
            return "is a floating-point argument: the format of an fparg is its size";
        value->format = text[0];
        text.remove_prefix(1);
    }
    if (value->format == 'e') {
        if (!take(&text, ":") || text.empty()) return kFormatError;
        *enumeration = text;
        return nullptr;
    }
    if (text.empty()) return value->format == 't' ? kSizeError : nullptr;
    unsigned bits = 0;
    if (!take_number(&text, &bits)) return kFormatError;
    if (const char* error = set_size(bits, value)) return error;
    if (value->format == 't') return parse_units(text, value);
    return text.empty() ? nullptr : kFormatError;
}

const char* parse_place(std::string_view text, Value* value) {
    unsigned number = 0;
    value->is_placed = true;
    if (value->index == kReturned) return "has a place, which what is returned can't have";
    if (take(&text, "stack")) {
        take(&text, "+");
        if (!take_number(&text, &number) || !text.empty() || number == 0 || number > kLastArgument)
            return kPlaceError;
        value->slot = uint8_t(kFirstStackSlot + number - 1);
        return nullptr;
    }
    const bool is_fpr = take(&text, "f");
    if ((!is_fpr && !take(&text, "a")) || !take_number(&text, &number) || !text.empty())
        return kPlaceError;
    if (is_fpr ? number < 12 || number > 19 : number > 7) return kPlaceError;
    value->in_fpr = is_fpr;
    (is_fpr ? value->reg : value->slot) = uint8_t(number);
    return nullptr;
}

}  // namespace

Rule split_rule(std::string_view text) {
    Rule rule;
    const size_t at = text.find('@');
    rule.function = slice(text, 0, at < text.size() ? at : text.size());
    if (at == kNone) return rule;
    text.remove_prefix(at + 1);
    if (is_value(text)) {
        rule.values = text;
        return rule;
    }
    const size_t end = text.find_first_of("@,");
    rule.module = slice(text, 0, end < text.size() ? end : text.size());
    if (end != kNone) rule.values = slice(text, end + 1, text.size());
    return rule;
}

const char* parse_value(std::string_view text, Value* value, std::string_view* enumeration) {
    *value = {};
    value->format = 'd';
    if (take(&text, "fp")) value->format = 'f';
    if (take(&text, "arg")) {
        unsigned number = 0;
        if (!take_number(&text, &number)) return "has no number: arguments are arg1, arg2, ...";
        if (number == 0) return "does not exist: arguments count from arg1";
        if (number > kLastArgument) return "is too far: arguments go to arg64";
        value->index = uint8_t(number);
    } else if (value->format == 'f' || !take(&text, "retval")) {
        return "is no value: there are arg1, fparg1 and retval, with /FORMAT behind them";
    }
    const size_t place = text.find('%');
    std::string_view format = slice(text, 0, place < text.size() ? place : text.size());
    if (!format.empty()) {
        if (!take(&format, "/")) return kFormatError;
        if (const char* error = parse_format(format, value, enumeration)) return error;
    }
    return place == kNone ? nullptr : parse_place(slice(text, place + 1, text.size()), value);
}

}  // namespace mipstrace::values
