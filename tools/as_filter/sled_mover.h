// Puts the entry sleds of GCC's output where a tracer can use them, line by line.
//
//      GCC 12 to 15                      out                        out, where there is .cpload
//        .section __patchable..,first      .section __patchable..,    .section __patchable..,
//        .8byte .LPFE1                          .LPFE1[,group]             $LPFE1[,group]
//        .text                             .8byte .LPFE1              .4byte $LPFE1
//      .LPFE1:                             .text                      .text
//        nop x N                           .ent f                     .ent f
//        .ent f                          f:                         f:
//      f:                                  .frame, .mask, .fmask      .frame, .mask, .fmask
//        .frame, .mask, .fmask           .LPFE1:                      .set noreorder
//        ...                               nop x N                    .cpload $25
//                                          ...                      $LPFE1:
//                                                                     nop x N
//
// - .cpload computes $gp from $25, the function's address, and so has to come first.
// - The table entry is linked to the sled's own label: always defined, never an odd name, and in
// the
//   function's section. GCC 12 links all of a file's entries to its first function, and loses them
//   with it.
// - Sleds that are behind the label already (GCC 16) stay, unless there is .cpload.
// - MIPS16 and microMIPS functions keep their nops where they were, and so does everything whose
//   shape is not known; the runtime counts such a sled as one that it cannot use.
// - -fpatchable-function-entry=N,M asks for M nops before the label, for someone who wants the
// space.
//   They stay there, and the table entry with them, as GCC documents it; N-M go behind the label.
//   The text doesn't show M, so it comes from the command line; an attribute with other numbers
//   than that counts as M = 0.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/as_filter/statement.h"

namespace mipstrace::as_filter {

// Takes the lines that come out. `source_line` counts from 1; it is 0 for a line of our own.
class LineSink {
  public:
    virtual ~LineSink() = default;
    virtual void line(std::string_view text, size_t source_line) = 0;
};

struct SledOptions {
    size_t nops = 0;         // N and M of the command line's -fpatchable-function-entry=N,M;
    size_t nops_before = 0;  // only looked at where M is not 0
};

// Holds back no more than the head of one function: its sled (GCC allows 65535 nops) and never more
// than kMaxHeld other lines.
class SledMover {
  public:
    static constexpr size_t kMaxHeld = 256;
    static constexpr size_t kMaxSled = 3 * 65535 + 1;

    explicit SledMover(LineSink* sink, SledOptions options = {}) : sink_(sink), options_(options) {}

    void line(std::string_view text);  // without its newline
    void finish();                     // after a file's last line

  private:
    enum class State { outside, in_table, in_sled, before_label, behind_label };
    struct Held {
        std::string text;
        size_t number;
    };

    void dispatch(const Held& line, const Statement& s);
    void in_outside(const Held& line, const Statement& s);
    void in_table(const Held& line, const Statement& s);
    void in_sled(const Held& line, const Statement& s);
    void in_before_label(const Held& line, const Statement& s);
    void in_behind_label(const Held& line, const Statement& s);

    void note_function(const Statement& s);
    void release_table(const Statement& back_to);
    void release_at_label();
    void release_sled();
    void leave_alone();
    void emit(const std::vector<Held>& lines, size_t from, size_t to);
    void emit_moved_sled();

    LineSink* sink_;
    SledOptions options_;
    State state_ = State::outside;
    size_t number_ = 0;

    std::string function_;            // the name that .ent or .type announced last
    bool at_function_start_ = false;  // behind a function's label, with no instruction yet

    std::vector<Held> held_;  // lines since the table's directive, or since the sled
    std::string entry_;       // in_table: the label that the entry holds
    size_t entries_ = 0;

    std::vector<Held> sled_;  // the label, the nops and the .set around them
    size_t sled_end_ = 0;     // in_sled: lines behind this one turn out not to belong to it
    bool noreorder_before_nop_ = false;
    size_t nops_ = 0;
    size_t moved_nops_ = 0;
    bool moved_label_ = true;
    bool came_behind_label_ = false;
    size_t insert_at_ = 0;  // behind_label: the sled's place in held_
};

}  // namespace mipstrace::as_filter
