// One trace file: its head, and which chunks belong to which thread.
//
// The file is hostile until proven otherwise: it may be cut anywhere, hold anything, and grow or
// shrink while it is read. So it is read by pread (a mapping would die of SIGBUS, and a 32-bit
// board has no room for one), no count in it is believed before it is compared with the file's
// size, and memory is used in proportion to what is really there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/unique_fd.h"
#include "lib/record/trace_format.h"
#include "tools/model/value_rules.h"

namespace mipstrace::tools {

using SiteCounts = std::array<uint32_t, format::kSiteStates>;
using LossCounts = std::array<uint64_t, format::kLossSlots>;

struct Module {
    uint64_t load_bias = 0;
    uint64_t text_vaddr = 0;
    uint64_t text_size = 0;
    uint32_t pos_base = 0;
    SiteCounts sites{};
    std::string build_id;  // raw bytes
    std::string path;

    bool holds(uint32_t position) const { return position - uint64_t(pos_base) < text_size; }
    uint64_t address_of(uint32_t position) const { return text_vaddr + (position - pos_base); }
};

// An object with code, that addresses of stacks lie in; pos_base and sites are not its own.
struct Object {
    uint64_t mono_ns = 0;  // since when it was there
    Module module;

    bool holds(uint64_t address) const {
        return address - module.load_bias - module.text_vaddr < module.text_size;
    }
};

struct Chunk {
    uint32_t index = 0;  // in the file
    uint32_t sequence = 0;
    uint32_t depth = 0;
    uint32_t cycles = 0;
    uint64_t mono_ns = 0;
    std::array<uint32_t, format::kLossSlots> lost{};
};

struct Thread {
    uint32_t tid = 0;
    std::vector<Chunk> chunks;  // in the order in which they were written
};

// What somebody noted while the program ran.
struct Marker {
    uint64_t mono_ns = 0;
    uint32_t pid = 0;
    std::string text;
};

class TraceFile {
  public:
    // Throws DataError when the file is not a usable trace.
    explicit TraceFile(std::string path);

    const std::string& path() const { return path_; }
    const format::FileHeader& header() const { return header_; }  // in our byte order
    bool is_swapped() const { return is_swapped_; }
    bool is_big_endian() const;
    uint64_t size() const { return size_; }
    // Its end is missing.
    bool is_incomplete() const { return is_incomplete_; }

    const std::vector<Module>& modules() const { return modules_; }  // sorted by pos_base
    const std::vector<Thread>& threads() const { return threads_; }  // by their first moment
    const std::vector<std::string>& command() const { return command_; }
    const std::string& cwd() const { return cwd_; }
    const std::string& exe() const { return exe_; }
    const std::vector<std::string>& messages() const { return messages_; }
    const std::vector<std::string>& options() const { return options_; }
    const std::vector<Marker>& markers() const { return markers_; }
    const ValueRules& value_rules() const { return value_rules_; }
    const std::optional<format::OverheadRecord>& overhead() const { return overhead_; }
    // What is damaged but does not keep the rest from being read; sentences.
    const std::vector<std::string>& warnings() const { return warnings_; }

    const Module* module_at(uint32_t position) const;
    // What was at this run-time address at that moment, or null.
    const Object* object_at(uint64_t address, uint64_t mono_ns) const;
    LossCounts lost() const;
    // It has all chunks that --max-size lets it have.
    bool has_reached_max_size() const;
    // Nanoseconds per tick, for TickClock; 0 where unknown.
    double usual_tick() const { return usual_tick_; }

    // Reads up to `size` bytes at `offset`; returns how many there were.
    size_t read(uint64_t offset, void* out, size_t size) const;
    // The first offset >= `offset` that the file system has data for, or size().
    uint64_t next_data(uint64_t offset) const;

  private:
    void read_header();
    void read_metadata(const std::vector<uint32_t>& more_chunks);
    void read_records(uint64_t offset, uint32_t total);
    void sort_modules();
    void add_module(const char* payload, size_t size);
    void add_object(std::string_view payload);
    void add_marker(std::string_view payload);
    void add_rule(std::string_view payload);
    void add_overhead(std::string_view payload);
    void index_chunks();
    void warn(std::string text);

    std::string path_;
    UniqueFd fd_;
    uint64_t size_ = 0;
    bool is_swapped_ = false;
    double usual_tick_ = 0;
    format::FileHeader header_{};
    std::vector<Module> modules_;
    std::vector<Object> objects_;
    std::vector<Thread> threads_;
    std::vector<std::string> command_;
    std::string cwd_;
    std::string exe_;
    std::vector<std::string> messages_;
    std::vector<std::string> options_;
    std::vector<Marker> markers_;
    ValueRules value_rules_;
    bool is_incomplete_ = false;
    std::optional<format::OverheadRecord> overhead_;
    std::vector<std::string> warnings_;
};

}  // namespace mipstrace::tools
