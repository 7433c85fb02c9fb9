#include "tools/callarc_plugin/counters.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace mipstrace::callarc {

namespace {

// Where a record goes: a record about a function is kept by the linker if the function is.
struct Home {
    std::string function;
    std::string comdat;  // empty: none
};

struct Record {
    Home home;
    const char* section;
    std::string symbol;  // empty: none
    std::vector<std::string> addresses;
    bool has_count;
};

std::vector<Record> records;
std::unordered_map<std::string, const char*> counters;  // by caller and callee
std::unordered_map<std::string, unsigned> names;        // how often each was asked for

Home home_of(tree function) {
    tree group = DECL_COMDAT_GROUP(function);
    if (group != NULL_TREE && TREE_CODE(group) != IDENTIFIER_NODE)
        group = DECL_ASSEMBLER_NAME(group);
    return {assembler_name(function), group != NULL_TREE ? IDENTIFIER_POINTER(group) : ""};
}

// Names of functions hold any character, so that two pairs could give the same.
std::string unique(const std::string& name) {
    const unsigned before = names[name]++;
    return before == 0 ? name : name + "." + std::to_string(before);
}

void write_section(const Record& record) {
    const bool grouped = !record.home.comdat.empty();
    fprintf(asm_out_file, "\t.section\t%s,\"awo%s\",@progbits,%s", record.section,
            grouped ? "G" : "", record.home.function.c_str());
    if (grouped) fprintf(asm_out_file, ",%s,comdat", record.home.comdat.c_str());
    fputc('\n', asm_out_file);
}

void write_address(const std::string& symbol) {
    rtx address =
        symbol.empty() ? const0_rtx : gen_rtx_SYMBOL_REF(Pmode, ggc_strdup(symbol.c_str()));
    assemble_integer(address, GET_MODE_SIZE(Pmode), POINTER_SIZE, 1);
}

}  // namespace

bool is_left_alone(const_tree function) {
    // Not the flag of that name, which front ends also set where nothing is to be instrumented.
    return lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(function)) != NULL_TREE;
}

const char* assembler_name(tree function) {
    return targetm.strip_name_encoding(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)));
}

const char* arc_counter(tree caller, tree callee) {
    const std::string from = assembler_name(caller), to = assembler_name(callee);
    const char*& symbol = counters[from + '\0' + to];
    if (symbol == nullptr) {
        symbol = xstrdup(unique("__callarc_" + from + "_" + to).c_str());
        records.push_back({home_of(caller), "callarc", symbol, {from, to}, true});
    }
    return symbol;
}

tree arc_list(tree caller) {
    const std::string from = assembler_name(caller);
    const std::string symbol = unique("__callarclist_" + from);
    records.push_back({home_of(caller), "callarclist", symbol, {from, ""}, false});
    tree list = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(symbol.c_str()),
                           pointer_sized_int_node);
    SET_DECL_ASSEMBLER_NAME(list, get_identifier(symbol.c_str()));
    DECL_EXTERNAL(list) = 1;
    DECL_ARTIFICIAL(list) = 1;
    DECL_IGNORED_P(list) = 1;
    TREE_ADDRESSABLE(list) = 1;
    TREE_USED(list) = 1;
    return list;
}

void note_thunks(tree function) {
    cgraph_node* node = cgraph_node::get(function);
    if (node == nullptr) return;
    // A thunk may jump to an alias of the function, or to another thunk.
    node->call_for_symbol_thunks_and_aliases(
        [](cgraph_node* other, void* data) {
            tree target = static_cast<tree>(data);
            if (other->thunk)
                records.push_back({home_of(target),
                                   "callarcthunk",
                                   "",
                                   {assembler_name(other->decl), assembler_name(target)},
                                   false});
            return false;
        },
        function, true);
}

void write_counters() {
    for (const Record& record : records) {
        write_section(record);
        // Without padding between two, whatever the target likes for variables: they are an array.
        ASM_OUTPUT_ALIGN(asm_out_file, exact_log2(record.has_count ? 8 : POINTER_SIZE_UNITS));
        if (!record.symbol.empty()) {
            ASM_OUTPUT_TYPE_DIRECTIVE(asm_out_file, record.symbol.c_str(), "object");
            ASM_OUTPUT_LABEL(asm_out_file, record.symbol.c_str());
        }
        const int words = int(record.addresses.size()) * POINTER_SIZE_UNITS;
        if (!record.symbol.empty())
            ASM_OUTPUT_SIZE_DIRECTIVE(asm_out_file, record.symbol.c_str(),
                                      words + (record.has_count ? 8 : 0));
        if (record.has_count) assemble_integer(const0_rtx, 8, 64, 1);
        for (const std::string& address : record.addresses)
            write_address(address);
    }
    // Whoever links without the library is told so, instead of having no profile.
    if (!records.empty()) fputs("\t.reloc\t.,BFD_RELOC_NONE,callarc_dump\n", asm_out_file);
    records.clear();
}

}  // namespace mipstrace::callarc
