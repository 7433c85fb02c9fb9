// The library of unwind_dlopened.c.
#include <unwind.h>

#include "traced.h"

KEEP UNTRACED static _Unwind_Reason_Code count(struct _Unwind_Context* context, void* argument) {
    (void)context;
    ++*(int*)argument;
    return _URC_NO_REASON;
}
KEEP int count_callers(void) {
    int callers = 0;
    _Unwind_Backtrace(count, &callers);
    return callers;
}
