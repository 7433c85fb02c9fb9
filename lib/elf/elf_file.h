// One ELF object on disk, read through libelf. Shared by the runtime (which looks for tables of
// sleds) and the tools (which want names), so it needs neither libstdc++ nor exceptions and
// allocates only through libelf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

struct Elf;
struct Elf_Scn;

namespace mipstrace::elf {

enum class OpenError { none, cannot_open, not_elf, broken };

struct Section {
    uint64_t address = 0;  // sh_addr: 0 when not loaded
    uint64_t size = 0;
    const unsigned char* data = nullptr;  // the bytes in the file, null for SHT_NOBITS
};

struct Symbol {
    std::string_view name;
    uint64_t value = 0;  // with the ISA bit of compressed code cleared
    uint64_t size = 0;
    bool is_function = false;
    bool is_global = false;      // STB_GLOBAL or STB_WEAK
    bool is_compressed = false;  // MIPS16 or microMIPS code (st_other)
};

struct Segment {
    uint64_t address = 0;
    uint64_t size = 0;  // in memory
    uint64_t file_size = 0;
    uint64_t offset = 0;
    bool executable = false;
};

// Not thread-safe. Everything that it hands out lives as long as the ElfFile is open.
class ElfFile {
  public:
    ElfFile() = default;
    ~ElfFile() { close(); }
    ElfFile(const ElfFile&) = delete;
    ElfFile& operator=(const ElfFile&) = delete;

    // Opens `path` and checks the headers. On an error the object stays closed.
    OpenError open(const char* path);
    void close();
    bool is_open() const { return elf_ != nullptr; }
    int descriptor() const { return fd_; }

    bool is_mips() const { return machine_ == 8; }  // EM_MIPS
    bool is_64() const { return is_64_; }
    bool is_big_endian() const { return is_big_endian_; }
    uint16_t machine() const { return machine_; }
    uint16_t type() const { return type_; }    // ET_EXEC, ET_DYN, ...
    uint32_t flags() const { return flags_; }  // e_flags: ABI and ISA of a MIPS object
    bool has_interpreter() const;              // PT_INTERP: dynamically linked program
    bool has_section_headers() const;

    // The whole file.
    std::string_view bytes() const;

    // The named section, or false. A section whose bytes lie outside the file is not found.
    bool section(const char* name, Section* out) const;

    // Calls `visit(const Segment&, void* context)` for each PT_LOAD segment.
    using SegmentVisitor = void (*)(const Segment&, void* context);
    void for_each_segment(SegmentVisitor visit, void* context) const;
    template <typename F>
    void for_each_segment(F&& visit) const {
        for_each_segment(
            [](const Segment& s, void* f) { (*static_cast<std::remove_reference_t<F>*>(f))(s); },
            const_cast<void*>(static_cast<const void*>(&visit)));
    }

    // The GNU build-id, empty if there is none.
    std::string_view build_id() const;

    // The bytes that the names of .symtab's (or .dynsym's) symbols lie in, as far as they are
    // whole.
    std::string_view symbol_names(bool dynamic) const;
    // Names are shown up to here: a hostile file has millions of symbols that share megabytes.
    static constexpr size_t kLongestName = 16 * 1024;

    // Calls `visit(const Symbol&, void* context)` for each defined symbol of .symtab (with
    // `dynamic`: of .dynsym) until it returns false. Returns false if there is no such table.
    // Names lie in symbol_names(), with a NUL somewhere behind.
    using Visitor = bool (*)(const Symbol&, void* context);
    bool for_each_symbol(bool dynamic, Visitor visit, void* context) const;
    template <typename F>
    bool for_each_symbol(bool dynamic, F&& visit) const {
        return for_each_symbol(
            dynamic,
            [](const Symbol& s, void* f) -> bool {
                return (*static_cast<std::remove_reference_t<F>*>(f))(s);
            },
            const_cast<void*>(static_cast<const void*>(&visit)));
    }

  private:
    Elf_Scn* symbol_section(bool dynamic) const;

    struct Elf* elf_ = nullptr;
    int fd_ = -1;
    uint16_t machine_ = 0;
    uint16_t type_ = 0;
    uint32_t flags_ = 0;
    bool is_64_ = false;
    bool is_big_endian_ = false;
};

}  // namespace mipstrace::elf
