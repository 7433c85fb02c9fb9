#include "tools/replay/note_text.h"

#include "tools/model/byte_order.h"

namespace mipstrace::tools {

namespace {

using format::Note;
using format::NoteKind;

struct Counter {
    const char* name;
    const char* unit;
};

constexpr Counter kMemory[] = {{"size", "KB"}, {"rss", "KB"}, {"shared", "KB"}};
constexpr Counter kPageFaults[] = {{"minor", ""}, {"major", ""}};

template <size_t N>
std::string values_text(const Counter (&counters)[N], const Note& note, const Note* entry) {
    std::string text;
    for (size_t i = 0; i < N; i++) {
        const uint64_t value = note.values[i];
        const uint64_t before = entry != nullptr ? entry->values[i] : 0;
        text += std::string(" ") + counters[i].name + "=";
        if (entry != nullptr) text += value < before ? "-" : "+";
        text += std::to_string(value < before ? before - value : value - before);
        text += counters[i].unit;
    }
    return text;
}

}  // namespace

std::string NoteText::text(const TraceFile& file, const Step& step) {
    unsigned char bytes[sizeof(Note)];
    if (file.read(step.values + sizeof(format::Event), bytes, sizeof bytes) != sizeof bytes)
        return "";
    const auto note = load<Note>(bytes, file.is_swapped());
    const auto entry = entries_.find({step.call, note.kind});
    const Note* const before =
        note.is_return != 0 && entry != entries_.end() ? &entry->second : nullptr;
    const std::string verb = before != nullptr ? "diff" : "read";
    std::string text;
    switch (NoteKind(note.kind)) {
        case NoteKind::memory:
            text = verb + " proc/statm:" + values_text(kMemory, note, before);
            break;
        case NoteKind::page_faults:
            text = verb + " page-fault:" + values_text(kPageFaults, note, before);
            break;
        case NoteKind::trace_on:
            return "trace-on";
        case NoteKind::trace_off:
            return "trace-off";
        case NoteKind::finish:
            return "finish";
        default:
            return "";
    }
    if (note.is_return == 0)
        entries_[{step.call, note.kind}] = note;
    else if (before != nullptr)
        entries_.erase(entry);
    return text;
}

}  // namespace mipstrace::tools
