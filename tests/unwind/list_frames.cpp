// Prints how each place behind a call leads to the caller, as it is read from the code:
//
//   ADDRESS REG SIZE RA FP     the caller's stack pointer is REG (29, 30) + SIZE; the return
//   address
//                              and $30 are so far below it, "-": $30 is as it was, "?": lost
//   ADDRESS ?                  not known
#include <elf.h>
#include <inttypes.h>

#include <cstdio>

#include "lib/mcount/file_code.h"
#include "lib/mips/frame_search.h"
#include "lib/mips/transfer.h"

using namespace mipstrace;

int main(int argc, char** argv) {
    elf::ElfFile file;
    if (argc != 2 || file.open(argv[1]) != elf::OpenError::none) return 2;
    const bool is_r6 = (file.flags() & EF_MIPS_ARCH) >= 0x90000000;
    mcount::for_each_code(file, [&](const mcount::Code& code) {
        mips::FrameSources sources{};
        sources.context = const_cast<mcount::Code*>(&code);
        sources.read = [](uint64_t address, uint32_t* word, void* context) {
            const auto& its = *static_cast<const mcount::Code*>(context);
            if (!its.holds(address)) return false;
            *word = its.at(address).word;
            return true;
        };
        sources.accept = [](const mips::FrameRule&, void*) { return true; };
        for (uint64_t at = code.address; code.holds(at); at += 4) {
            const mips::Way way = mips::way_of(code.at(at), at, is_r6);
            if (way.kind != mips::Transfer::call) continue;
            const uint64_t behind = at + (way.has_slot ? 8 : 4);
            mips::FrameRule rule;
            if (!mips::find_frame_rule({behind, false, is_r6}, sources, &rule)) {
                printf("%" PRIx64 " ?\n", behind);
                continue;
            }
            printf("%" PRIx64 " %d %d %d ", behind, rule.by_fp ? 30 : 29, rule.size, rule.ra_below);
            if (rule.fp_is_lost)
                puts("?");
            else if (rule.fp_below == 0)
                puts("-");
            else
                printf("%d\n", rule.fp_below);
        }
    });
}
