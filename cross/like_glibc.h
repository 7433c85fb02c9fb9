// For the headers of a libstdc++ that was configured for glibc: what they take for granted and musl
// names otherwise or has not got. None of it is used.
#pragma once

#include <locale.h>
#include <pthread.h>
#include <time.h>

#define __GLIBC_PREREQ(major, minor) 0
#define __locale_t locale_t
extern "C" int pthread_cond_clockwait(pthread_cond_t*, pthread_mutex_t*, clockid_t,
                                      const struct timespec*);
