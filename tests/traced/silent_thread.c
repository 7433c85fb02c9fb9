//! environment: MIPSTRACE_CLOCK=cycles:force
//! pg: none, because it is about the clock alone
// While a thread records nothing, the tracer's helper thread sees to it that the thread's next
// event brings both clocks, and ends.
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "traced.h"

static int threads_before;

UNTRACED static int count_threads(void) {
    DIR* tasks = opendir("/proc/self/task");
    int count = 0;
    while (readdir(tasks) != NULL)
        count++;
    closedir(tasks);
    return count;
}

UNTRACED __attribute__((constructor)) static void count_before(void) {
    threads_before = count_threads();
}

UNTRACED static int wait_for_silence(void) {
    for (int i = 0; i < 600; i++) {
        if (count_threads() <= threads_before) return 1;
        usleep(100000);
    }
    return 0;
}

KEEP static int step(int a) {
    return a + 1;
}

int main(void) {
    int a = step(1);
    for (int i = 0; i < 3; i++) {
        if (!wait_for_silence()) printf("the helper is still there\n");
        a = step(step(a));
    }
    printf("%d\n", a);
    return 0;
}
