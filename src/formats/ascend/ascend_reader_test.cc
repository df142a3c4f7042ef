// The Ascend reader through its front door: folders of small files in, tables out.
#include "formats/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "model/profile.h"
#include "tests/support/temporary_folder.h"

namespace sightline::formats {

using namespace tests;
namespace {

namespace fs = std::filesystem;

constexpr const char* kOutput = "w_1_ascend_pt/ASCEND_PROFILER_OUTPUT/";

class AscendFolder : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    const fs::path file = fs::path(folder_.path()) / (kOutput + name);
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }

  Result<std::unique_ptr<Profile>> try_read() { return ascend_reader().read(folder_.path() + "/w_1_ascend_pt", {}); }

  std::unique_ptr<Profile> read() {
    Result<std::unique_ptr<Profile>> result = try_read();
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().to_string());
    if (!result) return std::make_unique<Profile>();
    EXPECT_EQ(check_profile(**result), std::vector<std::string>{});
    return *std::move(result);
  }

  // Codes of the problems except those of missing files.
  static std::vector<std::string> problems(const Profile& p) {
    std::vector<std::string> codes;
    for (const StringId code : p.problems.code) {
      if (p.text(code) != "missing_file") codes.emplace_back(p.text(code));
    }
    return codes;
  }

  static Row find(const Profile& p, std::string_view name) {
    for (Row i = 0; i < p.slices.rows(); ++i) {
      if (p.text(p.slices.name[i]) == name) return i;
    }
    ADD_FAILURE() << name;
    return 0;
  }

  static Row work_of(const Profile& p, std::string_view name) {
    const auto at = std::find(p.device_work.slice.begin(), p.device_work.slice.end(), find(p, name));
    EXPECT_NE(at, p.device_work.slice.end()) << name;
    return static_cast<Row>(at - p.device_work.slice.begin());
  }

  TemporaryFolder folder_;
};

// aten::mm at 10 us causes MatMul, which CANN launches at 20 us (connection 5) and stream 2 runs at 40.003 us.
constexpr const char* kTrace = R"([
{"ph":"M","name":"process_name","pid":7,"tid":0,"args":{"name":"Python"}},
{"ph":"M","name":"process_name","pid":7392,"tid":0,"args":{"name":"CANN"}},
{"ph":"M","name":"process_name","pid":7585,"tid":0,"args":{"name":"Ascend Hardware"}},
{"ph":"M","name":"process_name","pid":7649,"tid":0,"args":{"name":"HCCL"}},
{"ph":"M","name":"thread_name","pid":7649,"tid":0,"args":{"name":"Group 0 Communication"}},
{"ph":"M","name":"thread_name","pid":7649,"tid":1,"args":{"name":"Plane 0"}},
{"ph":"X","name":"aten::mm","cat":"cpu_op","pid":7,"tid":70,"ts":"1736408883704010.000","dur":50,
 "args":{"Input Dims":"2,3;\r\n3,4;\r\n","Input type":"float;\r\nfloat;\r\nNone","Call stack":"a.py(1): f;\r\nb.py(2): g"}},
{"ph":"X","name":"Node@launch","pid":7392,"tid":70,"ts":"1736408883704020.000","dur":5,"args":{"connection_id":5}},
{"ph":"X","name":"MatMul","pid":7585,"tid":2,"ts":"1736408883704040.003","dur":7.5,"args":{"Task Type":"AI_CORE","connection_id":5}},
{"ph":"X","name":"EVENT_WAIT","pid":7585,"tid":2,"ts":"1736408883704050.000","dur":1,"args":{"Task Type":"EVENT_WAIT_SQE","connection_id":6}},
{"ph":"X","name":"hcom_allReduce__5_0_1","pid":7649,"tid":0,"ts":"1736408883704060.000","dur":30,
 "args":{"connection_id":8,"data_type":"FP32","count":100}},
{"ph":"X","name":"Notify_Wait","pid":7649,"tid":1,"ts":"1736408883704061.000","dur":3,"args":{"task type":"Notify_Wait"}},
{"ph":"C","name":"AI Core Freq","pid":7616,"tid":0,"ts":"1736408883704000.000","args":{"MHz":1800}},
{"ph":"C","name":"read","pid":7648,"tid":0,"ts":"1736408883704000.000","args":{"value": 3, "acc_id": 2}},
{"ph":"s","cat":"async_npu","name":"torch_to_npu","bp":"e","id":1736408883704040003,"pid":7,"tid":70,"ts":"1736408883704010.000"},
{"ph":"f","cat":"async_npu","name":"torch_to_npu","bp":"e","id":1736408883704040003,"pid":7585,"tid":2,"ts":"1736408883704040.003"}
])";

