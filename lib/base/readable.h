// Memory of the program that may not be there: a pointer is what some caller gave.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mipstrace {

// How many of the `most` bytes at `address` can be read. Asks the kernel once for each page, in a
// way that changes nothing. Any context; hi and lo are the caller's to keep. Another thread may
// still unmap it between the question and the reading: then the program, whose argument it is, has
// lost it too.
size_t readable_bytes(uintptr_t address, size_t most);

// False: this system does not tell (an emulator may not), and nothing counts as readable. Once, at
// start.
bool can_tell_readable();

}  // namespace mipstrace
