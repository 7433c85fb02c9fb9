// What the records of arguments and return values in a trace file hold.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/values/value.h"

namespace mipstrace::tools {

// The words of an enumeration by their values.
using Enumeration = std::map<int64_t, std::string>;

struct RuleValue {
    values::Value value;
    std::string enumeration;  // name; empty: none
};

class ValueRules {
  public:
    // False: the text is no rule of an ABI that is known (format::Abi).
    bool add(uint32_t number, const std::string& text, uint8_t abi);
    // "NAME WORD=value,WORD=value". What makes no sense in it is left out.
    void add_enumeration(std::string_view text);

    // Null: there is none.
    const std::vector<RuleValue>* rule(uint32_t number) const;
    const Enumeration* enumeration(const std::string& name) const;

  private:
    std::map<uint32_t, std::vector<RuleValue>> rules_;
    std::map<std::string, Enumeration> enumerations_;
};

}  // namespace mipstrace::tools