TEST_F(AscendFolder, TheTraceBecomesLayersAndOwners) {
  write("trace_view.json", kTrace);
  const auto p = read();
  EXPECT_EQ(problems(*p), std::vector<std::string>{});
  EXPECT_EQ(p->origin_unix_ns, 1736408883704010000);
  const Row mm = find(*p, "aten::mm"), kernel = find(*p, "MatMul");
  EXPECT_EQ(p->slices.kind[kernel], SliceKind::kernel);
  EXPECT_EQ(p->slices.start[kernel], 30'003);
  const Row work = work_of(*p, "MatMul");
  EXPECT_EQ(p->device_work.owner[work], mm);
  EXPECT_EQ(p->device_work.rule[work], OwnerRule::linked_id);
  EXPECT_EQ(p->device_work.device[work], 1) << "the five lowest bits of the process id";
  EXPECT_EQ(p->device_work.core_type[work], CoreType::unknown) << "the trace does not tell cube from vector";
  ASSERT_NE(p->device_work.launch[work], kNoRow);
  EXPECT_EQ(p->launches.slice[p->device_work.launch[work]], find(*p, "Node@launch"));
  EXPECT_EQ(p->slices.kind[find(*p, "EVENT_WAIT")], SliceKind::sync);
  EXPECT_EQ(p->slices.kind[find(*p, "Notify_Wait")], SliceKind::other) << "a part of the collective";
  EXPECT_EQ(p->slices.kind[find(*p, "hcom_allReduce__5_0_1")], SliceKind::collective);
  ASSERT_EQ(p->collectives.rows(), 1u);
  EXPECT_EQ(p->collectives.kind[0], CollectiveKind::all_reduce);
  EXPECT_EQ(p->text(p->collectives.name[0]), "hcom_allReduce");
  EXPECT_EQ(p->collectives.in_bytes[0], 400);
  ASSERT_EQ(p->operators.rows(), 1u);
  EXPECT_EQ(p->text(p->operators.input_shapes[0]), "[[2, 3], [3, 4], []]");
  EXPECT_EQ(p->text(p->operators.input_types[0]), "[\"float\", \"float\", \"None\"]");
  EXPECT_EQ(p->text(p->operators.call_stack[0]), "a.py(1): f;b.py(2): g");
  ASSERT_EQ(p->counters.rows(), 2u);
  EXPECT_EQ(p->text(p->lanes.name[p->counters.lane[0]]), "AI Core Freq MHz");
  EXPECT_EQ(p->text(p->lanes.name[p->counters.lane[1]]), "read value 2") << "of unit 2";
}

TEST_F(AscendFolder, KernelRowsJoinTheirSlices) {
  write("trace_view.json", kTrace);
  write("kernel_details.csv",
        "\xEF\xBB\xBF\"Step Id\",Stream ID,Task ID,Name,Type,Accelerator Core,Start Time(us),Duration(us),Block Num,Input "
        "Shapes,aic_mac_ratio\r\n"
        "3,2,11,MatMul,MatMulV2,AI_CORE,\"1736408883704040.002\t\",7.5,32,\"\"\"2,3;3,4\"\"\",0.25\r\n"
        "3,2,12,Gone,X,AI_CPU,1736408883704040.003\t,1,1,N/A,N/A\r\n");
  write("l2_cache.csv", "Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n2,11,N/A,0.5,MatMul\n");
  const auto p = read();
  EXPECT_EQ(problems(*p), (std::vector<std::string>{"unmatched_kernel", "no_step_marks"}));
  // The trace marks no step; MatMul, of step 3, was launched from 20 to 25 us, 10 us after the first slice.
  ASSERT_EQ(p->steps.rows(), 1u);
  EXPECT_EQ(p->steps.number[0], 3);
  EXPECT_EQ(p->steps.start[0], 10'000);
  EXPECT_EQ(p->steps.duration[0], 5'000);
  const Row work = work_of(*p, "MatMul");
  EXPECT_EQ(p->text(p->device_work.core[work]), "AI_CORE");
  EXPECT_EQ(p->device_work.core_type[work], CoreType::matrix);
  EXPECT_EQ(p->text(p->device_work.type[work]), "MatMulV2");
  EXPECT_EQ(p->text(p->device_work.grid[work]), "32");
  std::vector<std::string> facts;
  for (Row i = 0; i < p->work_facts.rows(); ++i) {
    const std::string_view text = p->text(p->work_facts.text[i]);
    facts.push_back(std::string(p->text(p->work_facts.name[i])) + "=" +
                    (text.empty() ? std::to_string(p->work_facts.number[i]) : std::string(text)));
  }
  EXPECT_EQ(facts, (std::vector<std::string>{"Step Id=3.000000", "Stream ID=2.000000", "Task ID=11.000000",
                                             "Input Shapes=2,3;3,4", "aic_mac_ratio=0.250000", "Victim Rate=0.500000"}));
}

TEST_F(AscendFolder, WithoutATraceKernelRowsBecomeSlices) {
  write("kernel_details.csv",
        "Name,Accelerator Core,Start Time(us),Duration(us),Block Dim,Stream ID,Device_id\n"
        "a,AI_CORE,1736408883704040.003\t,7.5,8,2,3\n"
        "b,AI_VECTOR_CORE,1.73640E+15,1,8,2,3\n"
        "c,AI_CPU,oops,1,8,2,3\n"
        "hcom_send__1_0_1,HCCL,1736408883704060.000\t,4,0,N/A,3\n");
  const auto p = read();
  EXPECT_EQ(problems(*p), (std::vector<std::string>{"not_a_number", "rounded_time", "unusable_row"}));
  EXPECT_EQ(p->slices.rows(), 2u);
  EXPECT_EQ(p->device_work.core_type[work_of(*p, "a")], CoreType::matrix);
  EXPECT_EQ(p->device_work.device[work_of(*p, "hcom_send__1_0_1")], 3);
  EXPECT_EQ(p->slices.start[find(*p, "hcom_send__1_0_1")], 19'997);
  EXPECT_EQ(p->collectives.kind[0], CollectiveKind::send);
}

// The third line opens a quote that is never closed; the lines after it are read, with their own quotes.
TEST_F(AscendFolder, AnOpenQuoteSpoilsOnlyItsLine) {
  const std::string header = "Name,Accelerator Core,Start Time(us),Duration(us)\n";
  const std::string first = "a,AI_CORE,1736408883704040,7\n", torn = "\"b,AI_CORE,1736408883704050,7\n";
  write("kernel_details.csv", header + first + torn + "c,AI_CORE,1736408883704060,7\nd,AI_\"\"CORE,1736408883704070,7");
  const auto p = read();
  EXPECT_EQ(problems(*p), std::vector<std::string>{"unclosed_quote"});
  EXPECT_EQ(p->slices.rows(), 3u);
  EXPECT_EQ(p->text(p->device_work.core[work_of(*p, "d")]), "AI_\"\"CORE");
  for (Row i = 0; i < p->problems.rows(); ++i) {
    if (p->text(p->problems.code[i]) != "unclosed_quote") continue;
    EXPECT_EQ(p->problems.offset[i], static_cast<std::int64_t>(header.size() + first.size()));
  }
}

TEST_F(AscendFolder, RowsBeyondAnySizeAreSkipped) {
  const std::string header = "Name,Accelerator Core,Start Time(us),Duration(us)\n", sound = "a,AI_CORE,1736408883704040,7\n";
  const std::string wide = std::string(5000, ',') + "\n", long_ = std::string(17 << 20, 'x') + "\n";
  write("kernel_details.csv", header + wide + sound + long_ + sound + "\"" + long_ + sound + "\"b\",,1736408883704050,7\n");
  const auto p = read();
  EXPECT_EQ(problems(*p), (std::vector<std::string>{"unclosed_quote", "oversized_row"}));
  EXPECT_EQ(p->slices.rows(), 4u);
}

TEST_F(AscendFolder, ImpossibleSumsAreSkipped) {
  write("trace_view.json", kTrace);
  write("op_statistic.csv",
        "Device_id,OP Type,Core Type,Count,Total Time(us)\n"
        "1,A,AI_CORE,9223372036854775807,1\n1,B,AI_CORE,1,2999999999999999\n1,C,AI_CORE,-1,1\n1,D,AI_CORE,2,7.5\n");
  const auto p = read();
  EXPECT_EQ(problems(*p), std::vector<std::string>{"unusable_row"});
  ASSERT_EQ(p->reported_calls.rows(), 1u);
  EXPECT_EQ(p->reported_calls.total[0], 7'500);
}

TEST_F(AscendFolder, ReadsTheLastOfSeveralExportsAndNamesTheOthers) {
  const auto table = [](std::string_view kernel) {
    return "Op Name,Task Type,Task Start Time(us),Task Duration(us)\n" + std::string(kernel) + ",AI_CORE,1736408883704040,7\n";
  };
  write("op_summary_9.csv", table("nine"));
  write("op_summary_10.csv", table("ten"));
  const auto p = read();
  EXPECT_EQ(problems(*p), std::vector<std::string>{"several_exports"});
  EXPECT_EQ(p->text(p->slices.name[0]), "ten");
}

TEST_F(AscendFolder, AnExportBelowTheRawDataIsRead) {
  write("../PROF_1/mindstudio_profiler_output/op_summary_1.csv",
        "Op Name,Task Type,Task Start Time(us),Task Duration(us)\nk,AI_CORE,1736408883704040,7\n");
  EXPECT_EQ(read()->slices.rows(), 1u);
}

TEST_F(AscendFolder, AnInvalidTimeDoesNotExtendTheRecording) {
  write("memory_record.csv",
        "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Device Type\n"
        "PTA,0,1.5,2.0,1.5,NPU:1\nPTA,1736408883704030.000\t,1.5,2.0,1.5,NPU:1\nPTA,1736408883704020.000\t,1.5,2.0,1.5,NPU:1\n");
  const auto p = read();
  EXPECT_EQ(problems(*p), std::vector<std::string>{"unusable_row"});
  EXPECT_EQ(p->span_end, 10'000);
}

TEST_F(AscendFolder, OneOperationTakesTheSliceThatBeginsWithIt) {
  write("trace_view.json", kTrace);
  const auto entry = [](std::string_view step, std::string_view start) {
    return "\"" + std::string(step) + R"json(": {"collective": {"hcom_allReduce__5_0_1@99": {"Communication Time Info": {
      "Start Timestamp(us)": )json" +
           std::string(start) + R"json(, "Elapse Time(ms)": 0.03}}}})json";
  };
  write("communication.json", "{" + entry("step1", R"("1736408883704020.2")") + "," + entry("step2", R"("1736408883704060.2")") +
                                  "," + entry("step3", R"("1736408883704060.3")") + "}");
  const auto p = read();
  const Row slice = find(*p, "hcom_allReduce__5_0_1");
  EXPECT_EQ(p->communications.slice, (std::vector<Row>{kNoRow, slice, kNoRow}));
  EXPECT_EQ(p->communications.start, (std::vector<Time>{10'200, 50'000, 50'300}));
}

// 18.5 KB are 18,944 bytes, 1.5 MB 1,572,864.
TEST_F(AscendFolder, Memory) {
  write("trace_view.json", kTrace);
  write("operator_memory.csv",
        "Name,Size(KB),Allocation Time(us),Release Time(us),Duration(us),Allocation Total Allocated(MB),Device Type\n"
        "aten::mm,18.5,1736408883704011.000\t,1736408883704031.000\t,20.000\t,1.5,NPU:1\n"
        "cann::x,-1,\t,1736408883704021.000\t,\t,,NPU:1\n"
        "bad,x,1736408883704011.000\t,,,,NPU:1\n");
  write("memory_record.csv",
        "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device Type\n"
        "PTA,1736408883704030.000\t,1.5,2.0,1.5,897,NPU:1\n"
        "APP,1736408883704020.000\t,,3.0,,,NPU:1\n"
        "PTA,1736408883704011.000\t,1,2.0,1,897,NPU:1\n");
  write("npu_module_mem.csv", "Component,Timestamp(us),Total Reserved(MB),Device\nSLOG,1736408883704020.000\t,-1,NPU:1\n");
  const auto p = read();
  EXPECT_EQ(problems(*p), (std::vector<std::string>{"not_a_number", "unusable_row"}));
  const MemoryEvents& m = p->memory_events;
  ASSERT_EQ(m.rows(), 3u);
  EXPECT_EQ(m.time, (std::vector<Time>{1'000, 11'000, 21'000}));
  EXPECT_EQ(m.bytes, (std::vector<std::int64_t>{18'944, -1'024, -18'944}));
  EXPECT_EQ(m.total_allocated, (std::vector<std::int64_t>{1'572'864, kUnknown, kUnknown}));
  EXPECT_EQ(m.address[0], m.address[2]) << "both ends of one block";
  EXPECT_EQ(m.lane[0], p->slices.lane[find(*p, "aten::mm")]);
  EXPECT_EQ(m.lane[1], kNoRow);
  EXPECT_EQ(p->text(m.device_name[0]), "NPU1");
  EXPECT_EQ(m.device[0], 1);
  EXPECT_EQ(p->text(m.device_name[1]), "NPU1 (graph engine)");
  const MemoryUsage& u = p->memory_usage;
  ASSERT_EQ(u.rows(), 4u);
  EXPECT_EQ(p->text(u.component[0]), "APP");
  EXPECT_EQ(u.allocated[0], kUnknown);
  EXPECT_EQ(u.time[1], 1'000) << "PTA, in order of time";
  EXPECT_EQ(p->text(u.component[3]), "SLOG (driver)");
  EXPECT_EQ(u.reserved[3], kUnknown) << "-1: only releases were seen";
}

TEST_F(AscendFolder, ReportedSums) {
  write("step_trace_time.csv", "Device_id,Step,Computing,Free\n1,,8873.756000000001,25744.05\n");
  write("operator_details.csv",
        "Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us),Device Total "
        "Duration(us),Device Self Duration With AICore(us),Device Total Duration With AICore(us)\r\n"
        "aten::mm,\"2,3;\r\n3,4\",\"a.py(1): f;\r\nb.py(2): g\",1.5,2,0,0,0,0\r\n");
  const auto p = read();
  EXPECT_EQ(problems(*p), std::vector<std::string>{});
  ASSERT_EQ(p->reported_steps.rows(), 2u);
  EXPECT_EQ(p->reported_steps.step[0], StringId::none);
  EXPECT_EQ(p->reported_steps.device[0], 1);
  EXPECT_EQ(p->reported_steps.duration, (std::vector<Time>{8'873'756, 25'744'050}));
  ASSERT_EQ(p->reported_operators.rows(), 1u);
  EXPECT_EQ(p->reported_operators.host_self[0], 1'500);
  EXPECT_EQ(p->text(p->reported_operators.call_stack[0]), "a.py(1): f;b.py(2): g");
}

// SDMA is the sum of HCCS, PCIE and SIO; 28.647232 MB are 28,647,232 bytes.
TEST_F(AscendFolder, Communication) {
  write("trace_view.json", kTrace);
  write("communication.json", R"json({"step3": {"p2p": {}, "collective": {
    "hcom_allReduce__5_0_1@99": {"Communication Time Info": {"Start Timestamp(us)": 1736408883704060.2, "Elapse Time(ms)": 0.03,
      "Transit Time(ms)": 0.02, "Wait Time(ms)": N/A, "Synchronization Time(ms)": "0.005"},
     "Communication Bandwidth Info": {"RDMA": {"Transit Size(MB)": 0, "Transit Time(ms)": 0},
      "HCCS": {"Transit Size(MB)": 28.647232, "Transit Time(ms)": 1.8,
        "Size Distribution": {"2.064384": [12, 1.5], "1.937312": [2, 0.3], "?": [1, 1], "3": 4}}, "SDMA": {"Transit Size(MB)": 28.647232, "Transit Time(ms)": 1.8}}},
    "Total Op Info": {"Communication Time Info": {"Elapse Time(ms)": 1}}}}})json");
  write("communication_matrix.json", R"json({"step3": {"p2p": {}, "collective": {"allreduce-top1@99": {
    "0-7": {"Transport Type": "HCCS", "Transit Size(MB)": 1, "Transit Time(ms)": 2, "Bandwidth(GB/s)": 0.5, "Op Name": "x"}}}}})json");
  write("../profiler_metadata.json", R"json({"parallel_group_info": {"99": {"group_name": "dp", "global_ranks": [4, 12]}}})json");
  const auto p = read();
  EXPECT_EQ(problems(*p), std::vector<std::string>{});
  const Communications& c = p->communications;
  ASSERT_EQ(c.rows(), 1u);
  EXPECT_EQ(c.slice[0], find(*p, "hcom_allReduce__5_0_1"));
  EXPECT_EQ(c.start[0], 50'000) << "the slice's own start: the file rounds";
  EXPECT_EQ(c.elapsed[0], 30'000);
  EXPECT_EQ(c.wait[0], kUnknown);
  EXPECT_EQ(c.synchronization[0], 5'000);
  ASSERT_EQ(p->transfers.rows(), 2u);
  EXPECT_EQ(p->transfers.bytes[0], 28'647'232);
  EXPECT_EQ(p->transfers.target[1], 7);
  EXPECT_EQ(p->text(p->transfers.group_ranks[1]), "[4,12]");
  EXPECT_EQ(p->packets.transfer, (std::vector<Row>{0, 0}));
  EXPECT_EQ(p->packets.bytes, (std::vector<std::int64_t>{2'064'384, 1'937'312}));
  EXPECT_EQ(p->packets.count, (std::vector<std::int64_t>{12, 2}));
  EXPECT_EQ(p->packets.duration, (std::vector<Time>{1'500'000, 300'000}));
  EXPECT_EQ(p->text(p->collectives.group[0]), "99");
}

TEST_F(AscendFolder, ReportsBrokenFilesAndReadsTheRest) {
  write("trace_view.json", "oops");
  write("kernel_details.csv", "");
  write("communication.json", "{\"step3\": ");
  write("step_trace_time.csv", "Step,Computing\n3,1\n");
  const auto p = read();
  EXPECT_EQ(problems(*p), (std::vector<std::string>{"unreadable_file", "unreadable_file", "unreadable_file"}));
  EXPECT_EQ(p->reported_steps.rows(), 1u);
}

TEST_F(AscendFolder, NothingReadableIsAnErrorThatNamesTheCause) {
  write("trace_view.json", "oops");
  const auto result = try_read();
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("trace_view.json:0: not a trace"), std::string::npos) << result.error().message;
}

TEST(AscendNames, WorkersAndSpans) {
  const Reader reader = ascend_reader();
  const auto name = [&](const std::string& path, const std::vector<std::string>& files = {}) {
    const ProfileName found = reader.name_folder(path, {"", files, {}});
    return found.worker + " " + found.span_stamp + (found.rank ? " of rank " + std::to_string(*found.rank) : "");
  };
  EXPECT_EQ(name("/x/ubuntu_rank0_1736408883_ascend_pt"), "ubuntu_rank0 1736408883");
  EXPECT_EQ(name("/x/20260526_085155_ascend_pt"), "20260526 085155");
  EXPECT_EQ(name("/x/host_123_20260526085155123_ascend_ms"), "host_123 20260526085155123");
  EXPECT_EQ(name("/x/rank0_ascend_pt"), "rank0 ");
  EXPECT_EQ(name("/x/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT"), "rank0 ");
  EXPECT_EQ(name("/x/PROF_000001_2026_ABC/mindstudio_profiler_output"), "PROF_000001_2026_ABC ");
  EXPECT_EQ(name("/x/node_3_ascend_pt", {"profiler_info_3.json"}), "node_3  of rank 3") << "the number is the rank, no time";
  EXPECT_EQ(name("/x/node_4_ascend_pt", {"profiler_info_3.json"}), "node 4 of rank 3") << "another span of a rank";
  EXPECT_EQ(name("/x/w_20260526085155_ascend_pt", {"profiler_info_12.json"}), "w 20260526085155 of rank 12");
  EXPECT_EQ(name("/x/w_1_ascend_pt", {"profiler_info.json"}), "w 1") << "no file says which rank it is";
  EXPECT_EQ(name("/x/rank_3_ascend_pt"), "rank_3 ") << "its name says so";
  EXPECT_EQ(name("/x/frank_3_ascend_pt"), "frank 3");
  EXPECT_EQ(name("/x/rank_20260526085155_ascend_pt"), "rank 20260526085155");
}

TEST(AscendNames, Folders) {
  const Reader reader = ascend_reader();
  using Names = std::vector<std::string>;
  const auto claims = [&](std::string_view name, const Names& files, const Names& folders) {
    return reader.claims_folder({name, files, folders});
  };
  EXPECT_TRUE(claims("w_1_ascend_pt", {}, {"ASCEND_PROFILER_OUTPUT", "FRAMEWORK"}));
  EXPECT_TRUE(claims("ASCEND_PROFILER_OUTPUT", {}, {}));
  EXPECT_TRUE(claims("PROF_1", {}, {"mindstudio_profiler_output"}));
  EXPECT_TRUE(claims("anything", {"kernel_details.csv"}, {}));
  EXPECT_TRUE(claims("w_ascend_pt", {"memory_record.csv"}, {}));
  EXPECT_FALSE(claims("anything", {"memory_record.csv"}, {})) << "a name that others may use";
  EXPECT_TRUE(claims("w_1_ascend_pt", {"profiler_info_0.json"}, {"FRAMEWORK"})) << "its error says what to do";
  EXPECT_FALSE(claims("w_1", {"profiler_info_0.json"}, {"FRAMEWORK"}));
  EXPECT_FALSE(claims("logs", {"a.pt.trace.json"}, {}));
}

constexpr const char* kKernels =
    "Name,Type,Accelerator Core,Start Time(us),Duration(us),Block Dim\nMatMul,MatMulV2,AI_CORE,1736408883704040.003\t,7.500,8\n";
constexpr const char* kKernelSums = "OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n";
constexpr const char* kCallSums = "Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\n";

TEST_F(AscendFolder, SumsOfCallsAgreeWithTheTimeline) {
  write("trace_view.json", kTrace);
  write("kernel_details.csv", kKernels);
  write("op_statistic.csv", std::string(kKernelSums) + "MatMulV2,AI_CORE,1,7.501,7.501,7.501,7.501,100\n");
  write("api_statistic.csv", std::string(kCallSums) + "node,launch,5.0,1,5.0,5.0,5.0,0\n");
  const auto p = read();
  EXPECT_EQ(problems(*p), std::vector<std::string>{});
  ASSERT_EQ(p->reported_calls.rows(), 2u);
  EXPECT_EQ(p->reported_calls.kind[0], SliceKind::kernel);
  EXPECT_EQ(p->text(p->reported_calls.part[0]), "AI_CORE");
  EXPECT_EQ(p->reported_calls.total[0], 7'501);  // off by the rounding of one duration
  EXPECT_EQ(p->text(p->reported_calls.name[1]), "launch");
  EXPECT_EQ(p->reported_calls.longest[1], 5'000);
  EXPECT_EQ(p->device_word, "NPU");
}

TEST_F(AscendFolder, SumsOfCallsThatDifferAreNoted) {
  write("trace_view.json", kTrace);
  write("kernel_details.csv", kKernels);
  write("op_statistic.csv",
        std::string(kKernelSums) + "MatMulV2,AI_CORE,2,15,7.5,7.5,7.5,60\nCast,AI_VECTOR_CORE,1,5,5,5,5,40\n");
  write("api_statistic.csv", std::string(kCallSums) + "node,launch,6.0,1,6.0,6.0,6.0,0\n");
  const auto p = read();
  EXPECT_EQ(problems(*p), (std::vector<std::string>{"sums_differ", "sums_differ"}));
  EXPECT_EQ(p->problems.count[p->problems.rows() - 1], 1);
}

TEST_F(AscendFolder, SumsOfCallsAlone) {
  write("op_statistic.csv", std::string(kKernelSums) + "Cast,AI_VECTOR_CORE,2,5.25,2,2.625,N/A,100\n,AI_CORE,1,1,1,1,1,1\n");
  const auto p = read();
  ASSERT_EQ(p->reported_calls.rows(), 1u);
  EXPECT_EQ(p->reported_calls.total[0], 5'250);
  EXPECT_EQ(p->reported_calls.longest[0], kUnknown);
}

// The product: 0.6 / 0.8 of the cube's ratios; the vector core's are of another kernel. The cast: 0.9 / 0.3. Of all reads and
// writes 30 of 40 hit. The rest lacks an input, or divides by 0.
TEST_F(AscendFolder, DocumentedFiguresAreDerived) {
  write("kernel_details.csv",
        "Name,Accelerator Core,Start Time(us),Duration(us),aic_mac_ratio,aic_mte2_ratio,aiv_vec_ratio,aiv_mte2_ratio,"
        "aic_write_cache_hit,aic_write_cache_miss_allocate,aic_r0_read_cache_hit,aic_r0_read_cache_miss_allocate,Context ID\n"
        "MatMul,AI_CORE,1736408883704040,7,0.8,0.6,0.1,0.9,10,5,20,5,4294967295\n"
        "Cast,AI_VECTOR_CORE,1736408883704050,7,0.8,0.6,0.3,0.9,0,0,0,0,3\n"
        "Both,MIX_AIC,1736408883704060,7,0.8,0.6,0.3,0.9,,,,,N/A\n"
        "Idle,AI_CORE,1736408883704070,7,0,0.6,0.3,0.9,7,,8,,N/A\n");
  const auto p = read();
  const auto fact = [&](std::string_view kernel, std::string_view name) {
    const Row slice = find(*p, kernel);
    for (Row i = 0; i < p->work_facts.rows(); ++i) {
      if (p->work_facts.slice[i] == slice && p->text(p->work_facts.name[i]) == name) return p->work_facts.number[i];
    }
    return -1.0;
  };
  EXPECT_DOUBLE_EQ(fact("MatMul", "memory_bound (derived)"), 0.6 / 0.8);
  EXPECT_DOUBLE_EQ(fact("Cast", "memory_bound (derived)"), 0.9 / 0.3);
  EXPECT_EQ(fact("Both", "memory_bound (derived)"), -1);
  EXPECT_EQ(fact("Idle", "memory_bound (derived)"), -1);
  EXPECT_DOUBLE_EQ(fact("MatMul", "L2 hit rate (derived)"), 0.75);
  EXPECT_EQ(fact("Cast", "L2 hit rate (derived)"), -1);
  EXPECT_EQ(fact("Idle", "L2 hit rate (derived)"), -1);
  EXPECT_EQ(fact("MatMul", "Context ID"), -1);  // 4294967295 means none
  EXPECT_EQ(fact("Cast", "Context ID"), 3);
}

}  // namespace
}  // namespace sightline::formats
