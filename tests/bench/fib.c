/* The measured program: nearly nothing but calls. fib(N) is 2*F(N+1)-1 calls. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int fib(int n);

int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    printf("%d\n", fib(atoi(argv[1])));
    return 0;
}
