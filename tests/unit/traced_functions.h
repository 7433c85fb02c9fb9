// Functions with sleds, each of which goes on in a C function of the test. traced_functions.S
// gives them the names that the linker shall know.
#pragma once

#include <type_traits>

namespace shape {
long area(int side);
}

extern "C" {
long traced_add(long a, long b);
long traced_subtract(long a, long b);
long traced_sum(long a, long b, long c, long d, long e, long f, long g, long h);
void traced_run(void (*function)(void*), void* argument);
double traced_double(double (*function)(void*), void* argument);
double traced_scale(double a, double b);
long other_add(long a, long b);

// What they do.
long add_body(long a, long b);
long subtract_body(long a, long b);
long sum_body(long a, long b, long c, long d, long e, long f, long g, long h);
void run_body(void (*function)(void*), void* argument);
double double_body(double (*function)(void*), void* argument);
double scale_body(double a, double b);
long area_body(int side);
}

namespace mipstrace {

// Calls `f` from a traced function.
template <typename F>
void run_traced(F&& f) {
    traced_run([](void* context) { (*static_cast<std::remove_reference_t<F>*>(context))(); }, &f);
}

}  // namespace mipstrace
