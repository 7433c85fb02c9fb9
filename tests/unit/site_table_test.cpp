#include "lib/patch/site_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace mipstrace::patch {
namespace {

struct Sites {
    explicit Sites(std::vector<uint32_t> offsets) {
        for (uint32_t offset : offsets)
            list.push_back(Site{offset, 0, SiteState::ready, 0, SiteKind::sled});
        module->sites = list.data();
        module->site_count = list.size();
        module->text_start = 0x400000;
    }
    std::vector<Site> list;
    std::unique_ptr<Module> module = std::make_unique<Module>();
};

TEST(SiteTable, FindsTheSiteAtAnOffset) {
    Sites sites({0, 16, 64, 0xfffffff0});
    for (Site& site : sites.list)
        EXPECT_EQ(SiteTable::find(*sites.module, site.offset), &site);
    for (uint32_t other : {4u, 12u, 15u, 17u, 68u, 0xffffffecu, 0xfffffff4u})
        EXPECT_EQ(SiteTable::find(*sites.module, other), nullptr) << other;
}

TEST(SiteTable, SlackReachesForwardOnly) {
    Sites sites({16, 64});
    EXPECT_EQ(SiteTable::find(*sites.module, 4, 12), &sites.list[0]);
    EXPECT_EQ(SiteTable::find(*sites.module, 3, 12), nullptr);
    EXPECT_EQ(SiteTable::find(*sites.module, 20, 12), nullptr);
    EXPECT_EQ(SiteTable::find(*sites.module, 52, 12), &sites.list[1]);
    EXPECT_EQ(SiteTable::find(*sites.module, 68, 0xfffffff0), nullptr);
    EXPECT_EQ(SiteTable::find(*sites.module, 16, 100), &sites.list[0]) << "the nearest";
}

TEST(SiteTable, AModuleWithoutSites) {
    Sites sites({});
    EXPECT_EQ(SiteTable::find(*sites.module, 0, 100), nullptr);
}

Module module_of(uint64_t inode, size_t text_size, uintptr_t text_start = 0x400000) {
    Module module{};
    module.file.status.identity.inode = inode;
    module.text_size = text_size;
    module.text_start = text_start;
    return module;
}

TEST(SiteTable, PositionsOfModulesDoNotMeet) {
    SiteTable table;
    uint64_t taken[4][2];
    for (size_t size : {size_t(1), size_t(0x10000), size_t(0x10001), size_t(0x1234567)}) {
        Module* module = table.add(module_of(size, size));
        ASSERT_NE(module, nullptr);
        EXPECT_TRUE(module->loaded);
        EXPECT_EQ(module->pos_base % 4, 0u);
        const uint64_t begin = module->pos_base;
        const uint64_t end = begin + size;
        for (size_t i = 0; i + 1 < table.size(); i++)
            EXPECT_TRUE(end <= taken[i][0] || begin >= taken[i][1]);
        taken[table.size() - 1][0] = begin;
        taken[table.size() - 1][1] = end;
        EXPECT_EQ(&table[table.size() - 1], module);
    }
    EXPECT_EQ(table.size(), 4u);
}

TEST(SiteTable, AFileThatIsLoadedAgainHasItsPositionsAgain) {
    SiteTable table;
    Module* first = table.add(module_of(1, 4096));
    first->page = 0x50010000;
    const uint32_t position = first->pos_base;
    table.add(module_of(2, 4096));
    SiteTable::forget(*first);
    EXPECT_FALSE(first->loaded);

    Module* again = table.add(module_of(1, 4096, 0x900000));
    EXPECT_EQ(again, first);
    EXPECT_TRUE(again->loaded);
    EXPECT_EQ(again->pos_base, position);
    EXPECT_EQ(again->text_start, 0x900000u);
    EXPECT_EQ(again->page, 0x50010000u) << "pages are few";
    EXPECT_EQ(table.size(), 2u);
}

TEST(SiteTable, AnotherFileNeverHasThePositionsOfOneThatWasUnloaded) {
    SiteTable table;
    Module* gone = table.add(module_of(1, 4096));
    SiteTable::forget(*gone);
    auto is_new = [&](const Module& module) {
        const size_t before = table.size();
        return table.add(module) != gone && table.size() == before + 1;
    };
    EXPECT_TRUE(is_new(module_of(2, 4096)));
    EXPECT_TRUE(is_new(module_of(1, 8192)));
    Module changed = module_of(1, 4096);
    changed.file.status.modified_ns = 1;  // written anew in its place
    EXPECT_TRUE(is_new(changed));
    Module rebuilt = module_of(1, 4096);
    rebuilt.file.build_id_size = 1;
    rebuilt.file.build_id[0] = 'x';
    EXPECT_TRUE(is_new(rebuilt));
}

TEST(SiteTable, AFileThatIsLoadedTwiceAtATimeIsTwoModules) {
    SiteTable table;
    Module* first = table.add(module_of(1, 4096));
    Module* second = table.add(module_of(1, 4096, 0x900000));
    EXPECT_NE(first, second);
    EXPECT_NE(first->pos_base, second->pos_base);
}

TEST(SiteTable, SaysWhenPositionsHaveRunOut) {
    SiteTable table;
    for (uint64_t i = 0; i < 3; i++)
        ASSERT_NE(table.add(module_of(i, 0x40000000)), nullptr) << i;
    EXPECT_EQ(table.add(module_of(4, 0x40000000)), nullptr);
    EXPECT_EQ(table.size(), 3u);
    ASSERT_NE(table.add(module_of(5, 0x3f000000)), nullptr) << "what is left is enough";
    EXPECT_EQ(table.add(module_of(6, 0x1000000)), nullptr);
}

TEST(SiteTable, APositionIsTheLowHalfOfAnAddressWhereItCanBe) {
    SiteTable table;
    for (uint64_t text_start : {0x400000u, 0x900000u, 0x7000u}) {
        Module* module = table.add(module_of(text_start, 0x1000, uintptr_t(text_start)));
        EXPECT_EQ(module->pos_base, text_start + mips::kSledBytes);
        EXPECT_EQ(uint32_t(module->bias()), 0u);
    }
    Module* meets_another = table.add(module_of(4, 0x20000, 0x8f0000));
    EXPECT_NE(uint32_t(meets_another->bias()), 0u);
    Module* at_the_end = table.add(module_of(5, 0x20000, 0xffff0000));
    EXPECT_LE(at_the_end->pos_base + uint64_t(0x20000), uint64_t(1) << 32);
}

TEST(SiteTable, PositionZeroStandsForNone) {
    SiteTable table;
    EXPECT_NE(table.add(module_of(1, 0x1000, uintptr_t(0) - mips::kSledBytes))->pos_base, 0u);
}

TEST(Module, BaseNameIsBehindTheLastSlash) {
    auto module = std::make_unique<Module>();
    auto base_name_of = [&](const char* path) {
        snprintf(module->path, sizeof module->path, "%s", path);
        return std::string(module->base_name());
    };
    EXPECT_EQ(base_name_of("/usr/lib/libc.so.6"), "libc.so.6");
    EXPECT_EQ(base_name_of("prog"), "prog");
    EXPECT_EQ(base_name_of("./prog"), "prog");
    EXPECT_EQ(base_name_of("/"), "");
    EXPECT_EQ(base_name_of(""), "");
}

TEST(Module, WordsOfASite) {
    Sites sites({16});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(sites.module->words(sites.list[0])), 0x400010u);
}

}  // namespace
}  // namespace mipstrace::patch
