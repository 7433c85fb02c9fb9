// C++ names that cost more than they are worth.
#pragma once

namespace mipstrace::filter {

// A substitution in a mangled name stands for a part before it, which may hold substitutions
// itself: 300 characters can become gigabytes. False where the name would become too long for
// anyone to read.
bool may_demangle(const char* mangled);

}  // namespace mipstrace::filter
