//! flags: -static-libgcc -static-libstdc++
//! graph: exceptions_nested
// With all of the C++ run time, and the unwinder, in the program.
#include "exceptions_nested.cpp"
