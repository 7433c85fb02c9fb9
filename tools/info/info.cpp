#include "tools/info/info.h"

#include <string.h>

#include <algorithm>

#include "tools/text/printable.h"
#include "tools/text/time_text.h"
#include "tools/text/wording.h"

namespace mipstrace::tools {

namespace {

constexpr size_t kDeepestIndent = 100;

void line(OutBuffer& out, const std::string& name, const std::string& value) {
    if (value.empty()) return;
    out.add(name);  // ours
    out.spaces(name.size() < 16 ? 16 - name.size() : 1);
    out.add(": " + printable(value) + "\n");
}

std::string quoted(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += ' ';
        bool is_plain = !word.empty() && word.find_first_of(" \t\n'\"\\$`") == std::string::npos;
        text += is_plain ? word : "'" + word + "'";
    }
    return text;
}

std::string how_it_ended(const SessionInfo& info) {
    if (info.signal)
        return "killed by signal " + std::to_string(*info.signal) + " (" + strsignal(*info.signal) +
               ")";
    if (info.exit_status) return "exited with status " + std::to_string(*info.exit_status);
    return "";
}

// Without the blanks that align it in columns.
std::string short_time(uint64_t ns) {
    std::string text = time_text(ns);
    std::string result;
    for (char c : text)
        if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
    return result;
}

std::string how_far(const format::FileHeader& h) {
    const std::string after = h.end_mono_ns < h.start_mono_ns
                                  ? ", at a time before its start"
                                  : ", after " + short_time(h.end_mono_ns - h.start_mono_ns);
    if ((h.flags & format::kFlagSnapshot) != 0) return "no: a snapshot" + after;
    return (h.flags & format::kFlagFinished) != 0 ? "through exit" + after : "not through exit";
}

std::string kept(const format::FileHeader& h) {
    if (h.buffer_chunks == 0) return "";
    const uint64_t unit = h.chunk_size / 1024;
    return "of " + std::to_string(h.buffer_chunks * unit) + " KiB for the newest events, " +
           std::to_string(h.overwritten * unit) + " KiB of older ones were overwritten";
}

void write_modules(OutBuffer& out, const TraceFile& file) {
    for (const Module& module : file.modules()) {
        line(out, "  module", module.path);
        line(out, "    build-id", hex(module.build_id));
        line(out, "    sites", sites_sentence(module.sites));
    }
}

void write_threads(OutBuffer& out, const TraceFile& file) {
    Progress progress(file.threads().size(), false);
    for (const Thread& thread : file.threads()) {
        ThreadSummary sum = summarize(file, thread);
        progress.add(1);
        std::string text = counted(sum.events, "event") + " in " +
                           counted(thread.chunks.size(), "chunk") + ", lasting " +
                           short_time(sum.last_ns - sum.first_ns);
        if (sum.damaged != 0) text += ", " + std::to_string(sum.damaged) + " damaged";
        line(out, "  thread " + std::to_string(thread.tid), text);
    }
}

std::string origin_text(const TraceFile& file, Relation relation) {
    const format::FileHeader& h = file.header();
    switch (relation) {
        case Relation::forked:
            return h.forked_by != 0 && h.forked_by != h.ppid
                       ? "forked by thread " + std::to_string(h.forked_by)
                       : "forked";
        case Relation::executed:
            return "executed " + quoted(file.command());
        case Relation::started:
            return "started " + quoted(file.command());
    }
    return "";
}

// Each process image below the one that it comes from. A recording may be hostile: a line, not a
// call, for each.
void write_tree(OutBuffer& out, const Session& session, const std::vector<Descent>& family) {
    std::vector<std::vector<size_t>> children(family.size() + 1);
    for (size_t i = 0; i < family.size(); i++)
        children[family[i].parent ? *family[i].parent + 1 : 0].push_back(i);
    std::vector<std::pair<size_t, size_t>> todo;  // index, depth
    auto add_children = [&](size_t of, size_t depth) {
        for (size_t i = children[of].size(); i-- > 0;)
            todo.emplace_back(children[of][i], depth);
    };
    out.add("\n");
    line(out, "processes", std::to_string(family.size()));
    add_children(0, 0);
    while (!todo.empty()) {
        const auto [index, depth] = todo.back();
        todo.pop_back();
        const TraceFile& file = *session.files()[index];
        out.spaces(2 + 2 * std::min(depth, kDeepestIndent));
        out.add(std::to_string(file.header().pid) + " " +
                printable(origin_text(file, family[index].relation)) + "\n");
        add_children(index + 1, depth + 1);
    }
}

void write_file(OutBuffer& out, const TraceFile& file, const Descent& descent) {
    const format::FileHeader& h = file.header();
    out.add("\n");
    line(out, "process",
         std::to_string(h.pid) + " (parent " + std::to_string(h.ppid) + "), " +
             relation_name(descent.relation));
    line(out, "  file", file.path() + ", " + std::to_string(file.size()) + " bytes");
    line(out, "  program", file.exe());
    line(out, "  command", quoted(file.command()));
    line(out, "  folder", file.cwd());
    line(out, "  machine",
         "MIPS " + abi_name(h.abi) + (h.isa_revision == 6 ? ", R6" : "") +
             (file.is_big_endian() ? ", big-endian" : ", little-endian") + ", pages of " +
             std::to_string(h.page_size) + " bytes");
    line(out, "  clock", clock_name(h.clock));
    line(out, "  started", date_text(h.start_realtime_ns));
    line(out, "  ended", how_far(h));
    for (const std::string& option : file.options())
        line(out, "  option", option);
    for (const std::string& message : file.messages())
        line(out, "  message", message);
    line(out, "  sites",
         sites_sentence([&] {
             SiteCounts counts{};
             std::copy(std::begin(h.sites), std::end(h.sites), counts.begin());
             return counts;
         }()) +
             ", " + std::to_string(h.sites_on) + " switched on");
    write_modules(out, file);
    write_threads(out, file);
    line(out, "  buffer", kept(h));
    std::string losses = losses_sentence(file.lost(), file);
    line(out, "  lost", losses.empty() ? "nothing" : losses);
}

}  // namespace

