#include "tools/model/module_files.h"

#include <filesystem>

#include "lib/elf/elf_file.h"

namespace mipstrace::tools {

namespace {

std::vector<std::string> candidates(const Module& module, const std::string& cwd,
                                    const SymbolPlaces& places) {
    std::string path = module.path;
    if (!path.starts_with('/')) path = (cwd.empty() ? "." : cwd) + "/" + path;
    std::vector<std::string> found;
    for (const std::string& sysroot : places.sysroots)
        found.push_back(sysroot + path);
    found.push_back(path);
    for (const std::string& dir : places.debug_dirs)
        found.push_back(dir + "/" + base_name(path));
    return found;
}

std::vector<std::string> debug_candidates(const std::string& build_id, const SymbolPlaces& places) {
    std::string id = hex(build_id);
    if (id.size() < 4) return {};
    std::string tail = "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug";
    std::vector<std::string> found;
    for (const std::string& dir : places.debug_dirs)
        found.push_back(dir + tail);
    for (const std::string& sysroot : places.sysroots)
        found.push_back(sysroot + "/usr/lib/debug" + tail);
    found.push_back("/usr/lib/debug" + tail);
    return found;
}

// The recording names the path: to open a device may do something.
bool open_file(elf::ElfFile& file, const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) &&
           file.open(path.c_str()) == elf::OpenError::none;
}

bool add_debug_symbols(const std::string& build_id, const SymbolPlaces& places,
                       SymbolTable* table) {
    for (const std::string& path : debug_candidates(build_id, places)) {
        elf::ElfFile file;
        if (open_file(file, path) && file.build_id() == build_id && table->add(file, false))
            return true;
    }
    return false;
}

}  // namespace

SymbolTable load_symbols(const Module& module, const std::string& cwd, const SymbolPlaces& places,
                         std::string* warning) {
    SymbolTable table;
    std::string stranger;  // a file of that name which is not the one that was traced
    for (const std::string& path : candidates(module, cwd, places)) {
        elf::ElfFile file;
        if (!open_file(file, path) || !file.is_mips()) continue;
        if (!module.build_id.empty() && file.build_id() != module.build_id) {
            if (stranger.empty()) stranger = path;
            continue;
        }
        if (!table.add(file, false) && !add_debug_symbols(module.build_id, places, &table))
            table.add(file, true);
        table.finish();
        if (table.empty()) *warning = path + " has no symbols: its functions are shown by address";
        return table;
    }
    if (add_debug_symbols(module.build_id, places, &table)) {
        table.finish();
        return table;
    }
    if (!stranger.empty())
        *warning = stranger +
                   " is not the file that was traced (its build-id differs): functions "
                   "of " +
                   base_name(module.path) + " are shown by address";
    else
        *warning = module.path +
                   " is not found here: its functions are shown by address, give "
                   "--sysroot or --debug-dir";
    return table;
}

std::string hex(std::string_view bytes) {
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (char c : bytes) {
        text += digits[static_cast<unsigned char>(c) >> 4];
        text += digits[c & 15];
    }
    return text;
}

std::string base_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

}  // namespace mipstrace::tools
