// Switches as variables of the environment take them.
#pragma once

#include <optional>
#include <string_view>

namespace mipstrace {

// Of "1", "yes", "on", or "0", "no", "off" and nothing. Empty: none of these.
constexpr std::optional<bool> parse_switch(std::string_view text) {
    if (text == "1" || text == "yes" || text == "on") return true;
    if (text == "0" || text == "no" || text == "off" || text.empty()) return false;
    return std::nullopt;
}

}  // namespace mipstrace
