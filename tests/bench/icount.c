/* Counts guest instructions under qemu-user; the count is exact and the same on every run.
 *   qemu-mips64el -plugin icount.so,out=FILE -L SYSROOT PROGRAM
 * writes the number into FILE when the program ends. The few functions of qemu's plugin API
 * (version 1) that it uses are declared here, so that no header of qemu has to be installed. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*callback)(qemu_plugin_id_t,
                                                            struct qemu_plugin_tb*));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb* block, enum qemu_plugin_op op,
                                              void* counter, uint64_t amount);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*callback)(qemu_plugin_id_t, void*),
                                    void* data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* block);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void* info, int argc, char** argv);

static uint64_t instructions;
static char* out_path;

/* A block runs from its first instruction to its last, but for a fault inside it. */
static void block_translated(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_PLUGIN_INLINE_ADD_U64, &instructions,
                                             qemu_plugin_tb_n_insns(block));
}

static void write_count(qemu_plugin_id_t id, void* data) {
    (void)id;
    (void)data;
    FILE* out = fopen(out_path, "w");
    if (out == NULL || fprintf(out, "%" PRIu64 "\n", instructions) < 0 || fclose(out) != 0)
        fprintf(stderr, "icount: cannot write %s\n", out_path);
}

int qemu_plugin_install(qemu_plugin_id_t id, const void* info, int argc, char** argv) {
    (void)info;
    if (argc != 1 || strncmp(argv[0], "out=", 4) != 0) {
        fprintf(stderr, "icount: needs one argument, out=FILE\n");
        return 1;
    }
    out_path = strdup(argv[0] + 4);
    qemu_plugin_register_vcpu_tb_trans_cb(id, block_translated);
    qemu_plugin_register_atexit_cb(id, write_count, NULL);
    return 0;
}
