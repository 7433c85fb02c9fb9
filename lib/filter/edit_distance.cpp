#include "lib/filter/edit_distance.h"

#include <algorithm>

namespace mipstrace::filter {

namespace {
constexpr size_t kLongest = 256;
}

unsigned edit_distance(std::string_view a, std::string_view b) {
    if (a.size() > b.size()) std::swap(a, b);
    if (b.size() - a.size() >= kFarApart || b.size() > kLongest) return kFarApart;
    // Row i holds the distances of a's first i letters to the beginnings of b; only a band around
    // the diagonal can be near.
    unsigned row[kLongest + 1];
    for (size_t j = 0; j <= b.size(); j++)
        row[j] = j < kFarApart ? unsigned(j) : kFarApart;
    for (size_t i = 1; i <= a.size(); i++) {
        const size_t from = i > kFarApart ? i - kFarApart : 1;
        const size_t to = std::min(b.size(), i + kFarApart);
        unsigned diagonal = row[from - 1];
        row[from - 1] = from == 1 ? unsigned(i) : kFarApart;
        unsigned least = row[from - 1];
        for (size_t j = from; j <= to; j++) {
            const unsigned changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1, kFarApart});
            least = std::min(least, row[j]);
        }
        if (to < b.size()) row[to + 1] = kFarApart;
        if (least >= kFarApart) return kFarApart;
    }
    return row[b.size()];
}

}  // namespace mipstrace::filter
