#include "lib/direct/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/direct/direct_call.h"
#include "lib/direct/library_function.h"
#include "lib/fgraph/core.h"

namespace mipstrace::direct {

namespace {

struct Plugin {
    Plugin* next;
    void* handle;
    const fgraph_ops* users[FGRAPH_MAX_USERS];
    char path[sizeof LibraryFunction::library];
};
Plugin* plugins;  // never given back; under registry_lock

Plugin* find_plugin(std::string_view path) {
    for (Plugin* p = plugins; p != nullptr; p = p->next)
        if (path == p->path) return p;
    return nullptr;
}

Plugin* add_plugin(const char* path) {
    Plugin* plugin = map_objects<Plugin>(1);
    if (plugin == nullptr) return nullptr;
    strcpy(plugin->path, path);
    plugin->next = plugins;
    plugins = plugin;
    return plugin;
}

void copy_users(const fgraph_ops* (&users)[FGRAPH_MAX_USERS]) {
    for (unsigned i = 0; i < FGRAPH_MAX_USERS; i++)
        users[i] = fgraph::core.slots[i].ops;
}

// Loading takes the lock itself, by way of the loader's hook and of the plugin's constructor.
void* take_handle(const char* path, const fgraph_ops* (&before)[FGRAPH_MAX_USERS]) {
    LockHolder lock(fgraph::registry_lock);
    copy_users(before);
    Plugin* const plugin = find_plugin(path);
    if (plugin == nullptr) return nullptr;
    void* const handle = plugin->handle;
    plugin->handle = nullptr;
    return handle;
}

}  // namespace

int load_plugin_at(patch::Module& module, patch::Site& site, std::string_view library,
                   std::string_view function, DirectCall** call) {
    return redirect_to_library(module, site, library, {}, function, call);
}

bool is_for_plugin(const DirectCall& call) {
    return call.is_by_library && call.by->name[0] == '\0';
}

bool is_user_of_plugin(std::string_view library, const fgraph_ops* ops) {
    const Plugin* const plugin = find_plugin(library);
    if (plugin == nullptr || plugin->handle == nullptr) return false;
    for (const fgraph_ops* user : plugin->users)
        if (user == ops) return true;
    return false;
}

const fgraph_ops* user_of_plugin(std::string_view library) {
    for (const fgraph::Slot& slot : fgraph::core.slots)
        if (slot.ops != nullptr && is_user_of_plugin(library, slot.ops)) return slot.ops;
    return nullptr;
}

void* open_plugin(const char* path) {
    const fgraph_ops* before[FGRAPH_MAX_USERS];
    if (void* old = take_handle(path, before); old != nullptr) dlclose(old);
    void* const handle = dlopen(path, RTLD_NOW);
    if (handle == nullptr) return nullptr;
    LockHolder lock(fgraph::registry_lock);
    Plugin* plugin = find_plugin(path);
    if (plugin == nullptr) plugin = add_plugin(path);
    if (plugin == nullptr) return handle;
    plugin->handle = handle;
    copy_users(plugin->users);
    for (unsigned i = 0; i < FGRAPH_MAX_USERS; i++)
        if (plugin->users[i] == before[i]) plugin->users[i] = nullptr;
    return handle;
}

}  // namespace mipstrace::direct
