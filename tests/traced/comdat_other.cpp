// The second object of comdat.cpp.
#include "comdat.h"

KEEP int other_part(int a) {
    Cell<int> cell(a);
    int sum = shared_first(a);
    sum += shared_counter();
    return sum + cell.twice();
}
