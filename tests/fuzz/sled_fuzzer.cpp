// What match_sled takes three words for, against the words themselves.
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "lib/mips/sled.h"
#include "tests/fuzz/check.h"

using namespace mipstrace::mips;

namespace {

// From the table at the head of lib/mips/sled.h.
SledWords expected(const Sled& sled, uint32_t page) {
    constexpr uint32_t kLuiAt = 0x3c010000;
    constexpr uint32_t kJalr = 0x0020c809;
    constexpr uint32_t kOriAt = 0x34010000;
    const auto& w = sled.w;
    if (w[0] == 0) return w[1] == 0 && w[2] == 0 ? SledWords::untouched : SledWords::too_short;
    if (w[0] != (kLuiAt | page >> 16) || w[2] >> 16 != kOriAt >> 16) return SledWords::unexpected;
    if (w[1] == 0) return SledWords::ready_off;
    return w[1] == kJalr ? SledWords::ready_on : SledWords::unexpected;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    struct {
        Sled sled;
        uint16_t page;
        uint16_t users;
    } in{};
    if (size < sizeof in) return 0;
    memcpy(&in, data, sizeof in);
    const uint32_t page = uint32_t(in.page) << 16;
    FUZZ_CHECK(match_sled(in.sled, page) == expected(in.sled, page));
    for (bool on : {false, true}) {
        const Sled ours{{sled_page_word(page), sled_switch_word(on), sled_users_word(in.users)}};
        FUZZ_CHECK(match_sled(ours, page) == (on ? SledWords::ready_on : SledWords::ready_off));
        FUZZ_CHECK(match_sled(ours, page ^ 0x10000) == SledWords::unexpected);
    }
    return 0;
}
