// Prints the calls of _mcount in a program or library, as they are read from its code:
//
//   ADDRESS WORDS SIZE RA      SIZE of the frame and place of the return address below its top, in
//   ADDRESS WORDS ?            bytes, "-" if only $31 has it; "?": not known
#include <elf.h>
#include <inttypes.h>

#include <cstdio>

#include "lib/mcount/call_site.h"
#include "lib/mcount/file_code.h"

int main(int argc, char** argv) {
    using namespace mipstrace;
    elf::ElfFile file;
    mcount::CallSlots slots;
    if (argc != 2 || file.open(argv[1]) != elf::OpenError::none) return 2;
    if (!slots.find(file)) return 1;
    mcount::for_each_code(file, [&](const mcount::Code& code) {
        mcount::for_each_call_site(code, slots, [](const mcount::CallSite& site) {
            printf("%" PRIx64 " %u ", site.address, site.words);
            if (!site.frame.is_known)
                puts("?");
            else if (site.frame.ra_below == 0)
                printf("%u -\n", site.frame.size);
            else
                printf("%u %u\n", site.frame.size, site.frame.ra_below);
        });
    });
}
