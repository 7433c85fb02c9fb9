#include "tools/as_filter/real_assembler.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>
#include <utility>
#include <vector>

#include "tools/run_command.h"
#include "tools/words.h"

namespace mipstrace::as_filter {

namespace {

bool is_this_program(const std::string& path) {
    struct stat self;
    struct stat other;
    return stat("/proc/self/exe", &self) == 0 && stat(path.c_str(), &other) == 0 &&
           self.st_dev == other.st_dev && self.st_ino == other.st_ino;
}

bool can_run(const std::string& path) {
    struct stat info;
    return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
           access(path.c_str(), X_OK) == 0;
}

std::vector<std::string> split_path(std::string_view list) {
    std::vector<std::string> folders;
    while (true) {
        size_t end = list.find(':');
        folders.emplace_back(end == 0 || list.empty() ? "." : list.substr(0, end));
        if (end == std::string_view::npos) return folders;
        list.remove_prefix(end + 1);
    }
}

std::string search_path(const std::string& name) {
    const char* list = getenv("PATH");
    for (const std::string& folder : split_path(list != nullptr ? list : "/usr/bin:/bin")) {
        std::string path = folder + "/" + name;
        if (can_run(path) && !is_this_program(path)) return path;
    }
    return {};
}

// While gcc links it exports COMPILER_PATH with our own folder in it, and would find us there.
void leave_compiler_path() {
    const char* list = getenv("COMPILER_PATH");
    if (list == nullptr) return;
    std::string kept;
    for (const std::string& folder : split_path(list)) {
        if (is_this_program(folder + "/as")) continue;
        if (!kept.empty()) kept += ':';
        kept += folder;
    }
    setenv("COMPILER_PATH", kept.c_str(), 1);
}

// The user's own -B, which may lead to another assembler.
std::vector<std::string> other_prefixes() {
    std::vector<std::string> prefixes;
    const char* options = getenv("COLLECT_GCC_OPTIONS");
    std::vector<std::string> words = tools::split_words(options != nullptr ? options : "");
    for (size_t i = 0; i + 1 < words.size(); i++) {
        if (words[i] != "-B") continue;
        const std::string& prefix = words[++i];
        if (is_this_program(prefix + "as") || is_this_program(prefix + "/as")) continue;
        prefixes.push_back("-B" + prefix);
    }
    return prefixes;
}

}  // namespace

RealAssembler find_real_assembler() {
    const char* set = getenv("MIPSTRACE_AS");
    if (set != nullptr && *set != 0) {
        std::string path = std::string(set).find('/') == std::string::npos ? search_path(set) : set;
        if (is_this_program(path))
            return {{},
                    "MIPSTRACE_AS names mipstrace's filter itself; set it to the real assembler"};
        if (!can_run(path)) return {{}, std::string("MIPSTRACE_AS: cannot run ") + set};
        return {path, {}};
    }
    const char* compiler = getenv("COLLECT_GCC");
    if (compiler == nullptr || *compiler == 0)
        return {{},
                "this is mipstrace's filter in front of the assembler: use it through gcc -B, or "
                "set MIPSTRACE_AS to the real assembler"};
    leave_compiler_path();
    std::vector<std::string> command = {compiler};
    for (std::string& prefix : other_prefixes())
        command.push_back(std::move(prefix));
    command.push_back("-print-prog-name=as");
    tools::CommandResult asked = tools::run_command(command, false);
    std::string name = asked.succeeded() ? asked.output.substr(0, asked.output.find('\n')) : "";
    std::string path = name.find('/') == std::string::npos ? search_path(name) : name;
    if (name.empty() || !can_run(path) || is_this_program(path))
        return {{},
                std::string("cannot find the real assembler of ") + compiler +
                    "; set MIPSTRACE_AS to it"};
    return {path, {}};
}

}  // namespace mipstrace::as_filter
