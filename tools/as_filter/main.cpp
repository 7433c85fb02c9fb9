// libexec/mipstrace/as: what `gcc -B<libexec/mipstrace>` runs in the place of the assembler. Moves
// the entry sleds (sled_mover.h) and becomes the real assembler, so that its messages and its
// status are the compiler's to see.
//
// - No input holds sleds: the real assembler gets exactly our arguments, and its debug information
//   names the same files.
// - Otherwise the text goes through the filter into an unnamed file, which is the real assembler's
//   standard input. It starts only when all of the text is there: a failure half-way leaves no
//   object behind that looks whole. (as keeps far more in memory than its text.)
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "lib/base/unique_fd.h"
#include "tools/as_filter/arguments.h"
#include "tools/as_filter/line_marker.h"
#include "tools/as_filter/real_assembler.h"
#include "tools/as_filter/sled_mover.h"
#include "tools/words.h"

namespace mipstrace::as_filter {

namespace {

constexpr size_t kBlock = 1 << 16;
constexpr const char* kGuard = "MIPSTRACE_AS_FILTER_RUNS";

[[noreturn]] void fail(const std::string& sentence) {
    fprintf(stderr, "mipstrace as: %s\n", sentence.c_str());
    exit(1);
}

[[noreturn]] void run(const std::string& path, const std::vector<std::string>& args) {
    std::vector<char*> argv = {const_cast<char*>(path.c_str())};
    for (const std::string& arg : args)
        argv.push_back(const_cast<char*>(arg.c_str()));
    argv.push_back(nullptr);
    execv(path.c_str(), argv.data());
    fail("cannot run " + path + ": " + strerror(errno));
}

size_t read_block(int fd, char* block, size_t size, const std::string& name) {
    ssize_t got = 0;
    while ((got = read(fd, block, size)) < 0 && errno == EINTR) {
    }
    if (got < 0) fail("cannot read " + name + ": " + strerror(errno));
    return size_t(got);
}

enum class Content { no_sleds, sleds, unknown };

// Only a regular file can be read twice.
Content look_into(const std::string& path) {
    static constexpr std::string_view kMark = "__patchable_function_entries";
    if (path == "--") return Content::unknown;
    UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0) return Content::no_sleds;  // the real assembler says it best
    struct stat info;
    if (fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) return Content::unknown;
    std::string window;
    std::vector<char> block(kBlock);
    while (size_t got = read_block(fd.get(), block.data(), block.size(), path)) {
        window.append(block.data(), got);
        if (window.find(kMark) != std::string::npos) return Content::sleds;
        if (window.size() > kMark.size()) window.erase(0, window.size() - kMark.size());
    }
    return Content::no_sleds;
}

int open_unnamed_file() {
    int fd = memfd_create("mipstrace-as", MFD_CLOEXEC);
    if (fd >= 0) return fd;
    FILE* file = tmpfile();  // a kernel older than 3.17
    if (file == nullptr) fail(std::string("cannot make a temporary file: ") + strerror(errno));
    return fileno(file);
}

void write_all(int fd, std::string* text) {
    size_t done = 0;
    while (done < text->size()) {
        ssize_t wrote = write(fd, text->data() + done, text->size() - done);
        if (wrote < 0 && errno != EINTR)
            fail(std::string("cannot keep the filtered text: ") + strerror(errno));
        if (wrote > 0) done += size_t(wrote);
    }
    text->clear();
}

// Feeds the lines of one input to the filter.
void filter_input(const std::string& input, SledMover* mover, int out, std::string* text) {
    UniqueFd file(input == "--" ? -1 : open(input.c_str(), O_RDONLY | O_CLOEXEC));
    if (input != "--" && file.get() < 0) fail("cannot open " + input + ": " + strerror(errno));
    int fd = input == "--" ? STDIN_FILENO : file.get();
    std::vector<char> block(kBlock);
    std::string partial;
    while (size_t got = read_block(fd, block.data(), block.size(), input)) {
        std::string_view rest(block.data(), got);
        for (size_t end; (end = rest.find('\n')) != std::string_view::npos;) {
            if (partial.empty()) {
                mover->line(rest.substr(0, end));
            } else {
                mover->line(partial.append(rest.substr(0, end)));
                partial.clear();
            }
            rest.remove_prefix(end + 1);
        }
        partial += rest;
        if (text->size() >= kBlock) write_all(out, text);
    }
    if (!partial.empty()) mover->line(partial);
    mover->finish();
    write_all(out, text);
}

SledOptions sled_options() {
    static constexpr std::string_view kOption = "-fpatchable-function-entry=";
    const char* options = getenv("COLLECT_GCC_OPTIONS");
    SledOptions found;
    for (const std::string& word : tools::split_words(options != nullptr ? options : "")) {
        if (!word.starts_with(kOption)) continue;
        char* end = nullptr;
        found.nops = strtoul(word.c_str() + kOption.size(), &end, 10);
        found.nops_before = *end == ',' ? strtoul(end + 1, nullptr, 10) : 0;
    }
    return found;
}

}  // namespace

int main_of_filter(const std::vector<std::string>& args) {
    if (getenv(kGuard) != nullptr)
        fail(
            "the assembler that was found runs this filter again; set MIPSTRACE_AS to the real "
            "one");
    RealAssembler real = find_real_assembler();
    if (real.path.empty()) fail(real.error);
    setenv(kGuard, "1", 1);

    Arguments parsed = parse_arguments(expand_response_files(args));
    bool has_sleds = false;
    for (const std::string& input : parsed.inputs)
        has_sleds = has_sleds || look_into(input) != Content::no_sleds;
    if (parsed.only_informs || !has_sleds) run(real.path, args);

    std::string text;
    LineMarker marker(&text);
    SledMover mover(&marker, sled_options());
    int out = open_unnamed_file();
    for (const std::string& input : parsed.inputs) {
        bool named = input != "--" && !parsed.raw_text;
        marker.begin_file(named ? std::string_view(input) : std::string_view());
        filter_input(input, &mover, out, &text);
    }
    if (lseek(out, 0, SEEK_SET) != 0 || dup2(out, STDIN_FILENO) < 0)
        fail(std::string("cannot pass on the filtered text: ") + strerror(errno));
    run(real.path, parsed.options);
}

}  // namespace mipstrace::as_filter

int main(int argc, char** argv) {
    return mipstrace::as_filter::main_of_filter({argv + 1, argv + argc});
}
