/* One of each kind of call that is counted in its own way. */
#ifndef CALLS_H
#define CALLS_H

#ifdef __cplusplus
extern "C" {
#endif

#define NOINLINE __attribute__((noinline, noclone))

void leaf(void);
void same_name_here(int n);
void same_name_there(int n);
int virtual_calls(int n);

#ifdef __cplusplus
}

/* In both of the C++ files: the linker keeps one. */
template <typename T>
NOINLINE T twice(T value) {
    leaf();
    return value * 2;
}
#endif

#endif
