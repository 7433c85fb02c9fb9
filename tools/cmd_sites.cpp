#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <elf.h>
#include <cstdio>

#include "tools/model/data_error.h"
#include "tools/model/demangle.h"
#include "tools/model/mips_target.h"
#include "tools/model/module_files.h"
#include "tools/model/site_scan.h"
#include "tools/text/csv.h"
#include "tools/text/out_buffer.h"
#include "tools/text/printable.h"
#include "tools/text/say.h"
#include "tools/text/wording.h"
#include "tools/verb.h"

namespace mipstrace::tools {

namespace {

struct SitesOptions {
    std::string file;
    bool as_csv = false;
    bool no_demangle = false;
};

void open_or_throw(elf::ElfFile& file, const std::string& path) {
    switch (file.open(path.c_str())) {
        case elf::OpenError::none:
            break;
        case elf::OpenError::cannot_open:
            throw DataError("cannot open " + path + ": " + strerror(errno));
        case elf::OpenError::not_elf:
            throw DataError(path + " is not an ELF file");
        case elf::OpenError::broken:
            throw DataError(path + " is a damaged ELF file");
    }
    if (!file.is_mips()) throw DataError(path + " is not for MIPS");
    if (file.type() != ET_EXEC && file.type() != ET_DYN)
        throw DataError(path + " is neither a program nor a shared library: link it first");
}

std::string hex_address(uint64_t address) {
    char text[24];
    snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    return text;
}

void write_sites(OutBuffer& out, const SiteScan& scan, const std::string& module,
                 const SitesOptions& options) {
    if (options.as_csv) out.add("address,function,module,state,nops,reason,kind\n");
    for (const Site& site : scan.sites) {
        std::string name = printable(
            demangled(site.function, options.no_demangle ? Demangle::no : Demangle::full));
        std::string address = hex_address(site.address);
        const char* state = site_state_name(size_t(site.state));
        const char* reason = site_state_reason(size_t(site.state));
        if (options.as_csv) {
            out.add(address + "," + csv_field(name) + "," + csv_field(module) + "," + state + "," +
                    std::to_string(site.nops) + "," + csv_field(reason) +
                    (site.kind == Site::Kind::call ? ",call\n" : ",sled\n"));
            continue;
        }
        out.spaces(address.size() < 18 ? 18 - address.size() : 0);
        out.add(address + "  " + state);
        out.spaces(14 - std::min<size_t>(13, strlen(state)));
        out.add(name.empty() ? "?" : name);
        if (*reason != '\0') out.add(std::string("  (") + reason + ")");
        out.add("\n");
    }
}

int sites(const SitesOptions& options) {
    elf::ElfFile file;
    open_or_throw(file, options.file);
    SiteScan scan = scan_sites(file, options.file);
    std::string module = printable(base_name(options.file));
    if (scan.sites.empty()) {
        bool is_stripped = !scan.has_table && !file.has_section_headers();
        say(options.file +
            (is_stripped ? " has no section headers, so its sleds can't be found: "
             : scan.has_own_mcount
                 ? " has an _mcount of its own, which its functions call, and no entry sleds: "
                 : " has neither entry sleds nor calls of _mcount: ") +
            kFlagsAdvice);
        return kExitData;
    }
    OutBuffer out(STDOUT_FILENO);
    write_sites(out, scan, module, options);
    std::string summary =
        module + " (MIPS " + target_of(file).abi + "): " + sites_sentence(scan.counts);
    if (options.as_csv) {
        out.flush();
        say(summary);
    } else {
        out.add(summary + "\n");
        out.flush();
    }
    if (scan.count(format::SiteState::before_label) != 0 ||
        scan.count(format::SiteState::short_sled) != 0)
        say(std::string("to have the skipped functions traced, ") + kFlagsAdvice);
    return scan.count_traced() != 0 ? 0 : kExitData;
}

}  // namespace

void add_sites(CLI::App& app, Runner* run) {
    auto options = std::make_shared<SitesOptions>();
    Verb verb(
        app, "sites",
        "List the functions of a program or library that have a site, and which of them can be "
        "traced");
    verb.argument({"FILE", "FILE", "A MIPS program or shared library"}, &options->file, true);
    verb.flag("--csv", "Comma-separated values", &options->as_csv);
    verb.flag("--no-demangle", "Show C++ names as the linker knows them", &options->no_demangle);
    verb.does(run, [=] { return sites(*options); });
}

}  // namespace mipstrace::tools
