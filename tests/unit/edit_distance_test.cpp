#include "lib/filter/edit_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace mipstrace::filter {
namespace {

unsigned whole_table(const std::string& a, const std::string& b) {
    std::vector<std::vector<unsigned>> d(a.size() + 1, std::vector<unsigned>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); i++) {
        for (size_t j = 0; j <= b.size(); j++) {
            if (i == 0 || j == 0)
                d[i][j] = unsigned(i + j);
            else
                d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                                    d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
        }
    }
    return d[a.size()][b.size()];
}

TEST(EditDistance, CountsLettersThatDiffer) {
    EXPECT_EQ(edit_distance("main", "main"), 0u);
    EXPECT_EQ(edit_distance("main", "mian"), 2u);
    EXPECT_EQ(edit_distance("inner", "innr"), 1u);
    EXPECT_EQ(edit_distance("", "abc"), 3u);
    EXPECT_EQ(edit_distance("", ""), 0u);
}

TEST(EditDistance, NamesThatHaveNothingInCommonAreFarApart) {
    EXPECT_GE(edit_distance("main", "printf"), kFarApart);
    EXPECT_GE(edit_distance("main", "main_with_much_behind"), kFarApart);
    EXPECT_GE(edit_distance(std::string(300, 'a'), std::string(300, 'a')), kFarApart);
}

TEST(EditDistance, IsThatOfTheWholeTable) {
    std::mt19937 random(1);
    for (int i = 0; i < 20000; i++) {
        std::string names[2];
        for (std::string& name : names)
            for (size_t size = random() % 9; size > 0; size--)
                name += char('a' + random() % 3);
        EXPECT_EQ(edit_distance(names[0], names[1]),
                  std::min(whole_table(names[0], names[1]), kFarApart))
            << names[0] << " " << names[1];
    }
}

}  // namespace
}  // namespace mipstrace::filter
