// ElfFile on this program itself, and on damaged copies of it.
#include "lib/elf/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

extern "C" __attribute__((noinline)) int a_function_to_find(int x) {
    asm volatile("" : "+r"(x));
    return x + 1;
}

namespace mipstrace::elf {
namespace {

std::string own_path() {
    char path[4096];
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
    return size > 0 ? std::string(path, size_t(size)) : "";
}

constexpr bool is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

// Where this program is loaded.
uintptr_t own_bias() {
    uintptr_t bias = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* out) {
            *static_cast<uintptr_t*>(out) = info->dlpi_addr;
            return 1;  // the program is the first
        },
        &bias);
    return bias;
}

TEST(ElfFile, OpensThisProgram) {
    ElfFile file;
    ASSERT_EQ(file.open(own_path().c_str()), OpenError::none);
    EXPECT_TRUE(file.is_open());
    EXPECT_EQ(file.is_64(), sizeof(void*) == 8);
    EXPECT_EQ(file.is_big_endian(), is_big_endian);
    EXPECT_TRUE(file.type() == ET_EXEC || file.type() == ET_DYN);
#ifdef __mips__
    EXPECT_TRUE(file.is_mips());
    EXPECT_NE(file.flags(), 0u);
#else
    EXPECT_FALSE(file.is_mips());
#endif
    EXPECT_TRUE(file.has_interpreter());
    EXPECT_TRUE(file.has_section_headers());
    file.close();
    EXPECT_FALSE(file.is_open());
}

TEST(ElfFile, FindsSections) {
    ElfFile file;
    ASSERT_EQ(file.open(own_path().c_str()), OpenError::none);
    Section text;
    ASSERT_TRUE(file.section(".text", &text));
    ASSERT_NE(text.data, nullptr);
    const uintptr_t at = reinterpret_cast<uintptr_t>(&a_function_to_find) - own_bias();
    ASSERT_GE(at, text.address);
    ASSERT_LT(at, text.address + text.size);
    EXPECT_EQ(memcmp(text.data + (at - text.address),
                     reinterpret_cast<const void*>(&a_function_to_find), 8),
              0);
    Section bss;
    ASSERT_TRUE(file.section(".bss", &bss));
    EXPECT_EQ(bss.data, nullptr);
    EXPECT_GT(bss.size, 0u);
    Section none;
    EXPECT_FALSE(file.section(".no-such-section", &none));
    EXPECT_FALSE(file.section("", &none) && none.address != 0);
}

TEST(ElfFile, FindsSymbols) {
    ElfFile file;
    ASSERT_EQ(file.open(own_path().c_str()), OpenError::none);
    int found = 0;
    EXPECT_TRUE(file.for_each_symbol(false, [&](const Symbol& symbol) {
        if (symbol.name == "a_function_to_find") {
            found++;
            EXPECT_TRUE(symbol.is_function);
            EXPECT_TRUE(symbol.is_global);
            EXPECT_FALSE(symbol.is_compressed);
            EXPECT_GT(symbol.size, 0u);
            EXPECT_EQ(symbol.value + own_bias(), reinterpret_cast<uintptr_t>(&a_function_to_find));
        }
        return true;
    }));
    EXPECT_EQ(found, 1);
    EXPECT_TRUE(file.for_each_symbol(true, [&](const Symbol&) { return true; }));
}

TEST(ElfFile, AVisitorCanStop) {
    ElfFile file;
    ASSERT_EQ(file.open(own_path().c_str()), OpenError::none);
    int visited = 0;
    EXPECT_TRUE(file.for_each_symbol(false, [&](const Symbol&) { return ++visited < 3; }));
    EXPECT_EQ(visited, 3);
}

TEST(ElfFile, FindsSegments) {
    ElfFile file;
    ASSERT_EQ(file.open(own_path().c_str()), OpenError::none);
    const uintptr_t at = reinterpret_cast<uintptr_t>(&a_function_to_find) - own_bias();
    size_t count = 0;
    bool in_text = false;
    file.for_each_segment([&](const Segment& segment) {
        EXPECT_LE(segment.file_size, segment.size);
        in_text |= segment.executable && at - segment.address < segment.size;
        count++;
    });
    EXPECT_TRUE(in_text);
    EXPECT_GE(count, 2u);
}

