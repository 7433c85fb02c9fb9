// One line to standard error by one write(2), with neither stdio nor allocation. Any context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mipstrace {

// Collects a line "WHO: ..." and writes it when it goes out of scope. Longer ones are cut.
class LogLine {
  public:
    explicit LogLine(std::string_view who = "mipstrace");
    ~LogLine();
    LogLine(const LogLine&) = delete;
    LogLine& operator=(const LogLine&) = delete;

    LogLine& operator<<(std::string_view text);
    LogLine& operator<<(uint64_t number);
    // "reason" of an errno value, as the C library's strerror would say it for the common ones.
    LogLine& error(int number);

    std::string_view text() const { return {buffer_, size_}; }

  private:
    char buffer_[512];
    size_t size_ = 0;
};

// The digits of `number` in `buffer` (20 bytes are enough). Returns how many.
size_t format_decimal(uint64_t number, char* buffer);

}  // namespace mipstrace
