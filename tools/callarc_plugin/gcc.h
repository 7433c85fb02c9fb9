// GCC's own headers, in the order that they need.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#include <gcc-plugin.h>
// Sorted as they need each other.
// clang-format off
#include <backend.h>
#include <rtl.h>
#include <tree.h>
#include <memmodel.h>
#include <gimple.h>
#include <cfghooks.h>
#include <tree-pass.h>
#include <ssa.h>
#include <gimple-iterator.h>
#include <emit-rtl.h>
#include <explow.h>
#include <expr.h>
#include <df.h>
#include <cgraph.h>
#include <symbol-summary.h>
#include <symtab-thunks.h>
#include <stringpool.h>
#include <attribs.h>
#include <diagnostic-core.h>
#include <output.h>
#include <varasm.h>
#include <target.h>
#include <context.h>
#include <plugin-version.h>
// clang-format on
#pragma GCC diagnostic pop

// Of optabs.h, which needs a header that GCC does not install. Null: the target has no such thing.
extern rtx expand_atomic_fetch_op(rtx target, rtx memory, rtx value, rtx_code code, memmodel model,
                                  bool after);