// The dynamic linker has the same bytes.
TEST(ElfFile, BuildIdIsTheLoadedOne) {
    ElfFile file;
    ASSERT_EQ(file.open(own_path().c_str()), OpenError::none);
    Section note;
    if (!file.section(".note.gnu.build-id", &note)) GTEST_SKIP() << "linked without a build-id";
    const char* loaded = reinterpret_cast<const char*>(note.address + own_bias());
    EXPECT_EQ(file.build_id().size(), 20u);
    EXPECT_EQ(file.build_id(), std::string_view(loaded + 16, 20));
}

class Scratch {
  public:
    Scratch() {
        const char* folder = getenv("TMPDIR");
        path_ = std::string(folder != nullptr ? folder : P_tmpdir) + "/elf_file_test.XXXXXX";
        fd_ = mkstemp(path_.data());
        EXPECT_GE(fd_, 0) << path_;
    }
    ~Scratch() {
        unlink(path_.c_str());
        close(fd_);
    }
    const char* path() const { return path_.c_str(); }
    void put(const std::string& bytes) {
        ASSERT_EQ(ftruncate(fd_, 0), 0);
        ASSERT_EQ(pwrite(fd_, bytes.data(), bytes.size(), 0), ssize_t(bytes.size()));
    }
    void cut(size_t size) { ASSERT_EQ(ftruncate(fd_, off_t(size)), 0); }
    void put_byte(size_t at, unsigned char byte) { ASSERT_EQ(pwrite(fd_, &byte, 1, off_t(at)), 1); }

  private:
    std::string path_;
    int fd_;
};

std::string own_bytes() {
    std::string bytes;
    const int fd = open(own_path().c_str(), O_RDONLY | O_CLOEXEC);
    char buffer[65536];
    for (ssize_t size; (size = read(fd, buffer, sizeof buffer)) > 0;)
        bytes.append(buffer, size_t(size));
    close(fd);
    return bytes;
}

TEST(ElfFile, OpenFailsWithAReason) {
    ElfFile file;
    Scratch scratch;
    EXPECT_EQ(file.open((std::string(scratch.path()) + ".missing").c_str()),
              OpenError::cannot_open);
    scratch.put("");
    EXPECT_EQ(file.open(scratch.path()), OpenError::not_elf);
    scratch.put("#!/bin/sh\nexit 0\n");
    EXPECT_EQ(file.open(scratch.path()), OpenError::not_elf);
    EXPECT_NE(file.open("/"), OpenError::none);
    EXPECT_FALSE(file.is_open());
}

TEST(ElfFile, CanBeOpenedAgain) {
    ElfFile file;
    ASSERT_EQ(file.open(own_path().c_str()), OpenError::none);
    const std::string build_id(file.build_id());
    ASSERT_EQ(file.open(own_path().c_str()), OpenError::none);
    EXPECT_EQ(file.build_id(), build_id);
    EXPECT_NE(file.open("/"), OpenError::none);
    EXPECT_FALSE(file.is_open());
}

// Reads all that can be read. Returns something that depends on every byte handed out.
size_t read_everything(const char* path) {
    ElfFile file;
    if (file.open(path) != OpenError::none) return 0;
    size_t sum = size_t(file.has_interpreter()) + size_t(file.has_section_headers());
    for (const char* name : {".text", ".bss", ".dynsym", ".note.gnu.build-id"}) {
        Section section;
        if (!file.section(name, &section) || section.data == nullptr || section.size == 0) continue;
        sum += section.data[0] + section.data[section.size - 1];
    }
    file.for_each_segment([&](const Segment& segment) { sum += segment.executable; });
    for (char c : file.build_id())
        sum += size_t(c);
    for (bool dynamic : {false, true}) {
        file.for_each_symbol(dynamic, [&](const Symbol& symbol) {
            sum += symbol.name.size() + size_t(symbol.value);
            return true;
        });
    }
    return sum;
}

