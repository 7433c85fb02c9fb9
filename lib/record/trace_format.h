// The layout of a trace file: what the recorder writes and what every tool reads.
// docs/trace_format.md describes the same in prose; a change here changes kVersion and that page.
//
//   file   := head chunk, chunk*                       all of FileHeader::chunk_size bytes
//   head   := FileHeader | metadata records            metadata starts at kMetaOffset
//   chunk  := ChunkHeader | events                     zero-filled until written
//           | MetaChunkHeader | metadata records       what the head has no room for
//   event  := { u32 time, u32 word }                   8 bytes, word == 0: not written (yet)
//
//   word bits   31 .. 2                  1..0
//               position of the function 0 enter   1 leave
//               type:16, units:14        2 record  3 record being written
//
// All integers have the byte order and the widths of the writer (FileHeader::endian_tag tells);
// fields are naturally aligned, so that the structs below need no packing on any ABI.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mipstrace::format {

inline constexpr char kMagic[8] = {'M', 'I', 'P', 'S', 'T', 'R', 'C', '\n'};
inline constexpr uint32_t kEndianTag = 0x01020304;
inline constexpr uint16_t kVersion = 5;
inline constexpr uint32_t kMetaOffset = 1024;
inline constexpr uint32_t kDefaultChunkSize = 64 * 1024;
inline constexpr uint32_t kMinChunkSize = 4 * 1024;
inline constexpr uint32_t kMaxChunkSize = 16 * 1024 * 1024;

enum class Abi : uint8_t { o32 = 1, n32 = 2, n64 = 3 };
enum class ClockId : uint8_t { mono = 0, cycles = 1 };

// Where a process image comes from.
enum class Origin : uint8_t {
    started,  // a program was started, by exec
    forked,   // a copy of the process that the header's origin_ fields name
};

// FileHeader::flags
inline constexpr uint32_t kFlagFinished = 1;  // the process left through exit(), not by a signal
inline constexpr uint32_t kFlagSnapshot = 2;  // a copy of the file as it was at end_mono_ns

// Why an event, or a call, is missing. Index into FileHeader::lost and ChunkHeader::lost.
enum class Loss : uint8_t {
    no_space,   // the file could not grow (disk full, a limit); unit: events
    no_memory,  // a thread has no state: no memory, or past its last destructor; unit: calls
    too_deep,   // the shadow stack was full; unit: calls
    recursion,  // a traced call from inside a user's callback, or in a handler that came while a
                // process was made (vfork, clone); unit: calls
    count_
};
inline constexpr size_t kLossSlots = 4;
static_assert(size_t(Loss::count_) == kLossSlots);

// What became of a site. Index into FileHeader::sites.
enum class SiteState : uint8_t {
    ready,         // sled written; on or off as the filters want it
    before_label,  // the sled stands before the function's label, no call runs it
    short_sled,    // fewer than three nops
    unexpected,    // other words than nops stand there
    compressed,    // MIPS16 or microMIPS code
    outside,       // the table entry does not point into the module's text
    refused,       // the text could not be made writable
    entry_only,    // as ready, but returns can't be seen: a call of _mcount in an unknown frame
    count_
};
inline constexpr size_t kSiteStates = 16;  // room for more, zero where unused

struct FileHeader {
    char magic[8];
    uint32_t endian_tag;
    uint16_t version;
    uint16_t header_size;  // sizeof(FileHeader) of the writer
    uint8_t abi;           // Abi
    uint8_t isa_revision;  // 2 or 6
    uint8_t clock;         // ClockId
    uint8_t origin;        // Origin
    uint32_t page_size;
    uint32_t chunk_size;
    uint32_t flags;
    uint32_t pid;
    uint32_t ppid;               // of the moment of the fork, or of the start
    uint64_t start_realtime_ns;  // CLOCK_REALTIME and CLOCK_MONOTONIC at one moment
    uint64_t start_mono_ns;
    uint32_t start_cycles;      // the cycle counter at the same moment, 0 where there is none
    uint32_t cycle_resolution;  // CPU cycles per tick (rdhwr $3)
    uint32_t next_chunk;        // chunks handed out so far, the head chunk included
    uint32_t meta_used;         // bytes of metadata behind kMetaOffset, written after them
    uint32_t sites[kSiteStates];
    uint32_t sites_on;          // sites switched on when their module was found
    uint32_t forked_by;         // the parent's thread that forked, 0 where unknown
    uint64_t lost[kLossSlots];  // of threads that have no chunk to count in
    uint64_t end_mono_ns;       // when kFlagFinished or kFlagSnapshot was set, else 0
    uint64_t process_start;     // in ticks since boot: one pid, one process; 0 where unknown
    uint32_t sequence;          // SEQ of the file's name
    uint32_t origin_pid;        // of the nearest ancestor by fork that has a file, else 0
    uint32_t origin_sequence;   // and SEQ of that file
    uint32_t buffer_chunks;     // 0: the file grows; else it keeps so many, with the newest events
    uint64_t overwritten;       // chunks whose events gave way to newer ones
    uint32_t threads;           // that have begun a chunk
    uint32_t reserved4;
};
static_assert(sizeof(FileHeader) == 224 && sizeof(FileHeader) <= kMetaOffset);

