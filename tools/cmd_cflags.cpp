#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "tools/arcs_flags.h"
#include "tools/commands.h"
#include "tools/compiler_probe.h"
#include "tools/text/say.h"
#include "tools/version.h"
#include "tools/words.h"

namespace mipstrace::tools {

namespace {

namespace fs = std::filesystem;

constexpr unsigned kMinNops = 3;
constexpr unsigned kMaxNops = 65535;  // GCC's own limit

constexpr const char* kFooter =
    "Tries the compiler and prints what a traceable program needs, and no more:\n"
    "  -fpatchable-function-entry=3   room at each function's entry\n"
    "  -fno-ipa-ra                    no caller relies on what a function leaves alone\n"
    "  -fasynchronous-unwind-tables   for stack traces, where the compiler has no such default\n"
    "  -B.../libexec/mipstrace        our filter before the assembler, where GCC (12 to 15) puts "
    "the\n"
    "                                 room before the function's label, or loses table entries\n"
    "With -flto give the flags when linking, too. MIPSTRACE_LIBEXEC names another folder for -B.\n"
    "Example: make CC=mips64el-linux-gnuabi64-gcc \\\n"
    "    CFLAGS=\"-O2 $(mipstrace cflags --cc=mips64el-linux-gnuabi64-gcc)\"";

struct Options {
    std::string compiler;
    bool cxx = false;
    unsigned nops = kMinNops;
    bool pkg_config = false;
    bool arcs = false;
    bool atomic = false;
};

fs::path installation() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
}

std::string filter_folder() {
    const char* set = getenv("MIPSTRACE_LIBEXEC");
    std::error_code error;
    if (set != nullptr && *set != 0) return fs::absolute(set, error).lexically_normal().string();
    return (installation() / "libexec" / "mipstrace").string();
}

void print_pkg_config(const std::string& flags) {
    std::cout << "prefix=${pcfiledir}/../..\n"
              << "includedir=${prefix}/include\n"
              << "libexecdir=${prefix}/libexec/mipstrace\n\n"
              << "Name: mipstrace\n"
              << "Description: What a program needs to be traced by mipstrace\n"
              << "Version: " << kVersion << "\n"
              << "Cflags: -I${includedir} " << flags << "\n";
}

int print_flags(const std::string& line) {
    std::cout << line << "\n" << std::flush;
    return std::cout ? 0 : kExitData;
}

int run_arcs(const Options& options) {
    ArcsRequest request;
    request.compiler = split_words(options.compiler);
    request.cxx = options.cxx;
    request.atomic = options.atomic;
    request.plugins = (fs::path(filter_folder()) / "callarc").string();
    request.libraries = (installation() / "lib" / "mipstrace").string();
    if (request.compiler.empty()) {
        say("no compiler given: name one with --cc");
        return kExitUsage;
    }
    const ArcsFlags found = find_arcs_flags(request);
    if (!found.refusal.empty()) {
        say(found.refusal);
        return kExitData;
    }
    std::string line;
    for (const std::string& flag : found.flags)
        line += (line.empty() ? "" : " ") + quote_word(flag);
    return print_flags(line);
}

int run(const Options& options) {
    ProbeRequest request;
    request.compiler = split_words(options.compiler);
    request.cxx = options.cxx;
    request.nops = options.nops;
    request.filter_folder = filter_folder();
    if (request.compiler.empty()) {
        say("no compiler given: name one with --cc");
        return kExitUsage;
    }
    ProbeResult result = probe_compiler(request);
    if (!result.refusal.empty()) {
        say(result.refusal);
        return kExitData;
    }
    std::string line;
    for (const std::string& flag : result.flags)
        line += (line.empty() ? "" : " ") + flag;
    if (result.needs_filter)
        line += " -B" + (options.pkg_config ? std::string("${libexecdir}")
                                            : quote_word(request.filter_folder));
    if (!options.pkg_config) return print_flags(line);
    print_pkg_config(line);
    std::cout.flush();
    return std::cout ? 0 : kExitData;
}

}  // namespace

void add_cflags(CLI::App& app, Runner* runner) {
    auto options = std::make_shared<Options>();
    const char* set = getenv("CC");
    options->compiler = set != nullptr && *set != 0 ? set : "cc";
    CLI::App* command = app.add_subcommand("cflags", "Print the flags that a compiler needs");
    command->footer(kFooter);
    command
        ->add_option("--cc", options->compiler,
                     "The compiler, with arguments if it needs some (-mabi=n32)")
        ->type_name("CC")
        ->capture_default_str();
    command->add_flag("--cxx", options->cxx, "Try it with C++ sources");
    command->add_option("--nops", options->nops, "Instructions of room at each entry")
        ->type_name("N")
        ->check(CLI::Range(kMinNops, kMaxNops))
        ->capture_default_str();
    command->add_flag("--pkg-config", options->pkg_config,
                      "Print a pkg-config file, for a place beside lib/ in the same installation");
    CLI::Option* arcs = command->add_flag(
        "--arcs", options->arcs,
        "Print those for a program that counts its calls and writes gmon.out, without a tracer");
    command
        ->add_flag("--atomic", options->atomic,
                   "With --arcs: counts of several threads are exact, and cost more")
        ->needs(arcs);
    arcs->excludes("--nops")->excludes("--pkg-config");
    command->callback([options, runner] {
        *runner = [options] { return options->arcs ? run_arcs(*options) : run(*options); };
    });
}

}  // namespace mipstrace::tools
