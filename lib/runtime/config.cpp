#include "lib/runtime/config.h"

#include <string_view>

#include "lib/base/raw_log.h"
#include "lib/base/signal_name.h"
#include "lib/base/size_text.h"
#include "lib/base/switch_text.h"

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

void read_variable(std::string_view name, const char* value, Config* config) {
    if (name == "DATA") {
        if (*value != '\0') config->directory = value;
    } else if (name == "FILTER") {
        config->filter = value;
    } else if (name == "NOTRACE") {
        config->notrace = value;
    } else if (name == "ARGUMENT") {
        config->argument = value;
    } else if (name == "VALUES") {
        if (*value != '\0') config->values = value;
    } else if (name == "RETVAL") {
        config->retval = value;
    } else if (name == "TRIGGER") {
        config->trigger = value;
    } else if (name == "CLOCK") {
        read_clock(value, config);
    } else if (name == "DEPTH") {
        read_number<uint32_t>(name, value, 1, UINT32_MAX / 2, "not a number of nested calls",
                              &config->max_depth);
    } else if (name == "TIME") {
        read_number<uint64_t>(name, value, 0, UINT64_MAX / 16,
                              "not a number of nanoseconds, such as 1000000 for 1 ms",
                              &config->min_duration_ns);
    } else if (name == "MAX_STACK") {
        read_number<uint32_t>(name, value, 16, 1u << 24,
                              "not a number of calls from 16 to 16777216", &config->max_stack);
    } else if (name == "BUFFER") {
        read_size(name, value, kBufferRange, &config->buffer);
    } else if (name == "MAX_SIZE") {
        read_size(name, value, kMaxSizeRange, &config->max_size);
    } else if (name == "SNAPSHOT_SIGNAL") {
        read_signal(name, value, &config->snapshot_signal);
    } else if (name == "TOGGLE_SIGNAL") {
        read_signal(name, value, &config->toggle_signal);
    } else if (name == "CONTROL") {
        read_control(name, value, &config->control_signal);
    } else if (name == "OFF") {
        read_switch(name, value, &config->off);
    } else if (name == "ARCS") {
        read_switch(name, value, &config->arcs);
    } else if (name == "HISTOGRAM") {
        read_switch(name, value, &config->histogram);
    } else if (name == "VERBOSE") {
        read_switch(name, value, &config->verbose);
    }
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