// Metadata: { MetaHeader, payload, padding to 8 bytes }. Unknown types are skipped.
enum class MetaType : uint16_t {
    module = 1,       // ModuleRecord, build-id bytes, path (not terminated)
    command = 2,      // argv, each word terminated by NUL
    cwd = 3,          // path
    exe = 4,          // path
    message = 5,      // a line that the runtime also said on standard error
    option = 6,       // "NAME=value" of an option in force (filter, depth, ...)
    marker = 7,       // MarkerRecord, text: what somebody noted while the program ran
    rule = 8,         // RuleRecord, text "arg1/i32,arg2/s": which values stand in its records
    enumeration = 9,  // "NAME WORD=value,WORD=value": what an e:NAME in a rule means
    overhead = 10,    // OverheadRecord
    object = 11,      // ObjectRecord, build-id bytes, path: code that addresses of stacks lie in
};

struct MetaHeader {
    uint16_t type;  // MetaType
    uint16_t reserved;
    uint32_t size;  // of header and payload, without the padding
};

// One traced object, from the moment when it was found; it may have been unloaded since, and loaded
// again elsewhere. A position p in [pos_base, pos_base + text_size) is the ELF virtual address
// text_vaddr + (p - pos_base), at run time load_bias + that.
struct ModuleRecord {
    uint64_t load_bias;
    uint64_t text_vaddr;
    uint64_t text_size;
    uint32_t pos_base;  // a multiple of 4, never 0
    uint32_t sites[kSiteStates];
    uint32_t reserved;
    uint16_t build_id_size;
    uint16_t path_size;
    uint32_t reserved2;
};
static_assert(sizeof(ModuleRecord) == 104);

struct RuleRecord {
    uint32_t number;  // from 1
    uint32_t reserved;
};
static_assert(sizeof(RuleRecord) == 8);

// An object with code, traced or not. At an address that several have, it is the one that was there
// last: `mono_ns` tells.
struct ObjectRecord {
    uint64_t mono_ns;  // CLOCK_MONOTONIC when it was found
    uint64_t load_bias;
    uint64_t text_vaddr;  // as in ModuleRecord
    uint64_t text_size;
    uint16_t build_id_size;
    uint16_t path_size;
    uint32_t reserved;
};
static_assert(sizeof(ObjectRecord) == 40);

struct MarkerRecord {
    uint64_t mono_ns;  // CLOCK_MONOTONIC
};
static_assert(sizeof(MarkerRecord) == 8);

// What recording costs, measured at the start of the process: picoseconds that one recorded call
// adds to what lies between its events, and to the time of its caller around them.
struct OverheadRecord {
    uint64_t inside_ps;
    uint64_t outside_ps;
};
static_assert(sizeof(OverheadRecord) == 16);

inline constexpr uint32_t kChunkMagic = 0x4b4e4843;  // "CHNK" in little-endian

struct ChunkHeader {
    uint32_t magic;  // written last: a chunk without it holds nothing
    uint32_t tid;
    uint32_t sequence;  // of this thread's chunks, from 0
    uint32_t depth;     // calls that were open when the chunk was begun
    uint64_t mono_ns;   // CLOCK_MONOTONIC when it was begun
    uint32_t cycles;    // the cycle counter at that moment
    uint32_t thread;    // number of the thread in this process, from 1; a tid may be used again
    uint32_t lost[kLossSlots];  // counted while this was the thread's newest chunk
    uint64_t reserved2[2];
};
static_assert(sizeof(ChunkHeader) == 64);

inline constexpr uint32_t kMetaChunkMagic = 0x4154454d;  // "META" in little-endian

// A chunk of metadata that came when the head chunk was full.
struct MetaChunkHeader {
    uint32_t magic;  // written last
    uint32_t used;   // bytes of metadata behind this header, written after them
    uint64_t reserved;
};
static_assert(sizeof(MetaChunkHeader) == 16);

