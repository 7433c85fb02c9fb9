// What is said over the control socket of a traced process; docs/control_protocol.md. Pure: the
// server in the process and the tests share it.
//
//   request   COMMAND [ARGUMENT] '\n'                  one line, at most kLongestRequest bytes
//   reply     "ok\n" { line '\n' }  |  "error " sentence '\n'          then the end of the stream
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mipstrace::control {

inline constexpr unsigned kVersion = 1;
inline constexpr size_t kLongestRequest = 4096;  // its newline included

enum class Command : uint8_t {
    on,
    off,
    toggle,
    status,
    filter,
    notrace,
    depth,
    time,
    trigger,
    users,
    snapshot,
    marker,
    replace,
    restore,
};

struct Request {
    Command command;
    std::string_view argument;  // into the line that was parsed; without blanks around it
};

// Null, or what is wrong with the line, as a sentence without a full stop. `line` has no newline.
const char* parse_request(std::string_view line, Request* request);

// Collects a reply in memory of the caller's. What does not fit is cut at the end of a line.
class Reply {
  public:
    Reply(char* memory, size_t size) : text_(memory), room_(size) {}

    Reply& operator<<(std::string_view text);
    Reply& operator<<(uint64_t number);
    // Instead of all that was said so far. The sentence goes on with what follows.
    Reply& error(std::string_view sentence);

    std::string_view text() const { return {text_, size_}; }

  private:
    char* text_;
    size_t room_;
    size_t size_ = 0;
};

}  // namespace mipstrace::control