// An object with a string table and, for each of the offsets into it, a symbol of that name.
std::string with_names(const std::string& names, const std::vector<uint32_t>& offsets) {
    std::vector<Elf64_Sym> symbols(1);
    for (uint32_t offset : offsets)
        symbols.push_back({offset, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, 0x1000, 4});
    const size_t symbols_size = symbols.size() * sizeof(Elf64_Sym);
    Elf64_Ehdr header{};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = is_big_endian ? ELFDATA2MSB : ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_version = EV_CURRENT;
    header.e_type = ET_DYN;
    header.e_ehsize = sizeof header;
    header.e_shoff = sizeof header;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = 3;
    Elf64_Shdr sections[3] = {};
    sections[1].sh_type = SHT_SYMTAB;
    sections[1].sh_offset = sizeof header + sizeof sections;
    sections[1].sh_size = symbols_size;
    sections[1].sh_entsize = sizeof(Elf64_Sym);
    sections[1].sh_addralign = 8;
    sections[1].sh_link = 2;
    sections[2].sh_type = SHT_STRTAB;
    sections[2].sh_offset = sections[1].sh_offset + symbols_size;
    sections[2].sh_size = names.size();
    sections[2].sh_addralign = 1;
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
    bytes.append(reinterpret_cast<const char*>(sections), sizeof sections);
    bytes.append(reinterpret_cast<const char*>(symbols.data()), symbols_size);
    return bytes + names;
}

std::vector<std::string> names_in(const std::string& bytes) {
    Scratch scratch;
    scratch.put(bytes);
    ElfFile file;
    EXPECT_EQ(file.open(scratch.path()), OpenError::none);
    std::vector<std::string> names;
    file.for_each_symbol(false, [&](const Symbol& symbol) {
        names.emplace_back(symbol.name);
        return true;
    });
    return names;
}

TEST(ElfFile, TakesNamesThatEndInTheirTable) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(names_in(with_names(std::string("\0f\0outer\0cut", 12), {1, 3, 5, 0, 9, 12, 99})),
              (Names{"f", "outer", "ter", ""}));
    EXPECT_EQ(names_in(with_names("none", {0, 1})), Names{});
}

// Else a few megabytes of symbols that share a few megabytes of name would be terabytes.
TEST(ElfFile, CutsNamesThatNobodyReads) {
    const std::string names = std::string(1000000, 'x') + '\0';
    EXPECT_EQ(names_in(with_names(names, {0, 999998})),
              (std::vector<std::string>{names.substr(0, ElfFile::kLongestName), "xx"}));
}

TEST(ElfFile, SurvivesTruncationAnywhere) {
    const std::string whole = own_bytes();
    Scratch scratch;
    scratch.put(whole);
    std::vector<size_t> sizes;
    for (size_t size = whole.size(); size > 4096; size -= size / 40 + 1)
        sizes.push_back(size);
    // Around the ends of the section headers, and every byte of the headers at the front.
    for (size_t back = 1; back <= 3 * sizeof(ElfW(Shdr)); back++)
        sizes.push_back(whole.size() - back);
    for (size_t size = 0; size <= 1024; size++)
        sizes.push_back(size);
    std::sort(sizes.rbegin(), sizes.rend());
    for (size_t size : sizes) {
        scratch.cut(size);
        read_everything(scratch.path());
    }
}

TEST(ElfFile, SurvivesFlippedBits) {
    const std::string whole = own_bytes();
    Scratch scratch;
    scratch.put(whole);
    ElfW(Ehdr) header;
    memcpy(&header, whole.data(), sizeof header);
    auto flip = [&](size_t at, unsigned bit) {
        if (at >= whole.size()) return;
        const unsigned char byte = static_cast<unsigned char>(whole[at]);
        scratch.put_byte(at, byte ^ static_cast<unsigned char>(1u << bit));
        read_everything(scratch.path());
        scratch.put_byte(at, byte);
    };
    for (size_t at = 0; at < sizeof header; at++) {
        for (unsigned bit = 0; bit < 8; bit += 1)
            flip(at, bit);
    }
    // The tables of segments and of sections, then anywhere.
    std::mt19937 engine(3);
    auto random = [&](size_t below) { return size_t(engine() % below); };
    for (int i = 0; i < 300; i++)
        flip(header.e_phoff + random(header.e_phnum * sizeof(ElfW(Phdr))), unsigned(random(8)));
    for (int i = 0; i < 600; i++)
        flip(header.e_shoff + random(header.e_shnum * sizeof(ElfW(Shdr))), unsigned(random(8)));
    for (int i = 0; i < 100; i++)
        flip(random(whole.size()), unsigned(random(8)));
    EXPECT_EQ(read_everything(scratch.path()), read_everything(own_path().c_str()));
}

}  // namespace
}  // namespace mipstrace::elf
