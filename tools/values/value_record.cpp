#include "tools/values/value_record.h"

#include <algorithm>

#include "tools/model/byte_order.h"

namespace mipstrace::tools {

namespace {

class Reader {
  public:
    Reader(const TraceFile& file, uint64_t offset) : file_(file) {
        unsigned char first[sizeof(format::Event) + sizeof(format::WithValues)];
        if (file.read(offset, first, sizeof first) != sizeof first) return;
        const auto event = load<format::Event>(first, file.is_swapped());
        const auto with = load<format::WithValues>(first + sizeof event, file.is_swapped());
        is_return_ = format::kind_of(with.word) == format::Kind::leave;
        const size_t units = format::units_of(event.word);
        if (units * sizeof event < sizeof first) return;
        bytes_.resize(units * sizeof event - sizeof first);
        bytes_.resize(file.read(offset + sizeof first, bytes_.data(), bytes_.size()));
    }

    std::vector<RecordedValue> read() {
        std::vector<RecordedValue> all;
        for (;;) {
            uint32_t number = 0;
            if (!take(&number) || number == 0) break;
            const std::vector<RuleValue>* rule = file_.value_rules().rule(number);
            if (rule == nullptr || !read_rule(*rule, &all)) break;
        }
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
            return a.value.index < b.value.index;
        });
        const auto behind = std::unique(all.rbegin(), all.rend(), [](const auto& a, const auto& b) {
            return a.value.index == b.value.index;
        });
        all.erase(all.begin(), behind.base());
        return all;
    }

  private:
    bool read_rule(const std::vector<RuleValue>& rule, std::vector<RecordedValue>* all) {
        for (const RuleValue& its : rule) {
            if ((its.value.index == values::kReturned) != is_return_) continue;
            RecordedValue value;
            value.value = its.value;
            if (!its.enumeration.empty())
                value.enumeration = file_.value_rules().enumeration(its.enumeration);
            if (!(is_string(its.value) ? read_string(&value) : read_number(&value))) return false;
            all->push_back(std::move(value));
        }
        return true;
    }
    bool read_string(RecordedValue* value) {
        format::StringHeader header;
        if (bytes_.size() - at_ < sizeof header) return false;
        header = load<format::StringHeader>(&bytes_[at_], file_.is_swapped());
        at_ += sizeof header;
        value->state = format::StringState(header.state);
        if (!take_bytes(header.length, &value->bytes)) return false;
        if (value->state == format::StringState::unreadable) to_our_order(&value->bytes);
        return true;
    }
    bool read_number(RecordedValue* value) {
        if (!take_bytes(values::recorded_size(value->value), &value->bytes)) return false;
        if (value->value.format != 't') {
            to_our_order(&value->bytes);
            return true;
        }
        value->bytes.resize(value->value.size);
        return true;
    }
    // The low bytes first where ours do.
    void to_our_order(std::string* bytes) const {
        if (file_.is_swapped()) std::reverse(bytes->begin(), bytes->end());
    }
    bool take(uint32_t* number) {
        if (bytes_.size() - at_ < sizeof *number) return false;
        std::memcpy(number, &bytes_[at_], sizeof *number);
        if (file_.is_swapped()) *number = swapped(*number);
        at_ += sizeof *number;
        return true;
    }
    bool take_bytes(size_t size, std::string* out) {
        const size_t padded = (size + 3) / 4 * 4;
        if (bytes_.size() - at_ < padded) return false;
        out->assign(&bytes_[at_], size);
        at_ += padded;
        return true;
    }

    const TraceFile& file_;
    bool is_return_ = false;
    std::vector<char> bytes_;
    size_t at_ = 0;
};

}  // namespace

std::vector<RecordedValue> read_values(const TraceFile& file, uint64_t offset) {
    return Reader(file, offset).read();
}

}  // namespace mipstrace::tools
