#include "lib/record/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/base/arena.h"
#include "lib/base/clock.h"
#include "lib/base/raw_log.h"
#include "lib/base/syscall.h"

namespace mipstrace::record {

using namespace format;

namespace {

constexpr int kHighDescriptor = 512;  // out of the way of programs that expect the low numbers

bool make_path(char* path, size_t size, std::string_view directory, uint64_t pid, uint64_t seq) {
    char digits[20];
    size_t used = 0;
    auto append = [&](std::string_view text) {
        for (char c : text) {
            if (used + 1 < size) path[used++] = c;
        }
    };
    append(directory);
    append("/");
    append({digits, format_decimal(pid, digits)});
    append("-");
    append({digits, format_decimal(seq, digits)});
    append(".trace");
    path[used] = '\0';
    return used + 1 < size;
}

Abi this_abi() {
    return sizeof(void*) == 8 ? Abi::n64 : sizeof(long long) == sizeof(long) ? Abi::n32 : Abi::o32;
}

void fill_header(FileHeader& header, ClockId clock) {
    memcpy(header.magic, kMagic, sizeof kMagic);
    header.endian_tag = kEndianTag;
    header.version = kVersion;
    header.header_size = sizeof(FileHeader);
    header.abi = uint8_t(this_abi());
#ifdef __mips__
    header.isa_revision = __mips_isa_rev;
    header.start_cycles = read_cycles();
    header.cycle_resolution = read_cycle_resolution();
#endif
    header.clock = uint8_t(clock);
    header.page_size = uint32_t(sysconf(_SC_PAGESIZE));
    header.chunk_size = kChunkSize;
    header.pid = uint32_t(getpid());
    header.ppid = uint32_t(getppid());
    header.start_mono_ns = mono_ns();
    header.start_realtime_ns = clock_ns(CLOCK_REALTIME);
    header.next_chunk = 1;
}

bool identity_of(int fd, FileIdentity* identity) {
    FileStatus status;
    if (!file_status(fd, &status)) return false;
    *identity = status.identity;
    return true;
}

}  // namespace

bool TraceFile::create(const char* directory, ClockId clock) {
    int fd = -1;
    for (uint64_t seq = 0; fd < 0; seq++) {
        if (!make_path(path_, sizeof path_, directory, uint64_t(getpid()), seq)) {
            errno = ENAMETOOLONG;
            break;
        }
        fd = open(path_, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd < 0) {
        LogLine().error(errno) << ": can't create " << path_
                               << ", nothing is recorded; choose another folder with -o or "
                               << "MIPSTRACE_DATA";
        return false;
    }
    const int high = fcntl(fd, F_DUPFD_CLOEXEC, kHighDescriptor);
    if (high >= 0) {
        close(fd);
        fd = high;
    }
    void* head = MAP_FAILED;
    if (identity_of(fd, &identity_) && grow_to(fd, kChunkSize))
        head = mmap(nullptr, kChunkSize, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (head == MAP_FAILED) {
        LogLine().error(errno) << ": can't write " << path_ << ", nothing is recorded";
        unlink(path_);
        close(fd);
        return false;
    }
    madvise(head, kChunkSize, MADV_DONTFORK);
    fd_ = fd;
    full_ = false;
    auto* header = static_cast<FileHeader*>(head);
    fill_header(*header, clock);
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
        if (!map_chunk(window)) {
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
                             O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (is_error(again)) return -1;
    if (!is_ours(again)) {
        raw_syscall(SYS_close, again);
        return -1;
    }
    long high = raw_syscall(SYS_fcntl, again, F_DUPFD_CLOEXEC, kHighDescriptor);
    if (!is_error(high)) {
        raw_syscall(SYS_close, again);
        again = high;
    }
    fd_.store(int(again), std::memory_order_relaxed);
    return again;
}

// Blocks are allocated, not only promised: a store into a hole on a full disk would be a SIGBUS.
bool TraceFile::grow_to(long fd, uint64_t end) {
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        end > limit.rlim_cur) {
        errno = EFBIG;  // the kernel would send SIGXFSZ
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

bool TraceFile::map_chunk(void* window) {
    if (header_ == nullptr) return false;
    const int saved_errno = errno;
    bool mapped = false;
    if (!full_.load(std::memory_order_relaxed)) {
        const long fd = usable_descriptor();
        if (fd < 0) errno = EBADF;
        const uint32_t index = __atomic_fetch_add(&header_->next_chunk, 1, __ATOMIC_RELAXED);
        const uint64_t start = uint64_t(index) * kChunkSize;
        if (fd >= 0 && grow_to(fd, start + kChunkSize)) {
            long at = raw_syscall(SYS_mmap, window, size_t(kChunkSize), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, start);
            mapped = !is_error(at);
            if (!mapped) errno = int(-at);
            if (mapped) raw_syscall(SYS_madvise, window, size_t(kChunkSize), MADV_DONTFORK);
        }
        if (!mapped) {
            full_ = true;
            if (!said_.exchange(true)) {
                LogLine().error(errno) << ": " << static_cast<const char*>(path_)
                                       << " can't grow, the recording ends here and the program "
                                       << "goes on";
            }
        }
    }
    errno = saved_errno;
    return mapped;
}

void TraceFile::count_loss(Loss cause, uint64_t count) {
    if (header_ != nullptr)
        __atomic_fetch_add(&header_->lost[size_t(cause)], count, __ATOMIC_RELAXED);
}

void TraceFile::abandon() {
    header_ = nullptr;
    more_meta_ = nullptr;
    const int fd = fd_.exchange(-1);
    if (fd >= 0) close(fd);
    full_ = false;
    creator_ = 0;
    due_ = true;
}

bool TraceFile::ensure_open() {
    if (!due_.load(std::memory_order_acquire)) return header_ != nullptr;
    const uint32_t self = uint32_t(raw_syscall(SYS_gettid));
    uint32_t creator = 0;
    while (!creator_.compare_exchange_strong(creator, self)) {
        // A signal handler that interrupted its own thread's creation can't wait for it.
        if (creator == self) return false;
        creator = 0;
        raw_syscall(SYS_sched_yield);
    }
    if (due_) {
        const int saved_errno = errno;
        open_();
        errno = saved_errno;
        due_.store(false, std::memory_order_release);
    }
    creator_ = 0;
    return header_ != nullptr;
}

}  // namespace mipstrace::record
