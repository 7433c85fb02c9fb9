// Two stacks that the program switches between by itself, which nobody else knows of: one static,
// one from malloc, above it, both with calls open.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "traced.h"

#if !defined(__mips__) || _MIPS_SIM != _ABI64
#error "written for n64"
#endif

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
    "daddiu $29,$29,-96\n"
    "sd $16,0($29)\n sd $17,8($29)\n sd $18,16($29)\n sd $19,24($29)\n"
    "sd $20,32($29)\n sd $21,40($29)\n sd $22,48($29)\n sd $23,56($29)\n"
    "sd $28,64($29)\n sd $30,72($29)\n sd $31,80($29)\n"
    "sd $29,0($4)\n"
    "ld $29,0($5)\n"
    "ld $16,0($29)\n ld $17,8($29)\n ld $18,16($29)\n ld $19,24($29)\n"
    "ld $20,32($29)\n ld $21,40($29)\n ld $22,48($29)\n ld $23,56($29)\n"
    "ld $28,64($29)\n ld $30,72($29)\n ld $31,80($29)\n"
    "move $25,$31\n"
    "jr $31\n"
    "daddiu $29,$29,96\n"
    ".end switch_stacks\n"
    ".set reorder\n");

static struct context thread_context, contexts[2];

static void prepare(struct context* context, char* stack, size_t size, void (*body)(void)) {
    uint64_t* frame = (uint64_t*)(stack + size - 32) - 12;
    for (int i = 0; i < 12; i++)
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
