// Sizes as options and variables of the environment take them.
#pragma once

#include <cstdint>
#include <string_view>

namespace mipstrace {

// Bytes of "65536", "512K", "64M", "1G" (units of 1024; small letters too). 0: none of these.
constexpr uint64_t parse_size(std::string_view text) {
    uint64_t size = 0;
    size_t at = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; at++) {
        if (size > UINT64_MAX / 16) return 0;
        size = size * 10 + uint64_t(text[at] - '0');
    }
    if (at == 0) return 0;
    unsigned shift = 0;
    if (at < text.size()) {
        switch (text[at++] | 0x20) {
            case 'k':
                shift = 10;
                break;
            case 'm':
                shift = 20;
                break;
            case 'g':
                shift = 30;
                break;
            default:
                return 0;
        }
    }
    return at == text.size() && size <= UINT64_MAX >> shift ? size << shift : 0;
}

struct SizeRange {
    uint64_t low;
    uint64_t high;
    const char* text;  // for who is outside
};

// Below are too few chunks to go round; above, looking for the oldest takes too long.
inline constexpr SizeRange kBufferRange{256 << 10, uint64_t(4) << 30, "a size from 256K to 4G"};
inline constexpr SizeRange kMaxSizeRange{128 << 10, uint64_t(1) << 46, "a size from 128K on"};

}  // namespace mipstrace
