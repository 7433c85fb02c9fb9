//! graph: none
// The system refuses what patching takes, from a program's start on. Where only mprotect does, the
// text is written by /proc/self/mem; where all does, the program runs untraced, which is said.
// qemu-user has no filters of system calls, and there all is traced.
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traced.h"

enum { kCalls = 100 };
enum What { kWritableText, kAndMemoryFile, kAnyText, kAll };

KEEP static int by_memory_file(int a) {
    return a + 1;
}
KEEP static int never_writable(int a) {
    return a + 2;
}
KEEP static int no_new_text(int a) {
    return a + 3;
}
static int (*const steps[kAll])(int) = {by_memory_file, never_writable, no_new_text};
static const char* const names[kAll] = {"by_memory_file", "never_writable", "no_new_text"};
static const char* const sentences[kAll] = {
    "",
    "says: the system does not let the text of text_refused be written, \\d+ functions are not "
    "traced\n",
    "says: permission denied: no page below 2 GiB for text_refused, it is not traced\n",
};

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LOW_WORD 0
#else
#define LOW_WORD 4
#endif
#define NUMBER offsetof(struct seccomp_data, nr)
#define ARGUMENT(i) (offsetof(struct seccomp_data, args[i]) + LOW_WORD)
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define MASK(bits) BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)
#define IS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define END(action) BPF_STMT(BPF_RET | BPF_K, action)

static int refuse(enum What what) {
    const unsigned text = what == kAnyText ? PROT_EXEC : PROT_EXEC | PROT_WRITE;
    // A file that is opened to be read and written, but not made.
    const unsigned memory_file = what == kWritableText ? ~0u : O_RDWR;
    struct sock_filter filter[] = {
        LOAD(NUMBER),           IS(SYS_mprotect, 0, 3),
        LOAD(ARGUMENT(2)),      MASK(text),
        IS(text, 4, 5),         IS(SYS_openat, 0, 4),
        LOAD(ARGUMENT(2)),      MASK(O_ACCMODE | O_CREAT),
        IS(memory_file, 0, 1),  END(SECCOMP_RET_ERRNO | EACCES),
        END(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

static int run(enum What what) {
    int sum = 0;
    for (int i = 0; i < kCalls; i++)
        sum = steps[what](sum);
    printf("%s %d\n", names[what], sum);
    fflush(stdout);
    return 0;
}

static int run_in_child(enum What what, const char* self) {
    const pid_t child = fork();
    if (child == 0) {
        const char digit[2] = {(char)('0' + what), '\0'};
        const int refused = refuse(what);
        const int calls = refused && what != kWritableText ? 0 : kCalls;
        fprintf(stderr, "calls: %s %d\n", names[what], calls);
        if (refused) fputs(sentences[what], stderr);
        if (refused) execl("/proc/self/exe", self, digit, (char*)NULL);
        _exit(refused ? 1 : run(what));
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status;
}

int main(int argc, char** argv) {
    if (argc > 1) return run((enum What)(argv[1][0] - '0'));
    int failures = 0;
    for (int what = 0; what < kAll; what++)
        failures += run_in_child((enum What)what, argv[0]) != 0;
    return failures;
}
