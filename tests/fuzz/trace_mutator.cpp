// Mutations of a trace file that know its parts. One in eight is libFuzzer's own, on the bare
// bytes.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>

#include "tests/fuzz/trace_image.h"
#include "tools/model/byte_order.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace mipstrace::fuzz {

namespace {

using format::Event;

constexpr size_t kRoomToGrow = 64;

class Mutator {
  public:
    Mutator(TraceImage* image, unsigned seed) : image_(*image), random_(seed) {}

    void mutate() {
        // Several at once now and then: some states need more than one step.
        for (uint32_t left = below(4) == 0 ? 4 : 1; left > 0; left--) {
            switch (below(8)) {
                case 0:
                    change_header();
                    break;
                case 1:
                    change_metadata();
                    break;
                case 2:
                    change_chunks();
                    break;
                case 3:
                    change_chunk_header();
                    break;
                default:
                    change_units();
            }
        }
    }

  private:
    uint32_t below(size_t end) { return uint32_t(random_() % end); }
    template <typename List>
    auto& any(List& list) {
        return list[below(list.size())];
    }
    // One of the numbers at which something changes, or any.
    uint64_t number() {
        switch (below(6)) {
            case 0:
                return uint64_t(1) << below(64);
            case 1:
                return (uint64_t(1) << below(64)) - 1;
            case 2:
                return 0 - uint64_t(1 + below(4));
            case 3:
                return uint64_t(random_()) << 32 | random_();
            default:
                return below(10);
        }
    }
    template <typename T>
    void overwrite(T* part) {
        LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(part), sizeof *part, sizeof *part);
    }
    template <typename List>
    void change_list(List& list) {
        if (list.empty()) return;
        const size_t at = below(list.size());
        switch (below(3)) {
            case 0:
                list.erase(list.begin() + ptrdiff_t(at));
                break;
            case 1:
                list.insert(list.begin() + below(list.size() + 1), any(list));
                break;
            case 2:
                std::swap(list[at], any(list));
        }
    }

    void change_header() {
        format::FileHeader& h = image_.header;
        switch (below(8)) {
            case 0:
                overwrite(&h);
                break;
            case 1:
                image_.has_honest_header = false;
                any_of(&h.chunk_size, &h.meta_used, &h.next_chunk);
                break;
            case 2:
                h.clock ^= 1;
                break;
            case 3:
                h.flags ^= 1;
                h.end_mono_ns = number();
                break;
            case 4:
                change_byte_order();
                break;
            case 5:
                h.chunk_size = format::kMinChunkSize << below(2);
                break;
            case 6:
                any_of(&h.pid, &h.start_cycles, &h.flags);
                break;
            case 7:
                h.lost[below(format::kLossSlots)] = number();
        }
    }
    template <typename... T>
    void any_of(T*... fields) {
        size_t chosen = below(sizeof...(fields));
        ((chosen-- == 0 ? void(*fields = T(number())) : void()), ...);
    }

    // Payloads of records keep theirs, and mean something else.
    void change_byte_order() {
        image_.is_swapped = !image_.is_swapped;
        for (TraceImage::Chunk& chunk : image_.chunks)
            for (Event& unit : chunk.units)
                tools::swap_fields(unit);
    }

