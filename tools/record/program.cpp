#include "tools/record/program.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "lib/elf/elf_file.h"
#include "tools/model/data_error.h"
#include "tools/model/site_scan.h"
#include "tools/text/say.h"
#include "tools/text/wording.h"

namespace mipstrace::tools {

namespace {

constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

std::string find_in_path(const std::string& name) {
    if (name.find('/') != std::string::npos) return name;
    const char* path = getenv("PATH");
    std::string list = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
    std::string seen;  // of that name, but not executable
    for (size_t begin = 0; begin <= list.size();) {
        size_t end = std::min(list.find(':', begin), list.size());
        std::string dir = list.substr(begin, end - begin);
        std::string file = (dir.empty() ? "." : dir) + "/" + name;
        struct stat info;
        if (stat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode)) {
            if (access(file.c_str(), X_OK) == 0) return file;
            if (seen.empty()) seen = file;
        }
        begin = end + 1;
    }
    if (!seen.empty()) return seen;
    std::string advice;
    if (access(name.c_str(), F_OK) == 0) advice = ": for the one in this folder, type ./" + name;
    throw DataError("there is no program " + name + " in PATH" + advice, kNotFound);
}

void check_file(const std::string& path, bool force) {
    struct stat info;
    if (stat(path.c_str(), &info) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            throw DataError("there is no program " + path, kNotFound);
        throw DataError("cannot run " + path + ": " + strerror(errno), kNotExecutable);
    }
    if (S_ISDIR(info.st_mode))
        throw DataError(path + " is a directory: give the program in it", kNotExecutable);
    if (!S_ISREG(info.st_mode)) throw DataError(path + " is not a program", kNotExecutable);
    if (access(path.c_str(), X_OK) != 0)
        throw DataError("cannot run " + path + ": it is not executable (chmod +x)", kNotExecutable);
    if ((info.st_mode & (S_ISUID | S_ISGID)) != 0 && !force)
        throw DataError(path +
                        " is setuid or setgid, for which the system ignores LD_PRELOAD: trace "
                        "a copy without these bits");
}

// "#!/bin/sh" -> "/bin/sh"; empty if it is no script.
std::string script_interpreter(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    char mark[2] = {};
    if (!in.read(mark, 2) || mark[0] != '#' || mark[1] != '!') return "";
    std::string line(256, '\0');
    in.read(line.data(), std::streamsize(line.size()));
    line.resize(size_t(in.gcount()));
    size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    return line.substr(begin, line.find_first_of(" \t\r\n", begin) - begin);
}

void open_elf(elf::ElfFile& file, const std::string& path) {
    std::string script = script_interpreter(path);
    if (!script.empty())
        throw DataError(path +
                        " is a script, no MIPS program: trace its interpreter instead, "
                        "`mipstrace record " +
                        script + " " + path + "`");
    switch (file.open(path.c_str())) {
        case elf::OpenError::none:
            break;
        case elf::OpenError::cannot_open:
            throw DataError("cannot read " + path + ": " + strerror(errno), kNotExecutable);
        case elf::OpenError::not_elf:
            throw DataError(path + " is not an ELF file, so it can't be traced");
        case elf::OpenError::broken:
            throw DataError(path + " is a damaged ELF file");
    }
    if (!file.is_mips())
        throw DataError(path + " is not a MIPS program: build it with a MIPS compiler");
    if (file.type() != ET_EXEC && file.type() != ET_DYN)
        throw DataError(path + " is an object file: link it to a program first");
    if (!file.has_interpreter())
        throw DataError(path +
                        " is statically linked, so no library can be loaded into it: link it "
                        "without -static");
}

}  // namespace

Program check_program(const std::string& name, bool force) {
    Program program;
    program.path = find_in_path(name);
    check_file(program.path, force);
    elf::ElfFile file;
    open_elf(file, program.path);
    program.target = target_of(file);
    elf::Section interpreter;
    if (file.section(".interp", &interpreter) && interpreter.data != nullptr) {
        std::string text(reinterpret_cast<const char*>(interpreter.data), size_t(interpreter.size));
        program.interpreter = text.substr(0, text.find('\0'));
    }
    return program;
}

void check_sites(const Program& program, bool force) {
    const std::string& path = program.path;
    elf::ElfFile file;
    open_elf(file, path);
    SiteScan scan = scan_sites(file, path);
    if (scan.count_traced() != 0) return;
    std::string problem;
    if (!file.has_section_headers())
        problem = " has no section headers, so its entry sleds can't be found";
    else if (scan.sites.empty() && scan.has_own_mcount)
        problem = " has an _mcount of its own, which its functions call, and no entry sleds";
    else if (scan.sites.empty())
        problem = " has neither entry sleds nor calls of _mcount";
    else if (scan.count(format::SiteState::before_label) != 0)
        problem = " has its entry sleds before the functions' labels, where no call runs them";
    else if (scan.count(format::SiteState::short_sled) != 0)
        problem = " has entry sleds of fewer than three nops";
    else
        problem = " has no entry sled that can be used (`mipstrace sites` shows why)";
    std::string sentence = path + problem + ": " + kFlagsAdvice;
    if (!force) throw DataError(sentence + ", or give --force to trace the libraries that it uses");
    warn(sentence);
}

}  // namespace mipstrace::tools
