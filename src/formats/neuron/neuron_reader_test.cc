// The NTFF reader through its front door: files made by hand in, tables out.
#include "formats/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "formats/neuron/ntff_bytes_test.h"
#include "model/profile.h"
#include "tests/support/temporary_file.h"

namespace sightline::formats {

using namespace tests;
namespace {

using namespace neuron;

std::unique_ptr<Profile> read_ntff(const std::string& bytes) {
  const TemporaryFile file(bytes);
  Result<std::unique_ptr<Profile>> result = neuron_reader().read(file.path(), {});
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().to_string());
  if (!result) return std::make_unique<Profile>();
  EXPECT_EQ(check_profile(**result), std::vector<std::string>{});
  return *std::move(result);
}

Error error_of(const std::string& bytes) {
  const TemporaryFile file(bytes);
  const Result<std::unique_ptr<Profile>> result = neuron_reader().read(file.path(), {});
  EXPECT_FALSE(result.ok());
  if (result) return {};
  Error error = result.error();
  error.where = error.where.substr(error.where.rfind(':'));
  return error;
}

// "lane: start+duration name", by lane and time.
std::vector<std::string> slice_lines(const Profile& p) {
  std::vector<std::string> lines;
  for (Row i = 0; i < p.slices.rows(); ++i) {
    lines.push_back(std::string(p.text(p.lanes.name[p.slices.lane[i]])) + ": " + std::to_string(p.slices.start[i]) + "+" +
                    std::to_string(p.slices.duration[i]) + " " + std::string(p.text(p.slices.name[i])));
  }
  return lines;
}

// "lane: time=value"
std::vector<std::string> samples(const Profile& p) {
  std::vector<std::string> lines;
  for (Row i = 0; i < p.counters.rows(); ++i) {
    lines.push_back(std::string(p.text(p.lanes.name[p.counters.lane[i]])) + ": " + std::to_string(p.counters.time[i]) + "=" +
                    std::to_string(static_cast<std::int64_t>(p.counters.value[i])));
  }
  return lines;
}

// "name=value" of a slice.
std::vector<std::string> facts(const Profile& p, Row slice) {
  std::vector<std::string> lines;
  for (Row i = 0; i < p.work_facts.rows(); ++i) {
    if (p.work_facts.slice[i] != slice) continue;
    const std::string value = p.work_facts.text[i] != StringId::none
                                  ? std::string(p.text(p.work_facts.text[i]))
                                  : std::to_string(static_cast<std::int64_t>(p.work_facts.number[i]));
    lines.push_back(std::string(p.text(p.work_facts.name[i])) + "=" + value);
  }
  return lines;
}

// "code xcount"
std::vector<std::string> ntff_problems(const Profile& p) {
  std::vector<std::string> codes;
  for (Row i = 0; i < p.problems.rows(); ++i)
    codes.push_back(std::string(p.text(p.problems.code[i])) + " x" + std::to_string(p.problems.count[i]));
  return codes;
}

using Lines = std::vector<std::string>;

// 128 rows x 64 columns, 5 x 4 x 3 elements moving: 2 * 128 * 64 * 60 = 983,040 operations.
std::string matmul() {
  return slot_of_bytes({{0, 2},     {1, 0x10},  {6, 0x13}, {7, 9},   {16, 0x10}, {20, 1},   {22, 0xff},
                        {23, 0xff}, {26, 5},    {28, 4},   {30, 3},  {32, 7},    {38, 128}, {39, 64},
                        {43, 3},    {49, 0x20}, {52, 1},   {58, 60}, {60, 1},    {62, 1}});
}

// "from > to", as slice_lines() has them.
Lines flows(const Profile& p) {
  const Lines all = slice_lines(p);
  Lines found;
  for (Row i = 0; i < p.flows.rows(); ++i) found.push_back(all[p.flows.from[i]] + " > " + all[p.flows.to[i]]);
  return found;
}

NtffBytes small_program() {
  NtffBytes file;
  file.code[kPe] = notify(2) + matmul() + slot_of_bytes({{0, 0xa2}});
  file.code[kSp] = notify(2) + slot_of_bytes({{0, 0xa0}, {4, 5}, {5, 8}, {8, 16}});
  file.traces.push_back({kInstructionKind, 0,
                         instruction_start(kSp, 0, 1050) + instruction_end(kSp, 0, 1060) +      //
                             instruction_start(kPe, 0, 1090) + instruction_end(kPe, 0, 1100) +  // the program begins
                             instruction_start(kPe, 1, 1120, 14) + instruction_start(kPe, 2, 1130) +
                             instruction_end(kPe, 2, 1131) + instruction_end(kPe, 1, 1150, 0xbbbbaaaa) +
                             instruction_start(kSp, 1, 1110) + instruction_end(kSp, 1, 1170)});
  return file;
}

TEST(Neuron, TimesCountFromTheLastEnginesMark) {
  const auto p = read_ntff(small_program().bytes());
  EXPECT_EQ(slice_lines(*p), (Lines{"TensorMatrix: 20+30 MATMUL", "Tensor: 30+1 DRAIN", "Sync: 10+60 EVENT_SEMAPHORE"}));
  EXPECT_EQ(facts(*p, 0),
            (Lines{"operands=$S[9]++@complete acc_flags=3 src=fp16@0x10[1,-1,0][5,4,3] "
                   "dst=0x2000[1,0,0][60,1,1] 128*64",
                   "pc=1", "evt_wait_time=10", "crc_in=43690", "crc_out=48059", "flops=983040", "adjusted_flops=983040"}));
  EXPECT_EQ(facts(*p, 2)[0], "operands=$S[8]>=16 setter=0");
  EXPECT_EQ(p->slices.kind[2], SliceKind::sync) << "waiting is no work";
  EXPECT_EQ(p->device_work.slice, (std::vector<Row>{0, 1}));
  EXPECT_EQ(p->device_work.core_type[0], CoreType::matrix);
  EXPECT_EQ(p->device_work.core_type[1], CoreType::general);
  EXPECT_EQ(p->span_end, 70);
  EXPECT_EQ(p->work_costs.slice, (std::vector<Row>{0}));
  EXPECT_EQ(p->work_costs.flops[0], 983040);
  EXPECT_EQ(ntff_problems(*p), (Lines{"of_the_runtime x2"}));
  EXPECT_EQ(metadata_value(*p, "uuid"), "30313233343536373839616263646566");
  EXPECT_EQ(metadata_value(*p, "runtime_version"), "2.29.0");
}

TEST(Neuron, EachUnitHasItsOwnClock) {
  NtffBytes file = small_program();
  file.clocks[kPe] = {.first = 0, .actual = 1024, .expected = 731428};  // 714.2851.. ps a tick
  file.clocks[kSp] = {.first = 0, .actual = 731428, .expected = 1'024'000};
  // PE's mark ends at 1100 * 714.285 ps = 785.714 ns, SP's at 1060 * 1.4 ps: the program begins with PE's mark.
  // MATMUL: 1120 * 714.285 = 799.999 ns, 14.285 ns later; to 1150: 30 ticks are 21.428 ns.
  const auto p = read_ntff(file.bytes());
  EXPECT_EQ(slice_lines(*p), (Lines{"TensorMatrix: 14+21 MATMUL", "Tensor: 21+0 DRAIN"}));
  // 1100, 1120, 1130, 1131 and 1150 ticks are 785'713, 799'999, 807'142, 807'856 and 821'427 ps.
  EXPECT_EQ(p->fine_times.slice, (std::vector<Row>{0, 1}));
  EXPECT_EQ(p->fine_times.start, (std::vector<std::int32_t>{286, 429}));
  EXPECT_EQ(p->fine_times.duration, (std::vector<std::int32_t>{428, 714}));
}

TEST(Neuron, PacketsPairByEngineAndQueue) {
  NtffBytes file = small_program();
  file.queues = {{0, 1, 2, "qSPSpillReload0"}};
  const auto step = [](unsigned engine, unsigned queue, unsigned kind, std::uint32_t bytes, std::uint64_t ticks) {
    return record(engine << 24 | bytes, 0x1234'0000 | queue << 4 | kind, ticks);
  };
  file.traces.push_back({kDmaKind, 1,
                         step(0, 1, 1, 0, 1200) + step(0, 1, 1, 0, 1210) + step(1, 0, 1, 0, 1215) + step(0, 1, 5, 512, 1220) +
                             step(0, 1, 6, 512, 1225) + step(0, 1, 5, 64, 1240) + step(1, 0, 5, 4, 1215) +
                             step(1, 0, 1, 0, 1300)});
  const auto p = read_ntff(file.bytes());
  const Lines all = slice_lines(*p);
  EXPECT_EQ(Lines(all.begin() + 3, all.end()), (Lines{"Q0-E1: 115+0 Q0", "qSPSpillReload0-Q1-E0: 100+20 qSPSpillReload0",
                                                      "qSPSpillReload0-Q1-E0: 110+30 qSPSpillReload0"}));
  EXPECT_EQ(p->lanes.kind[p->slices.lane[4]], LaneKind::queue);
  EXPECT_NE(p->lanes.overflow_of[p->slices.lane[5]], kNoRow) << "two packets of one queue at once";
  const Row work = static_cast<Row>(p->device_work.rows()) - 2;
  EXPECT_EQ(p->device_work.bytes[work], 512);
  EXPECT_EQ(p->text(p->device_work.type[work]), "data");
  EXPECT_EQ(facts(*p, 4), (Lines{"crc=4660"}));
  EXPECT_EQ(samples(*p), (Lines{"DMA packets in flight: 100=1", "DMA packets in flight: 110=2", "DMA packets in flight: 115=2",
                                "DMA packets in flight: 120=1", "DMA packets in flight: 140=0"}));
  EXPECT_EQ(ntff_problems(*p), (Lines{"unfinished_packet x1", "of_the_runtime x2"}));
}

TEST(Neuron, SemaphoresAndThrottling) {
  NtffBytes file = small_program();
  file.traces.push_back({kEventKind, 0,
                         record(0x1b13'0108, 16, 1130) + record(0x0719'0108, 0, 1120) + record(0x0711'0004, 1, 1140) +
                             record(0x6719'0109, 5, 1050) +   // before the program, and others were lost
                             record(0x4719'0108, 3, 1145)});  // in the program
  file.traces.push_back({kThrottleKind, 0, record(0x1e08'000e, 7, 1110) + record(0x1e00'0000, 0x80, 1130)});
  const auto p = read_ntff(file.bytes());
  EXPECT_EQ(samples(*p), (Lines{"S[8]: 20=0", "S[8]: 30=16", "S[8]: 45=3", "E[4]: 40=1"}));
  const Lines all = slice_lines(*p);
  EXPECT_EQ(Lines(all.begin() + 3, all.end()), (Lines{"Throttling: 10+20 limit 7/8", "Throttling: 30+40 limit unknown"}));
  EXPECT_EQ(facts(*p, 3), (Lines{"k=7", "n=8"}));
  EXPECT_EQ(ntff_problems(*p), (Lines{"overflow_before x1", "overflow x1", "of_the_runtime x3"}));
  EXPECT_EQ(p->problems.severity[1], Severity::note) << "instructions and copies are complete";
}

// Sync waits until S[9] is at least 1. The Tensor engine's first MATMUL adds the 1 as it ends; its second makes it 2.
TEST(Neuron, AWaitDependsOnTheInstructionWhoseSignalEndedIt) {
  NtffBytes file;
  file.code[kPe] = notify(2) + matmul() + matmul();
  file.code[kSp] = notify(2) + slot_of_bytes({{0, 0xa0}, {4, 5}, {5, 9}, {8, 1}, {34, 0x19}, {35, 9}}) +  // and sets it to 0
                   slot_of_bytes({{0, 0xa4}, {4, 1}, {5, 7}, {8, 16}});                                   // S[7] == 16
  file.code[kPool] = slot_of_bytes({{0, 0xb8}, {13, 7}, {14, 16}});                                       // a copy, to S[7]
  file.traces.push_back({kInstructionKind, 0,
                         instruction_start(kPe, 0, 1000) + instruction_end(kPe, 0, 1000) + instruction_start(kPe, 1, 1100) +
                             instruction_end(kPe, 1, 1400) + instruction_start(kPe, 2, 1500) + instruction_end(kPe, 2, 1800) +
                             instruction_start(kPool, 0, 1010) + instruction_end(kPool, 0, 1011) +
                             instruction_start(kSp, 1, 1050) + instruction_end(kSp, 1, 1830) + instruction_start(kSp, 2, 1840) +
                             instruction_end(kSp, 2, 1850)});
  file.traces.push_back({kEventKind, 0,
                         record(0x0713'0109, 1, 1360) + record(0x0713'0109, 2, 1760) + record(0x1719'0109, 0, 1790) +
                             record(0x1b13'0107, 15, 1600) + record(0x1b13'0107, 16, 1610)});
  const auto p = read_ntff(file.bytes());
  EXPECT_EQ(flows(*p), (Lines{"TensorMatrix: 100+300 MATMUL > Sync: 50+780 EVENT_SEMAPHORE",  // not the one before its end
                              "GpSimd: 10+1 DMA_DIRECT2D > Sync: 840+10 NOP",
                              "TensorMatrix: 100+300 MATMUL > Sync: 840+10 NOP",  // the NOP before it waited for this
                              "Sync: 50+780 EVENT_SEMAPHORE > Sync: 840+10 NOP"}));
}

// Weights and two products with them: LDWEIGHTS waits until S[4] is 1, which an ACTIVATE adds, after an EVENT_SEMAPHORE that
// waits for a copy to S[7]. Each MATMUL adds 1 to S[9]; Sync waits until it is 2, and nothing waits for less. Then all meet
// at S[2].
TEST(Neuron, BothHalvesOfAProductShareTheirWaits) {
  const std::string barrier = slot_of_bytes({{0, 0xa0}, {4, 1}, {5, 2}, {6, 0x13}, {7, 2}, {8, 1}});
  NtffBytes file;
  file.code[kPe] = notify(2) + slot_of_bytes({{0, 0xa0}, {4, 5}, {5, 7}, {8, 16}}) +
                   slot_of_bytes({{0, 1}, {4, 5}, {5, 4}, {8, 1}, {32, 7}}) + matmul() + matmul() + barrier;
  file.code[kAct] = slot_of_bytes({{0, 0xa4}, {6, 0x13}, {7, 4}}) + slot_of_bytes({{0, 0xa4}, {6, 0x13}, {7, 2}});
  file.code[kPool] = slot_of_bytes({{0, 0xb8}, {13, 7}, {14, 16}});
  file.code[kSp] = notify(2) + slot_of_bytes({{0, 0xa4}, {4, 5}, {5, 9}, {8, 2}});
  const auto ran = [](unsigned engine, unsigned slot, unsigned start, unsigned end) {
    return instruction_start(engine, slot, start) + instruction_end(engine, slot, end);
  };
  file.traces.push_back({kInstructionKind, 0,
                         ran(kPe, 0, 1000, 1000) + ran(kPool, 0, 1010, 1011) + ran(kAct, 0, 1100, 1200) +
                             ran(kPe, 1, 1300, 1310) + ran(kPe, 2, 1320, 1330) + ran(kPe, 3, 1340, 1400) +
                             ran(kPe, 4, 1420, 1500) + ran(kSp, 1, 1050, 1520) + ran(kAct, 1, 1530, 1600) +
                             ran(kPe, 5, 1510, 1650)});
  file.traces.push_back({kEventKind, 0,
                         record(0x1b13'0107, 16, 1250) + record(0x0b13'0104, 1, 1160) + record(0x0713'0109, 1, 1360) +
                             record(0x0713'0109, 2, 1460) + record(0x0b13'0102, 1, 1560) + record(0x0713'0102, 2, 1610)});
  const std::string load = "Tensor: 320+10 LDWEIGHTS", first = "TensorMatrix: 340+60 MATMUL",
                    second = "TensorMatrix: 420+80 MATMUL";
  const std::string copy = "GpSimd: 10+1 DMA_DIRECT2D", made = "Scalar: 100+100 NOP", before = "Tensor: 300+10 EVENT_SEMAPHORE";
  const std::string after = "Sync: 50+470 NOP";
  Lines expected{copy + " > " + before, made + " > " + load,   made + " > " + first,   copy + " > " + load,
                 copy + " > " + first,  before + " > " + load, before + " > " + first, made + " > " + second,
                 copy + " > " + second, load + " > " + after,  first + " > " + after,  second + " > " + after};
  Lines found = flows(*read_ntff(file.bytes()));
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
}

TEST(Neuron, MemoryByHolder) {
  NtffBytes file = small_program();
  file.memory = {{"weight", 32768}, {"io", 8}};
  const auto p = read_ntff(file.bytes());
  ASSERT_EQ(p->memory_usage.rows(), 2u);
  EXPECT_EQ(p->text(p->memory_usage.component[1]), "weight");
  EXPECT_EQ(p->memory_usage.allocated[1], 32768);
  EXPECT_EQ(p->text(p->memory_usage.device_name[1]), "NeuronCore 0");
}

TEST(Neuron, UnfinishedWorkLastsToTheEnd) {
  NtffBytes file = small_program();
  file.traces[0].records += instruction_start(kPe, 2, 1140) + instruction_start(kPe, 2, 1180) + instruction_end(kSp, 0, 1165);
  const auto p = read_ntff(file.bytes());
  EXPECT_EQ(slice_lines(*p)[2], "Tensor: 40+30 DRAIN");
  EXPECT_EQ(ntff_problems(*p), (Lines{"unmatched_end x1", "unfinished_slice x1", "of_the_runtime x3"}))
      << "begun after all had ended: the runtime waits";
}

TEST(Neuron, WithoutAMarkTimesCountFromTheFirst) {
  NtffBytes file = small_program();
  file.code[kPe].replace(0, 64, slot_of_bytes({{0, 0x77}}));
  file.code[kSp].replace(0, 64, slot_of_bytes({{0, 0xa4}, {12, 3}}));
  const auto p = read_ntff(file.bytes());
  EXPECT_EQ(slice_lines(*p)[1], "Tensor: 40+10 Operation(119)") << "an opcode that is not known";
  EXPECT_EQ(facts(*p, 1)[0], "operands=77" + std::string(126, '0'));
  EXPECT_EQ(slice_lines(*p)[3], "Sync: 0+10 NOP");
  EXPECT_EQ(facts(*p, 3)[0], "operands=cycle=3");
  EXPECT_EQ(ntff_problems(*p), (Lines{"no_begin x1"}));
}

TEST(Neuron, OtherVersionsAreRefused) {
  NtffBytes file = small_program();
  for (const int version : {4, 6}) {
    file.version = static_cast<decltype(file.version)>(version);
    const Error error = error_of(file.bytes());
    EXPECT_EQ(error.code, ErrorCode::unsupported);
    EXPECT_EQ(error.where, ":0");
    EXPECT_EQ(error.message,
              "NTFF version " + std::to_string(version) +
                  " is not decoded (supported: 5); convert it to JSON with the vendor's tool (view --output-format json)");
  }
  EXPECT_TRUE(neuron_reader().sniff("x", file.bytes())) << "so that the reader can explain it";
}

TEST(Neuron, DamagedHeadersNameTheByte) {
  const std::string whole = small_program().bytes();
  EXPECT_EQ(error_of("").message, "the file ends inside its first 128 bytes");
  EXPECT_EQ(error_of(whole.substr(0, 100)).where, ":100");
  EXPECT_EQ(error_of(whole.substr(0, 300)).message, "the file ends inside a message");
  std::string long_field = whole;
  long_field[129] = 0x7f;  // the length of the name
  long_field[128 + 2 + 0x7f] = 0x03;
  EXPECT_FALSE(error_of(long_field).message.empty());
  std::string nothing = whole;
  std::fill(nothing.begin() + 1, nothing.begin() + 9, '\0');
  EXPECT_EQ(error_of(nothing).message, "a header cannot have 0 bytes");
}

TEST(Neuron, DamagedRecordsAreSurvived) {
  NtffBytes file = small_program();
  const std::string whole = file.bytes();
  const auto cut = read_ntff(whole.substr(0, whole.size() - 20));
  EXPECT_EQ(slice_lines(*cut).size(), 2u) << "the wait of Sync has lost its end, and its start is the last record";
  EXPECT_EQ(ntff_problems(*cut)[0], "truncated x1");
  file.dma_clocks.clear();
  file.traces.push_back({kDmaKind, 1, record(1, 1, 1200) + "odd"});
  file.traces.push_back({kErrorKind, 0, record(0x03000001, 0, 1200)});
  file.traces.push_back({3, 2, record(0x03000001, 0, 1200)});
  file.graphs = 3;
  EXPECT_EQ(ntff_problems(*read_ntff(file.bytes())), (Lines{"device_errors x1", "missing_time x1", "uneven_records x1",
                                                            "undecoded_unit x1", "of_the_runtime x2", "more_nodes x2"}));
}

// Content without public documentation is named, with what to open instead.
TEST(Neuron, UndecodedContentNamesTheExportToUse) {
  NtffBytes file = small_program();
  file.traces.push_back({kErrorKind, 0, record(0x03000001, 0, 1200)});  // an error's code
  file.traces.push_back({3, 2, record(0x03000001, 0, 1200)});           // of collectives
  file.traces.push_back({0, 0, record(0x01000000, 0, 1200)});           // no known type
  file.graphs = 2;
  const auto profile = read_ntff(file.bytes());
  std::map<std::string, std::string> messages;
  for (Row row = 0; row < profile->problems.rows(); ++row)
    messages[std::string(profile->text(profile->problems.code[row]))] = profile->text(profile->problems.message[row]);
  for (const char* code : {"device_errors", "undecoded_unit", "unknown_record", "more_nodes"})
    EXPECT_NE(messages[code].find("view --output-format"), std::string::npos) << code << ": " << messages[code];
}

TEST(Neuron, ARecordIsFoundAgain) {
  const TemporaryFile file(small_program().bytes());
  const auto p = neuron_reader().read(file.path(), {});
  ASSERT_TRUE(p.ok());
  const Result<std::string> text = neuron_reader().event_text(file.path(), (*p)->slices.source[1]);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text->find(R"({"word_0":"0x04000102","word_1":"0x00000000","ticks":"1130","type":4,"engine":"Tensor",)"), 0u)
      << *text;
  EXPECT_NE(text->find(R"("pc":2,"opcode":"DRAIN","operands":"")"), std::string::npos) << *text;
  EXPECT_FALSE(neuron_reader().event_text(file.path(), 5).ok());
}

}  // namespace
}  // namespace sightline::formats
