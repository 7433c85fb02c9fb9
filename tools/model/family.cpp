#include "tools/model/family.h"

#include <unordered_map>

namespace mipstrace::tools {

namespace {

using Files = std::vector<std::unique_ptr<TraceFile>>;
using Indices = std::vector<size_t>;

// The newest of them that `accept` likes.
template <typename Accept>
std::optional<size_t> find_newest(const Files& files, const Indices& indices, Accept&& accept) {
    for (size_t i = indices.size(); i-- > 0;) {
        if (accept(files[indices[i]]->header())) return indices[i];
    }
    return std::nullopt;
}

}  // namespace

std::vector<Descent> family_of(const Files& files) {
    std::vector<Descent> family(files.size());
    std::unordered_map<uint32_t, Indices> by_pid;  // of the files before this one
    for (size_t i = 0; i < files.size(); i++) {
        const format::FileHeader& h = files[i]->header();
        auto is_origin = [&](const format::FileHeader& other) {
            return other.sequence == h.origin_sequence;
        };
        auto is_same_process = [&](const format::FileHeader& other) {
            return h.process_start != 0 && other.process_start == h.process_start;
        };
        auto is_any = [](const format::FileHeader&) { return true; };
        if (h.origin == uint8_t(format::Origin::forked)) {
            family[i] = {Relation::forked, find_newest(files, by_pid[h.origin_pid], is_origin)};
        } else if (auto before = find_newest(files, by_pid[h.pid], is_same_process)) {
            family[i] = {Relation::executed, before};
        } else {
            family[i] = {Relation::started, find_newest(files, by_pid[h.ppid], is_any)};
        }
        by_pid[h.pid].push_back(i);
    }
    return family;
}

}  // namespace mipstrace::tools
