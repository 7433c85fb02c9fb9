// Holds docs/trace_format.md (TRACE_FORMAT_PAGE) and trace_format.h together: the tables of the
// page are read and compared with the structs.
#include "lib/record/trace_format.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace mipstrace::format {
namespace {

using Row = std::vector<std::string>;

std::string trimmed(const std::string& s) {
    const size_t begin = s.find_first_not_of(' ');
    if (begin == std::string::npos) return "";
    return s.substr(begin, s.find_last_not_of(' ') - begin + 1);
}

std::vector<std::string> page() {
    std::ifstream file(TRACE_FORMAT_PAGE);
    EXPECT_TRUE(file) << TRACE_FORMAT_PAGE;
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

Row cells(const std::string& line) {
    Row row;
    std::string cell;
    for (size_t i = 1; i < line.size(); i++) {
        if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
            cell += line[++i];
        } else if (line[i] == '|') {
            row.push_back(trimmed(cell));
            cell.clear();
        } else {
            cell += line[i];
        }
    }
    return row;
}

// The rows of the first table behind the line that begins with `heading`, with this first column.
std::vector<Row> table_behind(const std::string& heading, const std::string& first_column) {
    std::vector<Row> rows;
    bool behind = false;
    bool inside = false;
    for (const std::string& line : page()) {
        if (line.rfind(heading, 0) == 0) behind = true;
        if (!behind) continue;
        const bool row = !line.empty() && line[0] == '|';
        if (inside && !row) break;
        if (!row) continue;
        const Row r = cells(line);
        if (inside && r[0].rfind("---", 0) != 0) rows.push_back(r);
        if (r[0] == first_column) inside = true;
    }
    EXPECT_FALSE(rows.empty()) << heading;
    return rows;
}

size_t size_of_type(const std::string& type) {
    const size_t bracket = type.find('[');
    const std::string element = type.substr(0, bracket);
    const size_t count = bracket == std::string::npos ? 1 : std::stoul(type.substr(bracket + 1));
    const std::map<std::string, size_t> sizes = {
        {"char", 1}, {"u8", 1}, {"u16", 2}, {"u32", 4}, {"u64", 8}};
    EXPECT_TRUE(sizes.count(element)) << type;
    return sizes.count(element) ? sizes.at(element) * count : 0;
}

struct Field {
    size_t offset;
    size_t size;
};
using Fields = std::map<std::string, Field>;

#define FIELD(type, name)                            \
    {                                                \
#name, {                                     \
            offsetof(type, name), sizeof(type::name) \
        }                                            \
    }

const Fields kFileHeader = {
    FIELD(FileHeader, magic),
    FIELD(FileHeader, endian_tag),
    FIELD(FileHeader, version),
    FIELD(FileHeader, header_size),
    FIELD(FileHeader, abi),
    FIELD(FileHeader, isa_revision),
    FIELD(FileHeader, clock),
    FIELD(FileHeader, page_size),
    FIELD(FileHeader, chunk_size),
    FIELD(FileHeader, flags),
    FIELD(FileHeader, pid),
    FIELD(FileHeader, ppid),
    FIELD(FileHeader, start_mono_ns),
    FIELD(FileHeader, start_realtime_ns),
    FIELD(FileHeader, start_cycles),
    FIELD(FileHeader, cycle_resolution),
    FIELD(FileHeader, next_chunk),
    FIELD(FileHeader, meta_used),
    FIELD(FileHeader, sites),
    FIELD(FileHeader, sites_on),
    FIELD(FileHeader, lost),
    FIELD(FileHeader, end_mono_ns),
    FIELD(FileHeader, buffer_chunks),
    FIELD(FileHeader, overwritten),
    FIELD(FileHeader, threads),
    FIELD(FileHeader, origin),
    FIELD(FileHeader, forked_by),
    FIELD(FileHeader, process_start),
    FIELD(FileHeader, sequence),
    FIELD(FileHeader, origin_pid),
    FIELD(FileHeader, origin_sequence),
};
const Fields kModuleRecord = {
    FIELD(ModuleRecord, load_bias), FIELD(ModuleRecord, text_vaddr),
    FIELD(ModuleRecord, text_size), FIELD(ModuleRecord, pos_base),
    FIELD(ModuleRecord, sites),     FIELD(ModuleRecord, build_id_size),
    FIELD(ModuleRecord, path_size),
};
const Fields kChunkHeader = {
    FIELD(ChunkHeader, magic),  FIELD(ChunkHeader, tid),     FIELD(ChunkHeader, sequence),
    FIELD(ChunkHeader, depth),  FIELD(ChunkHeader, mono_ns), FIELD(ChunkHeader, cycles),
    FIELD(ChunkHeader, thread), FIELD(ChunkHeader, lost),
};
const Fields kMetaChunkHeader = {
    FIELD(MetaChunkHeader, magic),
    FIELD(MetaChunkHeader, used),
};

