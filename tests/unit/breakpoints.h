// Breakpoints in this process's own code: a word is replaced by `break`, and the handler of SIGTRAP
// puts it back, does what the test wants there, and returns to the instruction.
#pragma once

#include <gtest/gtest.h>
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

#include "lib/elf/elf_file.h"

namespace mipstrace {

using CodeWord = volatile uint32_t*;

// Leaves the page writable. Any context.
inline void write_code(CodeWord at, uint32_t word) {
    static const uintptr_t page_size = uintptr_t(sysconf(_SC_PAGESIZE));
    const uintptr_t page = reinterpret_cast<uintptr_t>(at) & ~(page_size - 1);
    if (mprotect(reinterpret_cast<void*>(page), page_size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        abort();
    *at = word;
    char* start = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(at));
    __builtin___clear_cache(start, start + sizeof word);
}

class Breakpoint {
  public:
    explicit Breakpoint(CodeWord at) : at_(at), word_(*at) {}
    CodeWord at() const { return at_; }
    bool is_set() const { return set_; }
    void set() {
        write_code(at_, kBreak);
        set_ = true;
    }
    void remove() {
        if (set_) write_code(at_, word_);
        set_ = false;
    }
    // True if a SIGTRAP with this pc is of this breakpoint: in a branch's delay slot, pc is the
    // branch's, which runs again.
    bool caused(uintptr_t pc) const {
        const uintptr_t at = reinterpret_cast<uintptr_t>(at_);
        return set_ && (pc == at || pc + sizeof word_ == at);
    }

  private:
    static constexpr uint32_t kBreak = 0x0000000d;
    CodeWord at_;
    uint32_t word_;
    bool set_ = false;
};

struct CodeRange {
    std::string name;  // as the linker knows it
    CodeWord begin;
    size_t words;
};

// The symbols of the runtime library, hidden ones included.
class RuntimeSymbols {
  public:
    RuntimeSymbols() {
        dl_iterate_phdr(
            [](dl_phdr_info* info, size_t, void* self) {
                const std::string_view path = info->dlpi_name != nullptr ? info->dlpi_name : "";
                if (path.find("/libmipstrace.so") == path.npos) return 0;
                static_cast<RuntimeSymbols*>(self)->read(info->dlpi_name, info->dlpi_addr);
                return 1;
            },
            this);
        EXPECT_FALSE(functions_.empty()) << "libmipstrace.so has no symbols";
    }
    const std::vector<CodeRange>& functions() const { return functions_; }
    // Null if there is none.
    const CodeRange* function(std::string_view name) const {
        for (const CodeRange& range : functions_) {
            if (range.name == name) return &range;
        }
        return nullptr;
    }
    uintptr_t object(std::string_view name) const {
        for (const auto& [known, address] : objects_) {
            if (known == name) return address;
        }
        return 0;
    }

  private:
    void read(const char* path, uintptr_t bias) {
        elf::ElfFile file;
        if (file.open(path) != elf::OpenError::none) return;
        file.for_each_symbol(false, [&](const elf::Symbol& symbol) {
            const uintptr_t address = bias + uintptr_t(symbol.value);
            if (!symbol.is_function)
                objects_.emplace_back(symbol.name, address);
            else if (symbol.size != 0)
                functions_.push_back({std::string(symbol.name), reinterpret_cast<CodeWord>(address),
                                      size_t(symbol.size) / sizeof(uint32_t)});
            return true;
        });
    }

    std::vector<CodeRange> functions_;
    std::vector<std::pair<std::string, uintptr_t>> objects_;
};

}  // namespace mipstrace
