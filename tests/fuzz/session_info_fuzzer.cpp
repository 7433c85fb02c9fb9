// session.json: whatever it holds, what is taken from it comes out of the next one again.
#include <cstdint>
#include <string>

#include "tests/fuzz/check.h"
#include "tools/model/session.h"

using mipstrace::tools::SessionInfo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    SessionInfo info;
    if (!info.from_json({reinterpret_cast<const char*>(data), size})) return 0;
    const std::string text = info.to_json();
    SessionInfo again;
    FUZZ_CHECK(again.from_json(text));
    FUZZ_CHECK(again.to_json() == text);
    return 0;
}
