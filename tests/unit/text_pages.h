// Pages that stand for a module's text, with sleds in them.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "lib/patch/code_patcher.h"

namespace mipstrace::patch {

inline constexpr uint32_t kPage = 0x50010000;
inline constexpr uint32_t kLui = 0x3c015001;   // lui  $1,0x5001
inline constexpr uint32_t kJalr = 0x0020c809;  // jalr $25,$1
inline constexpr uint32_t kOri = 0x34010000;   // ori  $1,$0,users
inline constexpr uint32_t kCode = 0x0c123456;  // any instruction of the program

struct Mapping {
    uintptr_t low = 0;
    uintptr_t high = 0;
    std::string protection = "none";  // as "r-xp"
};

inline Mapping mapping_of(uintptr_t address) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::istringstream fields(line);
        Mapping mapping;
        char dash;
        fields >> std::hex >> mapping.low >> dash >> mapping.high >> mapping.protection;
        if (address >= mapping.low && address < mapping.high) return mapping;
    }
    return {};
}

inline std::string protection_of(uintptr_t address) {
    return mapping_of(address).protection;
}

class Text {
  public:
    explicit Text(size_t size, std::vector<uint32_t> offsets) : size_(size) {
        memory_ = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        EXPECT_NE(memory_, MAP_FAILED);
        uint32_t* words = static_cast<uint32_t*>(memory_);
        for (size_t i = 0; i < size / 4; i++)
            words[i] = kCode;
        for (uint32_t offset : offsets) {
            for (int w = 0; w < mips::kSledWords; w++)
                words[offset / 4 + uint32_t(w)] = mips::kNop;
        }
        use(memory_, offsets);
        EXPECT_EQ(mprotect(memory_, size, PROT_READ | PROT_EXEC), 0);
    }
    Text(void* memory, size_t size, const std::vector<uint32_t>& offsets)
        : memory_(memory), size_(size) {
        use(memory, offsets);
    }
    ~Text() { munmap(memory_, size_); }
    Text(const Text&) = delete;
    Text& operator=(const Text&) = delete;

    Module& module() { return *module_; }
    Site& site(size_t i) { return sites_[i]; }
    uintptr_t start() const { return reinterpret_cast<uintptr_t>(memory_); }
    uint32_t word(uint32_t offset) const {
        return *reinterpret_cast<const volatile uint32_t*>(start() + offset);
    }
    void expect_sled(uint32_t offset, uint32_t a, uint32_t b, uint32_t c) const {
        EXPECT_EQ(word(offset), a) << offset;
        EXPECT_EQ(word(offset + 4), b) << offset;
        EXPECT_EQ(word(offset + 8), c) << offset;
    }
    // No word outside the sleds was touched.
    void expect_rest() const {
        size_t i = 0;
        for (uint32_t offset = 0; offset < size_; offset += 4) {
            if (i < sites_.size() && offset == sites_[i].offset) {
                offset += mips::kSledBytes - 4;
                i++;
                continue;
            }
            ASSERT_EQ(word(offset), kCode) << std::hex << offset;
        }
    }
    void expect_protection(const std::string& wanted) const {
        for (uintptr_t at = start(); at < start() + size_; at += 64 * 1024)
            EXPECT_EQ(protection_of(at).substr(0, 3), wanted);
        EXPECT_EQ(protection_of(start() + size_ - 1).substr(0, 3), wanted);
    }

  private:
    void use(void* memory, const std::vector<uint32_t>& offsets) {
        for (uint32_t offset : offsets)
            sites_.push_back(Site{offset, 0, SiteState::ready, 0, SiteKind::sled});
        module_->text_start = reinterpret_cast<uintptr_t>(memory);
        module_->text_size = size_;
        module_->text_protection = PROT_READ | PROT_EXEC;
        module_->page = kPage;
        module_->sites = sites_.data();
        module_->site_count = sites_.size();
    }

    void* memory_;
    size_t size_;
    std::vector<Site> sites_;
    std::unique_ptr<Module> module_ = std::make_unique<Module>();
};

// Sets the same users for every site.
inline void set_all(Module& module, uint16_t users) {
    set_users(
        module,
        [](const Site&, void* context) -> uint16_t { return *static_cast<uint16_t*>(context); },
        &users);
}

}  // namespace mipstrace::patch
