// Functions that the compiler puts into every object that uses them, and the linker keeps once.
#pragma once

#include "traced.h"

KEEP inline int shared_first(int a) {
    return a + 1;
}
KEEP inline int shared_counter() {
    static int count = 0;
    return ++count;
}

template <typename T>
struct Cell {
    T value;
    static int made;
    KEEP explicit Cell(T v) : value(v) { made++; }
    KEEP T twice() const { return value + value; }
    KEEP static int how_many() { return made; }
};
template <typename T>
int Cell<T>::made = 0;

template <typename T, typename... More>
KEEP T sum_of(T first, More... more) {
    if constexpr (sizeof...(more) == 0)
        return first;
    else
        return first + sum_of(T(more)...);
}

int other_part(int a);
