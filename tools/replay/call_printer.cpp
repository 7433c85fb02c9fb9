#include "tools/replay/call_printer.h"

#include <algorithm>

#include "tools/stacks/stack_record.h"
#include "tools/text/printable.h"
#include "tools/text/wording.h"
#include "tools/values/value_text.h"

namespace mipstrace::tools {

namespace {

constexpr size_t kIndent = 2;
// A recording of an endless recursion should not make lines of megabytes.
constexpr uint32_t kDeepestIndent = 16 * 1024;

const char* end_remark(StepKind kind) {
    switch (kind) {
        case StepKind::left:
            return "left without returning";
        case StepKind::unseen_end:
            return "its return was not recorded";
        case StepKind::in_flight:
            return "in flight: no return recorded";
        case StepKind::unseen_call:
            return "its call was not recorded";
        default:
            return "";
    }
}

}  // namespace

void CallPrinter::header() {
    if (!options_.fields.empty()) out_.add(fields_header(options_.fields));
}

const std::string& CallPrinter::call_text(uint32_t function) {
    if (call_texts_.size() <= function) call_texts_.resize(functions_.size());
    std::string& text = call_texts_[function];
    if (text.empty()) {
        text = functions_[function].name;
        // A demangled name brings its parameters along.
        if (text.find('(') == std::string::npos) text += "()";
    }
    return text;
}

// Values stand in the place of the types that a demangled name brings along.
void CallPrinter::call(const Lane& lane, const Step& begin) {
    if (begin.values == 0) return out_.add(call_text(begin.function));
    out_.add(filter::without_parameters(functions_[begin.function].name));
    out_.add('(');
    const char* separator = "";
    for (const RecordedValue& value : read_values(*lane.file, begin.values)) {
        out_.add(separator);
        out_.add(value_text(value, *lane.file, functions_));
        separator = ", ";
    }
    out_.add(')');
}

void CallPrinter::returned(const Lane& lane, const Step& end) {
    if (end.values == 0) return;
    for (const RecordedValue& value : read_values(*lane.file, end.values)) {
        out_.add(" = ");
        out_.add(value_text(value, *lane.file, functions_));
    }
    out_.add(';');
}

void CallPrinter::columns(Lane& lane, const Step& step, bool has_duration, uint64_t duration) {
    if (!has_first_) {
        has_first_ = true;
        lane.last_time = step.time;
        if (zero_ == 0) zero_ = step.time;
    }
    LineFacts facts;
    if (has_duration) facts.duration = duration;
    facts.tid = lane.tid;
    facts.time = step.time;
    facts.since_first = step.time - std::min(step.time, zero_);
    facts.since_last = lane.last_time != 0 ? step.time - std::min(step.time, lane.last_time) : 0;
    lane.last_time = step.time;
    add_fields(out_, options_.fields, facts);
    out_.spaces(kIndent * std::min(step.depth, kDeepestIndent));
}

void CallPrinter::leaf(Lane& lane, const Step& begin, const Step& end) {
    columns(lane, begin, end.kind != StepKind::in_flight, end.duration);
    call(lane, begin);
    if (end.values != 0)
        returned(lane, end);
    else
        out_.add(';');
    if (end.kind != StepKind::leave) {
        out_.add(" /* ");
        out_.add(end_remark(end.kind));
        out_.add(" */");
    }
    out_.add("\n");
    lane.last_time = std::max(lane.last_time, end.time);
}

void CallPrinter::note(Lane& lane, const Step& step) {
    const std::string text = lane.notes.text(*lane.file, step);
    if (text.empty()) return;
    columns(lane, step, false, 0);
    out_.add("/* " + text + " */\n");
}

void CallPrinter::step(Lane& lane, const Step& step) {
    if (step.kind == StepKind::noted) return note(lane, step);
    if (step.kind == StepKind::callers) return callers(lane, step);
    bool has_duration = step.ends_call() && step.kind != StepKind::in_flight;
    columns(lane, step, has_duration, step.duration);
    if (step.begins_call()) {
        call(lane, step);
        out_.add(step.kind == StepKind::enter ? " {" : " { /* since before the first event */");
    } else if (step.kind == StepKind::lost) {
        losses(lane, step);
    } else if (step.kind == StepKind::switched) {
        out_.add("/* stack " + std::to_string(step.stack) + " */");
    } else {
        closing(lane, step);
    }
    out_.add("\n");
}

void CallPrinter::marker(const Marker& marker) {
    Lane lane{marker.pid, 0, nullptr, nullptr};
    Step step{};
    step.time = marker.mono_ns;
    columns(lane, step, false, 0);
    out_.add("/* marker: " + printable(marker.text) + " */\n");
}

void CallPrinter::callers(Lane& lane, const Step& step) {
    const RecordedStack stack = read_stack(*lane.file, step.values, step.time, functions_);
    auto line = [&](const std::string& text) {
        columns(lane, step, false, 0);
        out_.add("/* " + text + " */\n");
    };
    line("[backtrace]");
    for (size_t i = 0; i < stack.callers.size(); i++) {
        const RecordedStack::Caller& caller = stack.callers[i];
        if (caller.is_lost_before) line("  ... some may be missing here");
        const Function& function = functions_[caller.function];
        line("  [" + std::to_string(i) + "] " + function.name + " (" + function.module +
             (caller.is_interrupted ? "), interrupted by a signal" : ")"));
    }
    if (stack.is_cut) line("  ... and more");
}

void CallPrinter::closing(const Lane& lane, const Step& step) {
    out_.add('}');
    returned(lane, step);
    if (step.kind == StepKind::leave && options_.is_uncommented) return;
    out_.add(" /* ");
    out_.add(functions_[step.function].name);
    if (step.kind != StepKind::leave) {
        out_.add(": ");
        out_.add(end_remark(step.kind));
    }
    out_.add(" */");
}

void CallPrinter::losses(const Lane& lane, const Step& step) {
    LossCounts lost{};
    const Chunk& chunk = lane.thread->chunks[step.function];
    std::copy(chunk.lost.begin(), chunk.lost.end(), lost.begin());
    out_.add("/* not recorded: " + losses_sentence(lost, *lane.file) + " */");
}

}  // namespace mipstrace::tools
