#include "tools/arcs/gmon_reader.h"

#include <bit>
#include <cstring>

#include "lib/arcs/gmon_format.h"
#include "tools/model/byte_order.h"
#include "tools/model/data_error.h"

namespace mipstrace::tools {

namespace {

class Reader {
  public:
    Reader(const std::string& data, const std::string& path, GmonShape shape)
        : data_(data), path_(path), shape_(shape) {}

    bool at_end() const { return at_ == data_.size(); }

    const char* bytes(size_t size) {
        if (data_.size() - at_ < size) throw DataError(path_ + " ends in the middle of a record");
        at_ += size;
        return data_.data() + at_ - size;
    }

    template <typename T>
    T number() {
        T value;
        memcpy(&value, bytes(sizeof value), sizeof value);
        const bool is_ours = shape_.is_big_endian == (std::endian::native == std::endian::big);
        return is_ours ? value : swapped(value);
    }

    uint64_t address() { return shape_.is_64 ? number<uint64_t>() : number<uint32_t>(); }

  private:
    const std::string& data_;
    const std::string& path_;
    const GmonShape shape_;
    size_t at_ = 0;
};

RawHistogram read_histogram(Reader& reader) {
    RawHistogram histogram;
    histogram.low = reader.address();
    histogram.high = reader.address();
    const uint32_t count = reader.number<uint32_t>();
    histogram.rate = reader.number<uint32_t>();
    reader.bytes(sizeof gmon::kDimension + sizeof gmon::kDimensionShort);
    for (uint32_t i = 0; i < count; i++)
        histogram.bins.push_back(reader.number<uint16_t>());
    return histogram;
}

}  // namespace

GmonContent read_gmon(const std::string& data, const std::string& path, GmonShape shape) {
    if (data.size() < gmon::kHeaderBytes || memcmp(data.data(), gmon::kMagic, 4) != 0)
        throw DataError(path + " is no gmon.out");
    Reader reader(data, path, shape);
    reader.bytes(sizeof gmon::kMagic);
    if (const uint32_t version = reader.number<uint32_t>(); version != gmon::kVersion)
        throw DataError(path + (swapped(version) == gmon::kVersion
                                    ? " is of a program of the other byte order"
                                    : " is a gmon.out of an unknown version"));
    reader.bytes(gmon::kHeaderBytes - sizeof gmon::kMagic - sizeof(uint32_t));
    GmonContent content;
    while (!reader.at_end()) {
        const uint8_t tag = reader.number<uint8_t>();
        if (tag == gmon::kHistogramTag) {
            content.histograms.push_back(read_histogram(reader));
        } else if (tag == gmon::kArcTag) {
            const uint64_t from = reader.address(), to = reader.address();
            content.arcs.push_back({from, to, reader.number<uint32_t>()});
        } else if (tag == gmon::kBlockTag) {
            for (uint32_t left = reader.number<uint32_t>(); left != 0; left--)
                reader.bytes(shape.is_64 ? 16 : 8);
        } else {
            throw DataError(path + " has a record of an unknown kind (" + std::to_string(tag) +
                            "): is it of another program?");
        }
    }
    return content;
}

}  // namespace mipstrace::tools
