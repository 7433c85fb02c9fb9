#include "tools/dwarf/needed_objects.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "lib/elf/elf_file.h"

namespace mipstrace::tools {

namespace {

constexpr size_t kMostObjects = 1000;

struct Dynamic {
    std::vector<std::string> needed;
    std::string path;
};

uint64_t number_at(const unsigned char* bytes, unsigned size, bool is_big) {
    uint64_t number = 0;
    for (unsigned i = 0; i < size; i++)
        number = number << 8 | bytes[is_big ? i : size - 1 - i];
    return number;
}

Dynamic dynamic_of(const elf::ElfFile& file) {
    Dynamic out;
    elf::Section table;
    elf::Section names;
    if (!file.section(".dynamic", &table) || !file.section(".dynstr", &names) ||
        table.data == nullptr || names.data == nullptr)
        return out;
    const std::string_view strings(reinterpret_cast<const char*>(names.data), size_t(names.size));
    const unsigned word = file.is_64() ? 8 : 4;
    for (uint64_t at = 0; at + 2 * word <= table.size; at += 2 * word) {
        const uint64_t tag = number_at(table.data + at, word, file.is_big_endian());
        const uint64_t value = number_at(table.data + at + word, word, file.is_big_endian());
        if (tag == DT_NULL || value >= strings.size()) continue;
        const size_t begin = size_t(value);
        const std::string text(strings.substr(begin, strings.find('\0', begin) - begin));
        if (tag == DT_NEEDED) out.needed.push_back(text);
        if (tag == DT_RUNPATH || tag == DT_RPATH) out.path = text;
    }
    return out;
}

std::vector<std::string> folders_of(const std::string& object, const std::string& list) {
    std::vector<std::string> folders;
    const std::string origin = std::filesystem::path(object).parent_path().string();
    for (size_t begin = 0; begin < list.size();) {
        const size_t end = std::min(list.find(':', begin), list.size());
        std::string folder = list.substr(begin, end - begin);
        for (const char* word : {"$ORIGIN", "${ORIGIN}"})
            for (size_t at; (at = folder.find(word)) != std::string::npos;)
                folder.replace(at, strlen(word), origin.empty() ? "." : origin);
        if (!folder.empty()) folders.push_back(folder);
        begin = end + 1;
    }
    return folders;
}

}  // namespace

std::vector<std::string> own_objects(const std::string& program) {
    std::vector<std::string> objects{program};
    const char* variable = getenv("LD_LIBRARY_PATH");
    for (size_t i = 0; i < objects.size() && objects.size() < kMostObjects; i++) {
        elf::ElfFile file;
        if (file.open(objects[i].c_str()) != elf::OpenError::none || !file.is_mips()) continue;
        const Dynamic dynamic = dynamic_of(file);
        std::vector<std::string> folders = folders_of(objects[i], dynamic.path);
        for (std::string& folder : folders_of(objects[i], variable != nullptr ? variable : ""))
            folders.push_back(std::move(folder));
        for (const std::string& name : dynamic.needed) {
            std::vector<std::string> candidates;
            if (name.find('/') != std::string::npos) candidates.push_back(name);
            for (const std::string& folder : folders)
                candidates.push_back(folder + "/" + name);
            for (const std::string& path : candidates) {
                if (access(path.c_str(), R_OK) != 0) continue;
                if (std::find(objects.begin(), objects.end(), path) == objects.end())
                    objects.push_back(path);
                break;
            }
        }
    }
    return objects;
}

}  // namespace mipstrace::tools
