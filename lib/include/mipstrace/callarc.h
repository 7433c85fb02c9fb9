/* For programs that are compiled with `mipstrace cflags --arcs`; C and C++. */
#ifndef MIPSTRACE_CALLARC_H
#define MIPSTRACE_CALLARC_H

#ifdef __cplusplus
extern "C" {
#endif

/* Writes gmon.out now, with all calls of this module (the program, or the library that calls) so
 * far, as at exit, under the same name. Returns 0, or the error number of what has failed, which is
 * also said on standard error. Any context; EBUSY while another thread is at it. */
int callarc_dump(void);

#ifdef __cplusplus
}
#endif

#endif
