// Every function that a session's events name, numbered from 0 over all its trace files.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "lib/filter/function_filter.h"
#include "tools/model/demangle.h"
#include "tools/model/module_files.h"
#include "tools/model/position_map.h"
#include "tools/model/trace_file.h"

namespace mipstrace::tools {

struct Function {
    std::string name;        // as it is shown: printable
    std::string symbol;      // as the linker knows it; empty when the address is all that is known
    std::string module;      // base name, printable
    bool is_wanted = false;  // -F names it
    bool is_unwanted = false;  // -N does
};

struct FunctionOptions {
    SymbolPlaces places;
    Demangle demangle = Demangle::full;
    std::string wanted;  // patterns, see lib/filter/function_filter.h
    std::string unwanted;
};

class Functions {
  public:
    explicit Functions(FunctionOptions options) : options_(std::move(options)) {}
    Functions(const Functions&) = delete;
    Functions& operator=(const Functions&) = delete;

    const Function& operator[](uint32_t number) const { return all_[number]; }
    size_t size() const { return all_.size(); }
    bool has_wanted() const { return !options_.wanted.empty(); }
    // Does one of the patterns name that function?
    bool matches(std::string_view patterns, uint32_t number) const;
    // Why names are missing; grows while functions are looked up.
    const std::vector<std::string>& warnings() const { return warnings_; }

    // The number of the function at `position` of `file`.
    uint32_t number_of(const TraceFile& file, uint32_t position);

  private:
    struct KnownModule {
        std::string base_name;
        SymbolTable symbols;
        std::map<uint64_t, uint32_t> by_address;  // of the function's start
    };

    KnownModule& known(const TraceFile& file, const Module& module);
    uint32_t add(const std::string& name, std::string symbol, const std::string& module);

    FunctionOptions options_;
    std::deque<Function> all_;
    std::map<std::pair<std::string, std::string>, KnownModule> modules_;  // by path and build-id
    std::map<uint32_t, uint32_t> nowhere_;  // positions outside every module
    std::vector<std::string> warnings_;
};

// The numbers of one file's positions, fast.
class FunctionsOfFile {
  public:
    FunctionsOfFile(Functions& functions, const TraceFile& file)
        : functions_(functions), file_(file) {}

    uint32_t number_of(uint32_t position) {
        uint32_t number = map_.find(position);
        return number != PositionMap::kNone ? number : look_up(position);
    }
    Functions& functions() { return functions_; }

  private:
    uint32_t look_up(uint32_t position) {
        uint32_t number = functions_.number_of(file_, position);
        map_.insert(position, number);
        return number;
    }

    Functions& functions_;
    const TraceFile& file_;
    PositionMap map_;
};

}  // namespace mipstrace::tools
