// _Unwind_Backtrace of libgcc (or libunwind), without the frames that tracing adds.
#include <unwind.h>

#include "lib/unwind/next_definition.h"
#include "lib/unwind/own_frames.h"

namespace mipstrace::unwind {

namespace {

constinit NextDefinition<decltype(_Unwind_Backtrace)> next_backtrace("_Unwind_Backtrace");
constinit NextDefinition<decltype(_Unwind_GetIP)> next_get_ip("_Unwind_GetIP");

struct Trace {
    _Unwind_Trace_Fn show;
    void* argument;
    decltype(&_Unwind_GetIP) get_ip;
};

_Unwind_Reason_Code show_unless_own(_Unwind_Context* context, void* argument) {
    const Trace& trace = *static_cast<Trace*>(argument);
    if (is_own_frame(trace.get_ip(context))) return _URC_NO_REASON;
    return trace.show(context, trace.argument);
}

}  // namespace

}  // namespace mipstrace::unwind

using namespace mipstrace::unwind;

extern "C" MT_UNWIND_WRAPPER _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn show,
                                                                   void* argument) {
    const auto backtrace = next_backtrace.find();
    if (backtrace == nullptr) return _URC_END_OF_STACK;
    Trace trace{show, argument, next_get_ip.find()};
    if (trace.get_ip == nullptr) return backtrace(show, argument);
    return backtrace(show_unless_own, &trace);
}
