#include "tools/as_filter/sled_mover.h"

#include <algorithm>
#include <utility>

#include "tools/as_filter/gcc_lines.h"
#include "tools/as_filter/table_directive.h"

namespace mipstrace::as_filter {

void SledMover::line(std::string_view text) {
    Held line{std::string(text), ++number_};
    dispatch(line, parse(line.text));
}

void SledMover::finish() {
    if (state_ == State::in_sled) {
        std::vector<Held> rest(sled_.begin() + ptrdiff_t(sled_end_), sled_.end());
        sled_.resize(sled_end_);
        held_ = std::move(rest);
        leave_alone();
    } else if (state_ == State::behind_label) {
        release_sled();
    } else {
        leave_alone();
    }
    number_ = 0;
    function_.clear();
    at_function_start_ = false;
}

void SledMover::dispatch(const Held& line, const Statement& s) {
    switch (state_) {
        case State::outside:
            return in_outside(line, s);
        case State::in_table:
            return in_table(line, s);
        case State::in_sled:
            return in_sled(line, s);
        case State::before_label:
            return in_before_label(line, s);
        case State::behind_label:
            return in_behind_label(line, s);
    }
}

void SledMover::in_outside(const Held& line, const Statement& s) {
    if (is_table_directive(s)) {
        held_.push_back(line);
        entry_.clear();
        entries_ = 0;
        state_ = State::in_table;
        return;
    }
    if (is_sled_label(s.label) && s.op.empty()) {
        sled_.push_back(line);
        sled_end_ = 1;
        nops_ = 0;
        noreorder_before_nop_ = false;
        came_behind_label_ = at_function_start_;
        state_ = State::in_sled;
        return;
    }
    note_function(s);
    sink_->line(line.text, line.number);
}

void SledMover::in_table(const Held& line, const Statement& s) {
    if (s.switches_section() || held_.size() >= kMaxHeld) {
        release_table(s);
        return dispatch(line, s);
    }
    if (is_data_word(s)) {
        entry_ = s.args;
        entries_++;
    }
    held_.push_back(line);
}

void SledMover::in_sled(const Held& line, const Statement& s) {
    bool is_nop = s.op == "nop" && s.label.empty() && !s.has_more;
    bool closes = s.is(".set", "reorder");
    if ((is_nop || closes || s.empty() || s.is(".set", "noreorder")) && s.label.empty() &&
        sled_.size() - sled_end_ < kMaxHeld && sled_.size() < kMaxSled) {
        bool closes_group = closes && sled_.size() == sled_end_ && noreorder_before_nop_;
        if (is_nop) {
            nops_++;
            noreorder_before_nop_ = parse(sled_.back().text).is(".set", "noreorder");
        }
        sled_.push_back(line);
        if (is_nop || closes_group) sled_end_ = sled_.size();
        if (closes) noreorder_before_nop_ = false;
        return;
    }
    std::vector<Held> rest(sled_.begin() + ptrdiff_t(sled_end_), sled_.end());
    sled_.resize(sled_end_);
    rest.push_back(line);
    moved_nops_ = nops_;
    moved_label_ = true;
    insert_at_ = 0;
    state_ = came_behind_label_ ? State::behind_label : State::before_label;
    for (const Held& again : rest)
        dispatch(again, parse(again.text));
}

void SledMover::in_before_label(const Held& line, const Statement& s) {
    if (is_compressed_mode(s) || s.switches_section() || is_sled_label(s.label) ||
        s.is_instruction() || held_.size() >= kMaxHeld) {
        leave_alone();
        return dispatch(line, s);
    }
    held_.push_back(line);
    note_function(s);
    if (at_function_start_) release_at_label();
}

void SledMover::in_behind_label(const Held& line, const Statement& s) {
    if (s.op == ".cpload" && s.label.empty()) {
        held_.push_back(line);
        insert_at_ = held_.size();
        return release_sled();
    }
    if (!is_quiet(s) || held_.size() >= kMaxHeld) {
        release_sled();
        return dispatch(line, s);
    }
    held_.push_back(line);
    if (is_frame_directive(s) && !came_behind_label_) insert_at_ = held_.size();
}

void SledMover::note_function(const Statement& s) {
    if (s.op == ".ent" || s.op == ".type") {
        std::vector<std::string_view> args = split_args(s.args);
        bool is_function = s.op == ".ent" || (args.size() > 1 && args[1].ends_with("function"));
        if (!args.empty() && is_function) {
            function_ = args[0];
            at_function_start_ = false;
        }
        return;
    }
    if (!s.label.empty() && s.label == function_)
        at_function_start_ = !s.is_instruction();
    else if (s.is_instruction() || s.op == ".end" || s.op == ".size")
        at_function_start_ = false;
}

void SledMover::release_table(const Statement& back_to) {
    if (entries_ == 1) {
        Held& directive = held_.front();
        std::string_view group = is_table_directive(back_to) ? "" : comdat_group(back_to);
        directive.text = linked_table_directive(directive.text, entry_, group);
    }
    emit(held_, 0, held_.size());
    held_.clear();
    state_ = State::outside;
}

// The function's label is the last of the lines held: all of them go out, without the sled.
void SledMover::release_at_label() {
    if (options_.nops_before != 0 && nops_ == options_.nops) {
        if (options_.nops_before >= nops_) return leave_alone();
        size_t keep = 0;
        for (size_t seen = 0; seen < options_.nops_before; keep++)
            if (parse(sled_[keep].text).op == "nop") seen++;
        if (parse(sled_[keep].text).is(".set", "reorder")) keep++;
        emit(sled_, 0, keep);
        moved_nops_ = nops_ - options_.nops_before;
        moved_label_ = false;
    }
    emit(held_, 0, held_.size());
    held_.clear();
    state_ = State::behind_label;
}

void SledMover::release_sled() {
    emit(held_, 0, insert_at_);
    if (came_behind_label_ && insert_at_ == 0)
        emit(sled_, 0, sled_.size());
    else
        emit_moved_sled();
    emit(held_, insert_at_, held_.size());
    held_.clear();
    sled_.clear();
    state_ = State::outside;
}

void SledMover::leave_alone() {
    emit(sled_, 0, sled_.size());
    emit(held_, 0, held_.size());
    sled_.clear();
    held_.clear();
    state_ = State::outside;
}

void SledMover::emit(const std::vector<Held>& lines, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        sink_->line(lines[i].text, lines[i].number);
}

// The function's own reorder mode is unknown here, so it is saved and restored; in noreorder mode
// the assembler neither drops a nop nor puts one into a delay slot.
void SledMover::emit_moved_sled() {
    if (moved_label_) sink_->line(sled_.front().text, sled_.front().number);
    sink_->line("\t.set\tpush", 0);
    sink_->line("\t.set\tnoreorder", 0);
    for (size_t i = 0; i < moved_nops_; i++)
        sink_->line("\tnop", 0);
    sink_->line("\t.set\tpop", 0);
}

}  // namespace mipstrace::as_filter
