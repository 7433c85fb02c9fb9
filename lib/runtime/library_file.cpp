#include "lib/runtime/library_file.h"

#include <elf.h>
#include <string.h>

#include "lib/direct/library_function.h"

namespace mipstrace::runtime {

namespace {

bool is_like_us(const elf::ElfFile& file) {
    constexpr uint32_t kAbi = EF_MIPS_ABI2 | 0x0000f000;  // n32; o32 and others
    elf::ElfFile own;
    return own.open("/proc/self/exe") != elf::OpenError::none ||
           (file.type() == ET_DYN && file.machine() == own.machine() &&
            file.is_64() == own.is_64() && file.is_big_endian() == own.is_big_endian() &&
            (file.flags() & kAbi) == (own.flags() & kAbi));
}

}  // namespace

bool open_library(std::string_view name, elf::ElfFile& file, control::Reply& reply) {
    char path[sizeof direct::LibraryFunction::library];
    if (name.size() >= sizeof path) {
        reply.error("the library's path is too long\n");
        return false;
    }
    memcpy(path, name.data(), name.size());
    path[name.size()] = '\0';
    const elf::OpenError error = file.open(path);
    const char* wrong = nullptr;
    if (error == elf::OpenError::cannot_open)
        wrong = " can't be read by the process";
    else if (error != elf::OpenError::none || !is_like_us(file))
        wrong = " is not a shared library for this program";
    if (wrong != nullptr) reply.error("") << name << wrong << "\n";
    return wrong == nullptr;
}

}  // namespace mipstrace::runtime
