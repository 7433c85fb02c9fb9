#include "lib/patch/site_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace mipstrace::patch {
namespace {

struct Sites {
    explicit Sites(std::vector<uint32_t> offsets) {
        for (uint32_t offset : offsets)
            list.push_back({offset, 0, SiteState::ready, 0});
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

TEST(SiteTable, PositionsOfModulesDoNotMeet) {
    auto table = std::make_unique<SiteTable>();
    uint32_t end = 1;  // position 0 stands for none
    for (size_t size : {size_t(1), size_t(0x10000), size_t(0x10001), size_t(0x1234567)}) {
        Module* module = table->begin_module();
        ASSERT_NE(module, nullptr);
        module->text_size = size;
        table->add(module);
        EXPECT_EQ(module->pos_base % 0x10000, 0u);
        EXPECT_GE(module->pos_base, end);
        end = module->pos_base + uint32_t(size);
        EXPECT_EQ(&(*table)[table->size() - 1], module);
    }
    EXPECT_EQ(table->size(), 4u);
}

TEST(SiteTable, AModuleThatIsNotAddedTakesNoPlace) {
    auto table = std::make_unique<SiteTable>();
    ASSERT_NE(table->begin_module(), nullptr);
    EXPECT_EQ(table->size(), 0u);
}

TEST(SiteTable, SaysWhenItIsFull) {
    auto table = std::make_unique<SiteTable>();
    for (size_t i = 0; i < SiteTable::kMaxModules; i++) {
        Module* module = table->begin_module();
        ASSERT_NE(module, nullptr) << i;
        module->text_size = 4096;
        table->add(module);
    }
    EXPECT_EQ(table->begin_module(), nullptr);
    EXPECT_EQ(table->size(), SiteTable::kMaxModules);
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
