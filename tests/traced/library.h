#pragma once

int library_sum(const int* values, int count);
int library_visit(int (*visitor)(int), int count);
int library_constructed(void);

// Of the program, called by the library.
int program_value(int a);
