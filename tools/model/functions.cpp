#include "tools/model/functions.h"

#include <cstdio>

#include "tools/text/printable.h"

namespace mipstrace::tools {

namespace {

std::string hex_number(uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

}  // namespace

bool Functions::matches(std::string_view patterns, uint32_t number) const {
    const Function& f = all_[number];
    // Full whatever is shown: a pattern may name parameters.
    std::string full = demangled(f.symbol, Demangle::full);
    filter::FunctionName name;
    name.name = f.symbol.empty() ? std::string_view(f.name) : std::string_view(f.symbol);
    if (full != f.symbol) name.demangled = full;
    name.module = f.module;
    return filter::list_matches(patterns, name);
}

uint32_t Functions::add(const std::string& name, std::string symbol, const std::string& module) {
    uint32_t number = uint32_t(all_.size());
    Function& added = all_.emplace_back();
    added.name = printable(name);
    added.symbol = std::move(symbol);
    added.module = printable(module);
    auto is_in = [&](const std::string& list) { return !list.empty() && matches(list, number); };
    added.is_wanted = is_in(options_.wanted);
    added.is_unwanted = is_in(options_.unwanted);
    added.is_hidden = is_in(options_.hidden);
    added.is_target = is_in(options_.targets);
    return number;
}

Functions::KnownModule& Functions::known(const TraceFile& file, const Module& module) {
    auto [entry, is_new] = modules_.try_emplace({module.path, module.build_id});
    KnownModule& result = entry->second;
    if (!is_new) return result;
    result.base_name = base_name(module.path);
    const bool is_a_file = module.path.find('/') != std::string::npos;  // the vDSO is none
    if (is_a_file)
        result.symbols = load_symbols(module, file.cwd(), options_.places, &result.warning);
    return result;
}

std::vector<std::string> Functions::warnings() const {
    std::vector<std::string> all;
    for (const auto& [key, module] : modules_)
        if (!module.warning.empty()) all.push_back(module.warning);
    return all;
}

KnownFunction Functions::at(const TraceFile& file, uint32_t position) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const uint32_t number = number_of(file, position);
    return {number, all_[number]};
}

uint32_t Functions::number_of(const TraceFile& file, uint32_t position) {
    const Module* module = file.module_at(position);
    if (module == nullptr) {
        auto [entry, is_new] = nowhere_.try_emplace(position, 0);
        if (is_new) entry->second = add("unknown+" + hex_number(position), "", "?");
        return entry->second;
    }
    return number_in(known(file, *module), module->address_of(position));
}

uint32_t Functions::at_address(const TraceFile& file, uint64_t address, uint64_t mono_ns) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const Object* object = file.object_at(address, mono_ns);
    if (object != nullptr)
        return number_in(known(file, object->module), address - object->module.load_bias);
    auto [entry, is_new] = nowhere_.try_emplace(address, 0);
    if (is_new) entry->second = add(hex_number(address), "", "?");
    return entry->second;
}

uint32_t Functions::number_in(KnownModule& its, uint64_t address) {
    const FunctionSymbol* symbol = its.symbols.containing(address);
    auto [entry, is_new] =
        its.by_address.try_emplace(symbol != nullptr ? symbol->address : address, 0);
    if (!is_new) return entry->second;
    if (symbol == nullptr)
        return entry->second = add(its.base_name + "+" + hex_number(address), "", its.base_name);
    std::string name(symbol->name);
    return entry->second = add(demangled(name, options_.demangle), name, its.base_name);
}

}  // namespace mipstrace::tools
