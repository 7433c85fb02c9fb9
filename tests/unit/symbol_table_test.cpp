// Names of functions, from the file of this very test.
#include "tools/model/symbol_table.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/model/module_files.h"

extern "C" {
int mipstrace_test_named(int x) noexcept;
__attribute__((noinline)) int __mipstrace_test_named_first(int x) noexcept {
    return x * 3;
}
__attribute__((alias("__mipstrace_test_named_first"))) int mipstrace_test_named(int x) noexcept;
__attribute__((noinline, used)) static int mipstrace_test_static(int x) {
    return x * 5;
}
}

namespace mipstrace::tools {
namespace {

uint64_t load_bias() {
    uint64_t bias = 0;
    auto first = [](dl_phdr_info* object, size_t, void* out) {
        *static_cast<uint64_t*>(out) = object->dlpi_addr;
        return 1;
    };
    dl_iterate_phdr(first, &bias);
    return bias;
}

template <typename F>
uint64_t address_of(F* function) {
    return uint64_t(reinterpret_cast<uintptr_t>(function)) - load_bias();
}

class SymbolTableTest : public testing::Test {
  protected:
    void SetUp() override {
        elf::ElfFile file;
        ASSERT_EQ(file.open("/proc/self/exe"), elf::OpenError::none);
        ASSERT_TRUE(symbols_.add(file, false));
        symbols_.finish();
    }
    SymbolTable symbols_;
};

TEST_F(SymbolTableTest, FindsTheFunctionThatHoldsAnAddress) {
    uint64_t address = address_of(&mipstrace_test_static);
    for (uint64_t at : {address, address + 1}) {
        const FunctionSymbol* symbol = symbols_.containing(at);
        ASSERT_NE(symbol, nullptr);
        EXPECT_EQ(symbol->name, "mipstrace_test_static");
        EXPECT_EQ(symbol->address, address);
    }
    EXPECT_EQ(symbols_.at_or_behind(address)->address, address);
    EXPECT_GT(symbols_.at_or_behind(address + 1)->address, address);
}

TEST_F(SymbolTableTest, PrefersTheNameWithoutUnderscores) {
    const FunctionSymbol* symbol = symbols_.containing(address_of(&__mipstrace_test_named_first));
    ASSERT_NE(symbol, nullptr);
    EXPECT_EQ(symbol->name, "mipstrace_test_named");
}

TEST_F(SymbolTableTest, NothingBeforeTheFirst) {
    EXPECT_EQ(symbols_.containing(0), nullptr);
    EXPECT_EQ(SymbolTable().containing(1), nullptr);
    EXPECT_EQ(SymbolTable().at_or_behind(1), nullptr);
}

// A recording names the paths: a device or a pipe would do something, or wait.
TEST(LoadSymbols, DoesNotOpenWhatIsNoFile) {
    Module module;
    module.path = testing::TempDir() + "/mipstrace-pipe." + std::to_string(getpid());
    ASSERT_EQ(mkfifo(module.path.c_str(), 0600), 0);
    const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    ASSERT_GE(inotify_add_watch(watch, module.path.c_str(), IN_OPEN), 0);
    std::string warning;
    EXPECT_TRUE(load_symbols(module, "", {}, &warning).empty());
    EXPECT_NE(warning.find(module.path), std::string::npos);
    char event[4096];
    EXPECT_EQ(read(watch, event, sizeof event), -1);
    close(watch);
    unlink(module.path.c_str());
}

}  // namespace
}  // namespace mipstrace::tools
