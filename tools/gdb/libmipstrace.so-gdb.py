"""Keeps the tracer out of gdb's backtraces.

A traced function returns by way of the library, which has the true return address. gdb unwinds through it
by itself (the library's unwind information says how) and shows a frame of the library for each such
call. With this file those frames are not shown, and the numbers of the others stay:

    #0  leaf (a=1) at prog.c:2                     #0  leaf (a=1) at prog.c:2
    #1  0x... in mid (a=1) at prog.c:3             #1  0x... in mid (a=1) at prog.c:3
    #2  0x... in return_to_handler_frame ()
    #3  0x... in main () at prog.c:5               #3  0x... in main () at prog.c:5

gdb loads it with the library where it trusts the folder (set auto-load safe-path); else `source` it.
`bt -no-filters` shows all.
"""

import gdb

LIBRARY = "libmipstrace.so"


class WithoutTracer:
    """A frame filter: https://sourceware.org/gdb/current/onlinedocs/gdb.html/Frame-Filter-API.html"""

    name = "mipstrace"
    enabled = True
    priority = 100

    def __init__(self):
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        """All but the library's own, unless the program was stopped inside it."""
        for position, decorated in enumerate(frames):
            frame = decorated.inferior_frame()
            library = gdb.solib_name(frame.pc()) if frame.is_valid() else None
            if position == 0 or library is None or not library.endswith("/" + LIBRARY):
                yield decorated


WithoutTracer()
