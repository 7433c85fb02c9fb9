// session.json, as `record` writes it and every other verb reads it.
#include <nlohmann/json.hpp>

#include "tools/model/session.h"

namespace mipstrace::tools {

namespace {

using nlohmann::json;

void get(const json& from, const char* key, std::string* to) {
    if (from.contains(key) && from[key].is_string()) *to = from[key].get<std::string>();
}
void get(const json& from, const char* key, uint64_t* to) {
    if (from.contains(key) && from[key].is_number_unsigned()) *to = from[key].get<uint64_t>();
}
void get(const json& from, const char* key, std::optional<int>* to) {
    if (from.contains(key) && from[key].is_number_integer()) *to = from[key].get<int>();
}

}  // namespace

std::string SessionInfo::to_json() const {
    json out;
    out["mipstrace"] = tool_version;
    out["command"] = command;
    out["program"] = program;
    out["cwd"] = cwd;
    out["target"] = target;
    if (!sysroot.empty()) out["sysroot"] = sysroot;
    if (!qemu.empty()) out["qemu"] = qemu;
    out["library"] = library;
    json named = json::object();
    for (const auto& [name, value] : options)
        named[name] = value;
    out["options"] = named;
    out["start_realtime_ns"] = start_realtime_ns;
    if (end_realtime_ns != 0) out["end_realtime_ns"] = end_realtime_ns;
    if (exit_status) out["exit_status"] = *exit_status;
    if (signal) out["signal"] = *signal;
    // Names of files need not be UTF-8.
    return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

bool SessionInfo::from_json(const std::string& text) {
    json in = json::parse(text, nullptr, false);
    if (!in.is_object()) return false;
    get(in, "mipstrace", &tool_version);
    get(in, "program", &program);
    get(in, "cwd", &cwd);
    get(in, "target", &target);
    get(in, "sysroot", &sysroot);
    get(in, "qemu", &qemu);
    get(in, "library", &library);
    get(in, "start_realtime_ns", &start_realtime_ns);
    get(in, "end_realtime_ns", &end_realtime_ns);
    get(in, "exit_status", &exit_status);
    get(in, "signal", &signal);
    if (in.contains("command") && in["command"].is_array())
        for (const json& word : in["command"])
            if (word.is_string()) command.push_back(word.get<std::string>());
    if (in.contains("options") && in["options"].is_object())
        for (const auto& [name, value] : in["options"].items())
            if (value.is_string()) options.emplace_back(name, value.get<std::string>());
    return true;
}

}  // namespace mipstrace::tools
