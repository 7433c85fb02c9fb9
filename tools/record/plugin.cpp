#include "tools/record/plugin.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include <filesystem>
#include <string_view>

#include "tools/model/data_error.h"

namespace mipstrace::tools {

namespace {

// True if the object's dynamic symbols name a way in: a plugin registers itself, or replaces
// functions. Linkers let names share their ends, so one may stand within unregister_ftrace_graph.
bool names_registration(const elf::ElfFile& file) {
    for (const char* name : {"register_ftrace_graph", "register_ftrace_direct"}) {
        std::string end(name);
        end.push_back('\0');
        if (file.symbol_names(true).find(end) != std::string_view::npos) return true;
    }
    return false;
}

}  // namespace

std::string check_plugin(const std::string& name, const MipsTarget& target) {
    elf::ElfFile file;
    switch (file.open(name.c_str())) {
        case elf::OpenError::none:
            break;
        case elf::OpenError::cannot_open:
            throw DataError("cannot read the plugin " + name + ": " + strerror(errno));
        default:
            throw DataError(name + " is no plugin: it is not a shared object");
    }
    if (file.type() != ET_DYN || file.has_interpreter())
        throw DataError(name + " is no plugin: link it with -shared");
    const std::string machine = file.is_mips() ? target_of(file).name : "another machine";
    if (machine != target.name)
        throw DataError("the plugin " + name + " is for " + machine + ", the program for " +
                        target.name + ": build it with the program's compiler");
    if (!names_registration(file))
        throw DataError(name +
                        " is no plugin: it calls neither register_ftrace_graph nor "
                        "register_ftrace_direct, see <mipstrace/fgraph.h>");
    std::error_code error;
    const std::string path = std::filesystem::absolute(name, error).lexically_normal().string();
    // What separates the names in LD_PRELOAD, or the emulator's variables.
    if (path.find_first_of(" :;,") != std::string::npos)
        throw DataError("the path of the plugin " + path +
                        " holds a blank, ':' or ',', which LD_PRELOAD can't: move it");
    return path;
}

}  // namespace mipstrace::tools
