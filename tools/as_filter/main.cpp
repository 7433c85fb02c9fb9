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
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tools/as_filter/arguments.h"
#include "tools/as_filter/files.h"
#include "tools/as_filter/line_marker.h"
#include "tools/as_filter/real_assembler.h"
#include "tools/as_filter/sled_mover.h"
#include "tools/words.h"

namespace mipstrace::as_filter {

namespace {

constexpr const char* kGuard = "MIPSTRACE_AS_FILTER_RUNS";

[[noreturn]] void run(const std::string& path, const std::vector<std::string>& args) {
    std::vector<char*> argv = {const_cast<char*>(path.c_str())};
    for (const std::string& arg : args)
        argv.push_back(const_cast<char*>(arg.c_str()));
    argv.push_back(nullptr);
    execv(path.c_str(), argv.data());
    fail("cannot run " + path + ": " + strerror(errno));
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
        fail("the assembler found runs this filter again; set MIPSTRACE_AS to the real one");
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
        feed_lines(input, &mover, [&] {
            if (text.size() >= kBlock) write_all(out, &text);
        });
    }
    write_all(out, &text);
    if (lseek(out, 0, SEEK_SET) != 0 || dup2(out, STDIN_FILENO) < 0)
        fail(std::string("cannot pass on the filtered text: ") + strerror(errno));
    run(real.path, parsed.options);
}

}  // namespace mipstrace::as_filter

int main(int argc, char** argv) {
    return mipstrace::as_filter::main_of_filter({argv + 1, argv + argc});
}