    void change_metadata() {
        if (image_.metadata.empty() || below(3) == 0) return change_list(image_.metadata);
        TraceImage::Record& record = any(image_.metadata);
        if (below(8) == 0) record.type = uint16_t(below(14));
        const size_t size = record.payload.size();
        record.payload.resize(size + kRoomToGrow);
        record.payload.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(record.payload.data()),
                                               size, record.payload.size()));
    }

    void change_chunks() {
        if (!image_.metadata.empty() && below(8) == 0) return add_metadata_chunk();
        if (!image_.chunks.empty()) return change_list(image_.chunks);
        image_.chunks.emplace_back();
        image_.chunks[0].header.magic = format::kChunkMagic;
    }

    // Of some of the head's records, as for modules that come when the head is full.
    void add_metadata_chunk() {
        std::string records;
        for (uint32_t left = 1 + below(4); left > 0; left--)
            add_record(any(image_.metadata), image_.is_swapped, &records);
        format::MetaChunkHeader header{format::kMetaChunkMagic, uint32_t(records.size()), 0};
        if (below(8) == 0) header.used = uint32_t(number());
        if (image_.is_swapped) tools::swap_fields(header);
        std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
        image_.chunks.insert(image_.chunks.begin() + below(image_.chunks.size() + 1),
                             parse_chunk(bytes + records, image_.is_swapped));
    }

    void change_chunk_header() {
        if (image_.chunks.empty()) return change_chunks();
        format::ChunkHeader& h = any(image_.chunks).header;
        switch (below(8)) {
            case 0:
                overwrite(&h);
                break;
            case 1:
                h.tid = any(image_.chunks).header.tid;
                break;
            case 2:
                h.sequence = any(image_.chunks).header.sequence + below(3);
                break;
            case 3:
                h.depth = uint32_t(number());
                break;
            case 4:
                h.mono_ns = any(image_.chunks).header.mono_ns + number();
                break;
            case 5:
                h.cycles += uint32_t(number());
                break;
            case 6:
                h.lost[below(format::kLossSlots)] = uint32_t(number());
                break;
            case 7:
                h.tid = below(4);
        }
    }

    void change_units() {
        if (image_.chunks.empty()) return change_chunks();
        std::vector<Event>& units = any(image_.chunks).units;
        if (units.empty()) return insert_record(units);
        const size_t begin = below(units.size());
        const size_t size = 1 + below(std::min<size_t>(units.size() - begin, 16));
        const auto from = units.begin() + ptrdiff_t(begin);
        switch (below(10)) {
            case 0:
                units.erase(from, from + ptrdiff_t(size));
                break;
            case 1: {
                const std::vector<Event> copy(from, from + ptrdiff_t(size));
                units.insert(units.begin() + below(units.size() + 1), copy.begin(), copy.end());
                break;
            }
            case 2:
                insert_record(units);
                break;
            case 3:
                units.insert(from, size, Event{});  // a hole
                break;
            case 4:
                change_time(units[begin]);
                break;
            case 5:
                set_word(units[begin], word(units[begin]) ^ (1 + below(3)));
                break;
            case 6:
                units[begin].word = any(units).word;
                break;
            case 7:
                set_word(units[begin], uint32_t(number()));
                break;
            case 8:  // many calls that do not return
                units.insert(from, below(600), Event{units[begin].time, units[begin].word});
                break;
            default:
                LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(&*from), size * sizeof(Event),
                                 size * sizeof(Event));
        }
    }
    uint32_t word(const Event& unit) const {
        return image_.is_swapped ? tools::swapped(unit.word) : unit.word;
    }
    void set_word(Event& unit, uint32_t word) {
        unit.word = image_.is_swapped ? tools::swapped(word) : word;
    }
    void change_time(Event& unit) {
        const uint32_t time = image_.is_swapped ? tools::swapped(unit.time) : unit.time;
        const uint32_t changed = time + uint32_t(number());
        unit.time = image_.is_swapped ? tools::swapped(changed) : changed;
    }
    // Of any type, its payload being what follows or numbers of ours.
    void insert_record(std::vector<Event>& units) {
        Event first{uint32_t(number()), 0};
        const uint32_t size = below(8) == 0 ? uint32_t(number()) & format::kMaxUnits : below(5);
        const auto kind = below(4) == 0 ? format::Kind::unfinished : format::Kind::record;
        set_word(first, format::record_word(format::RecordType(below(10)), size, kind));
        std::vector<Event> record{first};
        for (uint32_t left = below(5); left > 0; left--) {
            record.push_back({uint32_t(number()), uint32_t(number())});
            if (!units.empty() && below(2) == 0) record.back().time = any(units).word;
        }
        units.insert(units.begin() + below(units.size() + 1), record.begin(), record.end());
    }

    TraceImage& image_;
    std::minstd_rand random_;
};

size_t put(const TraceImage& image, uint8_t* data, size_t max_size) {
    const std::string bytes = image.bytes(max_size);
    const size_t size = std::min(bytes.size(), max_size);
    std::memcpy(data, bytes.data(), size);
    return size;
}

std::string_view text(const uint8_t* data, size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

}  // namespace mipstrace::fuzz

using namespace mipstrace;
using namespace mipstrace::fuzz;

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
    std::optional<TraceImage> image = TraceImage::parse(text(data, size));
    if (!image || seed % 8 == 0 || max_size < 2 * format::kMinChunkSize)
        return LLVMFuzzerMutate(data, size, max_size);
    Mutator(&*image, seed).mutate();
    return put(*image, data, max_size);
}

// Some of the chunks and metadata of one, in the other.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                            const uint8_t* data2, size_t size2, uint8_t* out,
                                            size_t max_size, unsigned seed) {
    std::optional<TraceImage> image = TraceImage::parse(text(data1, size1));
    std::optional<TraceImage> other = TraceImage::parse(text(data2, size2));
    if (!image || !other || max_size < 2 * format::kMinChunkSize) return 0;
    std::minstd_rand random(seed);
    for (const TraceImage::Chunk& chunk : other->chunks)
        if (random() % 2 == 0)
            image->chunks.insert(
                image->chunks.begin() + ptrdiff_t(random() % (image->chunks.size() + 1)), chunk);
    for (const TraceImage::Record& record : other->metadata)
        if (random() % 4 == 0) image->metadata.push_back(record);
    return put(*image, out, max_size);
}
