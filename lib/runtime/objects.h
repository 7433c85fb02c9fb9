// The objects that addresses of stacks may lie in, whether they are traced or not, in the trace
// file's metadata.
#pragma once

#include "lib/patch/loaded_objects.h"

namespace mipstrace::runtime {

// Once, before the first object is noted: without, none is.
void keep_objects();

// One was loaded, or some have gone. Nobody else does this meanwhile.
void note_object(const patch::LoadedObject& object);
void note_gone_object();

// Describes in the trace file those that are not in it yet; begin_objects: none is, in a new one.
// Under the lock of the file's metadata.
void begin_objects();
void add_new_objects();

}  // namespace mipstrace::runtime
