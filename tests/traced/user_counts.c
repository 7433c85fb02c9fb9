//! flags: -pthread -rdynamic
//! shared: user_counts_part.c
//! graph: none
//! pg: none, because a function that calls _mcount behind its prologue has no sequence to compare
// Users with overlapping filters come and go while threads call: each counts exactly the calls that
// were made while it was there. A thread numbers its calls of a function; a user notes which it has
// seen. One that was there between two rounds has seen all of the round, one that came and went in
// the middle a sequence without a gap, from the calls in flight on. More users than fit are
// refused; code of a user that has gone may be unloaded; and each finds its own data again. The
// argument is how many rounds.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/include/mipstrace/fgraph.h"
#include "traced.h"

#pragma weak register_ftrace_graph
#pragma weak unregister_ftrace_graph
#pragma weak fgraph_reserve_data
#pragma weak fgraph_retrieve_data

#define THREADS 8
#define FUNCTIONS 12
#define CALLS 150   // of the outermost function, a thread and round
#define STEADY 8    // users for whole rounds
#define FLEETING 6  // users that come and go
#define CHANGERS 2  // threads that make them

// ---- what is called

struct own {
    atomic_uint begun, ended;
};
static struct own own[THREADS][FUNCTIONS];
static __thread int me;

#define FUNCTION(i, first, second)                                        \
    KEEP unsigned step_##i(unsigned n) {                                  \
        struct own* mine = &own[me][0x##i];                               \
        atomic_fetch_add_explicit(&mine->begun, 1, memory_order_relaxed); \
        unsigned result = n;                                              \
        if (n & 1) result += first(n >> 1);                               \
        if (n & 2) result += second(n >> 2);                              \
        atomic_fetch_add_explicit(&mine->ended, 1, memory_order_relaxed); \
        return result;                                                    \
    }
UNTRACED static unsigned stop(unsigned n) {
    return n;
}
FUNCTION(b, stop, stop)
FUNCTION(a, step_b, stop)
FUNCTION(9, step_a, step_b)
FUNCTION(8, step_9, step_b)
FUNCTION(7, step_8, step_a)
FUNCTION(6, step_7, step_9)
FUNCTION(5, step_6, step_8)
FUNCTION(4, step_5, step_7)
FUNCTION(3, step_4, step_6)
FUNCTION(2, step_3, step_5)
FUNCTION(1, step_2, step_4)
FUNCTION(0, step_1, step_3)

typedef unsigned (*step)(unsigned);
static const step steps[FUNCTIONS] = {step_0, step_1, step_2, step_3, step_4, step_5,
                                      step_6, step_7, step_8, step_9, step_a, step_b};

// The function of a sled, which is at its first instructions.
UNTRACED static int index_of(uintptr_t sled) {
    for (int i = 0; i < FUNCTIONS; i++)
        if (sled - (uintptr_t)steps[i] <= 12) return i;
    return -1;
}

// ---- filters, and what they select

struct selection {
    const char *filter, *notrace;
    unsigned functions;
};
static const struct selection selections[] = {
    {"step_?", NULL, 0xfff},
    {"step_0", NULL, 0x001},
    {"step_b", NULL, 0x800},
    {"step_[02468a]", NULL, 0x555},
    {"step_[13579b]", NULL, 0xaaa},
    {"step_*", "step_5;step_6", 0xf9f},
    {"step_1;step_3;step_a", NULL, 0x40a},
    {"step_[4-9]", "step_7", 0x370},
    {"*_8;*_9", NULL, 0x300},
    {"step_[0-3]", NULL, 0x00f},
};
#define SELECTIONS (sizeof selections / sizeof *selections)

// ---- users

struct seen {
    unsigned first, last, entries, returns, wrong;
};
struct user {
    struct fgraph_ops ops;
    const struct selection* selection;
    int answer;
    unsigned key;  // what it keeps for each call is its number, and this
    struct seen seen[THREADS][FUNCTIONS];
};

static atomic_int failures;

