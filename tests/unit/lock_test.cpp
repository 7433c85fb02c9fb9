#include "lib/base/lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

namespace mipstrace {
namespace {

TEST(Lock, AdmitsOneThreadAtATime) {
    constexpr int kThreads = 4;
    constexpr int kRounds = 20000;
    Lock lock;
    long count = 0;  // not atomic
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; i++) {
        threads.emplace_back([&] {
            for (int round = 0; round < kRounds; round++) {
                LockHolder holder(lock);
                count++;
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(count, long(kThreads) * kRounds);
}

// What a lock is in a child whose parent forked while `held_by_forker`, or another thread, held it.
bool is_freed_in_child(Lock& lock) {
    const pid_t child = fork();
    if (child == 0) _exit(lock.free_after_fork() ? 1 : 0);
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status) == 1;
}

TEST(Lock, AForkedChildFreesWhatAnotherThreadHeld) {
    Lock lock;
    EXPECT_TRUE(is_freed_in_child(lock));
    lock.lock();
    EXPECT_FALSE(is_freed_in_child(lock)) << "it is the forking thread's own";
    bool freed = false;
    std::thread([&] { freed = is_freed_in_child(lock); }).join();
    EXPECT_TRUE(freed);
    lock.unlock();
}

}  // namespace
}  // namespace mipstrace
