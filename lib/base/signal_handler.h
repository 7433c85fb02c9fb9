// Handlers for signals that are the program's otherwise. Its own sigaction may be traced, so the
// system is asked directly.
#pragma once

namespace mipstrace {

// Restarts system calls and runs on the signal stack, where there is one, with all signals blocked.
// With `once` the signal does afterwards what it would do without a handler. 0 or the error number.
int install_handler(int signal, void (*handler)(int), bool once);

// The handler that was installed for the signal, still there or not; null: none.
using SignalHandler = void (*)(int);
SignalHandler installed_handler(int signal);
// Installs that one once more.
int install_again(int signal);

// True if the signal has neither a handler nor is ignored.
bool is_signal_default(int signal);

// As raise().
void raise_signal(int signal);

// Gives the calling thread a signal stack, unless it has one.
void offer_signal_stack(void* stack, unsigned long size);

}  // namespace mipstrace
