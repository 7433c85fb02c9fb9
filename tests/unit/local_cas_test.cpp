#include "lib/base/local_cas.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>

namespace mipstrace {
namespace {

TEST(LocalCas, StoresIfTheWordIsAsExpected) {
    uintptr_t word = 5;
    while (!local_cas(&word, 5, 9)) {
    }
    EXPECT_EQ(word, 9u);
}

TEST(LocalCas, LeavesTheWordAloneOtherwise) {
    uintptr_t word = 5;
    EXPECT_FALSE(local_cas(&word, 4, 9));
    EXPECT_EQ(word, 5u);
}

TEST(LocalCas, ComparesAndStoresWholeWords) {
    constexpr uintptr_t kHigh = uintptr_t(1) << (sizeof(uintptr_t) * 8 - 1);
    uintptr_t words[3] = {1, kHigh | 7, 3};
    EXPECT_FALSE(local_cas(&words[1], 7, 9));
    while (!local_cas(&words[1], kHigh | 7, kHigh | 8)) {
    }
    EXPECT_EQ(words[0], 1u);
    EXPECT_EQ(words[1], kHigh | 8);
    EXPECT_EQ(words[2], 3u);
}

uintptr_t counter;
volatile sig_atomic_t interruptions;

uintptr_t increment() {
    for (;;) {
        const uintptr_t seen = __atomic_load_n(&counter, __ATOMIC_RELAXED);
        if (local_cas(&counter, seen, seen + 1)) return seen;
    }
}

void on_alarm(int) {
    increment();
    interruptions = interruptions + 1;
}

TEST(LocalCas, LosesNothingToASignalHandler) {
    struct sigaction action {};
    action.sa_handler = on_alarm;
    action.sa_flags = SA_RESTART;
    struct sigaction saved;
    sigaction(SIGALRM, &action, &saved);
    const itimerval often{{0, 300}, {0, 300}};
    setitimer(ITIMER_REAL, &often, nullptr);
    uintptr_t own = 0;
    while (interruptions < 500) {
        increment();
        own++;
    }
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &saved, nullptr);
    EXPECT_EQ(counter, own + uintptr_t(interruptions));
}

}  // namespace
}  // namespace mipstrace
