#include "tools/model/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "tools/model/byte_order.h"
#include "tools/model/chunk_index.h"
#include "tools/model/data_error.h"
#include "tools/model/tick_clock.h"

namespace mipstrace::tools {

namespace {

constexpr size_t kMostWarnings = 20;

bool is_valid_chunk_size(uint32_t size) {
    return size >= format::kMinChunkSize && size <= format::kMaxChunkSize &&
           (size & (size - 1)) == 0;
}

}  // namespace

TraceFile::TraceFile(std::string path) : path_(std::move(path)) {
    fd_.reset(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd_) throw DataError("cannot open " + path_ + ": " + strerror(errno));
    struct stat info;
    if (fstat(fd_.get(), &info) != 0)
        throw DataError("cannot read " + path_ + ": " + strerror(errno));
    if (!S_ISREG(info.st_mode)) throw DataError(path_ + " is not a file");
    size_ = uint64_t(info.st_size);
    read_header();
    index_chunks();
}

bool TraceFile::is_big_endian() const {
    const bool native_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    return native_big != is_swapped_;
}

void TraceFile::warn(std::string text) {
    if (warnings_.size() == kMostWarnings) text = "damaged in more places than are named here";
    if (warnings_.size() <= kMostWarnings) warnings_.push_back(path_ + ": " + std::move(text));
}

void TraceFile::read_header() {
    format::FileHeader h;
    size_t got = read(0, &h, sizeof h);
    if (got == 0) throw DataError(path_ + " is empty: nothing was recorded into it");
    if (std::memcmp(h.magic, format::kMagic, std::min(got, sizeof h.magic)) != 0)
        throw DataError(path_ + " is not a mipstrace recording");
    if (got < sizeof h)
        throw DataError(path_ + " is truncated: it ends inside its header, record again");
    is_swapped_ = h.endian_tag == swapped(format::kEndianTag);
    if (is_swapped_) swap_fields(h);
    if (h.endian_tag != format::kEndianTag)
        throw DataError(path_ + " is damaged: its byte order is neither little nor big endian");
    if (h.version != format::kVersion)
        throw DataError(path_ + " has format version " + std::to_string(h.version) +
                        ", this mipstrace reads version " + std::to_string(format::kVersion));
    if (h.header_size < sizeof h || h.header_size > format::kMetaOffset)
        throw DataError(path_ + " is damaged: its header has an impossible size");
    if (h.abi < 1 || h.abi > 3 || h.clock > 1)
        throw DataError(path_ + " is damaged: its header names an unknown ABI or clock");
    if (!is_valid_chunk_size(h.chunk_size))
        throw DataError(path_ + " is damaged: its header has an impossible chunk size");
    if (h.meta_used > h.chunk_size - format::kMetaOffset)
        throw DataError(path_ + " is damaged: its metadata is larger than its first chunk");
    if (size_ < format::kMetaOffset + uint64_t(h.meta_used))
        throw DataError(path_ + " is truncated: it ends inside its metadata, record again");
    header_ = h;
}

void TraceFile::index_chunks() {
    ChunkIndex index = build_chunk_index(*this);
    threads_ = std::move(index.threads);
    read_metadata(index.metadata);
    if (header_.clock == uint8_t(format::ClockId::cycles)) usual_tick_ = shortest_tick(*this);
    const bool lacks_chunks = index.missing != 0 && lost()[size_t(format::Loss::no_space)] ==
                                                        0;  // a loss is told as such
    is_incomplete_ = index.is_cut || lacks_chunks;
    if (index.is_cut)
        warn("truncated: the last " + std::to_string(index.cut_bytes) +
             " bytes are less than a whole chunk, what follows them is missing");
    if (lacks_chunks)
        warn("the file ends before the last " + std::to_string(index.missing) +
             " chunk(s) that were handed out: the program was killed in that moment, or the file "
             "was cut");
}

bool TraceFile::has_reached_max_size() const {
    constexpr std::string_view kName = "max_size=";
    for (const std::string& option : options_) {
        uint64_t size = 0;
        const char* const end = option.data() + option.size();
        if (option.starts_with(kName) &&
            std::from_chars(option.data() + kName.size(), end, size).ptr == end && size != 0)
            return header_.next_chunk >= size / header_.chunk_size;
    }
    return false;
}

const Module* TraceFile::module_at(uint32_t position) const {
    auto behind = std::upper_bound(modules_.begin(), modules_.end(), position,
                                   [](uint32_t p, const Module& m) { return p < m.pos_base; });
    if (behind == modules_.begin()) return nullptr;
    const Module& module = *--behind;
    return module.holds(position) ? &module : nullptr;
}

LossCounts TraceFile::lost() const {
    LossCounts sum{};
    for (size_t i = 0; i < sum.size(); i++) {
        sum[i] = header_.lost[i];
        for (const Thread& thread : threads_)
            for (const Chunk& chunk : thread.chunks)
                sum[i] += chunk.lost[i];
    }
    return sum;
}

size_t TraceFile::read(uint64_t offset, void* out, size_t size) const {
    size_t got = 0;
    while (got < size) {
        ssize_t n =
            pread(fd_.get(), static_cast<char*>(out) + got, size - got, off_t(offset + got));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        got += size_t(n);
    }
    return got;
}

uint64_t TraceFile::next_data(uint64_t offset) const {
    off_t at = lseek(fd_.get(), off_t(offset), SEEK_DATA);
    if (at >= 0) return uint64_t(at);
    return errno == ENXIO ? std::max(size_, offset) : offset;
}

}  // namespace mipstrace::tools
