#include "lib/record/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/base/abi.h"
#include "lib/base/arena.h"
#include "lib/base/block_signals.h"
#include "lib/base/clock.h"
#include "lib/base/counter.h"
#include "lib/base/process_start.h"
#include "lib/base/raw_log.h"
#include "lib/base/syscall.h"

namespace mipstrace::record {

using namespace format;

namespace {

constexpr std::string_view kSuffix = ".trace";

// Puts a path together, as far as there is room.
class PathText {
  public:
    explicit PathText(char* path) : path_(path) {}
    PathText& operator<<(std::string_view text) {
        for (char c : text) {
            if (used_ + 1 < TraceFile::kPathSize) path_[used_++] = c;
        }
        path_[used_] = '\0';
        return *this;
    }
    PathText& operator<<(uint64_t number) {
        char digits[20];
        return *this << std::string_view(digits, format_decimal(number, digits));
    }
    bool is_whole() const { return used_ + 1 < TraceFile::kPathSize; }

  private:
    char* path_;
    size_t used_ = 0;
};

Abi this_abi() {
    return sizeof(void*) == 8 ? Abi::n64 : sizeof(RegisterWord) == 8 ? Abi::n32 : Abi::o32;
}

}  // namespace

void TraceFile::fill_header(FileHeader& header, ClockId clock, uint64_t sequence) const {
    memcpy(header.magic, kMagic, sizeof kMagic);
    header.endian_tag = kEndianTag;
    header.version = kVersion;
    header.header_size = sizeof(FileHeader);
    header.abi = uint8_t(this_abi());
#ifdef __mips__
    header.isa_revision = __mips_isa_rev;
    if (clock == ClockId::cycles) {  // else it might not be there
        header.start_cycles = read_cycles();
        header.cycle_resolution = read_cycle_resolution();
    }
#endif
    header.clock = uint8_t(clock);
    header.page_size = uint32_t(sysconf(_SC_PAGESIZE));
    header.chunk_size = kChunkSize;
    header.pid = pid_;
    header.sequence = uint32_t(sequence);
    header.process_start = process_start(pid_);
    header.origin = uint8_t(parent_.pid != 0 ? Origin::forked : Origin::started);
    header.ppid = parent_.pid != 0 ? parent_.pid : uint32_t(getppid());
    header.forked_by = parent_.thread;
    header.origin_pid = parent_.origin_pid;
    header.origin_sequence = parent_.origin_sequence;
    header.start_mono_ns = mono_ns();
    header.start_realtime_ns = clock_ns(CLOCK_REALTIME);
    header.next_chunk = 1;
}

namespace {

bool identity_of(int fd, FileIdentity* identity) {
    FileStatus status;
    if (!file_status(fd, &status)) return false;
    *identity = status.identity;
    return true;
}

}  // namespace

bool fits_file_limit(uint64_t size) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           size <= limit.rlim_cur;
}

bool TraceFile::set_bounds(const FileBounds& bounds) {
    bounds_ = bounds;
    return bounds.buffer == 0 || slots_.init(uint32_t(bounds.buffer / kChunkSize));
}

