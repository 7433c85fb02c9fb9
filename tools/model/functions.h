// Every function that a session's events name, numbered from 0 over all its trace files.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lib/filter/function_filter.h"
#include "tools/model/demangle.h"
#include "tools/model/module_files.h"
#include "tools/model/position_map.h"
#include "tools/model/trace_file.h"

namespace mipstrace::tools {

class KnownFunction;

struct Function {
    std::string name;    // as it is shown: printable
    std::string symbol;  // as the linker knows it; empty when the address is all that is known
    std::string module;  // base name, printable
    // As the options name it: -F, -N, -H, -C.
    bool is_wanted = false;
    bool is_unwanted = false;
    bool is_hidden = false;
    bool is_target = false;
};

struct FunctionOptions {
    SymbolPlaces places;
    Demangle demangle = Demangle::full;
    std::string wanted;  // patterns, see lib/filter/function_filter.h
    std::string unwanted;
    std::string hidden;
    std::string targets;
};

// Of its members at() and at_address() alone may be called from several threads, and by one while
// others do.
class Functions {
  public:
    explicit Functions(FunctionOptions options) : options_(std::move(options)) {}
    Functions(const Functions&) = delete;
    Functions& operator=(const Functions&) = delete;

    const Function& operator[](uint32_t number) const { return all_[number]; }
    size_t size() const { return all_.size(); }
    bool has_wanted() const { return !options_.wanted.empty(); }
    bool has_targets() const { return !options_.targets.empty(); }
    // Does one of the patterns name that function?
    bool matches(std::string_view patterns, uint32_t number) const;
    // Why names are missing, by module.
    std::vector<std::string> warnings() const;

    // The function at `position` of `file`.
    KnownFunction at(const TraceFile& file, uint32_t position);
    // The number of the one that was at a run-time address at that moment, traced or not.
    uint32_t at_address(const TraceFile& file, uint64_t address, uint64_t mono_ns);

  private:
    struct KnownModule {
        std::string base_name;
        std::string warning;
        SymbolTable symbols;
        std::map<uint64_t, uint32_t> by_address;  // of the function's start
    };

    uint32_t number_of(const TraceFile& file, uint32_t position);
    uint32_t number_in(KnownModule& its, uint64_t address);
    KnownModule& known(const TraceFile& file, const Module& module);
    uint32_t add(const std::string& name, std::string symbol, const std::string& module);

    const FunctionOptions options_;
    std::mutex mutex_;  // of all that follows
    std::deque<Function> all_;
    std::map<std::pair<std::string, std::string>, KnownModule> modules_;  // by path and build-id
    std::map<uint64_t, uint32_t> nowhere_;  // positions, and addresses, outside every module
};

// What the path of an event needs to know of its function.
class KnownFunction {
  public:
    explicit KnownFunction(uint32_t bits) : bits_(bits) {}
    KnownFunction(uint32_t number, const Function& function)
        : bits_(number << kMarks | uint32_t(function.is_target) << 3 |
                uint32_t(function.is_hidden) << 2 | uint32_t(function.is_unwanted) << 1 |
                uint32_t(function.is_wanted)) {}
    uint32_t number() const { return bits_ >> kMarks; }
    bool has_marks() const { return (bits_ & ((1u << kMarks) - 1)) != 0; }
    bool is_wanted() const { return (bits_ & 1) != 0; }
    bool is_unwanted() const { return (bits_ & 2) != 0; }
    bool is_hidden() const { return (bits_ & 4) != 0; }
    bool is_target() const { return (bits_ & 8) != 0; }
    uint32_t bits() const { return bits_; }

  private:
    static constexpr unsigned kMarks = 4;
    uint32_t bits_;
};

// The functions at one file's positions, fast. For one thread.
class FunctionsOfFile {
  public:
    // With `order`, notes the functions in the order in which they are asked for first; a file's
    // may be among them already.
    FunctionsOfFile(Functions& functions, const TraceFile& file,
                    std::vector<uint32_t>* order = nullptr)
        : functions_(functions), file_(file), order_(order) {}

    KnownFunction at(uint32_t position) {
        const uint32_t bits = map_.find(position);
        return bits != PositionMap::kNone ? KnownFunction(bits) : look_up(position);
    }
    bool has_wanted() const { return functions_.has_wanted(); }
    bool has_targets() const { return functions_.has_targets(); }

  private:
    KnownFunction look_up(uint32_t position) {
        const KnownFunction found = functions_.at(file_, position);
        map_.insert(position, found.bits());
        if (order_ != nullptr) order_->push_back(found.number());
        return found;
    }

    Functions& functions_;
    const TraceFile& file_;
    std::vector<uint32_t>* order_;
    PositionMap map_;
};

// The same for all files of a session.
class FunctionsOfReader {
  public:
    explicit FunctionsOfReader(Functions& functions) : functions_(functions) {}
    FunctionsOfReader(const FunctionsOfReader&) = delete;
    FunctionsOfReader& operator=(const FunctionsOfReader&) = delete;

    FunctionsOfFile& of(const TraceFile& file) {
        auto& its = of_file_[&file];
        if (!its) its = std::make_unique<FunctionsOfFile>(functions_, file, &order_);
        return *its;
    }
    // The functions that were asked for, in the order of their first events; some more than once.
    const std::vector<uint32_t>& order() const { return order_; }

  private:
    Functions& functions_;
    std::vector<uint32_t> order_;
    std::map<const TraceFile*, std::unique_ptr<FunctionsOfFile>> of_file_;
};

}  // namespace mipstrace::tools
