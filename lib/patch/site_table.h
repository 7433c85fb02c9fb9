// Every traced module and every site in it, 8 bytes each.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lib/base/file_status.h"
#include "lib/mcount/frame_table.h"
#include "lib/mips/cpload.h"
#include "lib/mips/sled.h"

namespace mipstrace::patch {

// What became of a site; the order is that of format::SiteState, which the runtime asserts.
enum class SiteState : uint8_t {
    ready,
    before_label,
    short_sled,
    unexpected,
    compressed,
    outside,
    refused,
    entry_only,
    count_
};

// Sites in these states are switched on and off.
constexpr bool is_traced(SiteState state) {
    return state == SiteState::ready || state == SiteState::entry_only;
}

enum class SiteKind : uint8_t {
    sled,  // at the function's entry
    call,  // of _mcount, behind its prologue; see lib/mcount/call_site.h
};

struct Site {
    uint32_t offset;  // from the module's text_start
    uint16_t users;   // set of fgraph users that want it: what the sled holds when it is on
    SiteState state;
    uint8_t mark : 4;  // scratch of whoever walks over the sites
    SiteKind kind : 3;
    bool is_direct : 1 = false;  // it has a page of its own, in Module::direct_pages
};
static_assert(sizeof(Site) == 8);

// Tells whether a file that is loaded again is the one whose functions have positions already.
struct FileKey {
    FileStatus status;
    uint32_t build_id_size;
    char build_id[32];
    bool operator==(const FileKey&) const = default;
};

// The page of a function that is replaced; see lib/direct.
struct DirectPage {
    uint32_t offset;  // of its site
    uint32_t page;
    DirectPage* next;
};

struct Module {
    char path[512];
    FileKey file;
    bool loaded;           // else its text is gone, and only its positions are kept
    uintptr_t load_bias;   // run-time address minus ELF address
    uintptr_t text_start;  // run-time address of its first executable byte, page-aligned
    size_t text_size;      // to the end of its last executable byte
    int text_protection;   // PROT_* that its text had
    uint32_t pos_base;     // position of text_start; see docs/trace_format.md

    // (address behind a sled) - bias = position
    uintptr_t bias() const { return text_start + mips::kSledBytes - pos_base; }

    uint32_t page;               // its trampoline page
    uint32_t call_page;          // that of its calls of _mcount
    mcount::FrameTable* frames;  // of these calls; null: it has none
    DirectPage* direct_pages;    // of its functions that are replaced
    Site* sites;                 // sorted by offset
    size_t site_count;
    size_t site_room;  // in the mapping that holds them
    uint32_t by_state[size_t(SiteState::count_)];

    volatile uint32_t* words(const Site& site) const {
        return reinterpret_cast<volatile uint32_t*>(text_start + site.offset);
    }
    // What a site's first word says.
    uint32_t page_of(const Site& site) const {
        if (site.is_direct) {
            for (const DirectPage* own = direct_pages; own != nullptr; own = own->next)
                if (own->offset == site.offset) return own->page;
        }
        return site.kind == SiteKind::call ? call_page : page;
    }
    // Where the function with a sled begins: at the sled, or on o32 at the .cpload before it.
    uintptr_t entry_of(const Site& site) const {
        const uintptr_t at = text_start + site.offset;
        return has_cpload(site) ? at - mips::kCploadBytes : at;
    }
    bool has_cpload(const Site& site) const;
    std::string_view base_name() const {
        std::string_view whole(path);
        size_t slash = whole.rfind('/');
        return slash == std::string_view::npos
                   ? whole
                   : std::string_view(whole.data() + slash + 1, whole.size() - slash - 1);
    }
};

// The modules of this process, those that were unloaded included: a position means one function for
// ever. Changes are its owner's to serialise; size() and the modules below it may be read
// meanwhile.
class SiteTable {
  public:
    static constexpr size_t kMaxModules = 0xffff;

    size_t size() const { return count_.load(std::memory_order_acquire); }
    Module& operator[](size_t index) { return *modules_[index]; }
    // Adds a loaded module, or puts it in the place of the one of the same file that was unloaded,
    // and gives it its positions. Returns the table's copy, or null: there is no room.
    Module* add(const Module& module);
    // Its text is gone.
    static void forget(Module& module);
    // The site at this offset or, with `slack`, at most that many bytes behind it. Or null.
    static Site* find(Module& module, uint32_t offset, uint32_t slack = 0);
    // The sled of the function that begins at this run-time address. Or null.
    static Site* find_function(Module& module, uintptr_t address);

  private:
    Module* take_up(const Module& module);
    bool is_free(uint64_t position, uint64_t size) const;
    uint32_t choose_position(const Module& module) const;

    Module** modules_ = nullptr;  // room for kMaxModules
    std::atomic<size_t> count_{0};
    Module* spare_ = nullptr;
    size_t spare_count_ = 0;
};

}  // namespace mipstrace::patch
