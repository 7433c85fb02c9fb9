// The records behind the file header: modules, command line and what else says where and how.
#include <algorithm>

#include "tools/model/byte_order.h"
#include "tools/model/data_error.h"
#include "tools/model/trace_file.h"

namespace mipstrace::tools {

namespace {

constexpr uint64_t kPositionSpace = uint64_t(1) << 32;
constexpr uint32_t kPositionUnit = 4;

std::vector<std::string> split_words(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        size_t end = std::min(text.find('\0'), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

// Writers may or may not end a path by NUL.
std::string text_of(std::string_view bytes) {
    return std::string(bytes.substr(0, bytes.find('\0')));
}

}  // namespace

void TraceFile::read_metadata(const std::vector<uint32_t>& more_chunks) {
    read_records(format::kMetaOffset, header_.meta_used);
    for (const uint32_t index : more_chunks) {
        const uint64_t offset = uint64_t(index) * header_.chunk_size;
        format::MetaChunkHeader raw;
        if (read(offset, &raw, sizeof raw) != sizeof raw) continue;
        auto chunk = load<format::MetaChunkHeader>(&raw, is_swapped_);
        if (chunk.used > header_.chunk_size - sizeof chunk ||
            offset + sizeof chunk + chunk.used > size_) {
            warn("damaged: chunk " + std::to_string(index) +
                 " has more metadata than room, it is ignored");
            continue;
        }
        read_records(offset + sizeof chunk, chunk.used);
    }
    sort_modules();
}

void TraceFile::read_records(uint64_t offset, uint32_t total) {
    std::vector<char> bytes(total);
    if (read(offset, bytes.data(), bytes.size()) != bytes.size())
        throw DataError(path_ + " is truncated: it ends inside its metadata, record again");
    size_t at = 0;
    while (bytes.size() - at >= sizeof(format::MetaHeader)) {
        auto record = load<format::MetaHeader>(&bytes[at], is_swapped_);
        if (record.size < sizeof record || record.size > bytes.size() - at) {
            warn("damaged: a metadata record has an impossible size, those behind it are ignored");
            break;
        }
        const char* payload = bytes.data() + at + sizeof record;
        size_t size = record.size - sizeof record;
        std::string_view text(payload, size);
        switch (format::MetaType(record.type)) {
            case format::MetaType::module:
                add_module(payload, size);
                break;
            case format::MetaType::command:
                command_ = split_words(text);
                break;
            case format::MetaType::cwd:
                cwd_ = text_of(text);
                break;
            case format::MetaType::exe:
                exe_ = text_of(text);
                break;
            case format::MetaType::message:
                messages_.push_back(text_of(text));
                break;
            case format::MetaType::option:
                options_.push_back(text_of(text));
                break;
            case format::MetaType::marker:
                add_marker(text);
                break;
            case format::MetaType::rule:
                add_rule(text);
                break;
            case format::MetaType::enumeration:
                value_rules_.add_enumeration(text_of(text));
                break;
            case format::MetaType::overhead:
                add_overhead(text);
                break;
            case format::MetaType::object:
                add_object(text);
                break;
        }
        size_t padded = (size_t(record.size) + 7) & ~size_t(7);
        if (padded > bytes.size() - at) break;
        at += padded;
    }
}

void TraceFile::sort_modules() {
    std::sort(modules_.begin(), modules_.end(),
              [](const Module& a, const Module& b) { return a.pos_base < b.pos_base; });
    // Each position belongs to one module at most.
    for (size_t i = 1; i < modules_.size(); i++) {
        Module& below = modules_[i - 1];
        if (below.text_size <= modules_[i].pos_base - below.pos_base) continue;
        below.text_size = modules_[i].pos_base - below.pos_base;
        warn("damaged: the positions of " + below.path + " and " + modules_[i].path + " overlap");
    }
}

// More than a millisecond for each part of a call is no measurement.
void TraceFile::add_overhead(std::string_view payload) {
    constexpr uint64_t kMost = 1'000'000'000;
    if (payload.size() < sizeof(format::OverheadRecord)) return;
    const auto record = load<format::OverheadRecord>(payload.data(), is_swapped_);
    if (record.inside_ps <= kMost && record.outside_ps <= kMost) overhead_ = record;
}

void TraceFile::add_marker(std::string_view payload) {
    if (payload.size() < sizeof(format::MarkerRecord)) return;
    const auto record = load<format::MarkerRecord>(payload.data(), is_swapped_);
    payload.remove_prefix(sizeof record);
    markers_.push_back({record.mono_ns, header_.pid, text_of(payload)});
}

void TraceFile::add_rule(std::string_view payload) {
    if (payload.size() < sizeof(format::RuleRecord)) return;
    const auto record = load<format::RuleRecord>(payload.data(), is_swapped_);
    payload.remove_prefix(sizeof record);
    if (!value_rules_.add(record.number, text_of(payload), header_.abi))
        warn("damaged: a rule of values is none, what was recorded by it is not shown");
}

void TraceFile::add_object(std::string_view payload) {
    if (payload.size() < sizeof(format::ObjectRecord)) return;
    const auto record = load<format::ObjectRecord>(payload.data(), is_swapped_);
    payload.remove_prefix(sizeof record);
    if (size_t(record.build_id_size) + record.path_size > payload.size()) {
        warn("damaged: an object record is impossible and ignored");
        return;
    }
    Object object;
    object.mono_ns = record.mono_ns;
    object.module.load_bias = record.load_bias;
    object.module.text_vaddr = record.text_vaddr;
    object.module.text_size = record.text_size;
    object.module.build_id = payload.substr(0, record.build_id_size);
    object.module.path = text_of(payload.substr(record.build_id_size, record.path_size));
    objects_.push_back(std::move(object));
}

// They come in the order of time.
const Object* TraceFile::object_at(uint64_t address, uint64_t mono_ns) const {
    const Object* found = nullptr;
    for (const Object& object : objects_)
        if (object.holds(address) && (found == nullptr || object.mono_ns <= mono_ns))
            found = &object;
    return found;
}

void TraceFile::add_module(const char* payload, size_t size) {
    if (size < sizeof(format::ModuleRecord)) {
        warn("damaged: a module record is too short and ignored");
        return;
    }
    auto record = load<format::ModuleRecord>(payload, is_swapped_);
    if (size_t(record.build_id_size) + record.path_size > size - sizeof record ||
        record.pos_base == 0 || record.pos_base % kPositionUnit != 0 ||
        record.text_size > kPositionSpace - record.pos_base) {
        warn("damaged: a module record is impossible and ignored");
        return;
    }
    Module module;
    module.load_bias = record.load_bias;
    module.text_vaddr = record.text_vaddr;
    module.text_size = record.text_size;
    module.pos_base = record.pos_base;
    std::copy(std::begin(record.sites), std::end(record.sites), module.sites.begin());
    const char* text = payload + sizeof record;
    module.build_id.assign(text, record.build_id_size);
    module.path = text_of({text + record.build_id_size, record.path_size});
    modules_.push_back(std::move(module));
}

}  // namespace mipstrace::tools
