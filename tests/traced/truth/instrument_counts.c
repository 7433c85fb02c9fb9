// Counts calls for programs compiled with -finstrument-functions: what the tracer's counts are
// compared with. At exit it writes "ADDRESS COUNT" for each function, as ELF addresses, to the file
// that INSTRUMENT_COUNTS names. Compiled without -finstrument-functions.
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSlots = 1 << 14 };

static struct {
    void* function;
    unsigned long calls;  // any target can add to one atomically
} table[kSlots];

void __cyg_profile_func_enter(void* function, void* caller);
void __cyg_profile_func_exit(void* function, void* caller);

void __cyg_profile_func_enter(void* function, void* caller) {
    (void)caller;
    for (size_t i = ((uintptr_t)function >> 2) % kSlots;; i = (i + 1) % kSlots) {
        void* empty = NULL;
        if (__atomic_load_n(&table[i].function, __ATOMIC_RELAXED) == function ||
            __atomic_compare_exchange_n(&table[i].function, &empty, function, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED) ||
            empty == function) {
            __atomic_fetch_add(&table[i].calls, 1, __ATOMIC_RELAXED);
            return;
        }
    }
}

void __cyg_profile_func_exit(void* function, void* caller) {
    (void)function, (void)caller;
}

static int find_load_bias(struct dl_phdr_info* object, size_t size, void* bias) {
    (void)size;
    *(uintptr_t*)bias = object->dlpi_addr;
    return 1;  // the first is the program
}

__attribute__((destructor(101))) static void write_counts(void) {
    const char* path = getenv("INSTRUMENT_COUNTS");
    FILE* out = path != NULL ? fopen(path, "w") : NULL;
    if (out == NULL) return;
    uintptr_t bias = 0;
    dl_iterate_phdr(find_load_bias, &bias);
    for (size_t i = 0; i < kSlots; i++) {
        if (table[i].function != NULL)
            fprintf(out, "%lx %lu\n", (unsigned long)((uintptr_t)table[i].function - bias),
                    table[i].calls);
    }
    fclose(out);
}
