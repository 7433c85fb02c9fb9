// What users reserve for a call, kept beside the shadow stack at the place of the call's frame. The
// memory comes with the first reservation of a thread.
//
//   call_data -> | sizes of frame 0 | 1 | ... | frame 0: user 0 | user 1 | ... | frame 1: ...
//
// Sizes count if the frame has the mark kHasData; a size of 0: nothing is reserved.
#pragma once

#include <mipstrace/fgraph.h>

#include "lib/fgraph/shadow_stack.h"

namespace mipstrace::fgraph {

struct CallData {
    unsigned char* size;
    void* bytes;
};

// Of a user of a frame that has the mark.
CallData call_data_of(const Frame& frame, unsigned slot);

// Gives a frame room for data of all users, if it has none. False: no memory. Any context, in the
// frame's own thread.
bool make_call_data(Frame& frame);

// Takes the data along to another place: on one stack; what comes from another one loses it.
void move_call_data(Frame& to, const Frame& from);

}  // namespace mipstrace::fgraph
