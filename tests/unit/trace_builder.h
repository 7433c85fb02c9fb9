// Makes trace files for tests, well-formed ones and others.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "lib/record/trace_format.h"
#include "tools/model/byte_order.h"

namespace mipstrace::test {

class TraceBuilder {
  public:
    // Integers stand in the order of this machine, or with `swap` in the other one.
    explicit TraceBuilder(bool swap = false, uint32_t chunk_size = format::kMinChunkSize)
        : swap_(swap) {
        std::memcpy(header.magic, format::kMagic, sizeof header.magic);
        header.endian_tag = format::kEndianTag;
        header.version = format::kVersion;
        header.header_size = sizeof header;
        header.abi = uint8_t(format::Abi::n64);
        header.isa_revision = 2;
        header.page_size = 4096;
        header.chunk_size = chunk_size;
        header.pid = 100;
        header.start_mono_ns = 1000;
    }

    format::FileHeader header{};

    void metadata(format::MetaType type, const std::string& payload) {
        format::MetaHeader record{uint16_t(type), 0, uint32_t(sizeof record + payload.size())};
        std::string& meta = in_metadata_ ? events_ : meta_;
        add(&meta, record);
        meta += payload;
        meta.resize((meta.size() + 7) & ~size_t(7));
    }
    void overhead(format::OverheadRecord record) {
        std::string payload;
        add(&payload, record);
        metadata(format::MetaType::overhead, payload);
    }
    void module(const std::string& path, uint32_t pos_base, uint64_t size, uint64_t vaddr = 0,
                const std::string& build_id = "") {
        format::ModuleRecord record{};
        record.text_vaddr = vaddr;
        record.text_size = size;
        record.pos_base = pos_base;
        record.build_id_size = uint16_t(build_id.size());
        record.path_size = uint16_t(path.size());
        std::string payload;
        add(&payload, record);
        metadata(format::MetaType::module, payload + build_id + path);
    }

    // What metadata() and module() make from here on goes into a chunk of its own.
    format::MetaChunkHeader& metadata_chunk() {
        flush_chunk();
        in_metadata_ = true;
        meta_chunk_ = {};
        meta_chunk_.magic = format::kMetaChunkMagic;
        return meta_chunk_;  // `used` is added to what is there
    }
    format::ChunkHeader& chunk(uint32_t tid, uint32_t sequence, uint64_t mono_ns) {
        flush_chunk();
        in_chunk_ = true;
        chunk_ = {};
        chunk_.magic = format::kChunkMagic;
        chunk_.tid = tid;
        chunk_.sequence = sequence;
        chunk_.mono_ns = mono_ns;
        return chunk_;  // to be changed before the next chunk()
    }
    void event(uint64_t time, uint32_t word) { add(&events_, format::Event{uint32_t(time), word}); }
    void enter(uint64_t time, uint32_t position) { event(time, position); }
    void leave(uint64_t time, uint32_t position) { event(time, position | 1); }
    void hole() { event(0, 0); }
    void left(uint64_t time, uint32_t position, uint32_t above = 0) {
        event(time, format::record_word(format::RecordType::left, 2));
        add(&events_, format::Left{position, above});
    }
    void switched(uint64_t time, uint32_t word, uint32_t above) {
        event(time, format::record_word(format::RecordType::switched, 2));
        add(&events_, format::Switched{word, above});
    }
    // `rules`: their numbers and values, in the order of bytes of this trace.
    void values(uint64_t time, uint32_t word, uint32_t above, const std::string& rules) {
        // Behind them is a 0, and at the end the number of units.
        const auto units = uint32_t(2 + (rules.size() + 2 * sizeof(uint32_t) + 7) / 8);
        event(time, format::record_word(format::RecordType::values, units));
        add(&events_, format::WithValues{word, above});
        events_ += rules + std::string((units - 3) * sizeof(format::Event) - rules.size(), '\0');
        add(&events_, format::Event{0, units});
    }
    void note(uint64_t time, format::NoteKind kind) {
        event(time, format::record_word(format::RecordType::note, 5));
        add(&events_, format::Note{uint32_t(kind), 0, {}});
    }
    // An object that stacks lead to.
    void object(const std::string& path, uint64_t mono_ns, uint64_t bias, uint64_t vaddr,
                uint64_t size) {
        format::ObjectRecord record{};
        record.mono_ns = mono_ns;
        record.load_bias = bias;
        record.text_vaddr = vaddr;
        record.text_size = size;
        record.path_size = uint16_t(path.size());
        std::string payload;
        add(&payload, record);
        metadata(format::MetaType::object, payload + path);
    }
    void stack(uint32_t position, const std::vector<uint64_t>& callers, uint16_t flags = 0) {
        const auto units = uint32_t(3 + callers.size());
        event(0, format::record_word(format::RecordType::stack, units));
        add(&events_, format::StackHeader{position, uint16_t(callers.size()), flags});
        for (const uint64_t caller : callers)
            add(&events_, format::MarkerRecord{caller});
        add(&events_, format::Event{0, units});
    }
    void sync(uint64_t mono_ns, uint32_t cycles = 0) {
        event(mono_ns, format::record_word(format::RecordType::sync, 3));
        add(&events_, format::Sync{mono_ns, cycles, 0});
    }
    void open(uint64_t time, std::vector<uint32_t> positions) {
        positions.resize((positions.size() + 1) & ~size_t(1));
        event(time,
              format::record_word(format::RecordType::open, uint32_t(1 + positions.size() / 2)));
        for (size_t i = 0; i < positions.size(); i += 2)
            add(&events_, format::Event{positions[i], positions[i + 1]});
    }
    size_t room() const {
        return (header.chunk_size - sizeof chunk_ - events_.size()) / sizeof(format::Event);
    }

