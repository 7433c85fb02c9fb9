#include "tools/text/wording.h"

#include <algorithm>
#include <iterator>

namespace mipstrace::tools {

namespace {

struct Words {
    const char* name;
    const char* meaning;
};

constexpr Words kSiteStates[] = {
    {"ready", ""},
    {"before_label", "the compiler put the nops before the function's label, where no call runs"},
    {"short_sled", "fewer than three nops"},
    {"unexpected", "other instructions than nops stand there"},
    {"compressed", "MIPS16 or microMIPS code"},
    {"outside", "the table does not point into the module's code"},
    {"refused", "the code could not be made writable"},
    {"entry_only", "its stack frame can't be told from its code, so only its entries are seen"},
};
static_assert(std::size(kSiteStates) == size_t(format::SiteState::count_));

struct LossWords {
    const char* name;
    const char* unit;
    const char* meaning;
};

constexpr LossWords kLosses[] = {
    {"no_space", "event", "the trace file could not grow: disk full, or a limit"},
    {"no_memory", "call", "no memory for the state of a thread, or made past its last destructor"},
    {"too_deep", "call", "nested deeper than the shadow stack"},
    {"recursion", "call", "made from inside a tracing callback, or while a process was made"},
};
static_assert(std::size(kLosses) == format::kLossSlots);

bool are_sleds_misplaced(const SiteCounts& sites) {
    return sites[size_t(format::SiteState::before_label)] != 0 ||
           sites[size_t(format::SiteState::short_sled)] != 0;
}

bool was_off_at_start(const Session& session) {
    for (const auto& file : session.files())
        for (const std::string& option : file->options())
            if (option == "off=1") return true;
    return false;
}

}  // namespace

const char* site_state_name(size_t state) {
    return state < std::size(kSiteStates) ? kSiteStates[state].name : "other";
}

const char* site_state_reason(size_t state) {
    return state < std::size(kSiteStates) ? kSiteStates[state].meaning : "unknown";
}

std::string sites_sentence(const SiteCounts& sites) {
    uint64_t found = 0;
    for (uint32_t count : sites)
        found += count;
    uint64_t ready = sites[size_t(format::SiteState::ready)];
    constexpr size_t kEntryOnly = size_t(format::SiteState::entry_only);
    uint64_t skipped = found - ready - sites[kEntryOnly];
    std::string text = counted(found, "site") + " found: " + std::to_string(ready) + " ready, ";
    if (sites[kEntryOnly] != 0)
        text += std::to_string(sites[kEntryOnly]) + " " + site_state_name(kEntryOnly) + " (" +
                site_state_reason(kEntryOnly) + "), ";
    text += std::to_string(skipped) + " skipped";
    const char* separator = " (";
    for (size_t i = 1; i < sites.size(); i++) {
        if (sites[i] == 0 || i == kEntryOnly) continue;
        text += separator + std::to_string(sites[i]) + " " + site_state_name(i) + ": " +
                site_state_reason(i);
        separator = "; ";
    }
    if (skipped != 0) text += ")";
    return text;
}

SiteCounts sites_of(const Session& session) {
    SiteCounts sum{};
    for (const auto& file : session.files())
        for (size_t i = 0; i < sum.size(); i++)
            sum[i] += file->header().sites[i];
    return sum;
}

std::string counted(uint64_t count, std::string_view what) {
    return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

const char* loss_name(size_t cause) {
    return kLosses[cause].name;
}

namespace {

std::string losses_sentence(const LossCounts& lost, bool is_max_size) {
    std::string text;
    for (size_t i = 0; i < lost.size(); i++) {
        if (lost[i] == 0) continue;
        if (!text.empty()) text += ", ";
        const bool is_size = is_max_size && i == size_t(format::Loss::no_space);
        text += counted(lost[i], kLosses[i].unit) + " (" +
                (is_size ? "the trace file has reached --max-size" : kLosses[i].meaning) + ")";
    }
    return text;
}

}  // namespace

std::string losses_sentence(const LossCounts& lost, const TraceFile& file) {
    return losses_sentence(lost, file.has_reached_max_size());
}

std::string losses_sentence(const Session& session) {
    const auto& files = session.files();
    return losses_sentence(session.lost(),
                           std::all_of(files.begin(), files.end(), [](const auto& file) {
                               return file->lost()[size_t(format::Loss::no_space)] == 0 ||
                                      file->has_reached_max_size();
                           }));
}

std::string overwritten_sentence(const Session& session) {
    const uint64_t bytes = session.overwritten();
    if (bytes == 0) return "";
    return "the buffer (--buffer) holds the newest events, " + std::to_string(bytes / 1024) +
           " KiB of older ones were overwritten";
}

std::vector<std::string> why_nothing(const Session& session) {
    if (session.files().empty())
        return {
            "nothing was recorded, and there is no trace file: 0 sites found in the program, or "
            "libmipstrace.so did not start in it; `mipstrace record --verbose` shows which",
            std::string("if it has no sites: ") + kFlagsAdvice};
    SiteCounts sites = sites_of(session);
    std::vector<std::string> text{"nothing was recorded; " + sites_sentence(sites)};
    uint64_t found = 0;
    for (uint32_t count : sites)
        found += count;
    uint64_t on = 0;
    for (const auto& file : session.files())
        on += file->header().sites_on;
    if (found == 0)
        text.push_back(std::string("no traced module has sites: ") + kFlagsAdvice);
    else if (are_sleds_misplaced(sites))
        text.push_back(std::string("to have the skipped functions traced, ") + kFlagsAdvice);
    if (sites[size_t(format::SiteState::ready)] != 0)
        text.push_back(on != 0 ? "no function with a site that is on was called"
                       : was_off_at_start(session)
                           ? "the recording began switched off (--off), and stayed so"
                           : "the filters (-F, -N) left no site switched on");
    for (const auto& file : session.files())
        for (const std::string& message : file->messages())
            text.push_back("the traced program's tracer said: " + message);
    return text;
}

std::string abi_name(uint8_t abi) {
    static const char* const names[] = {"?", "o32", "n32", "n64"};
    return names[abi < 4 ? abi : 0];
}

std::string clock_name(uint8_t clock) {
    return clock == uint8_t(format::ClockId::cycles) ? "cycles" : "mono";
}

}  // namespace mipstrace::tools
