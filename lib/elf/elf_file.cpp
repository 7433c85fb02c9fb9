#include "lib/elf/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

namespace mipstrace::elf {

namespace {

// Cleared from st_other and from the address: see the MIPS ABI supplement, STO_MIPS_ISA.
constexpr unsigned kStoIsa = 0xc0;
constexpr unsigned kStoMicroMips = 0x80;
constexpr unsigned kStoMips16 = 0xf0;

bool is_compressed_code(unsigned char other) {
    return (other & kStoIsa) == kStoMicroMips || (other & 0xf0) == kStoMips16;
}

// libelf hands out pointers into its copy of the file; it has checked that the bytes are there.
const unsigned char* raw_bytes(Elf_Scn* scn, uint64_t size) {
    Elf_Data* data = elf_rawdata(scn, nullptr);
    return data != nullptr && data->d_size >= size ? static_cast<unsigned char*>(data->d_buf)
                                                   : nullptr;
}

}  // namespace

OpenError ElfFile::open(const char* path) {
    close();
    if (elf_version(EV_CURRENT) == EV_NONE) return OpenError::broken;
    fd_ = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd_ < 0) return OpenError::cannot_open;
    elf_ = elf_begin(fd_, ELF_C_READ_MMAP, nullptr);
    GElf_Ehdr header;
    if (elf_ == nullptr || elf_kind(elf_) != ELF_K_ELF) {
        close();
        return OpenError::not_elf;
    }
    size_t headers = 0;
    if (gelf_getehdr(elf_, &header) == nullptr || elf_getphdrnum(elf_, &headers) != 0) {
        close();
        return OpenError::broken;
    }
    machine_ = header.e_machine;
    type_ = header.e_type;
    flags_ = header.e_flags;
    is_64_ = header.e_ident[EI_CLASS] == ELFCLASS64;
    is_big_endian_ = header.e_ident[EI_DATA] == ELFDATA2MSB;
    for (size_t i = 0; i < headers; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf_, int(i), &segment) == nullptr) {
            close();
            return OpenError::broken;
        }
    }
    return OpenError::none;
}

void ElfFile::close() {
    if (elf_ != nullptr) elf_end(elf_);
    if (fd_ >= 0) ::close(fd_);
    elf_ = nullptr;
    fd_ = -1;
}

bool ElfFile::has_interpreter() const {
    size_t headers = 0;
    if (elf_getphdrnum(elf_, &headers) != 0) return false;
    for (size_t i = 0; i < headers; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf_, int(i), &segment) != nullptr && segment.p_type == PT_INTERP)
            return true;
    }
    return false;
}

bool ElfFile::has_section_headers() const {
    return elf_nextscn(elf_, nullptr) != nullptr;
}

std::string_view ElfFile::bytes() const {
    size_t size = 0;
    const char* bytes = elf_rawfile(elf_, &size);
    return bytes != nullptr ? std::string_view(bytes, size) : std::string_view();
}

bool ElfFile::section(const char* name, Section* out) const {
    size_t names = 0;
    if (elf_getshdrstrndx(elf_, &names) != 0) return false;
    for (Elf_Scn* scn = elf_nextscn(elf_, nullptr); scn != nullptr; scn = elf_nextscn(elf_, scn)) {
        GElf_Shdr header;
        if (gelf_getshdr(scn, &header) == nullptr) continue;
        const char* its_name = elf_strptr(elf_, names, header.sh_name);
        if (its_name == nullptr || strcmp(its_name, name) != 0) continue;
        const unsigned char* data = nullptr;
        if (header.sh_type != SHT_NOBITS && header.sh_size != 0) {
            data = raw_bytes(scn, header.sh_size);
            if (data == nullptr) return false;
        }
        *out = {header.sh_addr, header.sh_size, data};
        return true;
    }
    return false;
}

