// The functions of one ELF object by address.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "lib/elf/elf_file.h"

namespace mipstrace::tools {

struct FunctionSymbol {
    uint64_t address = 0;
    uint64_t size = 0;      // 0: up to the next one
    std::string_view name;  // in the table
    bool is_global = false;
    bool is_compressed = false;
};

class SymbolTable {
  public:
    SymbolTable() = default;
    SymbolTable(SymbolTable&&) = default;
    SymbolTable& operator=(SymbolTable&&) = default;

    // Takes the functions of .symtab (with `dynamic`: .dynsym). False if there is none.
    bool add(const elf::ElfFile& file, bool dynamic);
    // To be called once, behind the last add().
    void finish();

    bool empty() const { return symbols_.empty(); }
    // The function that holds `address`, or null.
    const FunctionSymbol* containing(uint64_t address) const;
    // The first function that begins at or behind `address`, or null.
    const FunctionSymbol* at_or_behind(uint64_t address) const;

  private:
    // Copies of the files' string tables, of which names are parts: names of different symbols may
    // share their bytes, so copies of each would know no bound.
    std::deque<std::string> names_;
    std::vector<FunctionSymbol> symbols_;  // one for each address, sorted
};

}  // namespace mipstrace::tools
