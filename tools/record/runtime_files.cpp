#include "tools/record/runtime_files.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "lib/elf/elf_file.h"
#include "tools/model/data_error.h"

namespace mipstrace::tools {

namespace {

namespace fs = std::filesystem;

constexpr char kLibrary[] = "libmipstrace.so";

std::string environment(const char* name) {
    const char* value = getenv(name);
    return value != nullptr ? value : "";
}

fs::path own_folder() {
    std::error_code error;
    fs::path self = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path(".") : self.parent_path();
}

bool is_for(const std::string& library, const MipsTarget& target) {
    elf::ElfFile file;
    return file.open(library.c_str()) == elf::OpenError::none && file.is_mips() &&
           target_of(file).name == target.name;
}

std::string find_library(const MipsTarget& target) {
    std::string chosen = environment("MIPSTRACE_LIB");
    if (!chosen.empty()) {
        if (fs::is_directory(chosen)) chosen += std::string("/") + kLibrary;
        if (access(chosen.c_str(), R_OK) != 0)
            throw DataError("MIPSTRACE_LIB names " + chosen + ", which can't be read");
        if (!is_for(chosen, target))
            throw DataError("MIPSTRACE_LIB names " + chosen + ", which is not for " + target.abi +
                            " programs of " + target.name);
        return fs::absolute(chosen).lexically_normal().string();
    }
    fs::path own = own_folder();
    for (const fs::path& path : {own / ".." / "lib" / "mipstrace" / target.name / kLibrary,
                                 own / target.name / kLibrary, own / kLibrary}) {
        if (is_for(path.string(), target)) return path.lexically_normal().string();
    }
    throw DataError("this installation has no " + std::string(kLibrary) + " for " + target.abi +
                    " programs of " + target.name +
                    ": build the program for a target that it has, or name a library "
                    "with MIPSTRACE_LIB");
}

// Does this machine run the target's programs itself? We are one of them ourselves.
bool is_native(const MipsTarget& target) {
    auto is_little = [](const MipsTarget& of) { return of.name.find("el") != std::string::npos; };
    elf::ElfFile self;
    if (self.open("/proc/self/exe") != elf::OpenError::none || !self.is_mips()) return false;
    MipsTarget own = target_of(self);
    // A 64-bit kernel may run 32-bit programs; of another byte order or encoding it runs none.
    return own.name == target.name || (own.cpu.empty() == target.cpu.empty() &&
                                       is_little(own) == is_little(target) && own.abi == "n64");
}

std::string find_in_path(const std::string& name) {
    if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
    std::string list = environment("PATH");
    for (size_t begin = 0; begin <= list.size();) {
        size_t end = std::min(list.find(':', begin), list.size());
        std::string file = list.substr(begin, end - begin) + "/" + name;
        if (end > begin && access(file.c_str(), X_OK) == 0) return file;
        begin = end + 1;
    }
    return "";
}

std::string find_qemu(const MipsTarget& target, const std::string& chosen) {
    if (!chosen.empty()) {
        std::string found = find_in_path(chosen);
        if (found.empty()) throw DataError("there is no emulator " + chosen);
        return found;
    }
    // The static one does not mind an LD_PRELOAD that is meant for the program.
    for (const std::string& name : {target.qemu, target.qemu + "-static"}) {
        std::string found = find_in_path(name);
        if (!found.empty()) return found;
    }
    throw DataError("a program for " + target.name + " needs " + target.qemu +
                    " on this machine: install qemu-user, or give --qemu");
}

bool has_interpreter(const std::string& sysroot, const Program& program) {
    if (program.interpreter.empty()) return fs::is_directory(sysroot);
    return fs::exists(sysroot + program.interpreter);
}

std::string find_sysroot(const Program& program, const RecordOptions& options,
                         const std::string& library) {
    for (const auto& [name, value] :
         {std::pair<std::string, std::string>{"--sysroot", options.sysroot},
          {"MIPSTRACE_SYSROOT", environment("MIPSTRACE_SYSROOT")},
          {"QEMU_LD_PREFIX", environment("QEMU_LD_PREFIX")}}) {
        if (value.empty()) continue;
        if (!fs::is_directory(value)) throw DataError(name + " names " + value + ", no folder");
        if (!has_interpreter(value, program))
            throw DataError("the sysroot " + value + " (" + name + ") has no " +
                            program.interpreter + ", which the program is loaded by");
        return fs::absolute(value).lexically_normal().string();
    }
    for (const std::string& folder :
         {fs::path(library).parent_path().string() + "/sysroot", "/usr/" + program.target.triplet})
        if (has_interpreter(folder, program)) return fs::canonical(folder).string();
    throw DataError("no sysroot for " + program.target.name + " with " + program.interpreter +
                    " was found: give --sysroot DIR, or set MIPSTRACE_SYSROOT");
}

}  // namespace

RuntimeFiles find_runtime(const Program& program, const RecordOptions& options) {
    RuntimeFiles files;
    files.library = find_library(program.target);
    // The dynamic linker takes both for separators.
    if (files.library.find_first_of(" :,") != std::string::npos)
        throw DataError("the path " + files.library +
                        " holds a blank, colon or comma, which LD_PRELOAD can't: move it");
    if (options.qemu.empty() && is_native(program.target)) return files;
    files.qemu = find_qemu(program.target, options.qemu);
    files.sysroot = find_sysroot(program, options, files.library);
    return files;
}

}  // namespace mipstrace::tools
