#include "lib/filter/glob.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace mipstrace::filter {
namespace {

TEST(Glob, PlainTextMatchesItself) {
    EXPECT_TRUE(glob_match("", ""));
    EXPECT_TRUE(glob_match("main", "main"));
    EXPECT_FALSE(glob_match("main", "main2"));
    EXPECT_FALSE(glob_match("main", "mai"));
    EXPECT_FALSE(glob_match("main", ""));
    EXPECT_FALSE(glob_match("", "main"));
}

TEST(Glob, StarMatchesAnyRun) {
    EXPECT_TRUE(glob_match("*", ""));
    EXPECT_TRUE(glob_match("*", "anything"));
    EXPECT_TRUE(glob_match("***", "x"));
    EXPECT_TRUE(glob_match("lua_*", "lua_"));
    EXPECT_TRUE(glob_match("lua_*", "lua_call"));
    EXPECT_FALSE(glob_match("lua_*", "luaL_call"));
    EXPECT_TRUE(glob_match("*_init", "a_init_init"));
    EXPECT_TRUE(glob_match("a*b*c", "a__b__b__c"));
    EXPECT_FALSE(glob_match("a*b*c", "a__b__b__"));
}

TEST(Glob, QuestionMarkMatchesOneCharacter) {
    EXPECT_TRUE(glob_match("f?", "f1"));
    EXPECT_FALSE(glob_match("f?", "f"));
    EXPECT_FALSE(glob_match("f?", "f12"));
    EXPECT_TRUE(glob_match("*?", "x"));
    EXPECT_FALSE(glob_match("*?", ""));
}

TEST(Glob, Brackets) {
    EXPECT_TRUE(glob_match("f[0-9]", "f7"));
    EXPECT_FALSE(glob_match("f[0-9]", "fx"));
    EXPECT_TRUE(glob_match("f[!0-9]", "fx"));
    EXPECT_TRUE(glob_match("f[^0-9]", "fx"));
    EXPECT_FALSE(glob_match("f[!0-9]", "f7"));
    EXPECT_TRUE(glob_match("[abc]x[xyz]", "bxz"));
    EXPECT_TRUE(glob_match("[]]", "]"));
    EXPECT_TRUE(glob_match("[!]]", "a"));
    EXPECT_FALSE(glob_match("[!]]", "]"));
    EXPECT_TRUE(glob_match("[a-]", "-"));
    EXPECT_TRUE(glob_match("[-a]", "-"));
    EXPECT_FALSE(glob_match("[a-c]", ""));
}

TEST(Glob, AnUnclosedBracketIsAnOrdinaryCharacter) {
    EXPECT_TRUE(glob_match("operator[", "operator["));
    EXPECT_TRUE(glob_match("a[b", "a[b"));
    EXPECT_FALSE(glob_match("a[b", "ab"));
    EXPECT_TRUE(glob_match("*[", "x["));
}

TEST(Glob, BackslashTakesTheNextCharacterAsItIs) {
    EXPECT_TRUE(glob_match("operator\\*", "operator*"));
    EXPECT_FALSE(glob_match("operator\\*", "operatorx"));
    EXPECT_TRUE(glob_match("\\?", "?"));
    EXPECT_FALSE(glob_match("\\?", "x"));
    EXPECT_TRUE(glob_match("operator\\[]", "operator[]"));
    EXPECT_TRUE(glob_match("\\\\", "\\"));
    EXPECT_TRUE(glob_match("x\\", "x\\"));
}

TEST(Glob, BytesAboveAsciiAreCharacters) {
    EXPECT_TRUE(glob_match("gr\xc3\xbc*", "gr\xc3\xbc\xc3\x9f"));
    EXPECT_TRUE(glob_match("??", "\xc3\xbc"));
}

TEST(Glob, ManyStarsStayPolynomial) {
    const std::string text(4000, 'a');
    EXPECT_FALSE(glob_match("*a*a*a*a*a*a*a*a*a*b", text));
    EXPECT_TRUE(glob_match("*a*a*a*a*a*a*a*a*a*", text));
}

// Tries every split of a star, as the definition reads.
bool by_definition(std::string_view pattern, std::string_view text) {
    if (pattern.empty()) return text.empty();
    if (pattern[0] == '*') {
        for (size_t skip = 0; skip <= text.size(); skip++) {
            if (by_definition(pattern.substr(1), text.substr(skip))) return true;
        }
        return false;
    }
    if (text.empty()) return false;
    return (pattern[0] == '?' || pattern[0] == text[0]) &&
           by_definition(pattern.substr(1), text.substr(1));
}

TEST(Glob, AgreesWithTheDefinition) {
    std::mt19937 random(1);
    auto word = [&](const char* letters, size_t count, size_t longest) {
        std::string s(random() % (longest + 1), ' ');
        for (char& c : s)
            c = letters[random() % count];
        return s;
    };
    for (int i = 0; i < 20000; i++) {
        const std::string pattern = word("ab*?", 4, 6);
        const std::string text = word("ab", 2, 7);
        ASSERT_EQ(glob_match(pattern, text), by_definition(pattern, text))
            << pattern << " on " << text;
    }
}

TEST(Glob, RangesGoByTheNumbersOfBytes) {
    EXPECT_TRUE(glob_match("[a-\xff]", "\xc3"));
    EXPECT_TRUE(glob_match("[\x80-\xff]", "\xc3"));
    EXPECT_FALSE(glob_match("[\x80-\xff]", "z"));
    EXPECT_FALSE(glob_match("[!a-\xff]", "\xc3"));
}

TEST(Glob, AnyBytesAreSafe) {
    std::mt19937 random(2);
    for (int i = 0; i < 20000; i++) {
        std::string pattern(random() % 12, ' ');
        std::string text(random() % 12, ' ');
        for (char& c : pattern)
            c = "[]!^-\\*?ab\xff"[random() % 12];
        for (char& c : text)
            c = "[]-\\ab\xff"[random() % 8];
        glob_match(pattern, text);
    }
}

}  // namespace
}  // namespace mipstrace::filter
