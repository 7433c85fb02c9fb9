#include "tools/time_range.h"

#include "tools/text/time_text.h"

namespace mipstrace::tools {

namespace {

// False for what is no moment; none for an empty text.
bool parse_moment(const std::string& text, std::optional<Moment>* out) {
    if (text.empty()) return true;
    const bool has_unit = text.find_first_not_of("0123456789.") != std::string::npos;
    const std::optional<uint64_t> ns = parse_time(has_unit ? text : text + "s");
    if (!ns) return false;
    *out = Moment{*ns, has_unit};
    return true;
}

}  // namespace

std::optional<TimeRange> parse_time_range(const std::string& text) {
    const size_t middle = text.find('~');
    TimeRange range;
    if (middle == std::string::npos || text.size() == 1 ||
        !parse_moment(text.substr(0, middle), &range.start) ||
        !parse_moment(text.substr(middle + 1), &range.stop))
        return std::nullopt;
    if (range.start && range.stop && range.start->is_elapsed == range.stop->is_elapsed &&
        range.start->ns > range.stop->ns)
        return std::nullopt;
    return range;
}

}  // namespace mipstrace::tools