// Every row describes a field as it is, and every field has a row.
void expect_same(const std::vector<Row>& rows, const Fields& fields) {
    std::set<std::string> described;
    for (const Row& row : rows) {
        ASSERT_EQ(row.size(), 4u) << row[0];
        if (row[1].empty()) continue;  // what follows the struct
        const std::string& name = row[2];
        ASSERT_TRUE(fields.count(name)) << name;
        EXPECT_EQ(std::stoul(row[0]), fields.at(name).offset) << name;
        EXPECT_EQ(size_of_type(row[1]), fields.at(name).size) << name;
        described.insert(name);
    }
    for (const auto& [name, field] : fields)
        EXPECT_TRUE(described.count(name)) << name << " is not described";
}

// The number in "### Heading (N bytes)".
size_t bytes_in_heading(const std::string& heading) {
    for (const std::string& line : page()) {
        if (line.rfind(heading, 0) == 0) return std::stoul(line.substr(line.find('(') + 1));
    }
    return 0;
}

TEST(TraceFormatPage, FileHeader) {
    expect_same(table_behind("### File header", "offset"), kFileHeader);
    EXPECT_EQ(bytes_in_heading("### File header"), sizeof(FileHeader));
}

TEST(TraceFormatPage, ModuleRecord) {
    const std::vector<Row> rows = table_behind("### Metadata", "offset");
    expect_same(rows, kModuleRecord);
    EXPECT_EQ(std::stoul(rows.back()[0]), sizeof(ModuleRecord)) << "what follows it";
}

TEST(TraceFormatPage, ChunkHeader) {
    expect_same(table_behind("### Chunk header", "offset"), kChunkHeader);
    EXPECT_EQ(bytes_in_heading("### Chunk header"), sizeof(ChunkHeader));
}

TEST(TraceFormatPage, MetaChunkHeader) {
    const std::vector<Row> rows = table_behind("### Chunk of metadata", "offset");
    expect_same(rows, kMetaChunkHeader);
    EXPECT_EQ(bytes_in_heading("### Chunk of metadata"), sizeof(MetaChunkHeader));
    for (const Row& row : rows) {
        if (row[2] != "magic") continue;
        EXPECT_EQ(std::stoul(row[3], nullptr, 16), kMetaChunkMagic);
    }
}

TEST(TraceFormatPage, Constants) {
    std::map<std::string, std::string> meaning;
    for (const Row& row : table_behind("### File header", "offset"))
        meaning[row[2]] = row[3];
    EXPECT_EQ(meaning["magic"], "`" + std::string(kMagic, 7) + "\\n`");
    EXPECT_EQ(kMagic[7], '\n');
    EXPECT_EQ(std::stoul(meaning["endian_tag"], nullptr, 16), kEndianTag);
    EXPECT_EQ(std::stoul(meaning["version"]), kVersion);
    EXPECT_EQ(std::stoul(meaning["header_size"]), sizeof(FileHeader));
    for (const Row& row : table_behind("### Chunk header", "offset")) {
        if (row[2] != "magic") continue;
        EXPECT_EQ(std::stoul(row[3], nullptr, 16), kChunkMagic);
    }
}

