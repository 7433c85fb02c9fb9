#include "lib/patch/loaded_objects.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace mipstrace::patch {
namespace {

// Of the C library, and needed by no one.
constexpr char kLibrary[] = "libBrokenLocale.so.1";

struct Changes {
    std::multiset<std::string> appeared;
    std::multiset<std::string> disappeared;
};

std::string base_name(const LoadedObject& object) {
    const std::string name = object.name;
    return name.substr(name.rfind('/') + 1);
}

class Loaded : public testing::Test {
  protected:
    Changes look() {
        Changes changes;
        objects_.update(
            [&](const LoadedObject& gone) {
                // Its name is gone with it.
                changes.disappeared.insert(gone.module == marker_ ? kLibrary : "another");
            },
            [&](LoadedObject& fresh) {
                changes.appeared.insert(base_name(fresh));
                if (base_name(fresh) == kLibrary) fresh.module = marker_;
            });
        return changes;
    }

    LoadedObjects objects_;
    Module* marker_ = reinterpret_cast<Module*>(this);  // only compared
};

TEST_F(Loaded, FindsTheProgramAndItsLibrariesOnce) {
    const Changes first = look();
    EXPECT_EQ(first.appeared.count(""), 1u) << "the program";
    EXPECT_EQ(first.appeared.count("libc.so.6"), 1u);
    EXPECT_TRUE(first.disappeared.empty());
    const Changes second = look();
    EXPECT_TRUE(second.appeared.empty());
    EXPECT_TRUE(second.disappeared.empty());
}

TEST_F(Loaded, FollowsALibraryThatComesAndGoes) {
    look();
    for (int round = 0; round < 3; round++) {
        void* library = dlopen(kLibrary, RTLD_NOW);
        ASSERT_NE(library, nullptr) << dlerror();
        EXPECT_EQ(look().appeared, std::multiset<std::string>{kLibrary});
        dlclose(library);
        const Changes after = look();
        EXPECT_TRUE(after.appeared.empty());
        EXPECT_EQ(after.disappeared, std::multiset<std::string>{kLibrary});
    }
}

TEST_F(Loaded, SeesOtherNamespaces) {
    look();
    void* library = dlmopen(LM_ID_NEWLM, kLibrary, RTLD_NOW);
    if (library == nullptr) GTEST_SKIP() << dlerror();
    const Changes changes = look();
    EXPECT_EQ(changes.appeared.count(kLibrary), 1u);
    EXPECT_EQ(changes.appeared.count("libc.so.6"), 1u) << "its own";
    dlclose(library);
    EXPECT_GE(look().disappeared.count(kLibrary), 1u);
}

TEST_F(Loaded, CoversItsSegments) {
    const auto here = reinterpret_cast<uintptr_t>(&base_name);
    int holders = 0;
    objects_.update([](const LoadedObject&) {},
                    [&](const LoadedObject& object) {
                        if (!object.covers(here, 0)) return;
                        holders++;
                        EXPECT_TRUE(object.covers(here, PF_X));
                        EXPECT_FALSE(object.covers(here, PF_X | PF_W));
                    });
    EXPECT_EQ(holders, 1);
}

}  // namespace
}  // namespace mipstrace::patch
