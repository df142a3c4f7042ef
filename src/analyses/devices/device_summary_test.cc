// The device summary and the roofline on profiles written as text, with every figure worked by hand.
#include <gtest/gtest.h>

#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

// A program of 100 ns on a device of 2 FLOP and 4 B a ns, cycles of 0.5 ns:
// - Tensor works 0-10, 10-30 (20 FLOP, 8 B) and 60-80 (10 FLOP, 4 B, only transposing); it waits 30-40.
// - Vector works 20-70.
// - copies run 0-20 (100 B) and 10-30 (60 B) of queues filled meanwhile, and 90-94 (3 B) of a fixed one.
// - from 40 on at most 3/4 of full speed is allowed, from 80 to 100 an unknown share.
constexpr std::string_view kProgram = R"(
words BigCore, units, engine
meta exec_duration_ps = 100000
meta dma_ddr_bandwidth = 8000000000
meta summary.hardware_flops = 30
meta summary.dma_active_time = 4e-8
meta summary.total_active_time = 1e-7
meta summary.model_flops = 16
meta summary.event_count = 7
device 0: Big [flops=2e9 bandwidth=4e9 clock=2e9]
engine Tensor: 0-10 LOAD [matrix], 10-30 MATMUL [matrix cost.flops=20 cost.bytes=8 fact.instruction_type=REGULAR], 30-40 sync WAIT, 60-80 MATMUL [matrix cost.flops=10 cost.read=3 cost.written=1 fact.instruction_type=TRANSPOSE]
engine Vector: 20-70 ADD [vector]
queue Q0: 0-20 memcpy in [bytes=100 type=software_dynamic]
queue Q1: 10-30 memcpy in [bytes=60 type=software_dynamic], 90-94 memcpy code [bytes=3 type=data]
engine limits: 40-80 mark limit [fact.k=3 fact.n=4], 80-100 mark unknown
row tensors [name=a use=IN bytes=80]
row tensors [name=w use=WEIGHT bytes=40 loads=3 loaded_bytes=120]
row tensors [name=b use=OUT bytes=80]
)";

std::string metric(const Report& report, const std::string& key) {
  const ReportTable& table = *report.find_table("metrics");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (cell_text(table.find("key")->values[row]) != key) continue;
    return cell_text(table.find("shown")->values[row]) + " " + cell_text(table.find("source")->values[row]);
  }
  return "none";
}

TEST(DeviceSummary, Engines) {
  const Report report = run_view(text_profile(kProgram), "device_summary");
  // Tensor: 10 + 20 + 20 active of 100; four instructions, the wait included. Vector: 50.
  EXPECT_EQ(rows_text(report, "engines", {"engine", "active", "share", "time", "instructions"}),
            "Tensor 50 0.5 50 4\nVector 50 0.5 50 1\n");
  EXPECT_EQ(metric(report, "tensor_engine_active_time_percent"), "50% computed");
}

// ns
double time_of(const Report& report, const std::string& key) {
  const ReportTable& table = *report.find_table("metrics");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (cell_text(table.find("key")->values[row]) == key) return std::get<double>(table.find("value")->values[row]) * 1e9;
  }
  return -1;
}

// Three instructions of 1.9 ns, one right behind the other: 5.7 ns, of which whole ns are 3.
TEST(DeviceSummary, TimesAreSummedInPicosecondsWhereTheyAreKnown) {
  constexpr std::string_view kText =
      "words BigCore, units, engine\nengine Tensor: 0-1 A [matrix], 1-2 B [matrix], 3-4 C [matrix]";
  EXPECT_NEAR(time_of(run_view(text_profile(kText), "device_summary"), "tensor_engine_instruction_time"), 3, 1e-9);
  std::unique_ptr<Profile> fine = parse_text_profile(kText);
  for (Row slice = 0; slice < 3; ++slice) {
    fine->fine_times.slice.push_back(slice);
    fine->fine_times.start.push_back(slice == 0 ? 0 : slice == 1 ? 900 : 800);
    fine->fine_times.duration.push_back(900);
  }
  const Report report = run_view(ProfilePtr(std::move(fine)), "device_summary");
  for (const char* key : {"tensor_engine_instruction_time", "tensor_engine_active_time", "total_active_time"})
    EXPECT_NEAR(time_of(report, key), 5.7, 1e-9) << key;
  EXPECT_EQ(rows_text(report, "engines", {"engine", "active", "time"}), "Tensor 6 6\n");
}

