// What -T says, as uftrace's users know it:
//
//   rule    := FUNC [ "@" MODULE ] "@" actions        FUNC and MODULE are patterns, as in -F
//   actions := action { "," action }
//   action  := "trace-on" | "trace-off" | "finish" | "snapshot" | "depth=" N | "time=" TIME
//            | "read=" COUNTER | "backtrace" | "if:" ARG OP VALUE
//                                             uftrace's trace_on, traceon are the same
//   COUNTER := "proc/statm" | "page-fault"
//   ARG     := as in -A: arg1, arg2/u32, arg3%a4      integers
//   OP      := "==" | "!=" | "<" | "<=" | ">" | ">="
//   VALUE   := decimal, or hexadecimal behind 0x
#pragma once

#include <string_view>

#include "lib/triggers/trigger.h"
#include "lib/values/parse.h"

namespace mipstrace::triggers {

// Of a list that ';' separates.
using values::for_each_rule;

struct Rule {
    std::string_view pattern;  // FUNC or FUNC@MODULE
    std::string_view actions;
};

// Splits at the last '@'.
Rule split_rule(std::string_view text);

// What is wrong with a text: the sentence is "'WRONG' WHY", and "; there is NEAR" where that is not
// empty.
struct Mistake {
    std::string_view wrong;
    const char* why = nullptr;  // null: nothing is
    std::string_view near;
};

// Reads actions. The places of arguments are still to be found, by values::place_values.
Mistake parse_actions(std::string_view actions, Trigger* trigger);

// Bits of Trigger::actions of those rules in a list in which nothing is wrong.
uint32_t actions_in(std::string_view list);

}  // namespace mipstrace::triggers
