#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/info/info.h"
#include "tools/text/wording.h"

namespace mipstrace::tools {

namespace {

using nlohmann::json;

template <typename Counts>
json sites_json(const Counts& counts) {
    json out = json::object();
    for (size_t i = 0; i < size_t(format::SiteState::count_); i++)
        out[site_state_name(i)] = counts[i];
    return out;
}

json losses_json(const LossCounts& lost) {
    json out = json::object();
    for (size_t i = 0; i < lost.size(); i++)
        out[loss_name(i)] = lost[i];
    return out;
}

json modules_json(const TraceFile& file) {
    json out = json::array();
    for (const Module& module : file.modules())
        out.push_back({{"path", module.path},
                       {"build_id", hex(module.build_id)},
                       {"load_bias", module.load_bias},
                       {"text_address", module.text_vaddr},
                       {"text_size", module.text_size},
                       {"sites", sites_json(module.sites)}});
    return out;
}

json threads_json(const TraceFile& file) {
    json out = json::array();
    for (const Thread& thread : file.threads()) {
        ThreadSummary sum = summarize(file, thread);
        out.push_back({{"tid", thread.tid},
                       {"events", sum.events},
                       {"damaged", sum.damaged},
                       {"chunks", thread.chunks.size()},
                       {"first_mono_ns", sum.first_ns},
                       {"last_mono_ns", sum.last_ns}});
    }
    return out;
}

json file_json(const Session& session, const TraceFile& file, const Descent& descent) {
    const format::FileHeader& h = file.header();
    json out;
    out["path"] = file.path();
    out["size"] = file.size();
    out["pid"] = h.pid;
    out["ppid"] = h.ppid;
    out["relation"] = relation_name(descent.relation);
    out["parent"] = nullptr;
    if (descent.parent) out["parent"] = session.files()[*descent.parent]->path();
    out["forked_by"] = h.forked_by;
    out["program"] = file.exe();
    out["command"] = file.command();
    out["cwd"] = file.cwd();
    out["abi"] = abi_name(h.abi);
    out["isa_revision"] = h.isa_revision;
    out["endian"] = file.is_big_endian() ? "big" : "little";
    out["page_size"] = h.page_size;
    out["chunk_size"] = h.chunk_size;
    out["clock"] = clock_name(h.clock);
    out["start_realtime_ns"] = h.start_realtime_ns;
    out["start_mono_ns"] = h.start_mono_ns;
    out["finished"] = (h.flags & format::kFlagFinished) != 0;
    out["is_snapshot"] = (h.flags & format::kFlagSnapshot) != 0;
    out["end_mono_ns"] = h.end_mono_ns;
    out["buffer_chunks"] = h.buffer_chunks;
    out["overwritten_chunks"] = h.overwritten;
    out["options"] = file.options();
    out["messages"] = file.messages();
    out["sites"] = sites_json(h.sites);
    out["sites_on"] = h.sites_on;
    out["modules"] = modules_json(file);
    out["threads"] = threads_json(file);
    out["lost"] = losses_json(file.lost());
    return out;
}

}  // namespace

void write_info_json(OutBuffer& out, const Session& session) {
    json all = json::object();
    if (session.has_info()) all["session"] = json::parse(session.info().to_json());
    all["path"] = session.path();
    all["warnings"] = session.warnings();
    all["lost"] = losses_json(session.lost());
    all["snapshots"] = session.snapshots();
    all["processes"] = json::array();
    const std::vector<Descent> family = family_of(session.files());
    for (size_t i = 0; i < family.size(); i++)
        all["processes"].push_back(file_json(session, *session.files()[i], family[i]));
    out.add(all.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace mipstrace::tools
