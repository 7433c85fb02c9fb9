// GOLDEN_DIR holds pairs NAME.s, NAME.expected. gcc12_* are what GCC 12 printed, cut after the last
// function; the others are written by hand after the form of later compilers.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tools/as_filter/arguments.h"
#include "tools/as_filter/line_marker.h"
#include "tools/as_filter/sled_mover.h"
#include "tools/as_filter/statement.h"

namespace mipstrace::as_filter {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string filter(const std::string& text, const std::string& name = "",
                   SledOptions options = {}) {
    std::string out;
    LineMarker marker(&out);
    marker.begin_file(name);
    SledMover mover(&marker, options);
    size_t begin = 0;
    for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        mover.line(std::string_view(text).substr(begin, end - begin));
    mover.finish();
    return out;
}

std::string sled(int nops) {
    std::string text = ".LPFE1:\n";
    for (int i = 0; i < nops; i++)
        text += "\t.set\tnoreorder\n\tnop\n\t.set\treorder\n";
    return text;
}

std::string moved_sled(int nops, const std::string& label = ".LPFE1:\n") {
    std::string text = label + "\t.set\tpush\n\t.set\tnoreorder\n";
    for (int i = 0; i < nops; i++)
        text += "\tnop\n";
    return text + "\t.set\tpop\n";
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, ComesOutAsExpected) {
    fs::path stem = fs::path(GOLDEN_DIR) / GetParam();
    SledOptions options{.nops = 5, .nops_before = 2};  // of the one that has five nops
    EXPECT_EQ(filter(read_file(stem.string() + ".s"), "", options),
              read_file(stem.string() + ".expected"));
}

TEST_P(Golden, ComesOutTheSameWhenFilteredTwice) {
    if (GetParam() == "gcc12_n64_prefix") GTEST_SKIP() << "its nops are in two places";
    std::string expected = read_file(fs::path(GOLDEN_DIR) / (GetParam() + ".expected"));
    EXPECT_EQ(filter(expected), expected);
}

std::vector<std::string> golden_names() {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(GOLDEN_DIR))
        if (entry.path().extension() == ".s") names.push_back(entry.path().stem().string());
    return names;
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, testing::ValuesIn(golden_names()),
                         [](const auto& test) { return test.param; });

TEST(SledMover, KeepsWhatHoldsNoSled) {
    std::string text = "\t.file 1 \"a.c\"\n\n# comment\n#APP\n\t.text;nop\nf:\tnop\n\"q:\": nop\n";
    EXPECT_EQ(filter(text), text);
}

TEST(SledMover, TakesAnyNumberOfNops) {
    std::string head = "\t.ent\tf\nf:\n", tail = "\taddiu\t$2,$4,1\n\t.end\tf\n";
    for (int nops : {1, 3, 4, 100})
        EXPECT_EQ(filter(sled(nops) + head + tail), head + moved_sled(nops) + tail);
}

TEST(SledMover, CountsAnAttributesNopsAsBehindTheLabel) {
    std::string head = "\t.ent\tf\nf:\n", tail = "\tjr\t$31\n";
    SledOptions options{.nops = 5, .nops_before = 2};
    EXPECT_EQ(filter(sled(4) + head + tail, "", options), head + moved_sled(4) + tail);
}

TEST(SledMover, LeavesNopsThatAreAllWantedBeforeTheLabel) {
    std::string text = sled(4) + "\t.ent\tf\nf:\n\tjr\t$31\n";
    EXPECT_EQ(filter(text, "", {.nops = 4, .nops_before = 4}), text);
    EXPECT_EQ(filter(text, "", {.nops = 4, .nops_before = 9}), text);
}

TEST(SledMover, KeepsTheReorderModeThatFollowsTheSled) {
    std::string head = "\t.ent\tf\nf:\n";
    std::string cpload = "\t.set\tnoreorder\n\t.cpload\t$25\n";
    EXPECT_EQ(filter(head + sled(3) + cpload + "\t.set\tnomacro\n"),
              head + cpload + moved_sled(3) + "\t.set\tnomacro\n");
    std::string bare = ".LPFE1:\n\tnop\n\tnop\n\t.set\treorder\n";
    EXPECT_EQ(filter(bare + head + "\tjr\t$31\n"),
              "\t.set\treorder\n" + head + moved_sled(2) + "\tjr\t$31\n");
}

TEST(SledMover, PutsTheSledIntoAFunctionWithoutInstructions) {
    EXPECT_EQ(filter(sled(3) + "\t.type\tf, @function\nf:\n\t.size\tf, .-f\n"),
              "\t.type\tf, @function\nf:\n" + moved_sled(3) + "\t.size\tf, .-f\n");
}

TEST(SledMover, GivesBackWhatItHoldsAtTheEnd) {
    std::string whole = read_file(fs::path(GOLDEN_DIR) / "gcc12_n64_comdat.s");
    size_t lines = 0;
    for (size_t end = whole.find('\n'); end != std::string::npos; end = whole.find('\n', end + 1)) {
        std::string part = whole.substr(0, end + 1);
        std::string out = filter(part);
        auto count = [](const std::string& text, const std::string& what) {
            size_t found = 0;
            for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
                found++;
            return found;
        };
        for (const char* what : {"\tnop\n", "LPFE1:", ".ent", "\n_Z", ".8byte", ".section"})
            EXPECT_EQ(count(out, what), count(part, what)) << part;
        lines++;
    }
    EXPECT_GT(lines, 200u);
}