TEST(DeviceSummary, Operations) {
  const Report report = run_view(text_profile(kProgram), "device_summary");
  EXPECT_EQ(metric(report, "total_time"), "100 ns computed");
  // Work 0-80 (10-30 and 20-70 overlap), copies 0-30 and 90-94: 84.
  EXPECT_EQ(metric(report, "total_active_time"), "84 ns differs");
  EXPECT_EQ(metric(report, "bigcore_cycle_count"), "200 computed");
  EXPECT_EQ(metric(report, "hardware_flops"), "30 FLOP both");
  EXPECT_EQ(metric(report, "transpose_flops"), "10 FLOP computed");
  EXPECT_EQ(metric(report, "model_flops"), "16 FLOP stated");
  // 200 FLOP were possible in 100 ns: 30, 20 and 16 of them.
  EXPECT_EQ(metric(report, "hfu_estimated_percent"), "15% computed");
  EXPECT_EQ(metric(report, "mfu_inst_estimated_percent"), "10% computed");
  EXPECT_EQ(metric(report, "mfu_estimated_percent"), "8% computed");
  // 20 useful FLOP for 8 + 4 B; the device's balance is 2/4 FLOP/B, so memory would allow 333%.
  EXPECT_EQ(metric(report, "mm_arithmetic_intensity"), "1.667 FLOP/B computed");
  EXPECT_EQ(metric(report, "peak_flops_bandwidth_ratio"), "0.5 FLOP/B computed");
  EXPECT_EQ(metric(report, "mfu_inst_max_achievable_estimated_percent"), "333% computed");
}

// A stream has no purpose of instructions and no throttled states; a file that states one of these figures is shown with it.
TEST(DeviceSummary, WhatDoesNotExistForAKindOfDeviceIsLeftOut) {
  const Report report = run_view(text_profile("stream 7: 0-9 k"), "device_summary");
  for (const char* key : {"transpose_flops", "adjusted_hardware_flops", "mfu_inst_estimated_percent", "throttled_limit"})
    EXPECT_EQ(metric(report, key), "none") << key;
  EXPECT_EQ(metric(report, "hardware_flops"), "- -");
  const Report stated = run_view(text_profile("meta summary.transpose_flops = 5\nstream 7: 0-9 k"), "device_summary");
  EXPECT_EQ(metric(stated, "transpose_flops"), "5 FLOP stated");
}

// The value of a metric as it is shown; "-" where it is unknown.
std::string counted(const std::string& text, const std::string& key) {
  const Report report = run_view(text_profile(text), "device_summary");
  const ReportTable& table = *report.find_table("metrics");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (cell_text(table.find("key")->values[row]) == key) return cell_text(table.find("shown")->values[row]);
  }
  return "none";
}

