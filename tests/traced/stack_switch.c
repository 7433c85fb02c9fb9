// Two stacks that the program switches between by itself, which nobody else knows of: one static,
// one from malloc, above it, both with calls open.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "traced.h"

#if _MIPS_SIM == _ABIO32
typedef uint32_t reg;
#define REG_S "sw"
#define REG_L "lw"
#define REG_BYTES "4"
#else
typedef uint64_t reg;
#define REG_S "sd"
#define REG_L "ld"
#define REG_BYTES "8"
#endif
#if _MIPS_SIM == _ABI64
#define PTR_S "sd"
#define PTR_L "ld"
#define PTR_ADDIU "daddiu"
#else
#define PTR_S "sw"
#define PTR_L "lw"
#define PTR_ADDIU "addiu"
#endif
#define PLACES 12
// clang-format off
#define EACH(op) \
    op " $16,0*" REG_BYTES "($29)\n" op " $17,1*" REG_BYTES "($29)\n" \
    op " $18,2*" REG_BYTES "($29)\n" op " $19,3*" REG_BYTES "($29)\n" \
    op " $20,4*" REG_BYTES "($29)\n" op " $21,5*" REG_BYTES "($29)\n" \
    op " $22,6*" REG_BYTES "($29)\n" op " $23,7*" REG_BYTES "($29)\n" \
    op " $28,8*" REG_BYTES "($29)\n" op " $30,9*" REG_BYTES "($29)\n" \
    op " $31,10*" REG_BYTES "($29)\n"
// clang-format on

struct context {
    void* sp;
};

// Saves what a call must preserve on this stack, and goes on where `to` was saved.
void switch_stacks(struct context* from, const struct context* to);
__asm__(
    ".text\n"
    ".set noreorder\n"
    ".globl switch_stacks\n"
    ".ent switch_stacks\n"
    "switch_stacks:\n"
    PTR_ADDIU " $29,$29,-12*" REG_BYTES "\n"
    EACH(REG_S)
    PTR_S " $29,0($4)\n"
    PTR_L " $29,0($5)\n"
    EACH(REG_L)
    "move $25,$31\n"
    "jr $31\n"
    PTR_ADDIU " $29,$29,12*" REG_BYTES "\n"
    ".end switch_stacks\n"
    ".set reorder\n");

static struct context thread_context, contexts[2];

static void prepare(struct context* context, char* stack, size_t size, void (*body)(void)) {
    reg* frame = (reg*)(stack + size - 32) - PLACES;
    for (int i = 0; i < PLACES; i++)
        frame[i] = 0;
    frame[10] = (uintptr_t)body;
    context->sp = frame;
}

KEEP static int leaf(int a) {
    return a + 1;
}
KEEP static int wait_here(int number, int a) {
    switch_stacks(&contexts[number], &thread_context);
    return leaf(a);
}
KEEP static void body(int number) {
    for (int i = 0;; i++)
        printf("stack %d: %d\n", number, wait_here(number, i));
}
static void first(void) {
    body(0);
}
static void second(void) {
    body(1);
}
KEEP static void go_on(int number) {
    switch_stacks(&thread_context, &contexts[number]);
    leaf(0);
}

int main(void) {
    static char fixed[32768];
    const size_t size = 32768;
    prepare(&contexts[0], fixed, sizeof fixed, first);
    prepare(&contexts[1], malloc(size), size, second);
    for (int i = 0; i < 4; i++) {
        go_on(0);
        go_on(1);
    }
    puts("done");
    return 0;
}
