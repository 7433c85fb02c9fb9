#include "tools/probe_program.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

#include "lib/elf/elf_file.h"

namespace mipstrace::tools {

namespace {

// Both files define probe_shared: in C++ it is COMDAT, and the linker keeps the first file's.
#define PROBE_HEAD                                      \
    "#ifdef __cplusplus\n"                              \
    "#define SHARED inline\n"                           \
    "extern \"C\" {\n"                                  \
    "#else\n"                                           \
    "#define SHARED static\n"                           \
    "#endif\n"                                          \
    "#define KEEP __attribute__((noinline, noclone))\n" \
    "extern int probe_state;\n"                         \
    "int probe_near(int x);\n"                          \
    "int probe_far(int x);\n"                           \
    "int probe_start(int x);\n"
#define PROBE_TAIL         \
    "#ifdef __cplusplus\n" \
    "}\n"                  \
    "#endif\n"

constexpr const char* kNear = PROBE_HEAD
    "int probe_dropped_near(int x);\n"
    "int probe_dropped_near(int x) { return x + probe_state; }\n"
    "KEEP SHARED int probe_shared(int x) { return (probe_state += x); }\n"
    "int probe_state;\n"
    "KEEP int probe_near(int x) { return probe_shared(x) + probe_far(x); }\n"
    "int probe_start(int x) { return probe_near(x) + probe_far(probe_shared(x)); }\n" PROBE_TAIL;

constexpr const char* kFar = PROBE_HEAD
    "int probe_dropped_far(int x);\n"
    "int probe_dropped_far(int x) { return x - probe_state; }\n"
    "KEEP SHARED int probe_shared(int x) { return (probe_state += x); }\n"
    "KEEP int probe_far(int x) { return x < 0 ? probe_shared(x) : probe_near(x - 1) + 1; "
    "}\n" PROBE_TAIL;

class Program {
  public:
    bool open(const std::string& path) {
        return file_.open(path.c_str()) == elf::OpenError::none && file_.section(".text", &text_) &&
               text_.data != nullptr;
    }

    uint64_t word_at(const unsigned char* bytes, size_t size) const {
        uint64_t value = 0;
        for (size_t i = 0; i < size; i++)
            value |= uint64_t(bytes[i]) << (8 * (file_.is_big_endian() ? size - 1 - i : i));
        return value;
    }

    uint32_t instruction(uint64_t address) const {
        bool inside = address >= text_.address && address - text_.address + 4 <= text_.size;
        return inside ? uint32_t(word_at(text_.data + (address - text_.address), 4)) : ~0u;
    }

    std::vector<uint64_t> table() const {
        elf::Section section;
        std::vector<uint64_t> entries;
        size_t size = file_.is_64() ? 8 : 4;
        if (!file_.section("__patchable_function_entries", &section) || section.data == nullptr)
            return entries;
        for (size_t at = 0; at + size <= section.size; at += size)
            entries.push_back(word_at(section.data + at, size));
        return entries;
    }

    const elf::ElfFile& file() const { return file_; }

  private:
    elf::ElfFile file_;
    elf::Section text_;
};

// lui $28, _ / addiu $28, $28, _ / addu $28, $28, $25: what .cpload $25 stands for
bool is_cpload(const Program& program, uint64_t at) {
    return program.instruction(at) >> 16 == 0x3c1c && program.instruction(at + 4) >> 16 == 0x279c &&
           program.instruction(at + 8) == 0x0399e021;
}

SledFault check_function(const Program& program, const elf::Symbol& function,
                         const std::vector<uint64_t>& table, unsigned nops) {
    constexpr uint64_t kCpload = 12;
    if (function.is_compressed) return SledFault::compressed;
    uint64_t length = 4 * uint64_t(nops);
    auto entry = std::find_if(table.begin(), table.end(), [&](uint64_t at) {
        return at + length >= function.value && at < function.value + function.size;
    });
    if (entry == table.end()) return SledFault::lost_entries;
    for (uint64_t at = *entry; at < *entry + length; at += 4)
        if (program.instruction(at) != 0) return SledFault::not_nops;
    bool is_first = *entry == function.value && !is_cpload(program, *entry + length);
    bool is_behind_cpload =
        *entry == function.value + kCpload && is_cpload(program, function.value);
    return is_first || is_behind_cpload ? SledFault::none : SledFault::misplaced;
}

}  // namespace

const std::vector<ProbeSource> kProbeSources = {{"near", kNear}, {"far", kFar}};

SledFault check_probe_program(const std::string& path, unsigned nops) {
    Program program;
    if (!program.open(path)) return SledFault::unreadable;
    std::vector<uint64_t> table = program.table();
    SledFault worst = SledFault::unreadable;  // until a function is found
    std::set<uint64_t> functions;  // addresses: the compiler may make one of two equal functions
    program.file().for_each_symbol(false, [&](const elf::Symbol& symbol) {
        if (!symbol.is_function || symbol.name.find("probe_") == std::string_view::npos)
            return true;
        functions.insert(symbol.value);
        worst = check_function(program, symbol, table, nops);
        return worst == SledFault::none;
    });
    if (worst != SledFault::compressed && table.empty()) return SledFault::no_table;
    if (worst == SledFault::none && table.size() != functions.size())
        return SledFault::lost_entries;
    return worst;
}

const char* describe(SledFault fault) {
    switch (fault) {
        case SledFault::none:
            return "its sleds are right";
        case SledFault::unreadable:
            return "it makes no program that can be read";
        case SledFault::no_table:
            return "its programs hold no table of sleds";
        case SledFault::lost_entries:
            return "its table of sleds does not hold every function";
        case SledFault::not_nops:
            return "an entry of its table of sleds does not lead to the nops";
        case SledFault::misplaced:
            return "its nops do not lie where a call of the function runs them";
        case SledFault::compressed:
            return "it makes MIPS16 or microMIPS code, which has no sleds";
    }
    return "";
}

bool has_unwind_tables(const std::string& path) {
    elf::ElfFile file;
    elf::Section section;
    return file.open(path.c_str()) == elf::OpenError::none && file.section(".eh_frame", &section) &&
           section.size > 4;  // more than the terminator
}

}  // namespace mipstrace::tools
