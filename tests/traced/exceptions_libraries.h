#pragma once

// Thrown in one object and caught in another.
struct Problem {
    const char* what;
    int number;
};

int library_throws(int a);
int library_catches(int (*function)(int), int a);
int library_calls(int (*function)(int), int a);
