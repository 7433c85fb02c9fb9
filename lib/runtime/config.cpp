#include "lib/runtime/config.h"

#include <string_view>

#include "lib/base/raw_log.h"
#include "lib/base/signal_name.h"
#include "lib/base/size_text.h"
#include "lib/base/switch_text.h"
#include "lib/filter/edit_distance.h"

namespace mipstrace::runtime {

namespace {

constexpr std::string_view kPrefix = "MIPSTRACE_";

void complain(std::string_view name, std::string_view value, std::string_view expected) {
    LogLine() << kPrefix << name << "=" << value << ": " << expected << "; it is ignored";
}

template <typename T>
void read_number(std::string_view name, const char* value, T low, T high, std::string_view expected,
                 T* out) {
    uint64_t number = 0;
    const char* at = value;
    for (; *at >= '0' && *at <= '9' && number <= high; at++)
        number = number * 10 + (*at - '0');
    if (at == value || *at != '\0' || number < low || number > high)
        complain(name, value, expected);
    else
        *out = T(number);
}

void read_size(std::string_view name, const char* value, const SizeRange& range, uint64_t* out) {
    const uint64_t size = parse_size(value);
    if (size < range.low || size > range.high)
        complain(name, value, range.text);
    else
        *out = size;
}

void read_clock(const char* value, Config* config) {
    const std::string_view clock = value;
    if (clock == "mono") {
        config->clock = format::ClockId::mono;
    } else if (clock == "cycles" || clock == "cycles:force") {
        config->clock = format::ClockId::cycles;
        config->clock_forced = clock != "cycles";
    } else {
        complain("CLOCK", clock, "the clocks are mono and cycles");
    }
}

void read_signal(std::string_view name, const char* value, int* signal) {
    const int number = parse_signal(value);
    if (number == 0)
        complain(name, value, kSignalText);
    else
        *signal = number;
}

// A handler that the program takes away, or that an exec does, leaves the default action.
void read_control(std::string_view name, const char* value, int* signal) {
    const std::string_view text(value);
    if (text == "no")
        *signal = 0;
    else if (text == "URG" || text == "WINCH" || text == "SIGURG" || text == "SIGWINCH")
        *signal = parse_signal(text);
    else
        complain(name, value, "not URG, WINCH or no");
}

void read_switch(std::string_view name, const char* value, bool* is_on) {
    if (const std::optional<bool> read = parse_switch(value))
        *is_on = *read;
    else
        complain(name, value, "neither 1 nor 0");
}

struct Variable {
    std::string_view name;  // behind the prefix
    void (*read)(std::string_view name, const char* value, Config* config);
};

template <const char* Config::*member>
void keep_text(std::string_view, const char* value, Config* config) {
    config->*member = value;
}
template <const char* Config::*member>
void keep_path(std::string_view, const char* value, Config* config) {
    if (*value != '\0') config->*member = value;
}
template <bool Config::*member>
void keep_switch(std::string_view name, const char* value, Config* config) {
    read_switch(name, value, &(config->*member));
}
template <int Config::*member>
void keep_signal(std::string_view name, const char* value, Config* config) {
    read_signal(name, value, &(config->*member));
}

constexpr Variable kVariables[] = {
    {"DATA", keep_path<&Config::directory>},
    {"FILTER", keep_text<&Config::filter>},
    {"NOTRACE", keep_text<&Config::notrace>},
    {"ARGUMENT", keep_text<&Config::argument>},
    {"VALUES", keep_path<&Config::values>},
    {"RETVAL", keep_text<&Config::retval>},
    {"TRIGGER", keep_text<&Config::trigger>},
    {"STACK", keep_text<&Config::stack>},
    {"STACK_DEPTH",
     [](std::string_view name, const char* value, Config* config) {
         read_number<uint32_t>(name, value, 1, format::kMostInStack,
                               "not a number of callers from 1 to 1000", &config->stack_depth);
     }},
    {"CLOCK",
     [](std::string_view, const char* value, Config* config) { read_clock(value, config); }},
    {"DEPTH",
     [](std::string_view name, const char* value, Config* config) {
         read_number<uint32_t>(name, value, 1, UINT32_MAX / 2, "not a number of nested calls",
                               &config->max_depth);
     }},
    {"TIME",
     [](std::string_view name, const char* value, Config* config) {
         read_number<uint64_t>(name, value, 0, UINT64_MAX / 16,
                               "not a number of nanoseconds, such as 1000000 for 1 ms",
                               &config->min_duration_ns);
     }},
    {"MAX_STACK",
     [](std::string_view name, const char* value, Config* config) {
         read_number<uint32_t>(name, value, 16, 1u << 24,
                               "not a number of calls from 16 to 16777216", &config->max_stack);
     }},
    {"BUFFER", [](std::string_view name, const char* value,
                  Config* config) { read_size(name, value, kBufferRange, &config->buffer); }},
    {"MAX_SIZE", [](std::string_view name, const char* value,
                    Config* config) { read_size(name, value, kMaxSizeRange, &config->max_size); }},
    {"SNAPSHOT_SIGNAL", keep_signal<&Config::snapshot_signal>},
    {"TOGGLE_SIGNAL", keep_signal<&Config::toggle_signal>},
    {"CONTROL", [](std::string_view name, const char* value,
                   Config* config) { read_control(name, value, &config->control_signal); }},
    {"OFF", keep_switch<&Config::off>},
    {"ARCS", keep_switch<&Config::arcs>},
    {"HISTOGRAM", keep_switch<&Config::histogram>},
    {"VERBOSE", keep_switch<&Config::verbose>},
};

// Of those that are not ours, some may be anybody's, and the command's: said is what is spelled
// much like one.
void say_near(std::string_view name) {
    if (name == "SYSROOT") return;
    std::string_view near;
    unsigned best = filter::kFarApart - 1;
    for (const Variable& variable : kVariables) {
        const unsigned distance = filter::edit_distance(name, variable.name);
        if (distance >= best || 2 * distance > name.size()) continue;
        best = distance;
        near = variable.name;
    }
    if (!near.empty())
        LogLine() << kPrefix << name << " is not known and ignored; did you mean " << kPrefix
                  << near << "?";
}

void read_variable(std::string_view name, const char* value, Config* config) {
    for (const Variable& variable : kVariables)
        if (variable.name == name) return variable.read(name, value, config);
    say_near(name);
}

void drop_contradictions(Config* config) {
    if (config->buffer != 0 && config->max_size != 0) {
        LogLine() << "MIPSTRACE_MAX_SIZE ends a recording that MIPSTRACE_BUFFER keeps going: it is "
                  << "ignored";
        config->max_size = 0;
    }
    if (config->histogram && !config->arcs) {
        LogLine() << "MIPSTRACE_HISTOGRAM needs MIPSTRACE_ARCS: it is ignored";
        config->histogram = false;
    }
    if (config->snapshot_signal != 0 && config->buffer == 0 && !config->arcs) {
        LogLine() << "MIPSTRACE_SNAPSHOT_SIGNAL needs MIPSTRACE_BUFFER: it is ignored";
        config->snapshot_signal = 0;
    }
    if (config->toggle_signal != 0 && config->toggle_signal == config->snapshot_signal) {
        LogLine()
            << "MIPSTRACE_TOGGLE_SIGNAL is the one of MIPSTRACE_SNAPSHOT_SIGNAL: it is ignored";
        config->toggle_signal = 0;
    }
    // The control socket takes the signal that is left.
    auto is_taken = [config](int signal) {
        return signal == config->toggle_signal || signal == config->snapshot_signal;
    };
    if (config->control_signal != 0 && is_taken(config->control_signal)) {
        const int other = config->control_signal == SIGURG ? SIGWINCH : SIGURG;
        config->control_signal = is_taken(other) ? 0 : other;
    }
}

}  // namespace

Config read_config(const char* const* environment) {
    Config config;
    for (; environment != nullptr && *environment != nullptr; environment++) {
        const std::string_view entry = *environment;
        const size_t equals = entry.find('=');
        if (equals == std::string_view::npos || !entry.starts_with(kPrefix)) continue;
        const std::string_view name(entry.data() + kPrefix.size(), equals - kPrefix.size());
        read_variable(name, entry.data() + equals + 1, &config);
    }
    drop_contradictions(&config);
    return config;
}

}  // namespace mipstrace::runtime
