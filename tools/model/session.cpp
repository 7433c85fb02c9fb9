#include "tools/model/session.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "lib/base/unique_fd.h"
#include "tools/model/data_error.h"
#include "tools/model/event_reader.h"

namespace mipstrace::tools {

namespace fs = std::filesystem;

namespace {

constexpr size_t kLargestInfo = 16 * 1024 * 1024;

// Empty where it can't be read, is no file (a pipe would never end) or is too large.
std::string content_of(int fd) {
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || size_t(info.st_size) > kLargestInfo)
        return "";
    std::string text(size_t(info.st_size), '\0');
    size_t size = 0;
    while (size < text.size()) {
        const ssize_t got = read(fd, &text[size], text.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        size += size_t(got);
    }
    text.resize(size);
    return text;
}

// A snapshot that was being written when the process was killed.
constexpr uint32_t kUnfinished = ~uint32_t(0);

// The N of PID-SEQ.snapshot-N.trace.
std::optional<uint32_t> snapshot_number(const fs::path& file) {
    const std::string kind = file.stem().extension().string();
    const size_t dash = kind.find('-');
    if (dash == std::string::npos || dash + 1 == kind.size() || kind.size() - dash > 9 ||
        kind.find_first_not_of("0123456789", dash + 1) != std::string::npos)
        return std::nullopt;
    if (kind.starts_with(".unfinished-")) return kUnfinished;
    if (!kind.starts_with(".snapshot-")) return std::nullopt;
    return uint32_t(std::stoul(kind.substr(dash + 1)));
}

std::string joined(const std::vector<uint32_t>& numbers) {
    std::string text;
    for (uint32_t number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
}

}  // namespace

Session::Session(const std::string& path, uint32_t snapshot) : path_(path) {
    std::error_code error;
    fs::file_status status = fs::status(path, error);
    if (!fs::exists(status))
        throw DataError("there is no recording at " + path + ": make one with `mipstrace record`");
    if (fs::is_directory(status))
        open_folder(snapshot);
    else if (snapshot != 0)
        throw DataError(path + " is a file: --snapshot chooses among those of a folder");
    else
        files_.push_back(std::make_unique<TraceFile>(path));
    for (const auto& file : files_)
        warnings_.insert(warnings_.end(), file->warnings().begin(), file->warnings().end());
}

// The trace files of the folder that are asked for. Notes which snapshots there are.
std::vector<std::string> Session::find_files(uint32_t snapshot) {
    std::vector<std::string> paths;
    std::error_code error;
    for (fs::directory_iterator entry(path_, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().extension() != kTraceSuffix) continue;
        std::optional<uint32_t> number = snapshot_number(entry->path());
        if (number.value_or(0) == snapshot) paths.push_back(entry->path().string());
        if (number && *number != kUnfinished) snapshots_.push_back(*number);
    }
    if (error) throw DataError("cannot read " + path_ + ": " + error.message());
    std::sort(paths.begin(), paths.end());
    std::sort(snapshots_.begin(), snapshots_.end());
    snapshots_.erase(std::unique(snapshots_.begin(), snapshots_.end()), snapshots_.end());
    return paths;
}

void Session::open_folder(uint32_t snapshot) {
    read_info();
    std::vector<std::string> paths = find_files(snapshot);
    if (paths.empty() && snapshot != 0)
        throw DataError(path_ + " has no snapshot " + std::to_string(snapshot) + ": it has " +
                        (snapshots_.empty() ? "none" : "those " + joined(snapshots_)));
    if (paths.empty() && !has_info_)
        throw DataError(path_ + (snapshots_.empty()
                                     ? " is not a mipstrace recording: it holds no trace files"
                                     : " holds snapshots only: choose one with --snapshot, of " +
                                           joined(snapshots_)));
    std::string first_error;
    for (const std::string& file : paths) {
        try {
            files_.push_back(std::make_unique<TraceFile>(file));
        } catch (const DataError& damage) {
            is_damaged_ = true;
            if (first_error.empty()) first_error = damage.what();
            warnings_.push_back(damage.what());
        }
    }
    if (files_.empty() && is_damaged_) throw DataError(first_error);
    std::stable_sort(files_.begin(), files_.end(), [](const auto& a, const auto& b) {
        return a->header().start_mono_ns < b->header().start_mono_ns;
    });
}

void Session::read_info() {
    const std::string file = fs::path(path_) / kSessionFile;
    UniqueFd fd(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd && errno == ENOENT) return;
    has_info_ = true;
    if (!fd || !info_.from_json(content_of(fd.get())))
        warnings_.push_back(file + " is damaged and ignored");
}

uint64_t Session::overwritten() const {
    uint64_t bytes = 0;
    for (const auto& file : files_)
        bytes += file->header().overwritten * file->header().chunk_size;
    return bytes;
}

bool Session::is_incomplete() const {
    return std::any_of(files_.begin(), files_.end(),
                       [](const auto& file) { return file->is_incomplete(); });
}

bool Session::has_events() const {
    for (const auto& file : files_) {
        for (const Thread& thread : file->threads()) {
            EventReader reader(*file, thread);
            Event event;
            while (reader.next(&event))
                if (event.is_of_call()) return true;
        }
    }
    return false;
}

LossCounts Session::lost() const {
    LossCounts sum{};
    for (const auto& file : files_) {
        LossCounts its = file->lost();
        for (size_t i = 0; i < sum.size(); i++)
            sum[i] += its[i];
    }
    return sum;
}

}  // namespace mipstrace::tools