#define CHECK(condition, ...)                    \
    do {                                         \
        if (!(condition)) {                      \
            failures++;                          \
            fprintf(stderr, "%s: ", #condition); \
            fprintf(stderr, __VA_ARGS__);        \
        }                                        \
    } while (0)

UNTRACED static int on_entry(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                             struct ftrace_regs* regs) {
    (void)regs;
    struct user* user = ops->private_data;
    const int i = index_of(call->func);
    if (i < 0) return 0;
    struct seen* seen = &user->seen[me][i];
    const unsigned number = atomic_load_explicit(&own[me][i].begun, memory_order_relaxed);
    if (seen->entries == 0)
        seen->first = number;
    else if (number != seen->last + 1)
        seen->wrong++;
    seen->last = number;
    seen->entries++;
    unsigned* data = user->answer ? fgraph_reserve_data(call, ops, sizeof *data) : NULL;
    if (user->answer && data == NULL) seen->wrong++;
    if (data != NULL) *data = number ^ user->key;
    return user->answer;
}
UNTRACED static void on_return(const struct ftrace_graph_call* call, struct fgraph_ops* ops,
                               struct ftrace_regs* regs) {
    (void)regs;
    struct user* user = ops->private_data;
    const int i = index_of(call->func);
    if (i < 0) return;
    struct seen* seen = &user->seen[me][i];
    // No function calls itself: the last call of it that was begun is the one that ends.
    const unsigned* data = fgraph_retrieve_data(call, ops, NULL);
    if (seen->entries == 0 || data == NULL || own[me][i].begun != seen->last + 1 ||
        *data != (seen->last ^ user->key))
        seen->wrong++;
    seen->returns++;
}
UNTRACED static void on_left(const struct ftrace_graph_call* call, struct fgraph_ops* ops) {
    const int i = index_of(call->func);
    if (i >= 0) ((struct user*)ops->private_data)->seen[me][i].wrong++;
}

UNTRACED static void start(struct user* user, unsigned* random) {
    static const unsigned kinds[] = {0, FGRAPH_OPS_FL_NO_FP, FGRAPH_OPS_FL_REGS,
                                     FGRAPH_OPS_FL_NO_FP};
    memset(user, 0, sizeof *user);
    user->selection = &selections[rand_r(random) % SELECTIONS];
    user->answer = rand_r(random) % 4 != 0;
    user->key = (unsigned)rand_r(random);
    user->ops = (struct fgraph_ops){
        .size = sizeof user->ops,
        .flags = kinds[rand_r(random) % 4],
        .entryfunc = on_entry,
        .retfunc = rand_r(random) % 8 != 0 ? on_return : NULL,
        .leftfunc = on_left,
        .private_data = user,
        .filter = user->selection->filter,
        .notrace = user->selection->notrace,
    };
    const int error = register_ftrace_graph(&user->ops);
    CHECK(error == 0, "%d\n", error);
}

UNTRACED static void read_own(unsigned begun[THREADS][FUNCTIONS]) {
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < FUNCTIONS; i++)
            begun[t][i] = own[t][i].begun;
}

// What a user has seen that was there at least for the calls `from` to `to`, and at most for those
// of `before` to `after` and one more of each thread that was on its way into the function. If
// `exactly`, no call was in flight.
UNTRACED static void check_seen(const struct user* user, unsigned before[THREADS][FUNCTIONS],
                                unsigned from[THREADS][FUNCTIONS], unsigned to[THREADS][FUNCTIONS],
                                unsigned after[THREADS][FUNCTIONS], int exactly) {
    const unsigned on_its_way = exactly ? 0 : 1;
    const int returns = user->answer && user->ops.retfunc != NULL;
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < FUNCTIONS; i++) {
            const struct seen* seen = &user->seen[t][i];
            const unsigned wanted = user->selection->functions >> i & 1;
            const unsigned least = wanted ? to[t][i] - from[t][i] : 0;
            const unsigned most = wanted ? after[t][i] - before[t][i] + on_its_way : 0;
            CHECK(seen->wrong == 0, "%u, step %x\n", seen->wrong, i);
            CHECK(seen->entries + on_its_way >= least && seen->entries <= most,
                  "step %x: %u, not %u to %u\n", i, seen->entries, least, most);
            CHECK(seen->entries == 0 || seen->entries == seen->last - seen->first + 1,
                  "step %x: %u of %u to %u\n", i, seen->entries, seen->first, seen->last);
            CHECK(returns ? seen->returns <= seen->entries &&
                                seen->returns + on_its_way >= seen->entries
                          : seen->returns == 0,
                  "step %x: %u of %u\n", i, seen->returns, seen->entries);
        }
    }
}

// ---- threads

static pthread_barrier_t round_begins, round_ends;
static int rounds;
static atomic_int busy;  // threads that still call, in this round

UNTRACED static void* call_steps(void* argument) {
    me = (int)(intptr_t)argument;
    unsigned random = (unsigned)me + 1;
    for (int round = 0; round < rounds; round++) {
        pthread_barrier_wait(&round_begins);
        for (int i = 0; i < CALLS; i++)
            steps[rand_r(&random) % 4]((unsigned)rand_r(&random));
        busy--;
        pthread_barrier_wait(&round_ends);
    }
    return NULL;
}

