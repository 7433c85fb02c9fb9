#include "lib/filter/function_filter.h"

#include <gtest/gtest.h>

namespace mipstrace::filter {
namespace {

const FunctionName kMain{"main", "", "prog"};
const FunctionName kArea{"_ZN5shape4areaEi", "shape::area(int)", "libshape.so.1"};

TEST(WithoutReturnType, CutsWhatStandsBeforeTheName) {
    EXPECT_EQ(without_return_type("int ns::twice<int>"), "ns::twice<int>");
    EXPECT_EQ(without_return_type("std::vector<int, a<b c> > const& f<int>"), "f<int>");
    EXPECT_EQ(without_return_type("(anonymous namespace)::f"), "(anonymous namespace)::f");
    EXPECT_EQ(without_return_type("X::operator unsigned long"), "X::operator unsigned long");
    EXPECT_EQ(without_return_type("bool operator< <int>"), "operator< <int>");
    EXPECT_EQ(without_return_type("main"), "main");
    EXPECT_EQ(without_return_type(""), "");
}

TEST(ListMatches, FindsAnInstanceOfATemplateByItsName) {
    EXPECT_TRUE(list_matches("f<int>", {"_Z1fIiEvT_", "void f<int>(int)", "prog"}));
    EXPECT_FALSE(list_matches("f<int>", {"_Z2gfIiEvT_", "void gf<int>(int)", "prog"}));
}

TEST(WithoutParameters, CutsTheLastParameterList) {
    EXPECT_EQ(without_parameters("f(int)"), "f");
    EXPECT_EQ(without_parameters("f()"), "f");
    EXPECT_EQ(without_parameters("ns::f(int) const"), "ns::f");
    EXPECT_EQ(without_parameters("f(void (*)(int), char)"), "f");
    EXPECT_EQ(without_parameters("f(std::function<void (int)>)"), "f");
    EXPECT_EQ(without_parameters("f(int) [clone .constprop.0]"), "f");
}

TEST(WithoutParameters, KeepsParenthesesOfTheName) {
    EXPECT_EQ(without_parameters("X::operator()(int) const"), "X::operator()");
    EXPECT_EQ(without_parameters("X::operator()()"), "X::operator()");
    EXPECT_EQ(without_parameters("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
    EXPECT_EQ(without_parameters("a::(anonymous namespace)::f()"), "a::(anonymous namespace)::f");
    EXPECT_EQ(without_parameters("main::{lambda(int)#1}::operator()(int) const"),
              "main::{lambda(int)#1}::operator()");
    EXPECT_EQ(without_parameters("void f<(E)1>(int)"), "void f<(E)1>");
}

TEST(WithoutParameters, LeavesWhatHasNone) {
    EXPECT_EQ(without_parameters(""), "");
    EXPECT_EQ(without_parameters("main"), "main");
    EXPECT_EQ(without_parameters("f)"), "f)");
    EXPECT_EQ(without_parameters("(f"), "(f");
    EXPECT_EQ(without_parameters("(f)"), "(f)");
}

TEST(ListMatches, PlainNames) {
    EXPECT_TRUE(list_matches("main", kMain));
    EXPECT_TRUE(list_matches("ma*", kMain));
    EXPECT_FALSE(list_matches("mai", kMain));
    EXPECT_FALSE(list_matches("Main", kMain));
}

TEST(ListMatches, EmptyPartsMatchNothing) {
    EXPECT_FALSE(list_matches("", kMain));
    EXPECT_FALSE(list_matches(";", kMain));
    EXPECT_FALSE(list_matches(";;;", kMain));
    EXPECT_FALSE(list_matches("x;;y", kMain));
    EXPECT_TRUE(list_matches(";;main;;", kMain));
    EXPECT_TRUE(list_matches("x;main", kMain));
    EXPECT_TRUE(list_matches("main;x", kMain));
    const FunctionName nameless{"", "", "prog"};
    EXPECT_FALSE(list_matches(";", nameless));
}

TEST(ListMatches, DemangledNames) {
    EXPECT_TRUE(list_matches("_ZN5shape4areaEi", kArea));
    EXPECT_TRUE(list_matches("shape::area(int)", kArea));
    EXPECT_TRUE(list_matches("shape::area", kArea));
    EXPECT_TRUE(list_matches("shape::*", kArea));
    EXPECT_TRUE(list_matches("*area", kArea));
    EXPECT_FALSE(list_matches("area", kArea));
    EXPECT_FALSE(list_matches("shape::area(double)", kArea));
}

TEST(ListMatches, Operators) {
    const FunctionName call{"_ZNK1XclEi", "X::operator()(int) const", "prog"};
    EXPECT_TRUE(list_matches("X::operator()", call));
    EXPECT_TRUE(list_matches("X::operator()(int) const", call));
    EXPECT_TRUE(list_matches("X::*", call));
    const FunctionName index{"_ZN1XixEi", "X::operator[](int)", "prog"};
    EXPECT_TRUE(list_matches("X::operator\\[]", index));
    EXPECT_TRUE(list_matches("*operator*", index));
    const FunctionName times{"_ZN1XmlERKS_", "X::operator*(X const&)", "prog"};
    EXPECT_TRUE(list_matches("X::operator\\*", times));
    EXPECT_FALSE(list_matches("X::operator\\*", call));
}

TEST(ListMatches, AnonymousNamespaces) {
    const FunctionName f{"_ZN12_GLOBAL__N_11fEi", "(anonymous namespace)::f(int)", "prog"};
    EXPECT_TRUE(list_matches("(anonymous namespace)::f", f));
    EXPECT_TRUE(list_matches("(anonymous namespace)::*", f));
    EXPECT_TRUE(list_matches("*::f", f));
    EXPECT_TRUE(list_matches("*::f@prog", f));
}

TEST(ListMatches, ModulePart) {
    EXPECT_TRUE(list_matches("shape::*@libshape.so*", kArea));
    EXPECT_FALSE(list_matches("shape::*@libother*", kArea));
    EXPECT_TRUE(list_matches("@libshape.so.1", kArea));
    EXPECT_TRUE(list_matches("@lib*", kArea));
    EXPECT_FALSE(list_matches("@lib*", kMain));
    EXPECT_FALSE(list_matches("@", kMain));
    EXPECT_FALSE(list_matches("main@", kMain));
    EXPECT_TRUE(list_matches("x@prog;@prog", kMain));
    // The last '@' splits, so that versioned names can be given.
    const FunctionName versioned{"stat@GLIBC_2.0", "", "libc.so.6"};
    EXPECT_TRUE(list_matches("stat@GLIBC_2.0@libc*", versioned));
}

TEST(FunctionFilter, EmptyMeansEveryFunction) {
    EXPECT_TRUE(FunctionFilter{}.empty());
    EXPECT_TRUE(FunctionFilter{}.matches(kMain));
    EXPECT_TRUE(FunctionFilter{}.matches(kArea));
}

TEST(FunctionFilter, UnwantedWins) {
    const FunctionFilter filter{"main;shape::*", "*area*"};
    EXPECT_FALSE(filter.empty());
    EXPECT_TRUE(filter.matches(kMain));
    EXPECT_FALSE(filter.matches(kArea));
    EXPECT_FALSE((FunctionFilter{"", "main"}.matches(kMain)));
    EXPECT_TRUE((FunctionFilter{"", "main"}.matches(kArea)));
    EXPECT_FALSE((FunctionFilter{"shape::*", ""}.matches(kMain)));
}

}  // namespace
}  // namespace mipstrace::filter