// Of a program: a dot, a convolution, a sum and a fusion of a dot execute with operations, 8 of each, a copy with none. So there
// are five work items with operations, the dot twice; four are matrix products, the sum is not.
TEST(DeviceSummary, MatrixProductsAreDotsAndConvolutions) {
  const std::string program =
      "program p: a [op=dot], b [op=convolution], c [op=add], d [op=fusion category=custom], e [op=dot into=d], f [op=add "
      "into=d], "
      "g [op=copy], h [op=fusion category=custom], i [op=add into=h], k [op=fusion category=custom], l [op=custom-call]\n";
  const std::string work =
      "0-1 k1 [does=a cost.flops=8], 1-2 k1 [does=a cost.flops=8], 2-3 k2 [does=b cost.flops=8], 3-4 k3 [does=c cost.flops=8], "
      "4-5 k4 [does=d cost.flops=8], 5-6 k5 [does=g cost.flops=0]";
  const std::string known = program + "stream 7: " + work;
  EXPECT_EQ(counted(known, "matmul_instruction_count"), "4");
  EXPECT_EQ(counted(known, "flops_work_count"), "5");
  // The operators inside a fusion show whether it is a matrix product; without them, or for a call, this is unknown.
  EXPECT_EQ(counted(known + ", 6-7 k6 [does=h cost.flops=8]", "matmul_instruction_count"), "4");
  EXPECT_EQ(counted(known + ", 6-7 k7 [does=k cost.flops=8]", "matmul_instruction_count"), "-");
  EXPECT_EQ(counted(known + ", 6-7 k8 [does=l cost.flops=8]", "matmul_instruction_count"), "-");
  EXPECT_EQ(counted(known + ", 6-7 k8 [does=l cost.flops=8]", "flops_work_count"), "6");
  EXPECT_EQ(counted(known + ", 6-7 k8 [matrix does=l cost.flops=8]", "matmul_instruction_count"), "5");
}

// The other engines of a device have no matrix units.
TEST(DeviceSummary, MatrixProductsOfEnginesAreThoseOfMatrixUnits) {
  EXPECT_EQ(counted(std::string(kProgram), "matmul_instruction_count"), "2");
  const std::string_view other = "words BigCore, units, engine\nengine Vector: 0-1 ADD [vector cost.flops=8]";
  EXPECT_EQ(counted(std::string(other), "matmul_instruction_count"), "0");
  EXPECT_EQ(counted(std::string(other), "flops_work_count"), "1");
}

// The title of an engine that the file only numbers is that of its lane.
TEST(DeviceSummary, AnEngineWithoutANameHasTheNameOfItsLane) {
  std::unique_ptr<Profile> numbered = parse_text_profile("engine 3: 0-1 a [vector]");
  numbered->lanes.name[0] = numbered->strings.intern("Operators");
  const Report report = run_view(ProfilePtr(std::move(numbered)), "device_summary");
  const ReportTable& table = *report.find_table("metrics");
  std::vector<std::string> titles;
  for (std::size_t row = 0; row < table.rows(); ++row) titles.push_back(cell_text(table.find("metric")->values[row]));
  EXPECT_EQ(std::count(titles.begin(), titles.end(), "Operators engine active"), 1);
}

TEST(DeviceSummary, MemoryAndCopies) {
  const Report report = run_view(text_profile(kProgram), "device_summary");
  EXPECT_EQ(metric(report, "hbm_read_bytes"), "3 B computed");
  EXPECT_EQ(metric(report, "mbu_estimated_percent"), "3% computed");       // 12 of 400 B
  EXPECT_EQ(metric(report, "mbu_min_read_util_percent"), "30% computed");  // 80 + 40 of 400 B
  EXPECT_EQ(metric(report, "inputs_outputs_weights_size_bytes"), "200 B computed");
  EXPECT_EQ(metric(report, "dma_packet_time"), "44 ns computed");
  EXPECT_EQ(metric(report, "dma_active_time"), "34 ns differs");
  EXPECT_EQ(metric(report, "dma_active_cycles"), "68 computed");
  EXPECT_EQ(metric(report, "dma_efficiency"), "59.9% computed");  // 163 B of 34 ns x 8
  EXPECT_EQ(metric(report, "software_dynamic_dma_packet_count"), "2 computed");
  EXPECT_EQ(metric(report, "software_dynamic_dma_active_time"), "30 ns computed");
  EXPECT_EQ(metric(report, "software_dynamic_dma_active_time_percent"), "88.2% computed");  // 30 of 34
  EXPECT_EQ(metric(report, "static_dma_size_percent"), "1.84% computed");                   // 3 of 163 B
  EXPECT_EQ(rows_text(report, "queues", {"queue", "type", "copies", "bytes", "active"}),
            "queue Q0 software_dynamic 1 100 20\nqueue Q1 data 2 63 24\n");
  EXPECT_EQ(rows_text(report, "tensors", {"tensor", "bytes", "loads", "repeats"}), "a 80 - -\nw 40 3 3\nb 80 - -\n");
}

