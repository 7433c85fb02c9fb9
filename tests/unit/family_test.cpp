// Which process image comes from which other one: by fork, by exec, and when pids are used again.
#include "tools/model/family.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/unit/trace_builder.h"
#include "tools/info/info.h"
#include "tools/model/session.h"

namespace mipstrace::tools {
namespace {

using test::TraceBuilder;

// A folder with trace files.
class Recording : public testing::Test {
  protected:
    Recording() {
        std::string pattern = testing::TempDir() + "family-XXXXXX";
        folder_ = mkdtemp(pattern.data());
    }
    ~Recording() override { std::filesystem::remove_all(folder_); }

    // Later ones start later.
    TraceBuilder& add(uint32_t pid, uint32_t sequence, uint64_t process_start, uint32_t ppid) {
        builders_.emplace_back();
        format::FileHeader& header = builders_.back().header;
        header.pid = pid;
        header.sequence = sequence;
        header.process_start = process_start;
        header.ppid = ppid;
        header.start_mono_ns = 1000 * builders_.size();
        return builders_.back();
    }
    void add_fork(uint32_t pid, uint32_t origin_pid, uint32_t origin_sequence) {
        format::FileHeader& header = add(pid, 0, pid, origin_pid).header;
        header.origin = uint8_t(format::Origin::forked);
        header.origin_pid = origin_pid;
        header.origin_sequence = origin_sequence;
    }

    Session session() {
        for (TraceBuilder& builder : builders_) {
            const format::FileHeader& h = builder.header;
            std::ofstream(folder_ + "/" + std::to_string(h.pid) + "-" + std::to_string(h.sequence) +
                          kTraceSuffix)
                << builder.bytes();
        }
        return Session(folder_);
    }
    std::vector<Descent> family() { return family_of(session().files()); }

    std::string folder_;
    std::vector<TraceBuilder> builders_;
};

void expect(const Descent& found, Relation relation, std::optional<size_t> parent) {
    EXPECT_EQ(int(found.relation), int(relation));
    EXPECT_EQ(found.parent, parent);
}

TEST_F(Recording, AForkedChildNamesTheFileThatItContinues) {
    add(10, 0, 1, 1);
    add(10, 1, 1, 1);
    add_fork(11, 10, 0);
    add_fork(12, 10, 1);
    add_fork(13, 99, 0);
    const auto found = family();
    ASSERT_EQ(found.size(), 5u);
    expect(found[0], Relation::started, std::nullopt);
    expect(found[2], Relation::forked, 0);
    expect(found[3], Relation::forked, 1);
    expect(found[4], Relation::forked, std::nullopt);
}

TEST_F(Recording, ExecGoesOnInTheSameProcess) {
    add(10, 0, 7, 1);
    add(10, 1, 7, 1);
    add(10, 2, 7, 1);
    const auto found = family();
    expect(found[1], Relation::executed, 0);
    expect(found[2], Relation::executed, 1);
}

TEST_F(Recording, APidThatIsUsedAgainIsAnotherProcess) {
    add(10, 0, 7, 1);
    add(20, 0, 8, 10);
    add(10, 1, 9, 20);
    add(20, 1, 0, 10);  // when it began is not known
    const auto found = family();
    expect(found[1], Relation::started, 0);
    expect(found[2], Relation::started, 1);
    expect(found[3], Relation::started, 2);
}

TEST_F(Recording, WhatNamesItselfOrALaterFileHasNoParent) {
    add_fork(10, 10, 0);
    add_fork(11, 12, 0);
    add(12, 0, 5, 12);
    for (const Descent& descent : family())
        EXPECT_EQ(descent.parent, std::nullopt);
}

TEST_F(Recording, TheByteOrderDoesNotMatter) {
    builders_.emplace_back(true);
    format::FileHeader& header = builders_.back().header;
    header.pid = 10;
    header.start_mono_ns = 1;
    add_fork(11, 10, 0);
    builders_.emplace_back(true);
    format::FileHeader& last = builders_.back().header;
    last.pid = 12;
    last.origin = uint8_t(format::Origin::forked);
    last.origin_pid = 11;
    last.start_mono_ns = 10'000;
    const auto found = family();
    expect(found[1], Relation::forked, 0);
    expect(found[2], Relation::forked, 1);
}

TEST_F(Recording, InfoShowsATree) {
    add(10, 0, 1, 1).metadata(format::MetaType::command, std::string("prog\0-x\0", 8));
    add_fork(11, 10, 0);
    builders_.back().header.forked_by = 14;
    add_fork(12, 11, 0);
    add(10, 1, 1, 1).metadata(format::MetaType::command, std::string("other\0", 6));
    FILE* file = tmpfile();
    OutBuffer out(fileno(file));
    write_info(out, session());
    out.flush();
    rewind(file);
    std::string text;
    for (int c; (c = fgetc(file)) != EOF;)
        text += char(c);
    fclose(file);
    EXPECT_NE(text.find("processes       : 4\n"
                        "  10 started prog -x\n"
                        "    11 forked by thread 14\n"
                        "      12 forked\n"
                        "    10 executed other\n"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace mipstrace::tools
