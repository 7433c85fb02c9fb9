#include "lib/runtime/users.h"

#include <errno.h>

#include "lib/base/lock.h"
#include "lib/direct/direct_call.h"
#include "lib/direct/library_function.h"
#include "lib/direct/plugin.h"
#include "lib/fgraph/core.h"
#include "lib/fgraph/user_filters.h"
#include "lib/runtime/chosen_function.h"
#include "lib/runtime/library_file.h"
#include "lib/runtime/modules.h"
#include "lib/runtime/replace.h"

namespace mipstrace::runtime {

namespace {

using control::Reply;
using direct::DirectCall;
using State = direct::LibraryFunction::State;

std::string_view name_of(const fgraph_ops& ops) {
    return ops.name != nullptr ? ops.name : "-";
}

// The rest of `text` behind the word, or null.
bool take_word(std::string_view* text, std::string_view word) {
    if (!text->starts_with(word)) return false;
    const std::string_view rest(text->data() + word.size(), text->size() - word.size());
    if (!rest.empty() && rest[0] != ' ') return false;
    *text = rest;
    while (!text->empty() && (*text)[0] == ' ')
        text->remove_prefix(1);
    return true;
}

void say_patterns(const char* what, std::string_view patterns, Reply& reply) {
    if (!patterns.empty()) reply << ", " << std::string_view(what) << " " << patterns;
}

void say_user(unsigned slot, Reply& reply) {
    const fgraph_ops* const ops = fgraph::core.slots[slot].ops;
    reply << "user: " << uint64_t(slot) << " " << name_of(*ops) << ", " << count_functions_of(slot)
          << " functions" << (fgraph::is_paused(slot) ? ", paused" : "");
    say_patterns("filter", fgraph::filter_of(slot).wanted, reply);
    say_patterns("notrace", fgraph::filter_of(slot).unwanted, reply);
    reply << "\n";
}

void list_users(Reply& reply) {
    LockHolder lock(fgraph::registry_lock);
    for (unsigned slot = 0; slot < FGRAPH_MAX_USERS; slot++)
        if (fgraph::core.slots[slot].ops != nullptr) say_user(slot, reply);
}

// As `record --plugin` looks at it. Linkers let names share their ends.
bool is_plugin(const elf::ElfFile& file) {
    constexpr std::string_view kRegister("register_ftrace_graph\0", 22);
    constexpr std::string_view kDirect("register_ftrace_direct\0", 23);
    const std::string_view names = file.symbol_names(true);
    return names.find(kRegister) != names.npos || names.find(kDirect) != names.npos;
}

bool check_plugin(std::string_view library, Reply& reply) {
    elf::ElfFile file;
    if (!open_library(library, file, reply)) return false;
    if (!is_plugin(file)) {
        reply.error("") << library
                        << " is no plugin: it calls neither register_ftrace_graph nor "
                           "register_ftrace_direct\n";
        return false;
    }
    LockHolder lock(fgraph::registry_lock);
    const fgraph_ops* const there = direct::user_of_plugin(library);
    if (there != nullptr)
        reply.error("") << library << " is there already, as the user " << name_of(*there)
                        << "; remove it first\n";
    return there == nullptr;
}

void say_loaded(std::string_view library, Reply& reply) {
    bool any = false;
    for (unsigned slot = 0; slot < FGRAPH_MAX_USERS; slot++) {
        const fgraph_ops* const ops = fgraph::core.slots[slot].ops;
        if (ops == nullptr || !direct::is_user_of_plugin(library, ops)) continue;
        say_user(slot, reply);
        any = true;
    }
    if (!any)
        reply << "loaded: " << library
              << ", which has registered no user that is there; it may be made for a newer "
                 "library, or all users taken\n";
}

void add_user(std::string_view argument, Reply& reply) {
    constexpr std::string_view kAt = " at ";
    const size_t at = argument.rfind(kAt);
    if (at == argument.npos || argument[0] != '/') {
        reply.error(
            "what to add is given as users add /PATH/LIB.so at FUNC: the thread that calls FUNC "
            "next loads it\n");
        return;
    }
    const std::string_view library(argument.data(), at);
    const std::string_view function(argument.data() + at + kAt.size(),
                                    argument.size() - at - kAt.size());
    if (!check_plugin(library, reply)) return;
    DirectCall* call = nullptr;
    {
        LockHolder lock(fgraph::registry_lock);
        const ChosenFunction found = choose_function(function);
        if (!is_one_function(found, function, reply)) return;
        const int error =
            direct::load_plugin_at(*found.module, *found.site, library, function, &call);
        if (error != 0) return say_redirect_error(error, function, reply);
    }
    const State state = wait_for_library(*call->by);
    finish_plugins();
    LockHolder lock(fgraph::registry_lock);
    if (state == State::failed)
        reply.error("") << library
                        << " can't be loaded: " << static_cast<const char*>(call->by->error)
                        << "\n";
    else if (state == State::loaded)
        say_loaded(library, reply);
    else
        reply << "loading: " << library << ", at the next call of " << function << "\n";
}

void remove_user(std::string_view name, Reply& reply) {
    fgraph_ops* ops = nullptr;
    {
        LockHolder lock(fgraph::registry_lock);
        for (unsigned slot = FGRAPH_MAX_USERS; slot-- > 0;) {
            fgraph_ops* const one = fgraph::core.slots[slot].ops;
            if (one == nullptr || name_of(*one) != name) continue;
            if (slot == fgraph::kRecorderSlot || fgraph::is_companion(slot)) {
                reply.error("") << name << " belongs to the recording: switch that off instead\n";
                return;
            }
            ops = one;
        }
    }
    if (ops == nullptr || unregister_ftrace_graph(ops) != 0) {
        reply.error("no user is called ") << name << "; `users` lists them\n";
        return;
    }
    reply << "removed: " << name << "\n";
}

}  // namespace

uint64_t count_functions_of(unsigned slot) {
    uint64_t on = 0;
    for (size_t m = 0; m < sites.size(); m++)
        on += fgraph::count_sites_of(slot, sites[m]);
    return on;
}

void finish_plugins() {
    LockHolder lock(fgraph::registry_lock);
    for (DirectCall* call = direct::first_call(); call != nullptr; call = call->next) {
        if (call->module == nullptr || call->replacement == 0 || !direct::is_for_plugin(*call))
            continue;
        const State state = call->by->state;
        if (state == State::loaded || state == State::failed) direct::restore(*call);
    }
}

void change_users(std::string_view argument, Reply& reply) {
    if (argument.empty()) return list_users(reply);
    if (take_word(&argument, "add")) return add_user(argument, reply);
    if (take_word(&argument, "remove")) return remove_user(argument, reply);
    reply.error("users takes nothing, add /PATH/LIB.so at FUNC, or remove NAME\n");
}

}  // namespace mipstrace::runtime
