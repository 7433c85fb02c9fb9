// From the words of a file to events with whole times.
#include "tools/model/event_reader.h"

#include <gtest/gtest.h>

#include "tests/unit/trace_builder.h"

namespace mipstrace::tools {
namespace {

using test::TemporaryFile;
using test::TraceBuilder;

std::vector<Event> read(TraceBuilder& trace, uint64_t* damaged = nullptr) {
    TemporaryFile temporary(trace.bytes());
    TraceFile file(temporary.path());
    std::vector<Event> events;
    for (const Thread& thread : file.threads()) {
        EventReader reader(file, thread);
        Event event;
        while (reader.next(&event))
            events.push_back(event);
        if (damaged != nullptr) *damaged += reader.damaged();
    }
    return events;
}

std::vector<uint64_t> times(const std::vector<Event>& events) {
    std::vector<uint64_t> list;
    for (const Event& event : events)
        list.push_back(event.time);
    return list;
}

TEST(EventReader, CompletesTimes) {
    constexpr uint64_t kStart = 0x1'ffff'ff00;
    TraceBuilder trace;
    trace.chunk(1, 0, kStart);
    trace.enter(kStart + 0x10, 0x10000);
    trace.leave(kStart + 0x200, 0x10000);  // the low 32 bits have wrapped
    EXPECT_EQ(times(read(trace)), (std::vector<uint64_t>{kStart + 0x10, kStart + 0x200}));
}

TEST(EventReader, SyncCarriesOverALongPause) {
    TraceBuilder trace;
    trace.chunk(1, 0, 1000);
    trace.enter(1001, 0x10000);
    trace.sync(20'000'000'000);
    trace.leave(20'000'000'005, 0x10000);
    EXPECT_EQ(times(read(trace)), (std::vector<uint64_t>{1001, 20'000'000'005}));
}

TEST(EventReader, StepBackIsNoStep) {
    TraceBuilder trace;
    trace.chunk(1, 0, 1000);
    trace.enter(1500, 0x10000);  // interrupted between its slot and its time
    trace.enter(1400, 0x10010);  // the handler's
    trace.leave(1600, 0x10010);
    EXPECT_EQ(times(read(trace)), (std::vector<uint64_t>{1500, 1500, 1600}));
}

TEST(EventReader, FirstEventIsOlderThanItsChunk) {
    TraceBuilder trace;
    trace.chunk(1, 0, 5000);
    trace.enter(4900, 0x10000);
    trace.leave(5100, 0x10000);
    EXPECT_EQ(times(read(trace)), (std::vector<uint64_t>{4900, 5100}));
}

TEST(EventReader, NoTimeIsBeforeTheFirstOrBehindTheLastOfAll) {
    TraceBuilder trace;
    trace.chunk(1, 0, 0x100);
    trace.enter(0xffff'ff00, 0x10000);  // 512 ns before the chunk began
    trace.leave(0x200, 0x10000);
    trace.chunk(2, 0, ~uint64_t(0));
    trace.enter(0x10, 0x10000);
    trace.leave(0xffff'fff0, 0x10000);
    EXPECT_EQ(times(read(trace)), (std::vector<uint64_t>{0, 0x200, 0, ~uint64_t(0) - 15}));
}

TEST(EventReader, StepsOverHolesAndUnfinishedRecords) {
    TraceBuilder trace;
    trace.chunk(1, 0, 0);
    trace.enter(1, 0x10000);
    trace.hole();
    trace.event(2, format::record_word(format::RecordType::sync, 3, format::Kind::unfinished));
    trace.event(3, 0x20000);  // what its writer had got to, not an event
    trace.hole();
    trace.leave(4, 0x10000);
    std::vector<Event> events = read(trace);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[1].kind, EventKind::leave);
    EXPECT_EQ(events[1].time, 4u);
}

TEST(EventReader, SkipsRecordsOfALaterVersion) {
    TraceBuilder trace;
    trace.chunk(1, 0, 0);
    trace.event(1, format::record_word(format::RecordType(99), 2));
    trace.event(7, 0x30000);
    trace.enter(2, 0x10000);
    std::vector<Event> events = read(trace);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].position, 0x10000u);
}

TEST(EventReader, DamagedRecordsAreCountedAndPassed) {
    TraceBuilder trace;
    trace.chunk(1, 0, 0);
    trace.event(1, format::record_word(format::RecordType::sync, 0));
    trace.event(1, format::record_word(format::RecordType::left, 1));
    trace.enter(2, 0x10000);
    trace.event(3, format::record_word(format::RecordType::sync, format::kMaxUnits));
    uint64_t damaged = 0;
    EXPECT_EQ(read(trace, &damaged).size(), 1u);
    EXPECT_EQ(damaged, 2u);
}

TEST(EventReader, RecordAtTheEndOfAWindow) {
    TraceBuilder trace(false, 64 * 1024);
    trace.chunk(1, 0, 0);
    // The payload of the record lies behind the window that its first unit is in.
    size_t units = ChunkCursor::kWindow / sizeof(format::Event);
    for (size_t i = 0; i + 1 < units; i++)
        trace.enter(1, 0x10000);
    trace.left(2, 0x20000);
    trace.leave(3, 0x10000);
    std::vector<Event> events = read(trace);
    ASSERT_EQ(events.size(), units + 1);
    EXPECT_EQ(events[units - 1].kind, EventKind::left);
    EXPECT_EQ(events[units - 1].position, 0x20000u);
    EXPECT_EQ(events[units].time, 3u);
}

TEST(EventReader, GoesThroughChunksBySequence) {
    TraceBuilder trace;
    trace.chunk(1, 1, 200);
    trace.leave(201, 0x10000);
    trace.chunk(1, 0, 100);
    trace.enter(101, 0x10000);
    EXPECT_EQ(times(read(trace)), (std::vector<uint64_t>{101, 201}));
}

TEST(EventReader, TellsOfMissingChunksAndLosses) {
    TraceBuilder trace;
    trace.chunk(1, 0, 100).lost[size_t(format::Loss::recursion)] = 2;
    trace.enter(101, 0x10000);
    trace.chunk(1, 2, 200).depth = 3;
    trace.leave(201, 0x10000);
    std::vector<Event> events = read(trace);
    ASSERT_EQ(events.size(), 4u);
    EXPECT_EQ(events[1].kind, EventKind::lost);
    EXPECT_EQ(events[2].kind, EventKind::gap);
    EXPECT_EQ(events[2].detail, 3u);
}

TEST(EventReader, OpenCallsAreToldBehindAGapOnly) {
    TraceBuilder trace;
    trace.chunk(1, 5, 100).depth = 4;
    trace.open(100, {0x10000, 0x20000, 0x30000});
    trace.enter(101, 0x10010);
    trace.chunk(1, 6, 200).depth = 5;
    trace.open(200, {0x20000, 0x30000});
    trace.leave(201, 0x10010);
    std::vector<Event> events = read(trace);
    ASSERT_EQ(events.size(), 6u);
    EXPECT_EQ(events[0].kind, EventKind::gap);
    for (uint32_t i = 0; i < 3; i++) {
        EXPECT_EQ(events[1 + i].kind, EventKind::open);
        EXPECT_EQ(events[1 + i].position, (i + 1) * 0x10000);
        EXPECT_EQ(events[1 + i].detail, i + 1);
    }
    EXPECT_EQ(events[4].kind, EventKind::enter);
    EXPECT_EQ(events[5].kind, EventKind::leave);
}

TEST(EventReader, OpenCallsBeyondTheirChunk) {
    TraceBuilder trace;
    trace.chunk(1, 5, 100).depth = 1;
    trace.event(100, format::record_word(format::RecordType::open, format::kMaxUnits));
    trace.event(0x10000, 0x20000);
    std::vector<Event> events = read(trace);
    ASSERT_EQ(events.size(), 3u);  // what is there of them is believed, and no more depth
    EXPECT_EQ(events[2].position, 0x20000u);
    EXPECT_EQ(events[2].detail, 1u);
}

TEST(EventReader, TicksBecomeNanosecondsBetweenPairs) {
    TraceBuilder trace;
    trace.header.clock = uint8_t(format::ClockId::cycles);
    trace.chunk(1, 0, 1'000'000).cycles = 0xfffffff0;  // it wraps soon
    trace.enter(0xfffffff0 - 10, 0x10000);
    trace.enter(0xfffffff0 + 500, 0x10000);  // 10 ns a tick up to the sync record
    trace.sync(1'010'000, uint32_t(0xfffffff0 + 1000));
    trace.leave(uint32_t(0xfffffff0 + 1500), 0x10000);  // 20 ns a tick up to the next chunk
    trace.chunk(1, 1, 1'030'000).cycles = uint32_t(0xfffffff0 + 2000);
    EXPECT_EQ(times(read(trace)), (std::vector<uint64_t>{999'900, 1'005'000, 1'020'000}));
}

// A tick is 5 ns, so the counter wraps after 21 s.
TEST(EventReader, CounterWrapsInALongSilence) {
    constexpr uint64_t kStart = 1'000'000'000, kTick = 5, kSilence = 100'000'000'000;
    const auto cycles = [](uint64_t time) { return uint32_t(time / kTick); };
    TraceBuilder trace;
    trace.header.clock = uint8_t(format::ClockId::cycles);
    trace.header.start_mono_ns = kStart;
    trace.header.start_cycles = cycles(kStart);
    uint64_t now = kStart + 1'000'000;
    trace.chunk(1, 0, now).cycles = cycles(now);
    std::vector<uint64_t> expected;
    const auto call = [&] {
        for (int i = 0; i < 3; i++) {
            trace.enter(cycles(now += 500), 0x10000);
            expected.push_back(now);
            trace.leave(cycles(now += 500), 0x10000);
            expected.push_back(now);
        }
    };
    call();
    trace.enter(cycles(now += 500), 0x10010);
    expected.push_back(now);
    now += kSilence;
    trace.sync(now + 100, cycles(now + 100));  // for the leave event, whose time came before
    trace.leave(cycles(now), 0x10010);
    expected.push_back(now);
    call();
    EXPECT_EQ(times(read(trace)), expected);
}

TEST(EventReader, TicksOfACounterThatStandsStill) {
    TraceBuilder trace;
    trace.header.clock = uint8_t(format::ClockId::cycles);
    trace.chunk(1, 0, 5000);
    trace.enter(0, 0x10000);
    trace.sync(6000, 0);
    trace.leave(0, 0x10000);
    EXPECT_EQ(times(read(trace)), (std::vector<uint64_t>{5000, 6000}));
}

}  // namespace
}  // namespace mipstrace::tools
