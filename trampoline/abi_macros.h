// The one place where assembler sources learn what differs between ABIs and ISA revisions.
#pragma once

#include <sgidefs.h>

#include "trampoline/frame_layout.h"

#if _MIPS_SIM == _ABI64
#define PTR_L ld
#define PTR_S sd
#define PTR_ADDIU daddiu
#define PTR_ADDU daddu
#define LL lld
#define SC scd
#define REG_L ld
#define REG_S sd
#else
#error "mipstrace has no trampolines for this ABI"
#endif

// Sets $28 to the module's gp from $31, which a bal to `label` has just set. Clobbers nothing else.
// clang-format off
#define LOAD_GP(label)                          \
    lui $28, %hi(%neg(%gp_rel(label)));         \
    PTR_ADDU $28, $28, $31;                     \
    PTR_ADDIU $28, $28, %lo(%neg(%gp_rel(label)))
// clang-format on
