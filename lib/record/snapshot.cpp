#include "lib/record/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include <atomic>

#include "lib/base/arena.h"
#include "lib/base/block_signals.h"
#include "lib/base/clock.h"
#include "lib/base/raw_log.h"
#include "lib/base/signal_handler.h"
#include "lib/base/syscall.h"
#include "lib/record/event_writer.h"

namespace mipstrace::record {

using namespace format;

namespace {

// A signal stack is small: what has some size is here. Used by the one who takes the snapshot.
char unfinished_path[TraceFile::kPathSize];
char path[TraceFile::kPathSize];
uint32_t snapshots_taken;
bool is_verbose;
bool has_complained;

enum : uint32_t { kIdle, kBusy, kAgain };
std::atomic<uint32_t> state{kIdle};

long read_at(long fd, void* out, size_t size, uint64_t offset) {
    return raw_syscall(SYS_pread64, fd, out, size, offset);
}

long write_all(long fd, const char* bytes, size_t size, uint64_t offset) {
    while (size != 0) {
        const long done = raw_syscall(SYS_pwrite64, fd, bytes, size, offset);
        if (done == 0) return -ENOSPC;
        if (done < 0) return done;
        bytes += done;
        size -= size_t(done);
        offset += uint64_t(done);
    }
    return 0;
}

bool is_same(const ChunkHeader& a, const ChunkHeader& b) {
    return a.magic == b.magic && a.thread == b.thread && a.sequence == b.sequence;
}

// 0 or -errno. A chunk that was begun after `moment` is left out, and with it one that was written
// again while it was copied: what is in the copy follows from one event to the next.
long copy_chunks(long from, long to, uint32_t count, uint64_t moment, char* buffer) {
    const auto& header = *reinterpret_cast<const ChunkHeader*>(buffer);
    for (uint32_t i = 1; i < count; i++) {
        const uint64_t offset = uint64_t(i) * kChunkSize;
        if (read_at(from, buffer, kChunkSize, offset) != long(kChunkSize)) continue;
        if (header.magic == 0) continue;
        if (header.magic == kChunkMagic) {
            ChunkHeader now;
            if (header.mono_ns > moment || read_at(from, &now, sizeof now, offset) < 0 ||
                !is_same(header, now))
                continue;
        }
        const long error = write_all(to, buffer, kChunkSize, offset);
        if (error != 0) return error;
    }
    return raw_ftruncate(to, uint64_t(count) * kChunkSize);
}

long copy_file(long from, long to, uint64_t moment) {
    auto* buffer = static_cast<char*>(map_pages(kChunkSize));
    if (buffer == nullptr) return -ENOMEM;
    long error = read_at(from, buffer, kChunkSize, 0) == long(kChunkSize) ? 0 : -EIO;
    auto& header = *reinterpret_cast<FileHeader*>(buffer);
    const uint32_t count = header.next_chunk;
    if (!fits_file_limit(uint64_t(count) * kChunkSize)) error = -EFBIG;
    if (error == 0) {
        header.flags |= kFlagSnapshot;
        header.end_mono_ns = moment;
        error = write_all(to, buffer, kChunkSize, 0);
    }
    if (error == 0) error = copy_chunks(from, to, count, moment, buffer);
    unmap_pages(buffer, kChunkSize);
    return error;
}

// Whoever waits for a file of that name finds a whole one.
long take_snapshot() {
    const uint64_t moment = mono_ns();
    const long from = trace_file.usable_descriptor();
    if (from < 0) return from;
    snapshots_taken++;
    if (!trace_file.path_beside(path, ".snapshot-", snapshots_taken) ||
        !trace_file.path_beside(unfinished_path, ".unfinished-", snapshots_taken))
        return -ENAMETOOLONG;
    const long to = create_file(unfinished_path, O_WRONLY | O_TRUNC);
    if (is_error(to)) return to;
    long error = copy_file(from, to, moment);
    raw_syscall(SYS_close, to);
    const char* whole = unfinished_path;
    if (error == 0) error = raw_syscall(SYS_rename, whole, static_cast<const char*>(path));
    if (error != 0) raw_syscall(SYS_unlink, whole);
    return error;
}

// Of the newest snapshot: 0 or -errno. Written by who takes it.
long newest_error;

void say_how_it_went(long error) {
    newest_error = error;
    if (error == 0 && is_verbose) LogLine() << "snapshot " << static_cast<const char*>(path);
    if (error != 0 && !has_complained)
        LogLine().error(int(-error)) << ": can't write the snapshot "
                                     << static_cast<const char*>(path) << ", the recording goes on";
    has_complained = error != 0;
}

// False: another thread takes one, and will take another one behind it.
bool take_as_only_one() {
    for (uint32_t seen = kIdle; !state.compare_exchange_strong(seen, kBusy); seen = kIdle) {
        if (seen == kAgain || (seen == kBusy && state.compare_exchange_strong(seen, kAgain)))
            return false;
    }
    uint32_t mine;
    do {
        state = mine = kBusy;
        if (trace_file.is_open()) say_how_it_went(take_snapshot());
    } while (!state.compare_exchange_strong(mine, kIdle));
    return true;
}

void on_signal(int) {
    BlockSignals quiet;  // also those that libc keeps for itself and leaves out of sa_mask
    take_as_only_one();
}

}  // namespace

bool take_snapshots_on(int signal, bool verbose) {
    is_verbose = verbose;
    errno = install_handler(signal, on_signal, false);
    return errno == 0;
}

void take_snapshot_in_call() {
    KeepHiLo keep;
    on_signal(0);
}

bool take_snapshot_now(char* out, size_t room) {
    const bool is_open = trace_file.is_open();
    const char* text = "there is no trace file";
    bool taken = false;
    if (is_open && !take_as_only_one())
        text = "another one is being taken, and one more behind it";
    else if (is_open) {
        taken = newest_error == 0;
        text = taken ? path : newest_error == -ENOSPC ? "the disk is full" : "writing fails";
    }
    size_t size = 0;
    for (; text[size] != '\0' && size + 1 < room; size++)
        out[size] = text[size];
    out[size] = '\0';
    return taken;
}

void forget_snapshot() {
    state = kIdle;
    snapshots_taken = 0;
    has_complained = false;
}

}  // namespace mipstrace::record