TEST(SledMover, HoldsBackABoundedNumberOfLines) {
    struct Counter : LineSink {
        void line(std::string_view, size_t) override { lines++; }
        size_t lines = 0;
    };
    for (const char* start : {"\t.section\t__patchable_function_entries,\"awo\",@progbits,f",
                              ".LPFE1:", "\t.ent\tf\nf:\n.LPFE1:\n\tnop"}) {
        Counter counter;
        SledMover mover(&counter);
        size_t given = 0;
        std::string text = std::string(start) + '\n';
        for (size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; given++) {
            mover.line(std::string_view(text).substr(begin, end - begin));
            begin = end + 1;
        }
        for (int i = 0; i < 10000; i++)
            mover.line("\t.set\tnomacro"), given++;
        EXPECT_GE(counter.lines + 2 * SledMover::kMaxHeld, given) << start;
        mover.finish();
        EXPECT_GE(counter.lines, given) << start;
    }
}

TEST(LineMarker, SaysWhereALineCameFrom) {
    EXPECT_EQ(
        filter("a\n" + sled(1) + "\t.ent\tf\nf:\n\tjr\t$31\n\tnop\n", "d\"r/f.s"),
        "# 1 \"d\\\"r/f.s\"\na\n# 6 \"d\\\"r/f.s\"\n\t.ent\tf\nf:\n# 2 \"d\\\"r/f.s\"\n.LPFE1:\n"
        "\t.set\tpush\n\t.set\tnoreorder\n\tnop\n\t.set\tpop\n# 8 \"d\\\"r/f.s\"\n\tjr\t$31\n"
        "\tnop\n");
}

TEST(LineMarker, ComesBackAfterAnInlineAssemblerStatement) {
    EXPECT_EQ(filter("#APP\n# 7 \"a.c\" 1\n\tnop\n# 0 \"\" 2\n#NO_APP\n\tnop\n", "f.s"),
              "# 1 \"f.s\"\n#APP\n# 7 \"a.c\" 1\n\tnop\n# 0 \"\" 2\n# 5 \"f.s\"\n#NO_APP\n\tnop\n");
}

TEST(Statement, CutsALine) {
    Statement s = parse("1:\tjalr\t$25\t# call");
    EXPECT_EQ(s.label, "1");
    EXPECT_EQ(s.op, "jalr");
    EXPECT_EQ(s.args, "$25");
    EXPECT_TRUE(s.is_instruction());
    s = parse("\"a: b\" : .ascii \"x # y\" ; nop");
    EXPECT_EQ(s.label, "\"a: b\"");
    EXPECT_EQ(s.op, ".ascii");
    EXPECT_EQ(s.args, "\"x # y\"");
    EXPECT_TRUE(s.has_more);
    s = parse("alias = near");
    EXPECT_TRUE(s.label.empty());
    EXPECT_TRUE(s.is_directive());
    for (const char* nothing : {"", "  \t", "# all of it", "#APP"})
        EXPECT_TRUE(parse(nothing).empty());
    for (const char* broken : {"\"", "\"\\", ":", "::", "=", ";", "\".\":\""})
        parse(broken);
}

TEST(Statement, SplitsArguments) {
    using Args = std::vector<std::string_view>;
    EXPECT_EQ(split_args("a, \"b,c\" ,d"), (Args{"a", "\"b,c\"", "d"}));
    EXPECT_EQ(split_args(""), Args{});
}

TEST(Arguments, TellsInputsFromOptions) {
    Arguments a = parse_arguments(
        {"-EL", "-o", "x.o", "a.s", "-I", "dir", "-mabi=64", "--", "-f", "--defsym", "a=1", "b.s"});
    EXPECT_EQ(a.inputs, (std::vector<std::string>{"a.s", "--", "b.s"}));
    EXPECT_EQ(a.options, (std::vector<std::string>{"-EL", "-o", "x.o", "-I", "dir", "-mabi=64",
                                                   "-f", "--defsym", "a=1"}));
    EXPECT_TRUE(a.raw_text);
    EXPECT_FALSE(a.only_informs);
    EXPECT_EQ(parse_arguments({"-o", "x.o"}).inputs, std::vector<std::string>{"--"});
    EXPECT_EQ(parse_arguments({"-"}).inputs, std::vector<std::string>{"--"});
    EXPECT_TRUE(parse_arguments({"--version"}).only_informs);
}

TEST(Arguments, ExpandsResponseFiles) {
    std::string name = testing::TempDir() + "/mipstrace_response";
    std::ofstream(name) << "-o 'a b.o'\n\"c d.s\" e\\ f.s @" << name << ".missing";
    EXPECT_EQ(expand_response_files({"-EL", "@" + name, "@"}),
              (std::vector<std::string>{"-EL", "-o", "a b.o", "c d.s", "e f.s",
                                        "@" + name + ".missing", "@"}));
    std::ofstream(name) << "x.s @" << name;  // ends all the same
    EXPECT_GE(expand_response_files({"@" + name}).size(), 2u);
    remove(name.c_str());
}

}  // namespace
}  // namespace mipstrace::as_filter
