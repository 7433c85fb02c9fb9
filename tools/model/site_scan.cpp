#include "tools/model/site_scan.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "lib/base/unique_fd.h"
#include "lib/elf/address_table.h"
#include "lib/mcount/call_site.h"
#include "lib/mcount/file_code.h"
#include "tools/model/symbol_table.h"

namespace mipstrace::tools {

namespace {

constexpr char kTable[] = "__patchable_function_entries";
constexpr uint32_t kFewestNops = 3;
// Longer runs of nops are padding, not a sled.
constexpr uint32_t kMostNops = 64;

class CodeReader {
  public:
    CodeReader(const elf::ElfFile& file, const std::string& path)
        : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        file.for_each_segment([this](const elf::Segment& segment) {
            if (segment.executable) segments_.push_back(segment);
        });
        std::stable_sort(segments_.begin(), segments_.end(),
                         [](const auto& a, const auto& b) { return a.address < b.address; });
    }
    bool holds(uint64_t address) const { return segment_of(address) != nullptr; }
    // How many nops (words of zero, in either byte order) there are from `address` on.
    uint32_t count_nops(uint64_t address) const {
        const elf::Segment* segment = segment_of(address);
        if (segment == nullptr) return 0;
        uint32_t words[kMostNops];
        uint64_t left = segment->file_size - (address - segment->address);
        auto size = size_t(std::min<uint64_t>(sizeof words, left));
        ssize_t got =
            pread(fd_.get(), words, size, off_t(segment->offset + (address - segment->address)));
        uint32_t count = 0;
        while (ssize_t(count) < got / ssize_t(sizeof words[0]) && words[count] == 0)
            count++;
        return count;
    }

  private:
    const elf::Segment* segment_of(uint64_t address) const {
        auto behind = std::upper_bound(
            segments_.begin(), segments_.end(), address,
            [](uint64_t wanted, const elf::Segment& s) { return wanted < s.address; });
        if (behind == segments_.begin()) return nullptr;
        const elf::Segment& s = *std::prev(behind);
        return address - s.address < s.file_size ? &s : nullptr;
    }

    UniqueFd fd_;
    std::vector<elf::Segment> segments_;  // by address
};

std::vector<uint64_t> table_entries(const elf::ElfFile& file, const elf::Section& table) {
    std::vector<uint64_t> entries(elf::count_addresses(file, table));
    if (!elf::read_addresses(file, table, entries.data())) return {};
    std::erase(entries, 0);  // the linker dropped its function
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    return entries;
}

Site judge(uint64_t entry, const CodeReader& code, const SymbolTable& symbols) {
    Site sled;
    sled.address = entry & ~uint64_t(1);
    const FunctionSymbol* function = symbols.containing(sled.address);
    const FunctionSymbol* next = symbols.at_or_behind(sled.address);
    if (function != nullptr) sled.function = function->name;
    if (!code.holds(sled.address)) {
        sled.state = format::SiteState::outside;
        return sled;
    }
    bool is_at_label = next != nullptr && next->address == sled.address;
    if ((entry & 1) != 0 || (is_at_label && next->is_compressed) ||
        (function != nullptr && function->is_compressed)) {
        sled.state = format::SiteState::compressed;
        return sled;
    }
    if (entry % 4 != 0) {
        sled.state = format::SiteState::outside;
        return sled;
    }
    sled.nops = code.count_nops(sled.address);
    if (!is_at_label && next != nullptr && sled.nops != 0 &&
        next->address - sled.address <= uint64_t(sled.nops) * 4) {
        sled.state =
            next->is_compressed ? format::SiteState::compressed : format::SiteState::before_label;
        sled.nops = uint32_t(next->address - sled.address) / 4;
        sled.function = next->name;
    } else if (sled.nops == 0) {
        sled.state = format::SiteState::unexpected;
    } else if (sled.nops < kFewestNops) {
        sled.state = format::SiteState::short_sled;
    }
    return sled;
}

// Functions that have a sled keep to that.
bool has_sled(const std::vector<Site>& sleds, uint64_t start, uint64_t address) {
    auto sled = std::lower_bound(sleds.begin(), sleds.end(), start,
                                 [](const Site& s, uint64_t wanted) { return s.address < wanted; });
    return sled != sleds.end() && sled->address < address &&
           sled->state == format::SiteState::ready;
}

std::vector<Site> find_calls(const elf::ElfFile& file, const std::vector<Site>& sleds,
                             const SymbolTable& symbols) {
    std::vector<Site> calls;
    mcount::CallSlots slots;
    if (!slots.find(file)) return calls;
    mcount::for_each_code(file, [&](const mcount::Code& code) {
        mcount::for_each_call_site(code, slots, [&](const mcount::CallSite& call) {
            if (call.start != 0 && has_sled(sleds, call.start, call.address)) return;
            Site site;
            site.address = call.address;
            site.kind = Site::Kind::call;
            if (!call.frame.is_known) site.state = format::SiteState::entry_only;
            const FunctionSymbol* function = symbols.containing(call.address);
            if (function != nullptr) site.function = function->name;
            calls.push_back(std::move(site));
        });
    });
    return calls;
}

}  // namespace

uint32_t SiteScan::count_traced() const {
    return count(format::SiteState::ready) + count(format::SiteState::entry_only);
}

SiteScan scan_sites(const elf::ElfFile& file, const std::string& path) {
    SiteScan scan;
    SymbolTable symbols;
    symbols.add(file, false);
    symbols.add(file, true);
    symbols.finish();
    elf::Section table;
    if (file.section(kTable, &table) && table.data != nullptr) {
        scan.has_table = true;
        CodeReader code(file, path);
        for (uint64_t entry : table_entries(file, table))
            scan.sites.push_back(judge(entry, code, symbols));
    }
    std::vector<Site> calls = find_calls(file, scan.sites, symbols);
    scan.has_own_mcount = calls.empty() && mcount::defines_mcount(file, false);
    const auto middle = scan.sites.insert(scan.sites.end(), calls.begin(), calls.end());
    std::inplace_merge(scan.sites.begin(), middle, scan.sites.end(),
                       [](const Site& a, const Site& b) { return a.address < b.address; });
    for (const Site& site : scan.sites)
        scan.counts[size_t(site.state)]++;
    return scan;
}

}  // namespace mipstrace::tools