void ElfFile::for_each_segment(SegmentVisitor visit, void* context) const {
    size_t headers = 0;
    if (elf_getphdrnum(elf_, &headers) != 0) return;
    for (size_t i = 0; i < headers; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf_, int(i), &segment) == nullptr || segment.p_type != PT_LOAD) continue;
        visit({segment.p_vaddr, segment.p_memsz, segment.p_filesz, segment.p_offset,
               (segment.p_flags & PF_X) != 0},
              context);
    }
}

std::string_view ElfFile::build_id() const {
    Section note;
    if (!section(".note.gnu.build-id", &note) || note.data == nullptr) return {};
    // Elf_Nhdr { namesz, descsz, type } "GNU\0" id
    constexpr size_t kHeader = 12;
    constexpr size_t kName = 4;
    if (note.size < kHeader + kName) return {};
    uint32_t words[3];
    memcpy(words, note.data, sizeof words);
    const bool native_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    uint32_t size = is_big_endian_ == native_big ? words[1] : __builtin_bswap32(words[1]);
    if (size > note.size - kHeader - kName) return {};
    return {reinterpret_cast<const char*>(note.data) + kHeader + kName, size};
}

Elf_Scn* ElfFile::symbol_section(bool dynamic) const {
    for (Elf_Scn* scn = elf_nextscn(elf_, nullptr); scn != nullptr; scn = elf_nextscn(elf_, scn)) {
        GElf_Shdr header;
        if (gelf_getshdr(scn, &header) != nullptr && header.sh_entsize != 0 &&
            header.sh_type == (dynamic ? SHT_DYNSYM : SHT_SYMTAB))
            return scn;
    }
    return nullptr;
}

std::string_view ElfFile::symbol_names(bool dynamic) const {
    GElf_Shdr symbols;
    GElf_Shdr names;
    if (gelf_getshdr(symbol_section(dynamic), &symbols) == nullptr) return {};
    Elf_Scn* scn = elf_getscn(elf_, symbols.sh_link);
    if (gelf_getshdr(scn, &names) == nullptr || names.sh_type != SHT_STRTAB) return {};
    const unsigned char* bytes = raw_bytes(scn, names.sh_size);
    if (bytes == nullptr) return {};
    // elf_strptr would look for the last NUL at each symbol.
    const void* last = memrchr(bytes, '\0', size_t(names.sh_size));
    if (last == nullptr) return {};
    return {reinterpret_cast<const char*>(bytes),
            size_t(static_cast<const unsigned char*>(last) - bytes) + 1};
}

bool ElfFile::for_each_symbol(bool dynamic, Visitor visit, void* context) const {
    Elf_Scn* scn = symbol_section(dynamic);
    Elf_Data* data = scn != nullptr ? elf_getdata(scn, nullptr) : nullptr;
    if (data == nullptr) return false;
    const std::string_view names = symbol_names(dynamic);
    const size_t count = data->d_size / gelf_fsize(elf_, ELF_T_SYM, 1, EV_CURRENT);
    for (size_t i = 0; i < count; i++) {
        GElf_Sym sym;
        if (gelf_getsym(data, int(i), &sym) == nullptr) break;
        if (sym.st_shndx == SHN_UNDEF || sym.st_name >= names.size()) continue;
        const char* name = names.data() + sym.st_name;
        const size_t room = names.size() - sym.st_name;
        const size_t longest = room < kLongestName ? room : kLongestName;
        const void* end = memchr(name, '\0', longest);
        Symbol symbol;
        symbol.name = {name,
                       end != nullptr ? size_t(static_cast<const char*>(end) - name) : longest};
        symbol.is_compressed = machine_ == EM_MIPS && is_compressed_code(sym.st_other);
        symbol.value = symbol.is_compressed ? sym.st_value & ~uint64_t(1) : sym.st_value;
        symbol.size = sym.st_size;
        int type = GELF_ST_TYPE(sym.st_info);
        symbol.is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
        symbol.is_global = GELF_ST_BIND(sym.st_info) != STB_LOCAL;
        if (!visit(symbol, context)) return true;
    }
    return true;
}

}  // namespace mipstrace::elf
