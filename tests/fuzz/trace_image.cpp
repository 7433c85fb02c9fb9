#include "tests/fuzz/trace_image.h"

#include <algorithm>
#include <cstring>

#include "tools/model/byte_order.h"

namespace mipstrace::fuzz {

namespace {

// Of chunks that are put together: the smallest ones make the smallest inputs.
constexpr uint32_t kLargestChunk = 4 * format::kMinChunkSize;

size_t padded(size_t size) {
    return (size + 7) & ~size_t(7);
}

template <typename T>
void add(std::string* to, T value, bool swap) {
    if (swap) tools::swap_fields(value);
    to->append(reinterpret_cast<const char*>(&value), sizeof value);
}

void parse_metadata(std::string_view bytes, TraceImage* image) {
    while (bytes.size() >= sizeof(format::MetaHeader)) {
        auto record = tools::load<format::MetaHeader>(bytes.data(), image->is_swapped);
        if (record.size < sizeof record || record.size > bytes.size()) return;
        image->metadata.push_back(
            {record.type, std::string(bytes.substr(sizeof record, record.size - sizeof record))});
        bytes.remove_prefix(std::min(padded(record.size), bytes.size()));
    }
}

// Without the zeros at its end.
std::vector<format::Event> units_of_chunk(std::string_view bytes) {
    std::vector<format::Event> units(bytes.size() / sizeof(format::Event));
    if (!units.empty())
        std::memcpy(units.data(), bytes.data(), units.size() * sizeof(format::Event));
    while (!units.empty() && units.back().word == 0 && units.back().time == 0)
        units.pop_back();
    return units;
}

}  // namespace

void add_record(const TraceImage::Record& record, bool is_swapped, std::string* to) {
    const size_t size = sizeof(format::MetaHeader) + record.payload.size();
    add(to, format::MetaHeader{record.type, 0, uint32_t(size)}, is_swapped);
    *to += record.payload;
    to->resize(padded(to->size()));
}

TraceImage::Chunk parse_chunk(std::string bytes, bool is_swapped) {
    bytes.resize(std::max(bytes.size(), sizeof(format::ChunkHeader)));
    return {tools::load<format::ChunkHeader>(bytes.data(), is_swapped),
            units_of_chunk(std::string_view(bytes).substr(sizeof(format::ChunkHeader)))};
}

std::optional<TraceImage> TraceImage::parse(std::string_view bytes) {
    TraceImage image;
    if (bytes.size() < sizeof image.header) return std::nullopt;
    std::memcpy(&image.header, bytes.data(), sizeof image.header);
    image.is_swapped = image.header.endian_tag == tools::swapped(format::kEndianTag);
    if (image.is_swapped) tools::swap_fields(image.header);
    const size_t chunk_size = image.header.chunk_size;
    if (chunk_size < format::kMinChunkSize || chunk_size > format::kMaxChunkSize)
        return std::nullopt;
    std::string_view head = bytes.substr(0, chunk_size);
    if (head.size() > format::kMetaOffset)
        parse_metadata(head.substr(format::kMetaOffset, image.header.meta_used), &image);
    for (size_t at = chunk_size; at < bytes.size(); at += chunk_size)
        image.chunks.push_back(
            parse_chunk(std::string(bytes.substr(at, chunk_size)), image.is_swapped));
    return image;
}

std::string TraceImage::bytes(size_t most_bytes) const {
    format::FileHeader head = header;
    uint32_t chunk_size = header.chunk_size;
    if (has_honest_header) {
        std::memcpy(head.magic, format::kMagic, sizeof head.magic);
        head.endian_tag = format::kEndianTag;
        head.version = format::kVersion;
        head.header_size = sizeof head;
        chunk_size = chunk_size == 2 * format::kMinChunkSize ? chunk_size : format::kMinChunkSize;
    }
    chunk_size = std::clamp(chunk_size, format::kMinChunkSize, kLargestChunk);
    std::string meta;
    for (const Record& record : metadata) {
        const size_t size = sizeof(format::MetaHeader) + record.payload.size();
        if (meta.size() + padded(size) <= chunk_size - format::kMetaOffset)
            add_record(record, is_swapped, &meta);
    }
    const size_t count = std::min(chunks.size(), most_bytes / chunk_size - 1);
    if (has_honest_header) {
        head.chunk_size = chunk_size;
        head.meta_used = uint32_t(meta.size());
        head.next_chunk = uint32_t(1 + count);
    }
    std::string all;
    add(&all, head, is_swapped);
    all.resize(format::kMetaOffset);
    all += meta;
    all.resize(chunk_size);
    for (size_t i = 0; i < count; i++) {
        const size_t end = all.size() + chunk_size;
        add(&all, chunks[i].header, is_swapped);
        for (const format::Event& unit : chunks[i].units)
            add(&all, unit, false);
        all.resize(end);
    }
    return all;
}

}  // namespace mipstrace::fuzz
