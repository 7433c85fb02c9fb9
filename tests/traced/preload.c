// Run with preload_other.c by check_preload.
#include <stdio.h>

#include "traced.h"

KEEP static void say(const char* text) {
    puts(text);
}

int main(void) {
    say("one");
    say("two");
    return 0;
}
