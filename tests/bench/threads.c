/* What the threads of a program do under qemu-user, by a plugin as icount.c:
 *   qemu-mips64el -plugin threads.so,out=FILE -L SYSROOT PROGRAM
 * writes three numbers into FILE when the program ends:
 *   instructions of all threads
 *   stores to cache lines that another thread has written, too; not of the first thread, whose
 * memory of the start others may get pages of 4 KiB that were written */
#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*callback)(qemu_plugin_id_t,
                                                            struct qemu_plugin_tb*));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb* block,
                                          void (*callback)(unsigned, void*),
                                          enum qemu_plugin_cb_flags flags, void* data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn* instruction,
                                      void (*callback)(unsigned, qemu_plugin_meminfo_t, uint64_t,
                                                       void*),
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
                                      void* data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*callback)(qemu_plugin_id_t, void*),
                                    void* data);
_Bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* block);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb* block, size_t i);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void* info, int argc, char** argv);

enum { LINE_BITS = 6, PAGE_BITS = 12, THREADS = 256, SLOTS = 1 << 20 };

/* One counter for each thread, in a line of its own. */
static struct {
    _Alignas(64) uint64_t instructions;
    uint64_t shared_stores;
} counts[THREADS];

/* By the line's or page's number, so that each has a slot of its own unless two are SLOTS apart, of
 * which the later one is then taken to be new. Of lines: number << 9 | shared << 8 | its first
 * writer. */
static _Atomic uint64_t lines[SLOTS];
static _Atomic uint64_t pages[SLOTS];
static _Atomic uint64_t page_count;
static char* out_path;

static void block_run(unsigned thread, void* instructions) {
    counts[thread % THREADS].instructions += (uintptr_t)instructions;
}

static void stored(unsigned thread, qemu_plugin_meminfo_t info, uint64_t address, void* data) {
    (void)data;
    if (!qemu_plugin_mem_is_store(info)) return; /* qemu 7.2 tells of loads, too */
    thread %= THREADS;
    const uint64_t page = address >> PAGE_BITS;
    if (atomic_load_explicit(&pages[page % SLOTS], memory_order_relaxed) != page &&
        atomic_exchange_explicit(&pages[page % SLOTS], page, memory_order_relaxed) != page)
        atomic_fetch_add_explicit(&page_count, 1, memory_order_relaxed);
    if (thread == 0) return;
    const uint64_t line = address >> LINE_BITS;
    uint64_t known = atomic_load_explicit(&lines[line % SLOTS], memory_order_relaxed);
    if (known >> 9 != line || known == 0) {
        atomic_store_explicit(&lines[line % SLOTS], line << 9 | thread, memory_order_relaxed);
    } else if ((known & 0x100) != 0 || (known & 0xff) != thread) {
        if ((known & 0x100) == 0)
            atomic_fetch_or_explicit(&lines[line % SLOTS], 0x100, memory_order_relaxed);
        counts[thread].shared_stores++;
    }
}

static void block_translated(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
    (void)id;
    const size_t n = qemu_plugin_tb_n_insns(block);
    qemu_plugin_register_vcpu_tb_exec_cb(block, block_run, QEMU_PLUGIN_CB_NO_REGS,
                                         (void*)(uintptr_t)n);
    for (size_t i = 0; i < n; i++)
        qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(block, i), stored,
                                         QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_W, NULL);
}

static void write_counts(qemu_plugin_id_t id, void* data) {
    (void)id;
    (void)data;
    uint64_t instructions = 0, shared_stores = 0;
    for (int i = 0; i < THREADS; i++) {
        instructions += counts[i].instructions;
        shared_stores += counts[i].shared_stores;
    }
    FILE* out = fopen(out_path, "w");
    if (out == NULL ||
        fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", instructions, shared_stores,
                atomic_load(&page_count)) < 0 ||
        fclose(out) != 0)
        fprintf(stderr, "threads: cannot write %s\n", out_path);
}

int qemu_plugin_install(qemu_plugin_id_t id, const void* info, int argc, char** argv) {
    (void)info;
    if (argc != 1 || strncmp(argv[0], "out=", 4) != 0) {
        fprintf(stderr, "threads: needs one argument, out=FILE\n");
        return 1;
    }
    out_path = strdup(argv[0] + 4);
    qemu_plugin_register_vcpu_tb_trans_cb(id, block_translated);
    qemu_plugin_register_atexit_cb(id, write_counts, NULL);
    return 0;
}
