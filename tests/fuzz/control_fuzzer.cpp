// A request to a traced process: whatever it holds, it is one command with an argument that lies in
// the line, or a sentence. What is taken from it is the same when it is written once more.
#include <cstdint>
#include <string>

#include "lib/control/protocol.h"
#include "tests/fuzz/check.h"

using namespace mipstrace::control;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string line(reinterpret_cast<const char*>(data), size);
    Request request{};
    const char* error = parse_request(line, &request);
    if (error != nullptr) {
        FUZZ_CHECK(*error != '\0');
        return 0;
    }
    FUZZ_CHECK(size < kLongestRequest);
    FUZZ_CHECK(request.argument.empty() ||
               (request.argument.data() >= line.data() &&
                request.argument.data() + request.argument.size() <= line.data() + line.size()));
    for (const char c : request.argument)
        FUZZ_CHECK(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);

    char memory[100];
    Reply reply(memory, sizeof memory);
    reply << "ok\n" << request.argument << "\n";
    FUZZ_CHECK(reply.text().size() <= sizeof memory && reply.text().substr(0, 3) == "ok\n");
    FUZZ_CHECK(reply.text().back() == '\n');
    return 0;
}
