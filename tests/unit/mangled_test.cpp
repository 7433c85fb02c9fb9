#include "lib/filter/mangled.h"

#include <gtest/gtest.h>

#include <string>

namespace mipstrace::filter {
namespace {

// "S_", "S0_", ... "SZ_", "S10_", ...
std::string reference(int number) {
    if (number == 0) return "S_";
    std::string digits;
    for (int n = number - 1; digits.empty() || n != 0; n /= 36)
        digits.insert(digits.begin(), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n % 36]);
    return "S" + digits + "_";
}

// f(A<int, int>, B<S1, S1>, C<S3, S3>, ...): each parameter is twice as long as the one before.
std::string doublings(int count) {
    std::string name = "_Z1f1AIiiE";
    for (int i = 0; i < count; i++) {
        const std::string last = reference(2 * i + 1);
        name += "1" + std::string(1, char('B' + i)) + "I" + last + last + "E";
    }
    return name;
}

TEST(MayDemangle, RefusesWhatGrowsWithoutEnd) {
    EXPECT_TRUE(may_demangle(doublings(4).c_str()));
    EXPECT_TRUE(may_demangle(doublings(10).c_str()));
    EXPECT_FALSE(may_demangle(doublings(16).c_str()));
    EXPECT_FALSE(may_demangle(doublings(24).c_str()));
    EXPECT_FALSE(may_demangle(std::string(17 * 1024, 'x').c_str()));
}

TEST(MayDemangle, AllowsManySubstitutions) {
    std::string flat = "_Z1fSt6vectorIiSaIiEE";
    for (int i = 0; i < 200; i++)
        flat += "S1_";
    EXPECT_TRUE(may_demangle(flat.c_str()));
    EXPECT_TRUE(
        may_demangle("_ZNSt8_Rb_treeINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEES"
                     "t4pairIKS5_iESt10_Select1stIS8_ESt4lessIS5_ESaIS8_EE24_M_get_insert_"
                     "unique_posERS7_"));
    EXPECT_TRUE(may_demangle("_Z1fIJiiiEEvDpT_"));
    EXPECT_TRUE(may_demangle("_Zebra"));
    EXPECT_TRUE(may_demangle(""));
}

}  // namespace
}  // namespace mipstrace::filter
