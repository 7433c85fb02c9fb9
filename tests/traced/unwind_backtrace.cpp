//! flags: -pthread -rdynamic -fno-optimize-sibling-calls
// What a program sees that walks its stack with _Unwind_Backtrace: the functions that it would see
// untraced, in threads and on a signal stack, too.
#include <dlfcn.h>
#include <pthread.h>
#include <unwind.h>

#include <csignal>
#include <cstdio>

#include "traced.h"

KEEP UNTRACED static _Unwind_Reason_Code show(_Unwind_Context* context, void* argument) {
    int before = 0;
    const auto ip = _Unwind_GetIPInfo(context, &before) - (before == 0);
    Dl_info info = {};
    dladdr(reinterpret_cast<void*>(ip), &info);
    std::printf("    %s\n", info.dli_sname != nullptr ? info.dli_sname : "-");
    return --*static_cast<int*>(argument) == 0 ? _URC_END_OF_STACK : _URC_NO_REASON;
}
KEEP UNTRACED static void show_all(int most) {
    const int code = _Unwind_Backtrace(show, &most);
    std::printf("ended with %d\n", code);
}

extern "C" {
KEEP int leaf(int a) {
    show_all(100);
    show_all(3);
    return a + 1;
}
KEEP int inner(int a) {
    return leaf(a) + 1;
}
KEEP int outer(int a) {
    return inner(a) + 1;
}
KEEP void* in_thread(void* argument) {
    outer(2);
    return argument;
}
KEEP void on_signal(int number) {
    outer(number);
}
KEEP int interrupted(int a) {
    std::raise(SIGUSR1);
    return a + 1;
}
}

int main() {
    std::printf("%d\n", outer(1));
    pthread_t thread;
    pthread_create(&thread, nullptr, in_thread, nullptr);
    pthread_join(thread, nullptr);
    static char stack[65536];
    stack_t alternate = {};
    alternate.ss_sp = stack;
    alternate.ss_size = sizeof stack;
    sigaltstack(&alternate, nullptr);
    struct sigaction action = {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, nullptr);
    std::printf("%d\n", interrupted(1));
    return 0;
}
