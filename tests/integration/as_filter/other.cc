// The first function of this file is COMDAT and dropped for the other file's; GCC 12 by itself
// loses the whole file's table entries with it.
#include "shapes.h"

int other_file(int x) {
    Shape shape(x);
    return doubled(shared_count()) + shape.area() + doubled(x);
}
