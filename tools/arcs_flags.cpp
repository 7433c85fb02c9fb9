#include "tools/arcs_flags.h"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "lib/elf/elf_file.h"
#include "tools/model/mips_target.h"
#include "tools/run_command.h"
#include "tools/temporary_folder.h"

namespace mipstrace::tools {

namespace {

namespace fs = std::filesystem;

constexpr char kPlugin[] = "callarc_plugin.so";
constexpr char kLibrary[] = "libcallarc.a";
constexpr char kProbe[] = "void there(void);\nvoid here(void) { there(); there(); }\n";

CommandResult run_with(const ArcsRequest& request, const std::vector<std::string>& more) {
    std::vector<std::string> command = request.compiler;
    command.insert(command.end(), more.begin(), more.end());
    return run_command(command, true);
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

// TRIPLET-VERSION, as the plugins' folders are called; "" for what is no GCC.
std::string compiler_id(const ArcsRequest& request) {
    const CommandResult machine = run_with(request, {"-dumpmachine"});
    const CommandResult version = run_with(request, {"-dumpfullversion"});
    if (!machine.succeeded() || !version.succeeded()) return "";
    return first_line(machine.output) + "-" + first_line(version.output);
}

std::string installed_plugins(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "it has those for " : ", ") + name;
    return list.empty() ? "it has none" : list;
}

// The line of a compiler's messages that says what is wrong.
std::string complaint(const CommandResult& result) {
    const size_t at = result.output.find("error:");
    const size_t begin = at == std::string::npos ? 0 : result.output.rfind('\n', at) + 1;
    return first_line(result.output.substr(begin));
}

// The target of an object, whose calls have counters; or "" and why not.
std::string try_out(const ArcsRequest& request, const std::vector<std::string>& flags,
                    std::string* refusal) {
    const TemporaryFolder folder;
    const std::string source = folder.path() + (request.cxx ? "/probe.cc" : "/probe.c");
    if (std::ofstream file(source); folder.path().empty() || !(file << kProbe << std::flush)) {
        *refusal = "cannot write to a temporary folder; set TMPDIR to one that can be written";
        return "";
    }
    const std::string name = request.compiler.front(), object = folder.path() + "/probe.o";
    std::vector<std::string> command = flags;
    command.insert(command.end(), {"-O1", "-c", "-o", object, source});
    if (const CommandResult result = run_with(request, command); !result.succeeded()) {
        *refusal = name + " does not compile with the call-arc plugin: " + complaint(result);
        return "";
    }
    elf::ElfFile file;
    elf::Section section;
    if (file.open(object.c_str()) != elf::OpenError::none || !file.section("callarc", &section)) {
        *refusal = name + " compiles with the call-arc plugin, but leaves no counters";
        return "";
    }
    return file.is_mips() ? target_of(file).name : "";
}

}  // namespace

ArcsFlags find_arcs_flags(const ArcsRequest& request) {
    ArcsFlags result;
    const std::string name = request.compiler.front();
    if (const int error = run_with(request, {"-dumpmachine"}).start_error; error != 0) {
        result.refusal = "cannot run the compiler " + name + ": " + strerror(error);
        return result;
    }
    const std::string id = compiler_id(request);
    const std::string plugin = request.plugins + "/" + id + "/" + kPlugin;
    if (id.empty()) {
        result.refusal = name + " is no GCC, and the call-arc plugin is for GCC only";
    } else if (access(plugin.c_str(), R_OK) != 0) {
        result.refusal = "this installation has no call-arc plugin for " + name + " (" + id +
                         "), " + installed_plugins(request.plugins) +
                         ": build mipstrace with this compiler";
    }
    if (!result.refusal.empty()) return result;

    result.flags = {"-fplugin=" + plugin};
    if (request.atomic) result.flags.push_back("-fplugin-arg-callarc_plugin-atomic");
    const std::string target = try_out(request, result.flags, &result.refusal);
    if (!result.refusal.empty()) return result;
    const std::string folder = request.libraries + "/" + target;
    if (access((folder + "/" + kLibrary).c_str(), R_OK) != 0) {
        result.refusal = "this installation has no " + folder + "/" + kLibrary +
                         ", which programs of " + name + " need";
        return result;
    }
    // By name, so that its place on the command line does not matter.
    result.flags.insert(result.flags.end(),
                        {"-Wl,-u,callarc_dump,-u,__callarc_count", "-L" + folder, "-lcallarc"});
    return result;
}

}  // namespace mipstrace::tools
