#include "tools/text/progress.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace mipstrace::tools {

namespace {

constexpr uint64_t kFirst = 700'000'000;
constexpr uint64_t kEach = 200'000'000;
constexpr size_t kBar = 40;  // columns

uint64_t now_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec);
}

}  // namespace

Progress::Progress(uint64_t total, bool output_is_lines)
    : total_(std::max<uint64_t>(total, 1)),
      is_on_(isatty(STDERR_FILENO) == 1 && !(output_is_lines && isatty(STDOUT_FILENO) == 1)),
      next_ns_(is_on_ ? now_ns() + kFirst : 0) {}

Progress::~Progress() {
    clear();
}

void Progress::add(uint64_t steps) {
    if (!is_on_) return;
    const std::lock_guard<std::mutex> guard(mutex_);
    done_ += steps;
    const uint64_t now = now_ns();
    if (now < next_ns_) return;
    next_ns_ = now + kEach;
    is_shown_ = true;
    draw();
}

void Progress::draw() const {
    const auto percent = unsigned(std::min(done_, total_) * 100 / total_);
    std::string bar(kBar, '.');
    bar.replace(0, kBar * percent / 100, kBar * percent / 100, '#');
    fprintf(stderr, "\rreading [%s] %3u%%", bar.c_str(), percent);
    fflush(stderr);
}

void Progress::clear() {
    if (is_shown_) fputs("\r\033[K", stderr);
    is_shown_ = false;
}

}  // namespace mipstrace::tools
