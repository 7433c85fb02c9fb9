#include "tools/arcs/arc_table.h"

#include <algorithm>
#include <map>

#include "tools/text/printable.h"

namespace mipstrace::tools {

namespace {

constexpr uint64_t kNoFunction = 0;

// Functions by their first address; kNoFunction is <spontaneous>.
class Builder {
  public:
    Builder(const SymbolTable& symbols, Demangle demangle)
        : symbols_(symbols), demangle_(demangle) {}

    void arc(const RawArc& arc) {
        const FunctionSymbol* callee = symbols_.containing(arc.to);
        if (callee == nullptr) {
            unknown_ += arc.count;
            return;
        }
        const FunctionSymbol* caller = symbols_.containing(arc.from);
        arcs_[{caller != nullptr ? caller->address : kNoFunction, callee->address}] += arc.count;
        note(caller);
        note(callee);
    }

    void histogram(const RawHistogram& histogram) {
        const uint64_t size = histogram.high - histogram.low;
        for (size_t i = 0; i < histogram.bins.size(); i++) {
            if (histogram.bins[i] == 0) continue;
            const uint64_t address = histogram.low + size / histogram.bins.size() * i;
            const FunctionSymbol* function = symbols_.containing(address);
            if (function == nullptr) continue;
            note(function);
            samples_[function->address] += histogram.bins[i];
            rate_ = histogram.rate;
        }
    }

    ArcTable finish() {
        ArcTable table;
        std::map<uint64_t, size_t> indices;
        std::map<uint64_t, uint64_t> calls;
        for (const auto& [ends, count] : arcs_)
            calls[ends.second] += count;
        std::vector<uint64_t> order;
        for (const auto& [address, name] : names_)
            order.push_back(address);
        std::stable_sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) {
            return calls[a] != calls[b] ? calls[a] > calls[b] : names_[a] < names_[b];
        });
        for (uint64_t address : order) {
            indices[address] = table.functions.size();
            table.functions.push_back({names_[address], calls[address], samples_[address], {}, {}});
        }
        for (const auto& [ends, count] : arcs_) {
            const size_t caller = indices[ends.first], callee = indices[ends.second];
            table.functions[caller].callees.push_back({callee, count});
            table.functions[callee].callers.push_back({caller, count});
        }
        for (ArcFunction& function : table.functions) {
            for (auto* list : {&function.callers, &function.callees})
                std::stable_sort(
                    list->begin(), list->end(),
                    [](const NamedArc& a, const NamedArc& b) { return a.count > b.count; });
        }
        table.has_samples = rate_ != 0;
        table.rate = rate_;
        table.unknown = unknown_;
        return table;
    }

  private:
    void note(const FunctionSymbol* function) {
        const uint64_t address = function != nullptr ? function->address : kNoFunction;
        std::string& name = names_[address];
        if (!name.empty()) return;
        name = function == nullptr ? kSpontaneous
                                   : printable(demangled(std::string(function->name), demangle_));
    }

    const SymbolTable& symbols_;
    const Demangle demangle_;
    std::map<std::pair<uint64_t, uint64_t>, uint64_t> arcs_;
    std::map<uint64_t, std::string> names_;
    std::map<uint64_t, uint64_t> samples_;
    uint32_t rate_ = 0;
    uint64_t unknown_ = 0;
};

}  // namespace

ArcTable make_arc_table(const GmonContent& content, const SymbolTable& symbols, Demangle demangle) {
    Builder builder(symbols, demangle);
    for (const RawArc& arc : content.arcs)
        builder.arc(arc);
    for (const RawHistogram& histogram : content.histograms)
        builder.histogram(histogram);
    return builder.finish();
}

}  // namespace mipstrace::tools
