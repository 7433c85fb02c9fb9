#include "lib/runtime/replace.h"

#include <errno.h>
#include <string.h>

#include "lib/base/syscall.h"
#include "lib/direct/direct_call.h"
#include "lib/direct/plugin.h"
#include "lib/elf/elf_file.h"
#include "lib/fgraph/core.h"
#include "lib/runtime/chosen_function.h"
#include "lib/runtime/library_file.h"

namespace mipstrace::runtime {

namespace {

using control::Reply;
using direct::DirectCall;
using direct::LibraryFunction;
using State = LibraryFunction::State;

// FUNC=/LIB:NEWFUNC, as views into it.
struct Replacing {
    std::string_view function, library, name;
};

bool parse(std::string_view argument, Replacing* out) {
    size_t middle = 0;
    while (middle + 1 < argument.size() && (argument[middle] != '=' || argument[middle + 1] != '/'))
        middle++;
    const size_t colon = argument.rfind(':');
    if (colon == argument.npos || colon <= middle) return false;
    const auto slice = [&](size_t from, size_t to) {
        return std::string_view(argument.data() + from, to - from);
    };
    *out = {slice(0, middle), slice(middle + 1, colon), slice(colon + 1, argument.size())};
    return !out->function.empty() && !out->name.empty();
}

// False: says what is wrong with the library, as far as its file tells.
bool check_library(const Replacing& wanted, Reply& reply) {
    elf::ElfFile file;
    if (!open_library(wanted.library, file, reply)) return false;
    bool is_there = false;
    file.for_each_symbol(true, [&](const elf::Symbol& symbol) {
        is_there = symbol.is_function && symbol.is_global && symbol.name == wanted.name;
        return !is_there;
    });
    if (!is_there) reply.error("") << wanted.library << " has no function " << wanted.name << "\n";
    return is_there;
}

void say_address(uintptr_t address, Reply& reply) {
    char text[2 + 2 * sizeof address];
    for (size_t i = sizeof text; i-- > 2; address >>= 4)
        text[i] = "0123456789abcdef"[address & 0xf];
    text[0] = '0';
    text[1] = 'x';
    reply << std::string_view(text, sizeof text);
}

void say_one(const DirectCall& call, Reply& reply) {
    if (!call.is_by_library) {
        reply << "replaced: ";
        say_address(call.function, reply);
        reply << " by ";
        say_address(call.target, reply);
        reply << ", through the API\n";
        return;
    }
    const LibraryFunction& by = *call.by;
    if (direct::is_for_plugin(call)) {
        reply << "loading: " << static_cast<const char*>(by.library) << ", at the next call of "
              << static_cast<const char*>(by.function) << "\n";
        return;
    }
    reply << "replaced: " << static_cast<const char*>(by.function) << " by "
          << static_cast<const char*>(by.name) << " of " << static_cast<const char*>(by.library);
    if (by.state == State::pending || by.state == State::loading)
        reply << ", which is loaded when it is called next";
    else if (by.state == State::failed)
        reply << ", which failed: " << static_cast<const char*>(by.error);
    reply << "\n";
}

}  // namespace

void say_redirect_error(int error, std::string_view function, Reply& reply) {
    const char* why = error == -EBUSY        ? " is replaced already; restore it first"
                      : error == -EAGAIN     ? " is still waiting for the library of the last time"
                      : error == -EOPNOTSUPP ? " has a sled that can't be used; `mipstrace sites` "
                                               "tells why"
                      : error == -E2BIG      ? " or the name that replaces it is too long"
                      : error == -EACCES     ? ": the system does not let its code be changed"
                                             : ": there is no memory for it";
    reply.error("") << function << std::string_view(why) << "\n";
}

// Somebody has called the function and loaded the library, or nobody has for a second.
State wait_for_library(const LibraryFunction& by) {
    for (int i = 0; i < 50 && (by.state == State::pending || by.state == State::loading); i++) {
        const long pause[] = {0, 20'000'000};  // the kernel's timespec
        raw_syscall(SYS_nanosleep, &pause[0], nullptr);
    }
    return by.state;
}

void replace_function(std::string_view argument, Reply& reply) {
    Replacing wanted;
    if (!parse(argument, &wanted)) {
        reply.error("what to replace is given as FUNC=/PATH/LIB.so:NEWFUNC\n");
        return;
    }
    if (!check_library(wanted, reply)) return;
    DirectCall* call = nullptr;
    {
        LockHolder lock(fgraph::registry_lock);
        const ChosenFunction found = choose_function(wanted.function);
        if (!is_one_function(found, wanted.function, reply)) return;
        const int error = direct::redirect_to_library(*found.module, *found.site, wanted.library,
                                                      wanted.name, wanted.function, &call);
        if (error != 0) return say_redirect_error(error, wanted.function, reply);
    }
    const State state = wait_for_library(*call->by);
    LockHolder lock(fgraph::registry_lock);
    if (state == State::failed) {
        if (call->is_by_library) direct::restore(*call);
        reply.error("") << wanted.name
                        << " can't be used: " << static_cast<const char*>(call->by->error) << "\n";
        return;
    }
    say_one(*call, reply);
}

void restore_function(std::string_view name, Reply& reply) {
    LockHolder lock(fgraph::registry_lock);
    const ChosenFunction found = choose_function(name);
    if (!is_one_function(found, name, reply)) return;
    DirectCall* call = direct::find(found.module->entry_of(*found.site));
    if (call == nullptr) {
        reply.error("") << name << " is not replaced\n";
        return;
    }
    direct::restore(*call);
    reply << "restored: " << name << "\n";
}

void say_replaced(Reply& reply) {
    for (const DirectCall* call = direct::first_call(); call != nullptr; call = call->next) {
        if (call->module != nullptr && call->replacement != 0) say_one(*call, reply);
    }
}

}  // namespace mipstrace::runtime