TEST(DeviceSummary, Throttling) {
  const Report report = run_view(text_profile(kProgram), "device_summary");
  EXPECT_EQ(metric(report, "throttle_active_bc0_time_ns"), "40 ns computed");
  EXPECT_EQ(metric(report, "throttled_limit"), "75% computed");
  EXPECT_EQ(metric(report, "throttle_avg_util_limit_bc0_percent"), "50% computed");  // (40 x 3/4 + 20) / 100
}

// 0-40 of the first kind allows 7/8, 40-60 and 90-100 of another 1/2, 60-90 nothing known: of 100 ns.
TEST(DeviceSummary, ThrottlingByKind) {
  const Report report = run_view(text_profile(R"(
words BigCore, units, engine
device 0: Big
engine Tensor: 0-100 MATMUL [matrix]
engine limits: 0-40 mark limit [fact.k=7 fact.n=8 fact.type=0], 40-60 mark limit [fact.k=1 fact.n=2 fact.type=gpio_1], 60-90 mark unknown [fact.k=1 fact.n=1 fact.type=99], 90-100 mark limit [fact.k=1 fact.n=2 fact.type=gpio_1]
)"),
                                 "device_summary");
  EXPECT_EQ(metric(report, "throttle_activity_0_active_time_bc0_percent"), "40% computed");
  EXPECT_EQ(metric(report, "throttle_activity_0_avg_util_limit_bc0_percent"), "87.5% computed");
  EXPECT_EQ(metric(report, "throttle_gpio_1_active_time_bc0_percent"), "30% computed");
  EXPECT_EQ(metric(report, "throttle_gpio_1_avg_util_limit_bc0_percent"), "50% computed");
  EXPECT_EQ(metric(report, "throttle_unknown_active_time_bc0_percent"), "30% computed");
  EXPECT_EQ(metric(report, "throttle_unknown_avg_util_limit_bc0_percent"), "100% computed");
  EXPECT_EQ(metric(report, "throttle_avg_util_limit_bc0_percent"), "80% computed");  // (40 x 7/8 + 30 / 2 + 30) / 100
  EXPECT_EQ(metric(report, "throttle_gpio_2_active_time_bc0_percent"), "none") << "a kind that no state is of";
}

// 20 FLOP of 32-bit elements cost as 80 of 16 bits, 10 that transpose as 10; 1/2 FLOP a ns of 16 bits.
TEST(DeviceSummary, ScaledOperations) {
  constexpr std::string_view kText = R"(
device 0: Big [flops=5e8 bandwidth=4e9]
engine Tensor: 0-200 MATMUL [matrix cost.flops=20 fact.adjusted_flops=80 fact.instruction_type=REGULAR], 200-220 MATMUL [matrix cost.flops=10 FACT fact.instruction_type=TRANSPOSE]
)";
  const auto with = [&](std::string_view fact) {
    std::string text(kText);
    return run_view(text_profile(text.replace(text.find("FACT"), 4, fact)), "device_summary");
  };
  const Report known = with("fact.adjusted_flops=10");
  EXPECT_EQ(metric(known, "hardware_flops"), "30 FLOP computed");
  EXPECT_EQ(metric(known, "adjusted_hardware_flops"), "90 FLOP computed");
  EXPECT_EQ(metric(known, "adjusted_transpose_flops"), "10 FLOP computed");
  EXPECT_EQ(rows_text(known, "bounds", {"time"}), "-\n-\n-\n220\n180\n160\n220\n");
  const Report partly = with("bytes=0");
  EXPECT_EQ(metric(partly, "adjusted_hardware_flops"), "- -") << "the type of one product is not known: no part is shown as all";
  EXPECT_EQ(rows_text(partly, "bounds", {"time"}), "-\n-\n-\n220\n60\n40\n220\n");
}

