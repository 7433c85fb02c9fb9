#include "lib/record/value_file.h"

#include <errno.h>
#include <fcntl.h>

#include <algorithm>

#include "lib/base/arena.h"
#include "lib/base/file_status.h"
#include "lib/base/raw_log.h"
#include "lib/record/value_rules.h"

namespace mipstrace::record {

namespace {

constexpr uint64_t kLargestFile = 1u << 28;
constexpr uint32_t kLargestSlack = 1u << 20;

std::string_view content;
unsigned first_rule;

std::string_view slice(std::string_view s, size_t from, size_t to) {
    return {s.data() + from, to - from};
}

// What is in front of `end`, or all; `text` becomes what is behind it.
std::string_view take_until(std::string_view* text, char end) {
    const size_t at = text->find(end);
    const size_t size = at == std::string_view::npos ? text->size() : at;
    const std::string_view taken(text->data(), size);
    text->remove_prefix(at == std::string_view::npos ? size : size + 1);
    return taken;
}

bool take(std::string_view* text, std::string_view prefix) {
    if (!text->starts_with(prefix)) return false;
    text->remove_prefix(prefix.size());
    return true;
}

uint64_t number_in(std::string_view text, unsigned base) {
    uint64_t number = 0;
    for (const char c : text) {
        const unsigned digit = c <= '9' ? unsigned(c - '0') : unsigned(c - 'a' + 10);
        if (digit >= base) return 0;
        number = number * base + digit;
    }
    return number;
}

bool is_of(std::string_view line, const patch::Module& module) {
    const std::string_view id = take_until(&line, ' ');
    if (id == "-") return module.file.build_id_size == 0 && line == module.base_name();
    if (id.size() != 2 * module.file.build_id_size) return false;
    for (uint32_t i = 0; i < module.file.build_id_size; i++)
        if (number_in(slice(id, 2 * i, 2 * i + 2), 16) !=
            static_cast<unsigned char>(module.file.build_id[i]))
            return false;
    return true;
}

void visit_function(std::string_view line, patch::Module& module, SiteRuleVisitor visit,
                    void* context) {
    const uint64_t address = number_in(take_until(&line, ' '), 16);
    const uint64_t size = number_in(take_until(&line, ' '), 16);
    const uint64_t rule = number_in(line, 10);
    const uint64_t offset = module.load_bias + uintptr_t(address) - module.text_start;
    if (rule == 0 || rule > count_value_rules() - first_rule || offset >= module.text_size) return;
    const auto slack = uint32_t(std::clamp<uint64_t>(size, 13, kLargestSlack) - 1);
    patch::Site* site = patch::SiteTable::find(module, uint32_t(offset), slack);
    if (site != nullptr) visit(*site, first_rule + unsigned(rule), context);
}

template <typename Visit>
void for_each_line(Visit&& visit) {
    for (std::string_view rest = content; !rest.empty();)
        visit(take_until(&rest, '\n'));
}

// All of the file, or nothing with errno.
std::string_view read_whole(const char* path) {
    const long fd = raw_syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    FileStatus status;
    if (is_error(fd)) {
        errno = int(-fd);
        return {};
    }
    char* place = nullptr;
    size_t got = 0;
    if (file_status(int(fd), &status) && status.size <= kLargestFile)
        place = map_objects<char>(size_t(status.size) + 1);
    while (place != nullptr && got < status.size) {
        const long n = raw_syscall(SYS_read, fd, place + got, size_t(status.size) - got);
        if (n <= 0) break;
        got += size_t(n);
    }
    raw_syscall(SYS_close, fd);
    errno = EIO;
    return {place, got};
}

}  // namespace

void read_value_file(const char* path) {
    content = read_whole(path);
    if (content.empty())
        LogLine().error(errno) << ": can't read " << path
                               << ", the arguments that debug information tells are not recorded";
    first_rule = count_value_rules();
    for_each_line([](std::string_view line) {
        std::string_view wrong;
        if (!take(&line, "rule ")) return;
        if (const char* error = add_value_rule({}, line, &wrong))
            LogLine() << line << ": " << wrong << " " << error << "; it is ignored";
    });
}

void for_each_in_value_file(patch::Module& module, SiteRuleVisitor visit, void* context) {
    bool is_inside = false;
    for_each_line([&](std::string_view line) {
        if (line.starts_with("rule ") || line.starts_with("enum ")) return;
        if (take(&line, "module "))
            is_inside = is_of(line, module);
        else if (is_inside)
            visit_function(line, module, visit, context);
    });
}

void for_each_enumeration(EnumerationVisitor visit) {
    for_each_line([&](std::string_view line) {
        if (take(&line, "enum ")) visit(line);
    });
}

}  // namespace mipstrace::record
