#include "tools/compiler_probe.h"

#include <string.h>
#include <unistd.h>

#include <fstream>

#include "lib/elf/elf_file.h"
#include "tools/probe_program.h"
#include "tools/run_command.h"
#include "tools/temporary_folder.h"

namespace mipstrace::tools {

namespace {

using Flags = std::vector<std::string>;

std::string machine_name(unsigned machine) {
    switch (machine) {
        case 3:
            return "x86";
        case 21:
            return "POWER64";
        case 40:
            return "ARM";
        case 62:
            return "x86-64";
        case 183:
            return "AArch64";
        case 243:
            return "RISC-V";
        case 258:
            return "LoongArch";
        default:
            return "ELF machine " + std::to_string(machine);
    }
}

// The line of a compiler's messages that says what is wrong.
std::string complaint(const CommandResult& result) {
    size_t at = result.output.find("error:");
    size_t begin = at == std::string::npos ? 0 : result.output.rfind('\n', at) + 1;
    std::string line = result.output.substr(begin, result.output.find('\n', begin) - begin);
    return line.empty() ? "exit status " + std::to_string(result.status) : line;
}

class Probe {
  public:
    Probe(const ProbeRequest& request, const std::string& folder)
        : request_(request), folder_(folder) {}

    // False and a refusal if this is no compiler for MIPS at all.
    bool check_compiler(std::string* refusal);
    CommandResult compile(const Flags& flags);
    // Links the probe and looks at it. `refusal` is set where looking makes no sense.
    SledFault try_flags(const Flags& flags, std::string* refusal);
    bool unwinds() const { return has_unwind_tables(path("probe")); }
    bool write_sources();

  private:
    std::string path(const std::string& name) const { return folder_ + "/" + name; }
    std::string name() const { return request_.compiler.front(); }
    std::string source(const char* stem) const {
        return path(stem) + (request_.cxx ? ".cc" : ".c");
    }

    const ProbeRequest& request_;
    std::string folder_;
};

bool Probe::write_sources() {
    for (const ProbeSource& part : kProbeSources) {
        std::ofstream file(source(part.name));
        if (!(file << part.text << std::flush)) return false;
    }
    return true;
}

CommandResult Probe::compile(const Flags& flags) {
    std::vector<std::string> command = request_.compiler;
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(),
                   {"-O2", "-c", "-o", path("probe.o"), source(kProbeSources.front().name)});
    return run_command(command, true);
}

bool Probe::check_compiler(std::string* refusal) {
    CommandResult result = compile({});
    if (result.start_error != 0)
        *refusal = "cannot run the compiler " + name() + ": " + strerror(result.start_error);
    else if (result.status != 0)
        *refusal = name() + " does not compile a small " + (request_.cxx ? "C++" : "C") +
                   " file: " + complaint(result);
    if (!refusal->empty()) return false;
    elf::ElfFile object;
    if (object.open(path("probe.o").c_str()) != elf::OpenError::none)
        *refusal = name() + " is no compiler that makes ELF objects";
    else if (!object.is_mips())
        *refusal = name() + " compiles for " + machine_name(object.machine()) +
                   ", not for MIPS; give the cross compiler with --cc";
    return refusal->empty();
}

SledFault Probe::try_flags(const Flags& flags, std::string* refusal) {
    std::vector<std::string> command = request_.compiler;
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(),
                   {"-O2", "-ffunction-sections", "-nostdlib", "-static", "-Wl,--gc-sections",
                    std::string("-Wl,-e,") + kProbeEntry, "-o", path("probe")});
    for (const ProbeSource& part : kProbeSources)
        command.push_back(source(part.name));
    CommandResult result = run_command(command, true);
    if (!result.succeeded()) {
        *refusal = name() + " does not build a program: " + complaint(result);
        return SledFault::unreadable;
    }
    return check_probe_program(path("probe"), request_.nops);
}

}  // namespace

ProbeResult probe_compiler(const ProbeRequest& request) {
    ProbeResult result;
    TemporaryFolder folder;
    Probe probe(request, folder.path());
    const std::string& name = request.compiler.front();
    if (folder.path().empty() || !probe.write_sources()) {
        result.refusal =
            "cannot write to a temporary folder; set TMPDIR to one that can be written";
        return result;
    }
    if (!probe.check_compiler(&result.refusal)) return result;

    const std::string sleds = "-fpatchable-function-entry=" + std::to_string(request.nops);
    if (CommandResult tried = probe.compile({sleds}); !tried.succeeded()) {
        result.refusal = name + " refuses " + sleds + " (" + complaint(tried) +
                         "): use GCC 8 or newer for MIPS; clang has no such option for it";
        return result;
    }
    // -fpatchable-function-entry turns -fipa-ra off in most compilers that have it, but not where
    // the sled comes from a function's attribute.
    result.flags = {sleds, "-fno-ipa-ra"};
    std::vector<Flags> modes = {result.flags};
    if (probe.compile({"-fPIC"}).succeeded()) {
        modes.push_back(result.flags);
        modes.back().push_back("-fPIC");
    }

    SledFault fault = SledFault::none;
    bool unwinds = true;
    for (const Flags& mode : modes) {
        fault = probe.try_flags(mode, &result.refusal);
        if (!result.refusal.empty()) return result;
        unwinds = unwinds && probe.unwinds();
        if (fault != SledFault::none) break;
    }
    if (!unwinds) result.flags.push_back("-fasynchronous-unwind-tables");
    if (fault == SledFault::none) return result;

    if (access((request.filter_folder + "/as").c_str(), X_OK) != 0) {
        result.refusal = name + " needs mipstrace's assembler filter, which is not at " +
                         request.filter_folder + "/as: install it, or set MIPSTRACE_LIBEXEC";
        return result;
    }
    result.needs_filter = true;
    for (Flags mode : modes) {
        mode.push_back("-B" + request.filter_folder);
        fault = probe.try_flags(mode, &result.refusal);
        if (!result.refusal.empty()) return result;
        if (fault == SledFault::none) continue;
        result.refusal =
            name + " cannot be used, even with the assembler filter: " + describe(fault);
        return result;
    }
    return result;
}

}  // namespace mipstrace::tools