UNTRACED static void* change_users(void* argument) {
    const int number = (int)(intptr_t)argument;
    unsigned random = 100 + (unsigned)number;
    static struct user users[CHANGERS][FLEETING / CHANGERS];
    static unsigned before[CHANGERS][FLEETING / CHANGERS][THREADS][FUNCTIONS];
    static unsigned from[CHANGERS][FLEETING / CHANGERS][THREADS][FUNCTIONS];
    static unsigned to[CHANGERS][THREADS][FUNCTIONS], after[CHANGERS][THREADS][FUNCTIONS];
    for (int round = 0; round < rounds; round++) {
        pthread_barrier_wait(&round_begins);
        int there[FLEETING / CHANGERS] = {0};
        for (int last = 0; !last;) {
            last = busy == 0;
            const int i = rand_r(&random) % (FLEETING / CHANGERS);
            for (int j = 0; j < FLEETING / CHANGERS; j++) {
                if (!there[j] || !(last || j == i)) continue;
                read_own(to[number]);
                CHECK(unregister_ftrace_graph(&users[number][j].ops) == 0, "%d\n", j);
                read_own(after[number]);
                check_seen(&users[number][j], before[number][j], from[number][j], to[number],
                           after[number], 0);
                there[j] = 0;
            }
            if (last) break;
            read_own(before[number][i]);
            start(&users[number][i], &random);
            read_own(from[number][i]);
            there[i] = 1;
        }
        pthread_barrier_wait(&round_ends);
    }
    return NULL;
}

// A user that lives in a library: its code goes while others may be on their way into it.
UNTRACED static void* load_and_unload(void* argument) {
    (void)argument;
    for (int round = 0; round < rounds; round++) {
        pthread_barrier_wait(&round_begins);
        for (int last = 0; !last;) {
            last = busy == 0;
            void* library = dlopen("libuser_counts_part.so", RTLD_NOW);
            struct fgraph_ops* ops = library != NULL ? dlsym(library, "part_ops") : NULL;
            CHECK(ops != NULL, "%s\n", dlerror());
            if (ops == NULL) break;
            CHECK(register_ftrace_graph(ops) == 0, "of a library\n");
            const atomic_uint* calls = ops->private_data;
            while (*calls < 5 && busy != 0) {
            }
            CHECK(unregister_ftrace_graph(ops) == 0, "of a library\n");
            CHECK(dlclose(library) == 0, "%s\n", dlerror());
        }
        pthread_barrier_wait(&round_ends);
    }
    return NULL;
}

// As many as fit, and one.
UNTRACED static void check_refusal(int there) {
    static struct user more[FGRAPH_MAX_USERS];
    int count = 0;
    int error = 0;
    for (; count < FGRAPH_MAX_USERS && error == 0; count++) {
        more[count].ops = (struct fgraph_ops){.size = sizeof more->ops, .entryfunc = on_entry};
        more[count].ops.filter = "step_0";
        error = register_ftrace_graph(&more[count].ops);
    }
    CHECK(error == -ENOSPC, "%d after %d\n", error, count);
    CHECK(there + count - 1 == FGRAPH_MAX_USERS - 1, "%d and the recorder\n", there + count - 1);
    for (int i = 0; i < count - 1; i++)
        CHECK(unregister_ftrace_graph(&more[i].ops) == 0, "%d\n", i);
}

int main(int argc, char** argv) {
    static struct user steady[STEADY];
    static unsigned start_of_round[THREADS][FUNCTIONS], end_of_round[THREADS][FUNCTIONS];
    pthread_t threads[THREADS], changers[CHANGERS], loader;
    const int is_traced = register_ftrace_graph != NULL;
    const unsigned others = is_traced ? CHANGERS + 1 : 0;
    unsigned random = 7;
    rounds = argc > 1 ? atoi(argv[1]) : 3;
    pthread_barrier_init(&round_begins, NULL, THREADS + 1 + others);
    pthread_barrier_init(&round_ends, NULL, THREADS + 1 + others);
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, call_steps, (void*)(intptr_t)t);
    for (int c = 0; is_traced && c < CHANGERS; c++)
        pthread_create(&changers[c], NULL, change_users, (void*)(intptr_t)c);
    if (is_traced) pthread_create(&loader, NULL, load_and_unload, NULL);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; is_traced && i < STEADY; i++)
            start(&steady[i], &random);
        if (is_traced) check_refusal(STEADY);
        read_own(start_of_round);
        busy = THREADS;
        pthread_barrier_wait(&round_begins);
        pthread_barrier_wait(&round_ends);
        read_own(end_of_round);
        for (int i = 0; is_traced && i < STEADY; i++) {
            CHECK(unregister_ftrace_graph(&steady[i].ops) == 0, "%d\n", i);
            check_seen(&steady[i], start_of_round, start_of_round, end_of_round, end_of_round, 1);
        }
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (int c = 0; is_traced && c < CHANGERS; c++)
        pthread_join(changers[c], NULL);
    if (is_traced) pthread_join(loader, NULL);
    printf("%d failures\n", failures);
    for (int i = 0; i < FUNCTIONS; i++) {
        unsigned calls = 0;
        for (int t = 0; t < THREADS; t++)
            calls += own[t][i].begun;
        fprintf(stderr, "calls: step_%x %u\n", (unsigned)i, calls);
    }
    return 0;
}