// Three of 30 + 20 + 10 ns on two streams, of which two overlap for 10 ns: 50 of 100 ns.
TEST(DeviceSummary, Collectives) {
  const Report report = run_view(text_profile(R"(
engine Tensor: 0-100 MATMUL [matrix]
engine CC0: 0-30 collective AllReduce, 60-70 collective AllReduce
engine CC1: 20-40 collective AllGather
)"),
                                 "device_summary");
  EXPECT_EQ(metric(report, "cc_op_count"), "3 computed");
  EXPECT_EQ(metric(report, "cc_op_time"), "60 ns computed");
  EXPECT_EQ(metric(report, "cc_op_active_time"), "50 ns computed");
  EXPECT_EQ(metric(report, "cc_op_active_time_percent"), "50% computed");
  EXPECT_EQ(metric(run_view(text_profile(kProgram), "device_summary"), "cc_op_count"), "none") << "none recorded is not zero";
}

// Of three instructions of Scalar two apply functions, 10 + 5 ns; one of them, and one of two of Vector, is of a kernel.
TEST(DeviceSummary, ActivationsAndHandWrittenKernels) {
  const Report report = run_view(text_profile(R"(
engine Scalar: 0-10 ACTIVATE [fact.nki_source_location=k.py:3 fact.kernel_stack=k.py(3):f], 10-15 ACTIVATE_2, 15-20 ACT_TABLE_LOAD
engine Vector: 0-10 ADD [fact.kernel_instruction_name=I-1], 10-20 sync WAIT
queue Q0: 0-20 mark all [fact.transfer_size=64], 20-30 mark all [fact.transfer_size=32]
)"),
                                 "device_summary");
  EXPECT_EQ(metric(report, "activate_instruction_count"), "2 computed");
  EXPECT_EQ(metric(report, "activate_instruction_time"), "15 ns computed");
  EXPECT_EQ(metric(report, "scalar_engine_kernel_instruction_percent"), "33.3% computed");
  EXPECT_EQ(rows_text(report, "engines", {"engine", "instructions", "by_hand"}), "Scalar 3 0.333333\nVector 2 0.5\n");
  EXPECT_EQ(metric(report, "dma_transfer_total_bytes"), "96 B computed");
  EXPECT_EQ(metric(report, "dma_transfer_average_bytes"), "48 B computed");
  EXPECT_TRUE(run_view(text_profile(kProgram), "device_summary").find_table("engines")->find("by_hand")->hidden);
}

TEST(DeviceSummary, MetricsThatOnlyTheFileStates) {
  const Report report = run_view(text_profile(kProgram), "device_summary");
  EXPECT_EQ(metric(report, "event_count"), "7 stated");
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0].text, "The file states values that differ from those of its slices: Active time, Copies active.");
}

TEST(DeviceSummary, Bounds) {
  const Report report = run_view(text_profile(kProgram), "device_summary");
  // 160 B carry data: 20 ns at 8 B a ns; inputs and outputs 160 B. 30 FLOP at 2 a ns: 15; 20 without transposing: 10.
  // Speed-up of copies: 100 / max(bound, 50 of Tensor); of computing: 100 / max(bound, 50 of Vector).
  EXPECT_EQ(rows_text(report, "bounds", {"time", "share", "speedup"}),
            "34 0.34 2\n20 0.2 2\n20 0.2 2\n50 0.5 2\n15 0.15 2\n10 0.1 2\n50 0.5 2\n");
}

// The example that the vendor's own performance guide works through: a product of two 4096 x 4096 matrices, in microseconds.
TEST(DeviceSummary, BoundsOfTheVendorsExample) {
  const Report report = run_view(text_profile(R"(
meta exec_duration_ps = 8602000000
meta dma_ddr_bandwidth = 435000000000
device 0: Core [flops=78.6432e12 bandwidth=362.5e9]
engine Tensor: 0-4806000 MATMUL [matrix cost.flops=137438953472]
queue Q0: 0-7906000 memcpy in [bytes=1207697408]
row tensors [name=a use=IN bytes=67108864]
row tensors [name=c use=OUT bytes=33554432]
)"),
                                 "device_summary");
  EXPECT_EQ(rows_text(report, "bounds", {"time"}),
            "7906000\n2776315.88046\n231409.875862\n4806000\n1747626.666667\n-\n4806000\n");
}