bool TraceFile::create(const char* directory, ClockId clock) {
    mark_process();
    int fd = -1;
    uint64_t seq = 0;
    for (; fd < 0; seq++) {
        PathText text(path_);
        text << directory << "/" << uint64_t(pid_) << "-" << seq << kSuffix;
        if (!text.is_whole()) {
            errno = ENAMETOOLONG;
            break;
        }
        fd = int(create_file(path_, O_RDWR | O_EXCL));
        if (fd < 0 && fd != -EEXIST) {
            errno = -fd;
            break;
        }
    }
    if (fd < 0) {
        if (!said_.exchange(true))
            LogLine().error(errno) << ": can't create " << path_
                                   << ", nothing is recorded; choose another folder with -o or "
                                   << "MIPSTRACE_DATA";
        return false;
    }
    fd = int(move_high(fd));
    void* head = MAP_FAILED;
    if (identity_of(fd, &identity_) && grow_to(fd, kChunkSize))
        head = mmap(nullptr, kChunkSize, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (head == MAP_FAILED) {
        if (!said_.exchange(true))
            LogLine().error(errno) << ": can't write " << path_ << ", nothing is recorded";
        unlink(path_);
        close(fd);
        return false;
    }
    fd_ = fd;
    grown_ = ended_ = false;
    slots_.reset();
    auto* header = static_cast<FileHeader*>(head);
    fill_header(*header, clock, seq - 1);
    header->buffer_chunks = slots_.count();
    header_ = header;
    return true;
}

// Room for a record of `size` bytes in the head chunk, or in one of the file's further chunks.
char* TraceFile::room_for_meta(size_t size, uint32_t** used) {
    char* head = reinterpret_cast<char*>(header_) + kMetaOffset;
    if (more_meta_ == nullptr && header_->meta_used + size <= kChunkSize - kMetaOffset) {
        *used = &header_->meta_used;
        return head + header_->meta_used;
    }
    constexpr size_t kRoom = kChunkSize - sizeof(MetaChunkHeader);
    if (size > kRoom) return nullptr;
    if (more_meta_ == nullptr || more_meta_->used + size > kRoom) {
        void* window = map_pages(kChunkSize);
        if (window == nullptr) return nullptr;
        if (map_chunk(window, SlotRing::kForever) == 0) {
            unmap_pages(window, kChunkSize);
            return nullptr;
        }
        if (more_meta_ != nullptr) unmap_pages(more_meta_, kChunkSize);
        more_meta_ = static_cast<MetaChunkHeader*>(window);
        __atomic_store_n(&more_meta_->magic, kMetaChunkMagic, __ATOMIC_RELEASE);
    }
    *used = &more_meta_->used;
    return reinterpret_cast<char*>(more_meta_ + 1) + more_meta_->used;
}

void TraceFile::add_meta(MetaType type, std::string_view payload, std::string_view more,
                         std::string_view last) {
    const size_t size = sizeof(MetaHeader) + payload.size() + more.size() + last.size();
    const size_t padded = (size + 7) & ~size_t(7);
    uint32_t* used = nullptr;
    char* at = room_for_meta(padded, &used);
    if (at == nullptr) return;
    const MetaHeader meta{uint16_t(type), 0, uint32_t(size)};
    memcpy(at, &meta, sizeof meta);
    at += sizeof meta;
    for (std::string_view part : {payload, more, last}) {
        if (!part.empty()) memcpy(at, part.data(), part.size());
        at += part.size();
    }
    __atomic_store_n(used, *used + uint32_t(padded), __ATOMIC_RELEASE);
}

// The program may have closed our descriptor and got the number back for a file of its own.
long TraceFile::usable_descriptor() {
    const int fd = fd_.load(std::memory_order_relaxed);
    auto is_ours = [&](long candidate) {
        FileIdentity identity;
        return candidate >= 0 && identity_of(int(candidate), &identity) && identity == identity_;
    };
    if (is_ours(fd)) return fd;
    long again = raw_syscall(SYS_openat, AT_FDCWD, static_cast<const char*>(path_),
                             O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_LARGEFILE);
    if (is_error(again)) return again;
    if (!is_ours(again)) {
        raw_syscall(SYS_close, again);
        return -ENOENT;
    }
    again = move_high(again);
    fd_.store(int(again), std::memory_order_relaxed);
    return again;
}

// Blocks are allocated, not only promised: a store into a hole on a full disk would be a SIGBUS.
bool TraceFile::grow_to(long fd, uint64_t end) {
    if (!fits_file_limit(end)) {
        errno = EFBIG;
        return false;
    }
    const uint64_t start = end - kChunkSize;
    long result = raw_syscall(SYS_fallocate, fd, 0, start, uint64_t(kChunkSize));
    // tmpfs gives up when a signal comes, and would do so again while a program gets many of them;
    // a page at a time always gets on.
    if (result == -EOPNOTSUPP || result == -ENOSYS || result == -EINTR) {
        static const char zeros[4096] = {};
        for (uint64_t at = start; at < end; at += sizeof zeros) {
            result =
                raw_syscall(SYS_pwrite64, fd, static_cast<const char*>(zeros), sizeof zeros, at);
            if (result >= 0 && size_t(result) < sizeof zeros) result = -ENOSPC;
            if (result < 0) break;
        }
    }
    if (result < 0) errno = int(-result);
    return result >= 0;
}

// The number of a chunk that was never handed out, or 0 if the file has all that it may have.
uint32_t TraceFile::next_number() {
    uint64_t limit = UINT32_MAX;
    if (slots_.count() != 0) limit = slots_.count() + 1;
    if (bounds_.max_size != 0) limit = bounds_.max_size / kChunkSize;
    uint32_t number = __atomic_load_n(&header_->next_chunk, __ATOMIC_RELAXED);
    while (number < limit) {
        if (__atomic_compare_exchange_n(&header_->next_chunk, &number, number + 1, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return number;
    }
    return 0;
}

// A new chunk behind the others, or 0, with the reason in `error` if it is no bound.
uint32_t TraceFile::take_new(long fd, uint32_t owner, int* error) {
    if (grown_.load(std::memory_order_relaxed)) return 0;
    const uint32_t number = next_number();
    if (number != 0 && grow_to(fd, (uint64_t(number) + 1) * kChunkSize)) {
        if (reuses_chunks()) slots_.hand_out(number, owner);
        return number;
    }
    const bool first = !grown_.exchange(true);
    if (number == 0) return 0;
    *error = errno;
    // Unless another thread has taken one behind it, it was not handed out.
    uint32_t behind = number + 1;
    __atomic_compare_exchange_n(&header_->next_chunk, &behind, number, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    if (first && reuses_chunks())
        LogLine().error(*error) << ": " << static_cast<const char*>(path_)
                                << " can't grow to the size of --buffer, it keeps "
                                << uint64_t(number - 1) * (kChunkSize / 1024) << " KiB of events";
    return 0;
}

uint32_t TraceFile::take_again(uint32_t owner) {
    if (!reuses_chunks()) return 0;
    const uint32_t chunk = slots_.take_oldest(owner);
    if (chunk != 0) return chunk;
    // Threads that ended by a way that we did not see left theirs behind.
    slots_.give_back_of(
        [this](uint32_t tid) { return raw_syscall(SYS_tgkill, header_->pid, tid, 0) == -ESRCH; });
    return slots_.take_oldest(owner);
}

// A reader, or a crash, in the middle of this finds no chunk here.
void TraceFile::clear_chunk(void* window) {
    auto* old = static_cast<ChunkHeader*>(window);
    const bool held_events = old->magic == kChunkMagic;
    __atomic_store_n(&old->magic, 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (held_events) {
        add_to_counter(&header_->overwritten, 1);
        for (size_t i = 0; i < kLossSlots; i++)
            if (old->lost[i] != 0) count_loss(Loss(i), old->lost[i]);
    }
    memset(window, 0, kChunkSize);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

bool TraceFile::has_room() {
    if (ended_.load(std::memory_order_relaxed)) return false;
    if (!grown_.load(std::memory_order_relaxed) || slots_.has_free()) return true;
    // To look for chunks of threads that are gone takes a while.
    return in_vain_.fetch_add(1, std::memory_order_relaxed) % 256 == 0;
}

void TraceFile::say_why_none(int error) {
    if (said_.exchange(true)) return;
    LogLine line;
    if (error != 0) line.error(error) << ": ";
    line << static_cast<const char*>(path_);
    if (error == 0 && reuses_chunks()) {
        line << " has a chunk for each of " << uint64_t(slots_.count())
             << " threads, events of more are lost; give it a larger --buffer";
        return;
    }
    line << (error == 0 ? " has reached --max-size" : " can't grow")
         << ", the recording ends here and the program goes on";
}

uint32_t TraceFile::map_chunk(void* window, uint32_t owner) {
    if (header_ == nullptr || ended_.load(std::memory_order_relaxed)) return 0;
    const int saved_errno = errno;
    int error = 0;
    uint32_t chunk = 0;
    bool is_new = false;
    const long fd = usable_descriptor();
    if (fd >= 0) {
        chunk = take_new(fd, owner, &error);
        is_new = chunk != 0;
        if (!is_new) chunk = take_again(owner);
    } else {
        error = int(-fd);
    }
    if (chunk != 0) {
        const long at =
            raw_mmap(window, kChunkSize, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, uint64_t(chunk) * kChunkSize);
        if (is_error(at)) {
            error = int(-at);
            give_back(chunk, owner);
            chunk = 0;
        } else {
            if (!is_new) clear_chunk(window);
        }
    }
    if (chunk == 0) {
        if (error != 0 || !reuses_chunks()) {
            if (!ended_) end_error_ = error;
            ended_ = true;
        }
        say_why_none(error);
    }
    errno = saved_errno;
    return chunk;
}

void TraceFile::free_rest(uint32_t chunk, uint32_t used) {
    if (header_ == nullptr) return;
    const uint64_t page = header_->page_size;
    const uint64_t start = (used + page - 1) & ~(page - 1);
    const long fd = start < kChunkSize ? usable_descriptor() : -1;
    if (fd >= 0)
        raw_syscall(SYS_fallocate, fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    uint64_t(chunk) * kChunkSize + start, uint64_t(kChunkSize) - start);
}

void TraceFile::count_loss(Loss cause, uint64_t count) {
    if (is_open()) add_to_counter(&header_->lost[size_t(cause)], count);
}

bool TraceFile::path_beside(char* out, std::string_view what, uint32_t number) const {
    std::string_view stem = path_;
    stem.remove_suffix(kSuffix.size());
    PathText text(out);
    text << stem << what << number << kSuffix;
    return text.is_whole();
}

bool TraceFile::path_with_suffix(char* out, std::string_view suffix) const {
    std::string_view stem = path_;
    stem.remove_suffix(kSuffix.size());
    PathText text(out);
    text << stem << suffix;
    return text.is_whole();
}

void TraceFile::mark_process() {
    pid_ = uint32_t(raw_syscall(SYS_getpid));
    if (mark_ == nullptr) {
        const auto size = size_t(sysconf(_SC_PAGESIZE));
        void* page = map_pages(size);
        if (page == nullptr) return;
        if (raw_syscall(SYS_madvise, page, size, MADV_WIPEONFORK) != 0) {
            unmap_pages(page, size);
            return;
        }
        mark_ = static_cast<uintptr_t*>(page);
    }
    *mark_ = 1;
}

bool TraceFile::leave_to_parent(uint32_t thread) {
    parent_.pid = pid_;
    parent_.thread = thread;
    if (FileHeader* const header = header_) {
        parent_.origin_pid = header->pid;
        parent_.origin_sequence = header->sequence;
        header_ = nullptr;
        if (more_meta_ != nullptr) unmap_pages(more_meta_, kChunkSize);
        more_meta_ = nullptr;
        // Not unmapped: this may be a handler that interrupted a use of it.
        raw_syscall(SYS_mmap, header, size_t(kChunkSize), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    }
    const int fd = fd_.exchange(-1);
    FileIdentity identity;
    if (fd >= 0 && identity_of(fd, &identity) && identity == identity_) raw_syscall(SYS_close, fd);
    mark_process();
    const bool at_once = forked_ != nullptr && forked_();
    due_ = open_ != nullptr;
    ended_ = false;
    generation_++;
    return at_once;
}

void TraceFile::put_off() {
    mark_process();
    due_ = true;
}

bool TraceFile::ensure_open() {
    if (!due_.load(std::memory_order_acquire) && !is_parents()) return header_ != nullptr;
    // A handler could not wait for what it has interrupted.
    constexpr size_t kStackForAFile = 3072;
    BlockSignals quiet(kStackForAFile);
    const auto self = uint32_t(raw_syscall(SYS_gettid));
    uint32_t creator = 0;
    while (!creator_.compare_exchange_strong(creator, self)) {
        if (creator == self) return false;  // open_ calls a function of the program
        // A thread of the parent is not here, and will not come to the end of it.
        if (raw_syscall(SYS_tgkill, raw_syscall(SYS_getpid), creator, 0) == -ESRCH) continue;
        creator = 0;
        raw_syscall(SYS_sched_yield);
    }
    if (is_parents()) leave_to_parent(0);
    if (due_) {
        const int saved_errno = errno;
        open_();
        errno = saved_errno;
        if (header_ == nullptr) ended_ = true;
        due_.store(false, std::memory_order_release);
    }
    creator_ = 0;
    return header_ != nullptr;
}

}  // namespace mipstrace::record
