// Makes children known to the recorder that libc's fork handlers are not told of.
//
//   call                              in the child
//   fork, daemon, forkpty             a file of its own, by a handler of pthread_atfork
//   _Fork, clone without CLONE_VM,    a file of its own, by the wrappers in here
//     syscall of such a number
//   vfork, clone with CLONE_VFORK     nothing is recorded: memory and thread are the parent's
//   clone with CLONE_VM alone         the tracing stops: parent and child would use one shadow
//   stack posix_spawn, system, popen        nothing of the program's own runs a system call
//   instruction         a file of its own, noticed by a page that the fork wipes
#pragma once

namespace mipstrace::runtime {

// Looks up the functions that the wrappers pass on to. Once, before other threads.
void prepare_children();

}  // namespace mipstrace::runtime
