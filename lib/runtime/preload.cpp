// The library's way in and out. It is linked with -z initfirst, so that its constructor runs before
// those of every other object; libc's own is still to come then, hence the arguments that the
// dynamic linker hands to a constructor (glibc; musl hands none, but has them ready in environ).
#include <unistd.h>

#include "lib/runtime/runtime.h"

namespace {

__attribute__((constructor)) void on_load(int argc, const char* const* argv,
                                          const char* const* environment) {
#ifndef __GLIBC__
    argc = 0;
    argv = nullptr;
    environment = environ;
#endif
    mipstrace::runtime::start(mipstrace::runtime::read_config(environment), argc, argv);
}

__attribute__((destructor)) void on_exit() {
    mipstrace::runtime::finish();
}

}  // namespace
