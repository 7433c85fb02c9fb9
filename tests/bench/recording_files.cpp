#include "tests/bench/recording_files.h"

#include <cstdlib>
#include <cstring>

namespace mipstrace::bench {

namespace {

constexpr uint32_t kFirstPosition = 0x10000;
// Where uftrace takes it for loaded.
constexpr uint64_t kLoadAddress = 0x555500000000;
constexpr char kModule[] = "/nowhere/program";

[[noreturn]] void fail(const std::string& path) {
    perror(path.c_str());
    exit(1);
}

std::string format_text(const char* how, auto... values) {
    char text[256];
    snprintf(text, sizeof text, how, values...);
    return text;
}

}  // namespace

OutFile::OutFile(const std::string& path) : path_(path), file_(fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) fail(path_);
    setvbuf(file_, nullptr, _IOFBF, format::kDefaultChunkSize);
}

OutFile::~OutFile() {
    if (fclose(file_) != 0) fail(path_);
}

void OutFile::add(const void* bytes, size_t size) {
    if (fwrite(bytes, 1, size, file_) != size) fail(path_);
}

void OutFile::write_at(uint64_t offset, const void* bytes, size_t size) {
    if (fseeko(file_, off_t(offset), SEEK_SET) != 0) fail(path_);
    add(bytes, size);
}

TraceWriter::TraceWriter(const std::string& path, uint32_t pid, uint64_t start_ns,
                         uint32_t functions)
    : file_(path) {
    std::memcpy(header_.magic, format::kMagic, sizeof header_.magic);
    header_.endian_tag = format::kEndianTag;
    header_.version = format::kVersion;
    header_.header_size = sizeof header_;
    header_.abi = uint8_t(format::Abi::n64);
    header_.isa_revision = 2;
    header_.page_size = 4096;
    header_.chunk_size = format::kDefaultChunkSize;
    header_.pid = pid;
    header_.start_mono_ns = start_ns;
    header_.next_chunk = 1;

    format::ModuleRecord module{};
    module.text_size = uint64_t(functions) * kFunctionSize;
    module.pos_base = kFirstPosition;
    module.path_size = sizeof kModule - 1;
    const auto size = uint32_t(sizeof(format::MetaHeader) + sizeof module + module.path_size);
    const format::MetaHeader record{uint16_t(format::MetaType::module), 0, size};
    file_.write_at(format::kMetaOffset, &record, sizeof record);
    file_.add(&module, sizeof module);
    file_.add(kModule);
    header_.meta_used = size;
}

uint32_t TraceWriter::position_of(uint32_t function) {
    return kFirstPosition + function * kFunctionSize;
}

void TraceWriter::write_chunk(uint32_t index, const void* bytes) {
    file_.write_at(uint64_t(index) * format::kDefaultChunkSize, bytes, format::kDefaultChunkSize);
}

void TraceWriter::finish() {
    file_.write_at(0, &header_, sizeof header_);
}

ThreadWriter::ThreadWriter(TraceWriter& trace, uint32_t tid) : trace_(trace), chunk_(1) {
    chunk_[0].header.magic = format::kChunkMagic;
    chunk_[0].header.tid = tid;
    chunk_[0].header.thread = tid;
}

ThreadWriter::~ThreadWriter() {
    if (index_ != 0) flush();
}

void ThreadWriter::flush() {
    Chunk& chunk = chunk_[0];
    trace_.write_chunk(index_, &chunk);
    chunk.header.sequence++;
    std::memset(chunk.events, 0, sizeof chunk.events);
    index_ = used_ = 0;
}

void ThreadWriter::add(uint64_t time, uint32_t function, bool is_leave) {
    Chunk& chunk = chunk_[0];
    if (index_ == 0) {
        index_ = trace_.take_chunk();
        chunk.header.mono_ns = time;
        chunk.header.depth = depth_;
    }
    depth_ += is_leave ? -1 : 1;
    chunk.events[used_++] = {uint32_t(time),
                             TraceWriter::position_of(function) | uint32_t(is_leave)};
    if (used_ == kChunkEvents) flush();
}

UftraceTask::UftraceTask(const std::string& folder, uint32_t tid)
    : file_(folder + "/" + std::to_string(tid) + ".dat") {}

// struct uftrace_record: u64 time, then 2 bits type, 1 bit more, 3 bits magic, 10 bits depth, 48
// bits address.
void UftraceTask::add(uint64_t time, uint32_t depth, uint32_t function, bool is_leave) {
    constexpr uint64_t kRecordMagic = 5;
    const uint64_t address = kLoadAddress + function * kFunctionSize;
    const uint64_t record[2] = {
        time, uint64_t(is_leave) | kRecordMagic << 3 | uint64_t(depth) << 6 | address << 16};
    file_.add(record, sizeof record);
}

void write_uftrace_session(const std::string& folder, uint32_t pid, uint32_t threads,
                           uint64_t start_ns, uint32_t functions) {
    struct {
        char magic[8] = {'F', 't', 'r', 'a', 'c', 'e', '!', 0};
        uint32_t version = 4;
        uint16_t header_size = 40;
        uint8_t endian = 1;        // little
        uint8_t elf_class = 2;     // 64 bits
        uint64_t features = 0x62;  // task.txt, symbols by offset, maximum depth
        uint64_t info = 0x81;      // lines that follow: the program, its tasks
        uint16_t max_stack = 1024;
        uint8_t unused[6] = {};
    } header;
    static_assert(sizeof header == 40);
    OutFile info(folder + "/info");
    info.add(&header, sizeof header);
    info.add(std::string("exename:") + kModule + "\ntaskinfo:lines=2\n");
    info.add(format_text("taskinfo:nr_tid=%u\ntaskinfo:tids=", threads));
    for (uint32_t i = 0; i < threads; i++)
        info.add((i == 0 ? "" : ",") + std::to_string(pid + i));
    info.add("\n");

    const std::string start = format_text("timestamp=%llu.%09u", start_ns / 1'000'000'000,
                                          uint32_t(start_ns % 1'000'000'000));
    OutFile tasks(folder + "/task.txt");
    tasks.add(format_text("SESS %s pid=%u sid=0123456789abcdef exename=\"%s\"\n", start.c_str(),
                          pid, kModule));
    for (uint32_t i = 0; i < threads; i++)
        tasks.add(format_text("TASK %s tid=%u pid=%u\n", start.c_str(), pid + i, pid));

    const uint32_t size = functions * kFunctionSize;
    OutFile map(folder + "/sid-0123456789abcdef.map");
    map.add(format_text("%012llx-%012llx r-xp 00000000 00:00 0   %s\n", kLoadAddress,
                        kLoadAddress + (size + 4095) / 4096 * 4096, kModule));
}

}  // namespace mipstrace::bench
