// The trace file that the runtime writes for this process while a test runs in it.
#pragma once

#include <glob.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "lib/record/trace_format.h"

namespace mipstrace {

class OwnTrace {
  public:
    struct Chunk {
        format::ChunkHeader header;
        std::vector<format::Event> events;  // up to the first that is not written
    };

    // Reads it as it stands now.
    OwnTrace() {
        std::ifstream file(path());
        EXPECT_TRUE(file) << "no trace file; is the test run with MIPSTRACE_DATA?";
        bytes_.assign(std::istreambuf_iterator<char>(file), {});
        if (bytes_.size() < sizeof header_) return;
        memcpy(&header_, bytes_.data(), sizeof header_);
        for (size_t at = header_.chunk_size; at + header_.chunk_size <= bytes_.size();
             at += header_.chunk_size)
            read_chunk(at);
    }

    const format::FileHeader& header() const { return header_; }
    const std::vector<Chunk>& chunks() const { return chunks_; }

    uint64_t lost(format::Loss cause) const {
        uint64_t count = header_.lost[size_t(cause)];
        for (const Chunk& chunk : chunks_)
            count += chunk.header.lost[size_t(cause)];
        return count;
    }

    // Events with this word, of all threads.
    size_t count(uint32_t word) const {
        size_t found = 0;
        for (const Chunk& chunk : chunks_) {
            for (size_t i = 0; i < chunk.events.size(); i += units(chunk.events[i]))
                found += chunk.events[i].word == word;
        }
        return found;
    }

    // The position of the function with this run-time address, 0 if no module holds it.
    uint32_t position_of(uintptr_t address) const {
        for (size_t at = format::kMetaOffset; at < format::kMetaOffset + header_.meta_used;) {
            format::MetaHeader meta;
            memcpy(&meta, bytes_.data() + at, sizeof meta);
            if (meta.type == uint16_t(format::MetaType::module)) {
                format::ModuleRecord module;
                memcpy(&module, bytes_.data() + at + sizeof meta, sizeof module);
                const uint64_t offset = address - module.load_bias - module.text_vaddr;
                if (offset < module.text_size) return module.pos_base + uint32_t(offset);
            }
            at += (meta.size + 7) & ~size_t(7);
        }
        return 0;
    }

    static std::string path() {
        const char* folder = getenv("MIPSTRACE_DATA");
        const std::string pattern = std::string(folder != nullptr ? folder : "mipstrace.data") +
                                    "/" + std::to_string(getpid()) + "-*.trace";
        glob_t found;
        std::string path;
        if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
            path = found.gl_pathv[found.gl_pathc - 1];
            globfree(&found);
        }
        return path;
    }

  private:
    static size_t units(const format::Event& event) {
        const format::Kind kind = format::kind_of(event.word);
        const bool record = kind == format::Kind::record || kind == format::Kind::unfinished;
        return record && format::units_of(event.word) != 0 ? format::units_of(event.word) : 1;
    }

    void read_chunk(size_t at) {
        Chunk chunk;
        memcpy(&chunk.header, bytes_.data() + at, sizeof chunk.header);
        if (chunk.header.magic != format::kChunkMagic) return;
        chunk.events.resize((header_.chunk_size - sizeof chunk.header) / sizeof(format::Event));
        memcpy(chunk.events.data(), bytes_.data() + at + sizeof chunk.header,
               chunk.events.size() * sizeof(format::Event));
        size_t used = 0;
        while (used < chunk.events.size() && chunk.events[used].word != 0)
            used += units(chunk.events[used]);
        if (used < chunk.events.size()) chunk.events.resize(used);
        chunks_.push_back(chunk);
    }

    std::string bytes_;
    format::FileHeader header_{};
    std::vector<Chunk> chunks_;
};

// Removes the file when all tests have passed.
class RemoveOwnTrace : public testing::Environment {
    void TearDown() override {
        if (!testing::UnitTest::GetInstance()->Failed()) unlink(OwnTrace::path().c_str());
    }
};
inline testing::Environment* const remove_own_trace =
    testing::AddGlobalTestEnvironment(new RemoveOwnTrace);

}  // namespace mipstrace
