#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <sstream>

#include "lib/elf/elf_file.h"
#include "tools/arcs/arc_text.h"
#include "tools/model/data_error.h"
#include "tools/text/say.h"
#include "tools/verb.h"

namespace mipstrace::tools {

namespace {

struct ArcsOptions {
    std::string program;
    std::vector<std::string> inputs;
    bool as_csv = false;
    bool as_callgrind = false;
    bool no_demangle = false;
};

void open_program(elf::ElfFile& file, const std::string& path) {
    switch (file.open(path.c_str())) {
        case elf::OpenError::none:
            return;
        case elf::OpenError::cannot_open:
            throw DataError("cannot open " + path + ": " + strerror(errno));
        case elf::OpenError::not_elf:
            throw DataError(path + " is not an ELF file: the program comes first, then gmon.out");
        case elf::OpenError::broken:
            throw DataError(path + " is a damaged ELF file");
    }
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    if (!file || !(content << file.rdbuf()))
        throw DataError("cannot read " + path + ": " + strerror(errno));
    return content.str();
}

int arcs(const ArcsOptions& options) {
    if (options.as_csv && options.as_callgrind)
        throw DataError("--csv and --callgrind are two forms: give one of them", kExitUsage);
    elf::ElfFile file;
    open_program(file, options.program);
    SymbolTable symbols;
    if (!symbols.add(file, false)) symbols.add(file, true);
    symbols.finish();
    if (symbols.empty())
        throw DataError(options.program +
                        " has no symbols: name the program as it was before it was stripped");
    const GmonShape shape{file.is_big_endian(), file.is_64()};
    GmonContent content;
    for (const std::string& path :
         options.inputs.empty() ? std::vector<std::string>{"gmon.out"} : options.inputs) {
        const GmonContent more = read_gmon(read_file(path), path, shape);
        content.arcs.insert(content.arcs.end(), more.arcs.begin(), more.arcs.end());
        content.histograms.insert(content.histograms.end(), more.histograms.begin(),
                                  more.histograms.end());
    }
    const ArcTable table =
        make_arc_table(content, symbols, options.no_demangle ? Demangle::no : Demangle::full);
    OutBuffer out(STDOUT_FILENO);
    if (options.as_csv)
        write_arcs_csv(out, table);
    else if (options.as_callgrind)
        write_callgrind(out, table, options.program);
    else
        write_arcs(out, table);
    out.flush();
    if (table.unknown != 0)
        say(std::to_string(table.unknown) + " call(s) are of no function of " + options.program +
            ": is it the program that was run?");
    if (table.functions.empty()) say("no calls of functions of " + options.program);
    return table.functions.empty() ? kExitData : 0;
}

}  // namespace

void add_arcs(CLI::App& app, Runner* run) {
    auto options = std::make_shared<ArcsOptions>();
    Verb verb(app, "arcs", "Show callers and callees, and how often, from gmon.out");
    verb.argument({"PROG", "PROG", "The program, or the library, that was counted"},
                  &options->program, true);
    verb.arguments({"FILE", "FILE", "What it wrote, added up if there are several (gmon.out)"},
                   &options->inputs, false);
    verb.flag("--csv", "Comma-separated values", &options->as_csv);
    verb.flag("--callgrind", "For callgrind_annotate and kcachegrind", &options->as_callgrind);
    verb.flag("--no-demangle", "Show C++ names as the linker knows them", &options->no_demangle);
    verb.footer(
        "gmon.out comes from `mipstrace record --arcs`, from a program that was compiled with\n"
        "`mipstrace cflags --arcs`, or from one that was compiled with -pg.");
    verb.does(run, [=] { return arcs(*options); });
}

}  // namespace mipstrace::tools
