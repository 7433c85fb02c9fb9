#include <unistd.h>

#include <algorithm>
#include <memory>

#include "tools/report/report_text.h"
#include "tools/text/say.h"
#include "tools/verb.h"

namespace mipstrace::tools {

namespace {

struct ReportOptions {
    SortKeys keys{"total"};
    bool as_csv = false;
    std::string other;
};

void say_what_is_inexact(const Profile& profile) {
    if (profile.in_flight != 0)
        say(std::to_string(profile.in_flight) +
            " call(s) were in flight at the end, they count up to the end of their thread");
    if (profile.went_on != 0)
        say(std::to_string(profile.went_on) +
            " call(s) that began before are not counted, but their time is");
    if (profile.unseen_calls != 0)
        say(std::to_string(profile.unseen_calls) +
            " return(s) whose call is not in the recording are not counted");
}

int report(const ViewOptions& view, const ReportOptions& options) {
    View recording(view);
    Profile profile = make_profile(recording);
    sort_profile(&profile, options.keys);
    OutBuffer out(STDOUT_FILENO);
    int status = 0;
    if (!options.other.empty()) {
        ViewOptions other_view = view;
        other_view.input = options.other;
        View other(other_view);
        Profile after = make_profile(other);
        write_diff(out, profile, after, options.as_csv);
        out.flush();
        status = other.finish(!after.functions.empty());
    } else if (options.as_csv) {
        write_csv(out, profile);
    } else {
        write_table(out, profile);
    }
    out.flush();
    say_what_is_inexact(profile);
    return std::max(status, recording.finish(!profile.functions.empty()));
}

}  // namespace

void add_report(CLI::App& app, Runner* run) {
    auto view = std::make_shared<ViewOptions>();
    auto options = std::make_shared<ReportOptions>();
    Verb verb(app, "report", "Sum up the recorded calls by function");
    add_input_options(verb, view.get());
    add_select_options(verb, view.get());
    add_call_filters(verb, view.get());
    add_subtract_overhead(verb, view.get());
    add_jobs(verb, view.get());
    auto parse = [options](const std::string& list) {
        return parse_sort_keys(list, &options->keys);
    };
    verb.parsed({"-s,--sort", "KEYS",
                 "Sort by total (default), self, call, avg, min, max, func; several separated by "
                 "commas"},
                parse, kSortKeyNames);
    verb.flag("--csv", "Comma-separated values, times in nanoseconds", &options->as_csv);
    verb.text({"--diff", "DIR", "Show what changed from the input to this recording"},
              &options->other);
    verb.footer("Total time of a recursive function counts its outermost calls only.");
    verb.does(run, [=] { return report(*view, *options); });
}

}  // namespace mipstrace::tools