const char* relation_name(Relation relation) {
    static const char* const names[] = {"started", "forked", "executed"};
    return names[size_t(relation)];
}

ThreadSummary summarize(const TraceFile& file, const Thread& thread) {
    ThreadSummary sum;
    EventReader reader(file, thread);
    Event event;
    while (reader.next(&event)) {
        if (!event.is_of_call()) continue;
        if (sum.events++ == 0) sum.first_ns = event.time;
        sum.last_ns = event.time;
    }
    sum.damaged = reader.damaged();
    return sum;
}

void write_info(OutBuffer& out, const Session& session) {
    const SessionInfo& info = session.info();
    line(out, "recording", session.path());
    if (session.has_info()) {
        line(out, "command", quoted(info.command));
        line(out, "folder", info.cwd);
        line(out, "target", info.target);
        line(out, "sysroot", info.sysroot);
        line(out, "emulator", info.qemu);
        line(out, "library", info.library);
        line(out, "recorded by", info.tool_version.empty() ? "" : "mipstrace " + info.tool_version);
        for (const auto& [name, value] : info.options)
            line(out, "option", name + "=" + value);
        if (info.start_realtime_ns != 0) line(out, "started", date_text(info.start_realtime_ns));
        if (info.end_realtime_ns != 0)
            line(out, "lasted", short_time(info.end_realtime_ns - info.start_realtime_ns));
        line(out, "ended", how_it_ended(info));
    }
    std::string snapshots;
    for (uint32_t number : session.snapshots())
        snapshots += (snapshots.empty() ? "" : ", ") + std::to_string(number);
    line(out, "snapshots", snapshots);
    const std::vector<Descent> family = family_of(session.files());
    if (family.size() > 1) write_tree(out, session, family);
    for (size_t i = 0; i < family.size(); i++)
        write_file(out, *session.files()[i], family[i]);
    if (!session.has_events()) {
        out.add("\n");
        for (const std::string& text : why_nothing(session))
            out.add(printable(text) + "\n");
    }
}

}  // namespace mipstrace::tools
