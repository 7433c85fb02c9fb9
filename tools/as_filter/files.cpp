#include "tools/as_filter/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>
#include <vector>

#include "lib/base/unique_fd.h"

namespace mipstrace::as_filter {

namespace {

size_t read_block(int fd, char* block, size_t size, const std::string& name) {
    ssize_t got = 0;
    while ((got = read(fd, block, size)) < 0 && errno == EINTR) {
    }
    if (got < 0) fail("cannot read " + name + ": " + strerror(errno));
    return size_t(got);
}

}  // namespace

void fail(const std::string& sentence) {
    fprintf(stderr, "mipstrace as: %s\n", sentence.c_str());
    exit(1);
}

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

void feed_lines(const std::string& input, SledMover* mover,
                const std::function<void()>& after_block) {
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
        after_block();
    }
    if (!partial.empty()) mover->line(partial);
    mover->finish();
    after_block();
}

}  // namespace mipstrace::as_filter
