// Where there is no libdw.
#include "tools/dwarf/function_types.h"

namespace mipstrace::tools {

bool can_read_types() {
    return false;
}

ModuleTypes read_types(const std::string&, uint8_t) {
    return {};
}

}  // namespace mipstrace::tools
