// Integers of the other byte order, for traces that another machine wrote.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lib/record/trace_format.h"

namespace mipstrace::tools {

inline uint8_t swapped(uint8_t v) {
    return v;
}
inline uint16_t swapped(uint16_t v) {
    return __builtin_bswap16(v);
}
inline uint32_t swapped(uint32_t v) {
    return __builtin_bswap32(v);
}
inline uint64_t swapped(uint64_t v) {
    return __builtin_bswap64(v);
}

template <typename... T>
void swap_all(T&... values) {
    ((values = swapped(values)), ...);
}
template <typename T, size_t N>
void swap_array(T (&values)[N]) {
    for (T& value : values)
        value = swapped(value);
}

inline void swap_fields(format::MarkerRecord& r) {
    swap_all(r.mono_ns);
}
inline void swap_fields(format::RuleRecord& r) {
    swap_all(r.number);
}
inline void swap_fields(format::ObjectRecord& r) {
    swap_all(r.mono_ns, r.load_bias, r.text_vaddr, r.text_size, r.build_id_size, r.path_size);
}
inline void swap_fields(format::StackHeader& s) {
    swap_all(s.position, s.count, s.flags);
}
inline void swap_fields(format::StringHeader& s) {
    swap_all(s.length, s.state);
}
inline void swap_fields(format::OverheadRecord& r) {
    swap_all(r.inside_ps, r.outside_ps);
}
inline void swap_fields(format::FileHeader& h) {
    swap_all(h.endian_tag, h.version, h.header_size, h.page_size, h.chunk_size, h.flags, h.pid,
             h.ppid, h.start_realtime_ns, h.start_mono_ns, h.start_cycles, h.cycle_resolution,
             h.next_chunk, h.meta_used, h.sites_on, h.forked_by, h.end_mono_ns, h.process_start,
             h.sequence, h.origin_pid, h.origin_sequence, h.buffer_chunks, h.overwritten,
             h.threads);
    swap_array(h.sites);
    swap_array(h.lost);
}
inline void swap_fields(format::MetaHeader& m) {
    swap_all(m.type, m.size);
}
inline void swap_fields(format::ModuleRecord& m) {
    swap_all(m.load_bias, m.text_vaddr, m.text_size, m.pos_base, m.build_id_size, m.path_size);
    swap_array(m.sites);
}
inline void swap_fields(format::ChunkHeader& c) {
    swap_all(c.magic, c.tid, c.sequence, c.depth, c.mono_ns, c.cycles, c.thread);
    swap_array(c.lost);
}
inline void swap_fields(format::MetaChunkHeader& m) {
    swap_all(m.magic, m.used);
}
inline void swap_fields(format::Event& e) {
    swap_all(e.time, e.word);
}
inline void swap_fields(format::Sync& s) {
    swap_all(s.mono_ns, s.cycles);
}
inline void swap_fields(format::Left& l) {
    swap_all(l.position, l.above);
}
inline void swap_fields(format::Note& n) {
    swap_all(n.kind, n.is_return);
    swap_array(n.values);
}
inline void swap_fields(format::Switched& s) {
    swap_all(s.word, s.above);
}

// The T at `bytes`, which need not be aligned.
template <typename T>
T load(const void* bytes, bool swap) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, bytes, sizeof value);
    if (swap) swap_fields(value);
    return value;
}

}  // namespace mipstrace::tools
