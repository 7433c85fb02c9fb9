#include "lib/control/protocol.h"

#include "lib/base/raw_log.h"

namespace mipstrace::control {

namespace {

enum class Takes : uint8_t { nothing, anything, something };

struct Entry {
    std::string_view name;
    Command command;
    Takes takes;
};

constexpr Entry kCommands[] = {
    {"on", Command::on, Takes::nothing},
    {"off", Command::off, Takes::nothing},
    {"toggle", Command::toggle, Takes::nothing},
    {"status", Command::status, Takes::nothing},
    {"filter", Command::filter, Takes::anything},
    {"notrace", Command::notrace, Takes::anything},
    {"depth", Command::depth, Takes::anything},
    {"time", Command::time, Takes::anything},
    {"trigger", Command::trigger, Takes::something},
    {"users", Command::users, Takes::anything},
    {"snapshot", Command::snapshot, Takes::nothing},
    {"marker", Command::marker, Takes::something},
    {"replace", Command::replace, Takes::something},
    {"restore", Command::restore, Takes::something},
};

std::string_view slice(std::string_view s, size_t from, size_t to) {
    return {s.data() + from, to - from};
}

std::string_view trimmed(std::string_view s) {
    size_t from = 0, to = s.size();
    while (from < to && s[from] == ' ')
        from++;
    while (to > from && s[to - 1] == ' ')
        to--;
    return slice(s, from, to);
}

// Anything that a terminal would not show as it is; UTF-8 passes.
bool has_control_character(std::string_view line) {
    for (const char c : line) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) return true;
    }
    return false;
}

}  // namespace

const char* parse_request(std::string_view line, Request* request) {
    if (line.size() >= kLongestRequest) return "the request is too long";
    if (!line.empty() && line[line.size() - 1] == '\r') line.remove_suffix(1);
    if (has_control_character(line)) return "the request holds a control character";
    line = trimmed(line);
    size_t end = 0;
    while (end < line.size() && line[end] != ' ')
        end++;
    const std::string_view name = slice(line, 0, end);
    const std::string_view argument = trimmed(slice(line, end, line.size()));
    for (const Entry& entry : kCommands) {
        if (entry.name != name) continue;
        if (entry.takes == Takes::nothing && !argument.empty())
            return "this command takes no argument";
        if (entry.takes == Takes::something && argument.empty())
            return "this command needs an argument";
        *request = {entry.command, argument};
        return nullptr;
    }
    return name.empty() ? "the request is empty" : "there is no such command";
}

Reply& Reply::operator<<(std::string_view text) {
    if (text.size() > room_ - size_) {
        while (size_ != 0 && text_[size_ - 1] != '\n')
            size_--;
        room_ = size_;  // nothing behind it either
        return *this;
    }
    for (const char c : text)
        text_[size_++] = c;
    return *this;
}

Reply& Reply::operator<<(uint64_t number) {
    char digits[20];
    return *this << std::string_view(digits, format_decimal(number, digits));
}

Reply& Reply::error(std::string_view sentence) {
    size_ = 0;
    return *this << "error " << sentence;
}

}  // namespace mipstrace::control