struct Event {
    uint32_t time;  // low 32 bits of the clock: nanoseconds, or ticks of the cycle counter
    uint32_t word;
};
static_assert(sizeof(Event) == 8);

inline constexpr uint32_t kKindMask = 3;
enum class Kind : uint32_t { enter = 0, leave = 1, record = 2, unfinished = 3 };

// An event of kind record is the first of `units` 8-byte units (itself included, 1..16383), the
// others are its payload. Kind unfinished: its writer was interrupted, skip `units`.
enum class RecordType : uint16_t {
    sync = 1,  // Sync: the whole clock. Written before the low 32 bits become ambiguous
    left = 2,  // Left: calls that ended without returning (longjmp, unwinding, a thread's end)
    open = 3,  // u32 positions of the innermost calls that were open, the outermost first; 0 at the
               // end to fill its last unit. First in a chunk: what was before it may be overwritten
    switched = 4,  // Switched: an enter or leave on another stack than the newest open call's
    values = 5,  // WithValues, numbers of rules with their values: an enter or leave that has some
    stack = 6,   // StackHeader, u64 addresses: the callers of a call whose enter event comes next
    note = 7,    // Note: what a trigger has read, or done
};
inline constexpr uint32_t kMaxOpenCalls = 256;  // in one record
inline constexpr uint32_t kMaxUnits = 0x3fff;

constexpr uint32_t record_word(RecordType type, uint32_t units, Kind kind = Kind::record) {
    return uint32_t(type) << 16 | units << 2 | uint32_t(kind);
}
constexpr Kind kind_of(uint32_t word) {
    return Kind(word & kKindMask);
}
constexpr uint32_t position_of(uint32_t word) {
    return word & ~kKindMask;
}
constexpr RecordType record_type_of(uint32_t word) {
    return RecordType(word >> 16);
}
constexpr uint32_t units_of(uint32_t word) {
    return word >> 2 & kMaxUnits;
}

struct Sync {
    uint64_t mono_ns;
    uint32_t cycles;
    uint32_t reserved;
};

// Which of the thread's open calls is meant: the number of those that were made after it.
inline constexpr uint32_t kAboveMask = 0x7fffffff;
inline constexpr uint32_t kNoCall = 0x7fffffff;      // none of this thread's
inline constexpr uint32_t kFirstOnStack = 1u << 31;  // the call is the first on a stack of its own

struct Left {
    uint32_t position;  // of the function whose call ended
    uint32_t above;     // 0: the newest one
};

struct Switched {
    uint32_t word;   // as of an enter or leave event
    uint32_t above;  // enter: of the call that it is made from, | kFirstOnStack; leave: of itself
};

// The first unit of a record of values; the numbers of rules and what they name come behind it.
using WithValues = Switched;

// The callers of a call, the innermost first: what a call returns to, and marks in the low two
// bits.
struct StackHeader {
    uint32_t position;  // of the function that is called
    uint16_t count;     // of addresses
    uint16_t flags;
};
static_assert(sizeof(StackHeader) == 8);
inline constexpr uint16_t kStackCut = 1;  // there were more
inline constexpr uint64_t kStackMarks = 3;
inline constexpr uint64_t kInterrupted = 1;  // what a signal has interrupted, which is no call
// Not an address: the position of a traced function whose call is open; between it and the caller
// before may be others.
inline constexpr uint64_t kOpenCall = 3;
inline constexpr uint32_t kMostInStack = 1000;
inline constexpr uint32_t kUsualInStack = 64;

// Inside the newest open call.
enum class NoteKind : uint32_t {
    memory = 1,       // values: KiB of the process's size, of those resident, of those shared
    page_faults = 2,  // values: the thread's minor ones, major ones
    trace_on = 3,     // the recording goes on
    trace_off = 4,    // it is interrupted
    finish = 5,       // it ends
};
struct Note {
    uint32_t kind;       // NoteKind
    uint32_t is_return;  // read at the call's return
    uint64_t values[3];
};
static_assert(sizeof(Note) == 32);

// In the place of a string: its length in bytes, and what is to be known of it. The bytes follow.
struct StringHeader {
    uint16_t length;
    uint16_t state;  // StringState
};
enum class StringState : uint16_t {
    whole,
    cut,         // the string goes on
    null,        // a null pointer
    unreadable,  // the bytes are the pointer
};
inline constexpr size_t kLongestString = 255;
inline constexpr size_t kMostRules = 4;  // of one function

}  // namespace mipstrace::format
