// The library's way in and out. It is linked with -z initfirst, so that its constructor runs before
// those of every other object; libc's own is still to come then, hence the arguments that the
// dynamic linker hands to a constructor (glibc; musl hands none, but has them ready in environ).
#include <unistd.h>

#include <cstdint>

#include "lib/runtime/runtime.h"

namespace {

__attribute__((constructor)) void on_load(int argc, const char* const* argv,
                                          const char* const* environment) {
#ifndef __GLIBC__
    // As the kernel has put them: the number of arguments, the arguments, null, the environment.
    environment = environ;
    const char* const* end = environment - 1;
    for (argc = 0; reinterpret_cast<intptr_t>(end[-1 - argc]) != argc;)
        argc++;
    argv = end - argc;
#endif
    mipstrace::runtime::start(mipstrace::runtime::read_config(environment), argc, argv);
}

__attribute__((destructor)) void on_exit() {
    mipstrace::runtime::finish();
}

}  // namespace
