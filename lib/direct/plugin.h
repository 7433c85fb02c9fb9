// Users of the public API that are loaded while the program runs.
#pragma once

#include <mipstrace/fgraph.h>

#include <string_view>

#include "lib/patch/site_table.h"

namespace mipstrace::direct {

struct DirectCall;

// As redirect_to_library, but for the library alone: the thread that calls the site's function next
// loads it, then goes on to the function. If it was loaded this way before, it is unloaded first,
// for its constructors to run. Under fgraph::registry_lock, which holds for the other ones, too.
int load_plugin_at(patch::Module& module, patch::Site& site, std::string_view library,
                   std::string_view function, DirectCall** call);
// True for such a call.
bool is_for_plugin(const DirectCall& call);

// A user that this library registered when it was loaded so, and that is still registered, or null.
const fgraph_ops* user_of_plugin(std::string_view library);

// True for one that it registered then.
bool is_user_of_plugin(std::string_view library, const fgraph_ops* ops);

// In a thread that has called the function: loads the plugin at `path`. Null: dlerror tells why.
void* open_plugin(const char* path);

}  // namespace mipstrace::direct
