// A GCC plugin that counts calls, each pair of caller and callee by a counter of its own:
//
//   -fplugin=.../callarc_plugin.so [-fplugin-arg-callarc_plugin-atomic]
//
//     compiled function A                     data of the object file
//     ...                                     callarc        { count, A, B }    A calls B directly
//     callarc[A, B].count++                   callarclist    { A, first }       an indirect call of
//     A call B                                  callarcthunk   { thunk, B }       of C++
//     __callarc_count(&list, f)
//     call *f
//
// The linker collects the three sections; the static library (lib/callarc) reads them.
#include <string.h>

#include "tools/callarc_plugin/counters.h"
#include "tools/callarc_plugin/passes.h"

// GCC loads no plugin without it. This one is under the MIT licence, which the GPL's terms allow.
int plugin_is_GPL_compatible;

namespace {

using namespace mipstrace::callarc;

constexpr char kAtomic[] = "atomic";

// Both end the compilation where the plugin can't serve.
void check_compiler(const plugin_gcc_version& version) {
    if (!plugin_default_version_check(const_cast<plugin_gcc_version*>(&version), &gcc_version))
        fatal_error(
            UNKNOWN_LOCATION,
            "this call-arc plugin was built for GCC %s and not for this GCC %s%s; build "
            "mipstrace with this compiler",
            gcc_version.basever, version.basever,
            strcmp(gcc_version.basever, version.basever) == 0 ? " of another target or build" : "");
    if (flag_lto != nullptr || in_lto_p)
        fatal_error(UNKNOWN_LOCATION,
                    "the call-arc plugin cannot count with %<-flto%>; compile without it");
}

// Not before the options for the target have been looked at.
void check_target() {
    if (UNITS_PER_WORD < 8)
        fatal_error(UNKNOWN_LOCATION,
                    "the call-arc plugin has atomic counters for 64-bit targets only; compile "
                    "without its option %qs",
                    kAtomic);
}

void add_pass(const char* plugin, opt_pass* pass, const char* reference,
              pass_positioning_ops where) {
    register_pass_info info{pass, reference, 1, where};
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

}  // namespace

int plugin_init(plugin_name_args* arguments, plugin_gcc_version* version) {
    const char* name = arguments->base_name;
    bool atomic = false;
    for (int i = 0; i < arguments->argc; i++) {
        if (strcmp(arguments->argv[i].key, kAtomic) != 0)
            fatal_error(UNKNOWN_LOCATION, "the call-arc plugin has no option %qs, only %qs",
                        arguments->argv[i].key, kAtomic);
        atomic = true;
    }
    check_compiler(*version);
    if (atomic)
        register_callback(
            name, PLUGIN_START_UNIT, [](void*, void*) { check_target(); }, nullptr);
    add_pass(name, make_indirect_calls(g, atomic), "*warn_function_noreturn",
             PASS_POS_INSERT_AFTER);
    add_pass(name, make_direct_calls(g, atomic), "vregs", PASS_POS_INSERT_AFTER);
    register_callback(
        name, PLUGIN_FINISH_UNIT, [](void*, void*) { write_counters(); }, nullptr);
    return 0;
}
