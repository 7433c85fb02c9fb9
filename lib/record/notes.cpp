#include "lib/record/notes.h"

#include <fcntl.h>

#include "lib/base/clock.h"
#include "lib/base/syscall.h"
#include "lib/record/recorder.h"
#include "lib/triggers/trigger.h"

namespace mipstrace::record {

namespace {

using format::Note;
using format::NoteKind;

// The frame of the call at hand.
constexpr size_t kOwnClaims = 1;

void write(const Note& note) {
    EventWriter& writer = writer_of(*fgraph::this_thread);
    if (writer.muted != 0 || (writer.cursor == 0 && trace_file.has_ended())) return;
    write_record(writer, timestamp_in_call(writer), format::RecordType::note, note, kOwnClaims);
}

// "size resident shared ...", in pages.
bool read_memory(Note* note) {
    const long fd = raw_syscall(SYS_openat, AT_FDCWD, "/proc/self/statm", O_RDONLY | O_CLOEXEC, 0);
    if (is_error(fd)) return false;
    char text[128];
    const long size = raw_syscall(SYS_read, fd, &text[0], sizeof text);
    raw_syscall(SYS_close, fd);
    const auto kib_shift = unsigned(__builtin_ctz(trace_file.header().page_size)) - 10;
    long at = 0;
    for (uint64_t& value : note->values) {
        for (; at < size && text[at] >= '0' && text[at] <= '9'; at++)
            value = (value << 3) + (value << 1) + uint64_t(text[at] - '0');
        if (at == size || text[at++] != ' ') return false;
        value <<= kib_shift;
    }
    return true;
}

// Of the calling thread. The kernel's struct rusage: two times of two words each, then counters.
bool read_page_faults(Note* note) {
    constexpr int kOfThread = 1;
    long usage[18];
    if (is_error(raw_syscall(SYS_getrusage, kOfThread, &usage[0]))) return false;
    note->values[0] = uint64_t(usage[8]);
    note->values[1] = uint64_t(usage[9]);
    return true;
}

}  // namespace

void write_note(NoteKind kind) {
    KeepHiLo keep;
    write({uint32_t(kind), 0, {}});
}

void write_counters(uint32_t counters, bool is_return) {
    KeepHiLo keep;  // system calls change them
    if (!trace_file.is_open()) return;
    Note memory{uint32_t(NoteKind::memory), is_return, {}};
    if ((counters & triggers::kMemory) != 0 && read_memory(&memory)) write(memory);
    Note faults{uint32_t(NoteKind::page_faults), is_return, {}};
    if ((counters & triggers::kPageFaults) != 0 && read_page_faults(&faults)) write(faults);
}

}  // namespace mipstrace::record
