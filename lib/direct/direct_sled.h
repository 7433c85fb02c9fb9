// The words of a sled that leads to a page of its own.
//
//             untraced             traced               replaced
//   site+0    lui  $1, module's    lui  $1, module's    lui  $1, its own
//   site+4    nop                  jalr $25, $1         jalr $25, $1
//   site+8    ori  $1, $0, 0       ori  $1, $0, users   ori  $1, $0, users or 0
//
// Any number of threads may be running through the sled. One between the first two words has $1 of
// the one state and runs the second word of the other: both pages take any call of this function.
#pragma once

#include "lib/patch/site_table.h"

namespace mipstrace::direct {

// False: nothing has changed, since the text can't be written or holds what isn't ours.
bool lead_to_page(patch::Module& module, patch::Site& site, patch::DirectPage& own);
// Back to the module's page, if it can be written.
void lead_back(patch::Module& module, patch::Site& site, patch::DirectPage& own);

}  // namespace mipstrace::direct
