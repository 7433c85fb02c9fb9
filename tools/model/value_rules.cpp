#include "tools/model/value_rules.h"

#include <charconv>

#include "lib/values/parse.h"
#include "lib/values/place.h"
#include "tools/text/printable.h"

namespace mipstrace::tools {

bool ValueRules::add(uint32_t number, const std::string& text, uint8_t abi) {
    std::vector<values::Value> all;
    std::vector<RuleValue> rule;
    std::string_view wrong;
    auto visit = [&](const values::Value& value, std::string_view enumeration) {
        all.push_back(value);
        rule.push_back({value, std::string(enumeration)});
    };
    if (number == 0 || values::parse_values(text, &wrong, visit) != nullptr) return false;
    values::place_values({abi, true}, all.data(), all.size());  // the places are the process's
    for (size_t i = 0; i < all.size(); i++)
        rule[i].value = all[i];
    rules_[number] = std::move(rule);
    return true;
}

void ValueRules::add_enumeration(std::string_view text) {
    const size_t blank = text.find(' ');
    if (blank == std::string_view::npos) return;
    Enumeration& words = enumerations_[std::string(text.substr(0, blank))];
    text.remove_prefix(blank + 1);
    while (!text.empty()) {
        const std::string_view item = text.substr(0, text.find(','));
        text.remove_prefix(std::min(item.size() + 1, text.size()));
        const size_t equals = item.find('=');
        int64_t value = 0;
        if (equals == std::string_view::npos ||
            std::from_chars(item.data() + equals + 1, item.data() + item.size(), value).ec !=
                std::errc())
            continue;
        words.emplace(value, printable(item.substr(0, equals)));
    }
}

const std::vector<RuleValue>* ValueRules::rule(uint32_t number) const {
    const auto found = rules_.find(number);
    return found == rules_.end() ? nullptr : &found->second;
}

const Enumeration* ValueRules::enumeration(const std::string& name) const {
    const auto found = enumerations_.find(name);
    return found == enumerations_.end() ? nullptr : &found->second;
}

}  // namespace mipstrace::tools
