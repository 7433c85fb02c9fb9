#include "tools/model/symbol_table.h"

#include <algorithm>
#include <tuple>

namespace mipstrace::tools {

namespace {

size_t leading_underscores(std::string_view name) {
    return std::min(name.find_first_not_of('_'), name.size());
}

// Among names of one address the one that a programmer would use comes first: global before
// local, with a size before without, `write` before `__write`.
auto preference(const FunctionSymbol& s) {
    return std::make_tuple(s.address, !s.is_global, s.size == 0, leading_underscores(s.name),
                           s.name);
}

bool is_below(uint64_t address, const FunctionSymbol& symbol) {
    return address < symbol.address;
}

}  // namespace

bool SymbolTable::add(const elf::ElfFile& file, bool dynamic) {
    const std::string_view theirs = file.symbol_names(dynamic);
    const std::string_view ours = names_.emplace_back(theirs);
    return file.for_each_symbol(dynamic, [&](const elf::Symbol& s) {
        if (!s.is_function || s.name.empty()) return true;
        const auto name = ours.substr(size_t(s.name.data() - theirs.data()), s.name.size());
        symbols_.push_back({s.value, s.size, name, s.is_global, s.is_compressed});
        return true;
    });
}

void SymbolTable::finish() {
    std::sort(symbols_.begin(), symbols_.end(),
              [](const auto& a, const auto& b) { return preference(a) < preference(b); });
    auto end = std::unique(symbols_.begin(), symbols_.end(),
                           [](const auto& a, const auto& b) { return a.address == b.address; });
    symbols_.erase(end, symbols_.end());
    symbols_.shrink_to_fit();
}

const FunctionSymbol* SymbolTable::containing(uint64_t address) const {
    auto behind = std::upper_bound(symbols_.begin(), symbols_.end(), address, is_below);
    if (behind == symbols_.begin()) return nullptr;
    const FunctionSymbol& symbol = *std::prev(behind);
    if (symbol.size != 0 && address - symbol.address >= symbol.size) return nullptr;
    return &symbol;
}

const FunctionSymbol* SymbolTable::at_or_behind(uint64_t address) const {
    auto at = std::lower_bound(symbols_.begin(), symbols_.end(), address,
                               [](const FunctionSymbol& s, uint64_t a) { return s.address < a; });
    return at == symbols_.end() ? nullptr : &*at;
}

}  // namespace mipstrace::tools
