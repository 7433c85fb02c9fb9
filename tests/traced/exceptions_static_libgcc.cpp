//! flags: -static-libgcc
//! graph: exceptions
// With an unwinder of the program's own.
#include "exceptions.cpp"
