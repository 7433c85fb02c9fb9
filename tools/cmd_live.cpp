#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <memory>

#include "tools/model/data_error.h"
#include "tools/record/output_folder.h"
#include "tools/record/record.h"
#include "tools/replay/replay.h"
#include "tools/text/out_buffer.h"
#include "tools/verb.h"
#include "tools/view.h"

namespace mipstrace::tools {

namespace {

// Lives as long as the recording is needed by name.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        const char* parent = getenv("TMPDIR");
        path_ = std::string(parent != nullptr && *parent != '\0' ? parent : "/tmp") +
                "/mipstrace-XXXXXX";
        if (mkdtemp(path_.data()) == nullptr)
            throw DataError("cannot make a folder for the recording, " + path_ + ": " +
                            strerror(errno) + "; set TMPDIR");
    }
    ~TemporaryFolder() { remove(); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    void remove() { remove_recording(path_); }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

ProgramEnd live(RecordOptions run, ViewOptions view, const ReplayOptions& options) {
    TemporaryFolder folder;
    run.output = view.input = folder.path();
    // What the filters name is shown with, or without, what it calls: all of it has to be recorded.
    if (view.filters.empty()) run.depth = view.depth;
    run.threshold_ns = view.threshold_ns;
    run.sysroot = view.sysroot;
    ProgramEnd end = record(run);
    View recording(view);
    // Its files are open: whatever ends us from here on leaves nothing behind.
    folder.remove();
    try {
        if (!recording.session().files().empty()) replay(recording, options, STDOUT_FILENO);
    } catch (const ClosedPipe&) {
    }
    return end;
}

}  // namespace

void add_live(CLI::App& app, Runner* run) {
    auto options = std::make_shared<RecordOptions>();
    auto view = std::make_shared<ViewOptions>();
    auto how = std::make_shared<ReplayOptions>();
    Verb verb(app, "live", "Record a program and show its calls when it ends");
    add_run_options(verb, options.get());
    add_name_options(verb, view.get());
    add_select_options(verb, view.get());
    add_call_filters(verb, view.get());
    add_replay_options(verb, how.get());
    verb.does(run, [=] { return live(*options, *view, *how).pass_on(); });
}

}  // namespace mipstrace::tools
