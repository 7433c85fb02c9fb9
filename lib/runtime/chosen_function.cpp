#include "lib/runtime/chosen_function.h"

#include "lib/fgraph/function_names.h"
#include "lib/fgraph/site_filter.h"
#include "lib/runtime/modules.h"

namespace mipstrace::runtime {

ChosenFunction choose_function(std::string_view name) {
    ChosenFunction found;
    const auto address = uintptr_t(filter::parse_address(name));
    for (size_t m = 0; m < sites.size(); m++) {
        patch::Module& module = sites[m];
        if (!module.loaded) continue;
        if (address != 0) {
            if (patch::Site* site = patch::SiteTable::find_function(module, address))
                found.add(module, *site, address);
            continue;
        }
        fgraph::for_each_function(
            module, [&](patch::Site& site, const filter::FunctionName& one, uintptr_t begin) {
                if (filter::list_matches(name, one)) found.add(module, site, begin);
            });
    }
    return found;
}

bool is_one_function(const ChosenFunction& found, std::string_view name, control::Reply& reply) {
    if (found.count == 1) return true;
    if (found.count > 1) {
        reply.error("several functions are called ")
            << name << ": give one as FUNC@MODULE or by its address";
    } else if (found.is_call) {
        reply.error("") << name << " was compiled with -pg: it has no sled that can lead elsewhere";
    } else {
        char nearest[256];
        fgraph::find_unmatched(name, sites, nearest, sizeof nearest);
        reply.error("no function with a sled is called ") << name;
        if (nearest[0] != '\0') reply << "; there is " << static_cast<const char*>(nearest);
    }
    reply << "\n";
    return false;
}

}  // namespace mipstrace::runtime