    std::string bytes() {
        flush_chunk();
        header.meta_used = uint32_t(meta_.size());
        if (header.next_chunk == 0)
            header.next_chunk = uint32_t(1 + chunks_.size() / header.chunk_size);
        std::string all;
        add(&all, header);
        all.resize(format::kMetaOffset);
        all += meta_;
        all.resize(header.chunk_size);
        return all + chunks_;
    }

  private:
    template <typename T>
    void add(std::string* to, T value) {
        if (swap_) tools::swap_fields(value);
        to->append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void flush_chunk() {
        if (!in_chunk_ && !in_metadata_) return;
        if (in_metadata_) {
            meta_chunk_.used += uint32_t(events_.size());
            add(&chunks_, meta_chunk_);
        } else {
            add(&chunks_, chunk_);
        }
        chunks_ += events_;
        chunks_.resize((chunks_.size() + header.chunk_size - 1) / header.chunk_size *
                       header.chunk_size);
        events_.clear();
        in_chunk_ = in_metadata_ = false;
    }

    bool swap_;
    bool in_chunk_ = false;
    bool in_metadata_ = false;
    format::MetaChunkHeader meta_chunk_{};
    format::ChunkHeader chunk_{};
    std::string meta_;
    std::string events_;
    std::string chunks_;
};

// A file that is removed with the object.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& content, const char* suffix = ".trace") {
        // In memory if possible: some tests make thousands.
        const char* parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        path_ = std::string(parent) + "/mipstrace-test-XXXXXX" + suffix;
        int fd = mkstemps(path_.data(), int(strlen(suffix)));
        FILE* out = fdopen(fd, "w");
        if (fwrite(content.data(), 1, content.size(), out) != content.size()) abort();
        fclose(out);
    }
    ~TemporaryFile() { unlink(path_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::string& path() const { return path_; }
    std::string content() const {
        std::string text;
        FILE* in = fopen(path_.c_str(), "r");
        for (int c; (c = fgetc(in)) != EOF;)
            text += char(c);
        fclose(in);
        return text;
    }

  private:
    std::string path_;
};

}  // namespace mipstrace::test
