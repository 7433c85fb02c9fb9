// One function with a sled, as a command names it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lib/control/protocol.h"
#include "lib/patch/site_table.h"

namespace mipstrace::runtime {

// The function of that name or address, of which there may be several.
struct ChosenFunction {
    patch::Module* module = nullptr;
    patch::Site* site = nullptr;
    size_t count = 0;
    bool is_call = false;  // one that calls _mcount has the name

    void add(patch::Module& in, patch::Site& at, uintptr_t address) {
        if (at.kind == patch::SiteKind::call) is_call = true;
        if (at.kind == patch::SiteKind::call || in.entry_of(at) != address || site == &at) return;
        module = &in;
        site = &at;
        count++;
    }
};

// By its name, FUNC@MODULE or 0xADDRESS. Under the registry's lock, in the helper thread.
ChosenFunction choose_function(std::string_view name);
// False: says why it is not the one function of that name.
bool is_one_function(const ChosenFunction& found, std::string_view name, control::Reply& reply);

}  // namespace mipstrace::runtime