std::vector<std::string> names_behind_colon(const std::string& text) {
    std::vector<std::string> names;
    std::istringstream list(text.substr(text.rfind(':') + 1));
    for (std::string name; std::getline(list, name, ',');)
        names.push_back(trimmed(name));
    return names;
}

TEST(TraceFormatPage, SiteStatesAndLossesInTheirOrder) {
    for (const Row& row : table_behind("### File header", "offset")) {
        if (row[2] != "sites") continue;
        const std::vector<std::string> names = names_behind_colon(row[3]);
        ASSERT_EQ(names.size(), size_t(SiteState::count_));
        EXPECT_EQ(names[size_t(SiteState::ready)], "ready");
        EXPECT_EQ(names[size_t(SiteState::before_label)], "before_label");
        EXPECT_EQ(names[size_t(SiteState::short_sled)], "short_sled");
        EXPECT_EQ(names[size_t(SiteState::unexpected)], "unexpected");
        EXPECT_EQ(names[size_t(SiteState::compressed)], "compressed");
        EXPECT_EQ(names[size_t(SiteState::outside)], "outside");
        EXPECT_EQ(names[size_t(SiteState::refused)], "refused");
        EXPECT_EQ(names[size_t(SiteState::entry_only)], "entry_only");
    }
    for (const Row& row : table_behind("### Chunk header", "offset")) {
        if (row[2] != "lost") continue;
        const std::vector<std::string> names = names_behind_colon(row[3]);
        ASSERT_EQ(names.size(), size_t(Loss::count_));
        EXPECT_EQ(names[size_t(Loss::no_space)], "no_space");
        EXPECT_EQ(names[size_t(Loss::no_memory)], "no_memory");
        EXPECT_EQ(names[size_t(Loss::too_deep)], "too_deep");
        EXPECT_EQ(names[size_t(Loss::recursion)], "recursion");
    }
}

TEST(TraceFormatPage, Records) {
    std::map<std::string, size_t> units;
    for (const Row& row : table_behind("## Events", "record"))
        units[row[0]] = std::stoul(row[1]);
    EXPECT_EQ(units["1 sync"], 1 + sizeof(Sync) / 8);
    EXPECT_EQ(units["2 left"], 1 + sizeof(Left) / 8);
    EXPECT_EQ(uint16_t(RecordType::sync), 1);
    EXPECT_EQ(units["3 open"], 2u);
    EXPECT_EQ(uint16_t(RecordType::left), 2);
    EXPECT_EQ(uint16_t(RecordType::open), 3);
}

TEST(TraceFormat, EventWords) {
    EXPECT_EQ(offsetof(Event, time), 0u);
    EXPECT_EQ(offsetof(Event, word), 4u);
    EXPECT_EQ(uint32_t(Kind::enter), 0u);
    EXPECT_EQ(uint32_t(Kind::leave), 1u);
    EXPECT_EQ(uint32_t(Kind::record), 2u);
    EXPECT_EQ(uint32_t(Kind::unfinished), 3u);
    EXPECT_EQ(position_of(0xfffffffd), 0xfffffffcu);
    EXPECT_EQ(kind_of(0xfffffffd), Kind::leave);
    const uint32_t word = record_word(RecordType::left, kMaxUnits, Kind::unfinished);
    EXPECT_EQ(word, 0x2ffffu);
    EXPECT_EQ(record_type_of(word), RecordType::left);
    EXPECT_EQ(units_of(word), kMaxUnits);
    EXPECT_EQ(kind_of(word), Kind::unfinished);
}

}  // namespace
}  // namespace mipstrace::format
