#include "tools/model/event_reader.h"

#include <algorithm>

namespace mipstrace::tools {

namespace {

constexpr uint32_t kSyncUnits = 1 + sizeof(format::Sync) / sizeof(format::Event);
constexpr uint32_t kLeftUnits = 1 + sizeof(format::Left) / sizeof(format::Event);
constexpr uint32_t kNoteUnits = 1 + sizeof(format::Note) / sizeof(format::Event);
constexpr uint32_t kFewestWithValues = 3;
constexpr uint32_t kFewestOfStack = 3;
// Handlers that interrupt each other.
constexpr size_t kMostStacks = 64;
constexpr uint32_t kSwitchedUnits = 1 + sizeof(format::Switched) / sizeof(format::Event);

bool counts_losses(const Chunk& chunk) {
    return std::any_of(chunk.lost.begin(), chunk.lost.end(), [](uint32_t n) { return n != 0; });
}

}  // namespace

EventReader::EventReader(const TraceFile& file, const Thread& thread, size_t first)
    : file_(file),
      thread_(thread),
      counts_ticks_(file.header().clock == uint8_t(format::ClockId::cycles)),
      cursor_(file),
      ticks_(file.usual_tick()),
      first_(first),
      chunk_(first) {}

void EventReader::push(EventKind kind, uint32_t position, uint32_t detail) {
    others_.push_back({time_, position, detail, kind, 0});
}

// One unit of the chunk, or the next chunk. False at the thread's end.
bool EventReader::go_on() {
    others_.clear();
    next_ = 0;
    if (!in_chunk_) {
        if (chunk_ == thread_.chunks.size()) return false;
        begin_chunk();
        return true;
    }
    format::Event event;
    if (cursor_.next(&event))
        decode(event);
    else
        end_chunk();
    return true;
}

void EventReader::begin_chunk() {
    const Chunk& chunk = thread_.chunks[chunk_];
    if (counts_ticks_) ticks_.begin(clock_pairs(chunk_));
    reference_ = chunk.mono_ns;
    cursor_.begin(chunk.index);
    in_chunk_ = true;
    bool follows = chunk_ == first_
                       ? chunk.sequence == 0 && chunk.depth == 0
                       : chunk.sequence == thread_.chunks[chunk_ - 1].sequence + 1 &&
                             thread_.chunks[chunk_ - 1].lost[size_t(format::Loss::no_space)] == 0;
    chunk_++;
    is_behind_gap_ = !follows;
    if (follows) return;
    stacks_.clear();
    // Up to here the missing events may have gone.
    time_ = std::max(time_, chunk.mono_ns);
    push(EventKind::gap, 0, chunk.depth);
}

void EventReader::end_chunk() {
    in_chunk_ = false;
    if (counts_losses(thread_.chunks[chunk_ - 1])) push(EventKind::lost, 0, uint32_t(chunk_ - 1));
}

void EventReader::decode(const format::Event& event) {
    uint32_t units = format::units_of(event.word);
    switch (format::kind_of(event.word)) {
        case format::Kind::enter:
            advance(event.time);
            push(EventKind::enter, format::position_of(event.word));
            if (!stacks_.empty()) attach_stack(Event(others_.back()));
            return;
        case format::Kind::leave:
            advance(event.time);
            push(EventKind::leave, format::position_of(event.word));
            return;
        case format::Kind::record:
            if (units > 1 && format::record_type_of(event.word) == format::RecordType::open)
                return decode_open(units);
            if (units != 0) decode_record(event, units);
            break;
        case format::Kind::unfinished:
            break;
    }
    if (units == 0)
        damaged_++;
    else
        cursor_.skip(units - 1);
}

void EventReader::decode_record(const format::Event& event, uint32_t units) {
    switch (format::record_type_of(event.word)) {
        case format::RecordType::sync: {
            format::Sync sync;
            if (units < kSyncUnits || !cursor_.payload(&sync)) break;
            reference_ = sync.mono_ns;
            if (counts_ticks_) ticks_.next_pair();
            return;
        }
        case format::RecordType::left: {
            format::Left left;
            if (units < kLeftUnits || !cursor_.payload(&left)) break;
            advance(event.time);
            push(EventKind::left, format::position_of(left.position), left.above);
            return;
        }
        case format::RecordType::switched:
        case format::RecordType::values: {
            const bool has_values =
                format::record_type_of(event.word) == format::RecordType::values;
            const uint64_t offset = cursor_.offset() - sizeof(format::Event);
            format::Switched switched;
            if (units < (has_values ? kFewestWithValues : kSwitchedUnits) ||
                !cursor_.payload(&switched))
                break;
            const format::Kind kind = format::kind_of(switched.word);
            if (kind != format::Kind::enter && kind != format::Kind::leave) break;
            advance(event.time);
            push(kind == format::Kind::enter ? EventKind::enter : EventKind::leave,
                 format::position_of(switched.word), switched.above);
            if (has_values) others_.back().values = offset;
            if (!stacks_.empty()) attach_stack(Event(others_.back()));
            return;
        }
        case format::RecordType::note:
            if (units < kNoteUnits) break;
            advance(event.time);
            push(EventKind::noted, 0);
            others_.back().values = cursor_.offset() - sizeof(format::Event);
            return;
        case format::RecordType::stack:
            if (units < kFewestOfStack || !note_stack()) break;
            return;
        default:
            return;  // of a later version's writer
    }
    damaged_++;
}

bool EventReader::note_stack() {
    const uint64_t offset = cursor_.offset() - sizeof(format::Event);
    format::StackHeader header;
    if (!cursor_.payload(&header)) return false;
    if (stacks_.size() == kMostStacks) stacks_.erase(stacks_.begin());
    stacks_.push_back({header.position, offset});
    return true;
}

// The event is handed out before what this adds.
void EventReader::attach_stack(const Event& event) {
    if (event.kind != EventKind::enter || event.position != stacks_.back().position) return;
    if (next_ == others_.size()) {
        others_.clear();
        next_ = 0;
    }
    push(EventKind::stack, event.position);
    others_.back().values = stacks_.back().offset;
    stacks_.pop_back();
}

// Goes behind it.
void EventReader::decode_open(uint32_t units) {
    std::vector<uint32_t> positions;
    for (uint32_t i = 1; i < units; i++) {
        format::Event pair;
        if (!cursor_.payload(&pair)) break;
        cursor_.skip(1);
        positions.push_back(pair.time);
        positions.push_back(pair.word);
    }
    if (!is_behind_gap_) return;
    is_behind_gap_ = false;
    while (!positions.empty() && positions.back() == 0)
        positions.pop_back();
    const uint32_t depth = thread_.chunks[chunk_ - 1].depth;
    uint32_t around = depth - std::min(depth, uint32_t(positions.size()));
    for (uint32_t position : positions)
        push(EventKind::open, format::position_of(position), around++);
}

std::vector<ClockPair> EventReader::clock_pairs(size_t number) {
    const Chunk& chunk = thread_.chunks[number];
    std::vector<ClockPair> pairs{{chunk.mono_ns, chunk.cycles}};
    ChunkCursor cursor(file_);
    cursor.begin(chunk.index);
    format::Event event;
    while (cursor.next(&event)) {
        uint32_t units = format::units_of(event.word);
        bool is_long = (event.word & 2) != 0;  // kinds 2 and 3
        if (!is_long || units == 0) continue;
        format::Sync sync;
        if (format::kind_of(event.word) == format::Kind::record && units >= kSyncUnits &&
            format::record_type_of(event.word) == format::RecordType::sync && cursor.payload(&sync))
            pairs.push_back({sync.mono_ns, sync.cycles});
        cursor.skip(units - 1);
    }
    if (number + 1 < thread_.chunks.size()) {
        const Chunk& behind = thread_.chunks[number + 1];
        pairs.push_back({behind.mono_ns, behind.cycles});
    }
    return pairs;
}

}  // namespace mipstrace::tools