TEST(DeviceSummary, UnknownMetricsHaveAReason) {
  const Report report = run_view(text_profile("stream 7: 0-10 gemm, 20-30 memcpy HtoD [bytes=64]"), "device_summary");
  EXPECT_EQ(metric(report, "hardware_flops"), "- -");
  EXPECT_EQ(metric(report, "total_active_time"), "20 ns computed");
  for (const Panel& panel : report.panels) {
    for (const Fact& fact : panel_facts(panel)) EXPECT_TRUE(!is_unknown(fact.value) || !fact.unknown.empty()) << fact.label;
  }
}

TEST(DeviceSummary, EveryDocHasFormulaAndSource) {
  for (const ReportTable& table : find_analysis("device_summary")->tables()) {
    for (const ReportColumn& column : table.columns) {
      if (table.title != "Metrics, one a row") continue;
      EXPECT_NE(column.doc.find("\nFormula: "), std::string::npos) << column.key;
      EXPECT_NE(column.doc.find("\nSource: "), std::string::npos) << column.key;
    }
  }
}

TEST(DeviceSummary, Layers) {
  const Report report = run_view(text_profile(R"(
program net: dot.1 [framework=fc1], add.2 [framework=fc1], copy.3
engine Tensor: 0-10 MATMUL [does=dot.1 cost.flops=20], 20-30 MATMUL [does=dot.1], 30-35 sync WAIT [does=dot.1]
engine Vector: 5-25 ADD [does=add.2 cost.bytes=8], 40-50 COPY [does=copy.3], 60-70 NOP
)"),
                                 "device_summary");
  // fc1: Tensor 0-10 and 20-30, Vector 5-25; together 0-30. Work without an operator is in no layer.
  EXPECT_EQ(
      rows_text(report, "layers",
                {"layer", "start", "elapsed", "active", "active_tensor", "active_vector", "instructions", "flops", "bytes"}),
      "fc1 0 30 30 20 20 3 20 8\ncopy.3 40 10 10 0 10 1 - -\n");
}

TEST(DeviceSummary, TheFirstDeviceThatComputedIsShown) {
  const auto shown = [](std::string_view text) { return run_view(text_profile(text), "device_summary").parameters[0].value; };
  EXPECT_EQ(shown("stream 7 of 0: 0-9 memcpy HtoD\nstream 7 of 3: 0-5 gemm\nstream 7 of 5: 0-5 gemm"), "3");
  EXPECT_EQ(shown("stream 7 of 4: 0-9 memcpy HtoD\nstream 7 of 2: 0-9 memcpy HtoD"), "2");
}

// Kernels run 0-100 and 200-500 on two streams; a collective runs 600-1000. Nothing else: 400 of computing in 1000.
TEST(DeviceSummary, KernelsAreTheComputingOfStreams) {
  const Report report = run_view(text_profile(R"(
stream 7: 0-100 gemm [matrix], 600-1000 collective ring
stream 8: 200-500 elementwise
)"),
                                 "device_summary");
  // Computing as it ran: 400, with the collective's 400 in its way. The most active stream: 500, with computing in its.
  EXPECT_EQ(rows_text(report, "bounds", {"time", "speedup"}), "- -\n- -\n- -\n400 2.5\n- -\n- -\n500 2\n");
}

