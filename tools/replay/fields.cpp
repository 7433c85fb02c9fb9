#include "tools/replay/fields.h"

#include <array>

#include "tools/text/time_text.h"

namespace mipstrace::tools {

namespace {

struct FieldWords {
    const char* name;
    const char* title;  // as wide as the column
};

constexpr std::array<FieldWords, 5> kFields{{
    {"duration", " DURATION "},
    {"tid", "   TID  "},
    {"time", "     TIMESTAMP     "},
    {"elapsed", " ELAPSED  "},
    {"delta", "   DELTA  "},
}};

constexpr uint64_t kSecond = 1'000'000'000;

void add_timestamp(OutBuffer& out, uint64_t ns) {
    out.number(ns / kSecond, 9);
    out.add('.');
    std::string fraction = std::to_string(ns % kSecond);
    out.add(std::string(9 - fraction.size(), '0') + fraction);
}

}  // namespace

std::optional<std::vector<Field>> parse_fields(const std::string& list) {
    std::vector<Field> fields;
    if (list == "none") return fields;
    size_t begin = 0;
    if (list.starts_with('+')) {
        fields = {Field::duration, Field::tid};
        begin = 1;
    }
    while (begin <= list.size()) {
        size_t end = std::min(list.find(',', begin), list.size());
        std::string name = list.substr(begin, end - begin);
        size_t i = 0;
        while (i < kFields.size() && name != kFields[i].name)
            i++;
        if (i == kFields.size()) return std::nullopt;
        fields.push_back(Field(i));
        begin = end + 1;
    }
    return fields;
}

std::string fields_header(const std::vector<Field>& fields) {
    std::string line = "#";
    for (Field field : fields) {
        if (line.size() > 1) line += ' ';
        line += kFields[size_t(field)].title;
    }
    return line + "   FUNCTION\n";
}

void add_fields(OutBuffer& out, const std::vector<Field>& fields, const LineFacts& facts) {
    for (Field field : fields) {
        out.add(' ');
        switch (field) {
            case Field::duration:
                if (facts.duration)
                    out.add(time_text(*facts.duration));
                else
                    out.spaces(10);
                break;
            case Field::tid:
                out.add('[');
                out.number(facts.tid, 6);
                out.add(']');
                break;
            case Field::time:
                add_timestamp(out, facts.time);
                break;
            case Field::elapsed:
                out.add(time_text(facts.since_first));
                break;
            case Field::delta:
                out.add(time_text(facts.since_last));
                break;
        }
    }
    if (!fields.empty()) out.add(" | ");
}

}  // namespace mipstrace::tools
