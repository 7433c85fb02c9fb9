#include "tools/model/mips_target.h"

namespace mipstrace::tools {

namespace {

// e_flags of a MIPS object
constexpr uint32_t kAbi2 = 0x20;  // n32
constexpr uint32_t kArchMask = 0xf0000000;
constexpr uint32_t kArch32R6 = 0x90000000;
constexpr uint32_t kArch64R6 = 0xa0000000;

// A program names the dynamic linker, and all name libc: musl's has no version, glibc's has one.
bool is_for_musl(const elf::ElfFile& file) {
    auto holds = [&](const char* section, std::string_view text) {
        elf::Section found;
        return file.section(section, &found) && found.data != nullptr &&
               std::string_view(reinterpret_cast<const char*>(found.data), size_t(found.size))
                       .find(text) != std::string_view::npos;
    };
    using namespace std::literals;
    return holds(".interp", "/ld-musl-") || holds(".dynstr", "\0libc.so\0"sv) ||
           holds(".dynstr", "\0libc.musl-"sv);
}

}  // namespace

MipsTarget target_of(const elf::ElfFile& file) {
    uint32_t arch = file.flags() & kArchMask;
    bool is_r6 = arch == kArch32R6 || arch == kArch64R6;
    std::string r6 = is_r6 ? "r6" : "";
    std::string el = file.is_big_endian() ? "" : "el";
    MipsTarget target;
    if (file.is_64()) {
        target.abi = "n64";
        target.name = "mips64" + r6 + el;
        target.qemu = "qemu-mips64" + el;
        target.cpu = is_r6 ? "I6400" : "";
        target.triplet = (is_r6 ? "mipsisa64r6" : "mips64") + el + "-linux-gnuabi64";
    } else if ((file.flags() & kAbi2) != 0) {
        target.abi = "n32";
        target.name = "mipsn32" + r6 + el;
        target.qemu = "qemu-mipsn32" + el;
        target.cpu = is_r6 ? "I6400" : "";
        target.triplet = (is_r6 ? "mipsisa64r6" : "mips64") + el + "-linux-gnuabin32";
    } else {
        target.abi = "o32";
        target.name = "mips" + r6 + el;
        target.qemu = "qemu-mips" + el;
        target.cpu = is_r6 ? "mips32r6-generic" : "";
        target.triplet = (is_r6 ? "mipsisa32r6" : "mips") + el + "-linux-gnu";
    }
    if (is_for_musl(file)) {
        target.name += "-musl";
        target.triplet = target.triplet.substr(0, target.triplet.rfind('-')) + "-musl";
    }
    return target;
}

}  // namespace mipstrace::tools