TEST(DeviceSummary, UnknownBytesAreNotZeroAndFillsAreNotCopies) {
  const Report report = run_view(text_profile(R"(
stream 7: 0-10 gemm, 20-30 memcpy HtoD [bytes=64], 30-50 memcpy DtoH, 60-65 memset z [bytes=8]
stream 8: 30-40 memcpy HtoD [bytes=32], 70-71 memset z
)"),
                                 "device_summary");
  EXPECT_EQ(metric(report, "dma_packet_count"), "3 computed");
  EXPECT_EQ(metric(report, "dma_packet_bytes"), "- -");
  EXPECT_EQ(metric(report, "dma_packet_average_bytes"), "- -");
  EXPECT_EQ(metric(report, "dma_packet_time"), "40 ns computed");
  EXPECT_EQ(metric(report, "dma_active_time"), "30 ns computed");  // 20-50
  EXPECT_EQ(metric(report, "fill_count"), "2 computed");
  EXPECT_EQ(metric(report, "fill_bytes"), "- -");
  EXPECT_EQ(metric(report, "total_active_time"), "46 ns computed");  // 10 + 30 + 5 + 1
  EXPECT_EQ(rows_text(report, "queues", {"copies", "bytes", "mean", "rate"}), "2 - - -\n1 32 32 3200000000\n");
}

TEST(DeviceSummary, StreamsAreCalledStreams) {
  const Report report = run_view(text_profile("program f: dot\nstream 7: 0-10 gemm [does=dot]"), "device_summary");
  EXPECT_EQ(report.find_table("engines")->title, "Streams");
  EXPECT_EQ(rows_text(report, "engines", {"engine", "active"}), "stream 7 10\n");
  EXPECT_EQ(report.find_table("layers")->find("active_7")->title, "Active on stream 7");
}

TEST(DeviceSummary, DeviceWithoutWork) {
  for (const char* view : {"device_summary", "roofline"})
    EXPECT_THROW(run_view(text_profile(kProgram), view, {{"device", "3"}}), std::invalid_argument);
}

TEST(Roofline, PointsAndCeilings) {
  const Report report = run_view(text_profile(kProgram), "roofline");
  // MATMUL: 30 FLOP for 12 B in 40 ns: 0.75 a ns; at 2.5 FLOP/B computing limits to 2. The recording takes 100 ns.
  EXPECT_EQ(rows_text(report, "points",
                      {"name", "calls", "time", "flops", "bytes", "intensity", "rate", "of_peak", "of_roof", "limit"}),
            "MATMUL 2 40 30 12 2.5 750000000 0.375 0.375 computing\n");
  std::string whole;
  for (const Fact& fact : panel_facts(report.panels[0])) whole += fact.label + "=" + cell_text(fact.value) + " ";
  EXPECT_EQ(whole,
            "Calls=2 Total time=100 Operations=30 Bytes=12 Arithmetic intensity=2.5 Rate=300000000 Of peak=0.15 Of roof=0.15 ");
  ASSERT_EQ(report.panels[1].as<ScatterChart>()->ceilings.size(), 2u);
  EXPECT_EQ(report.panels[1].as<ScatterChart>()->ceilings[0].flat, 2e9);
  EXPECT_EQ(report.panels[1].as<ScatterChart>()->ceilings[1].slope, 4e9);
}

TEST(Roofline, ReportsTheTimeWithoutKnownCosts) {
  const Report report = run_view(text_profile("stream 7: 0-10 gemm [cost.flops=5], 10-40 library"), "roofline");
  ASSERT_FALSE(report.notes.empty());
  EXPECT_TRUE(report.notes[0].text.starts_with("Operations and bytes are unknown for kernels that take 75.0% of"))
      << report.notes[0].text;
}

TEST(Roofline, GivesTheReasonWhenUnavailable) {
  const Report report = run_view(text_profile("stream 7: 0-10 gemm [cost.flops=5]"), "roofline");
  EXPECT_EQ(rows_text(report, "points", {"name", "rate", "limit"}), "gemm 500000000 -\n");
  EXPECT_TRUE(report.panels[1].as<ScatterChart>()->ceilings.empty());
  EXPECT_EQ(report.notes.size(), 2u);
  EXPECT_TRUE(find_analysis("roofline")->unavailable(*text_profile("stream 7: 0-10 gemm")).has_value());
  const auto reason = find_analysis("roofline")
                          ->unavailable(*text_profile("program f: dot [flops=4]\nthread 1: 0-9 op dot [does=dot cost.flops=4]"));
  EXPECT_EQ(reason.value_or("").substr(0, 29), "no device did any work, and o");
}

}  // namespace
}  // namespace sightline::analyses
