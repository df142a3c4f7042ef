// The vendor's JSON through the reader's front door: a small file made by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "formats/registry.h"
#include "model/profile.h"
#include "tests/support/temporary_file.h"

namespace sightline::formats {

using namespace tests;
namespace {

constexpr std::string_view kFile = R"json({
"warnings": [{"category": "Missing Data", "message": "no \"x\" {"}],
"terminology": {"a": "}]", "b": ["{"]},
"instruction": [
  {"id": 7000000000000000001, "label": "GpSimd", "opcode": "DMA_DIRECT2D", "timestamp": 10, "duration": 1, "operands": "semaphore=7",
   "pc": 0, "layer": "", "predecessors": [], "trigger": 12},
  {"id": 2, "label": "TensorMatrix", "opcode": "MATMUL", "timestamp": 40, "duration": 20, "operands": "", "pc": 5, "layer": "_dot.3",
   "hlo_name": "%dot.3 = f32[4,8]{1,0} dot(%p0, %p1)", "fully_qualified_subgraph": "/sg00", "elements": 96,
   "hlo_attrs": "[{\"op_type\":\"\",\"source_file\":\"\"},{\"op_type\":\"aten__mm\",\"source_file\":\"m.py\",\"source_line\":\"7\"}]",
   "hbm_read_bytes": 512, "is_psum_read_sbuf_write": false, "raw_framework_id": [5],
   "predecessors": [{"id": 7000000000000000001, "type": "FLOW_DEPENDENCE"}, {"id": 99, "type": "FLOW_DEPENDENCE"}]},
  {"id": 3, "label": "Sync", "opcode": "EVENT_SEMAPHORE", "timestamp": 5, "duration": 90}, {"label": "Sync", "opcode": "NOP"}],
"dma": [
  {"aggregated": "no", "subgroup": "qSync-Q1-E10", "dma_queue": "1", "dma_engine": "10", "timestamp": 12, "duration": 5,
   "transfer_size": 64, "queue_type": "data", "crc": 7,
   "packet_aggregation_id": 7000000000000000003},
  {"aggregated": "no", "subgroup": "Q1-E2", "dma_queue": "1", "dma_engine": "2", "timestamp": 13, "duration": 5,
   "transfer_size": 32, "queue_type": "data", "crc": 8},
  {"aggregated": "yes", "subgroup": "qSync", "timestamp": 12, "duration": 9, "transfer_size": 96, "variable": "w", "id": 5, "trigger": 10}],
"ham": [{"k": 7, "n": 8, "type": 0, "timestamp": 20, "duration": 4}, {"k": 1, "n": 1, "type": 99, "timestamp": 24, "duration": 6}],
"semaphore_update": [{"id": "S[7] (qSync)", "value": 16, "timestamp": 18}, {"id": "2", "value": 1, "timestamp": 3}],
"pending_dma": [{"timestamp": 10, "value": 1}],
"layer_summary": [{"name": "/sg00/_dot.3", "start": 40, "end": 60, "duration": 20, "tensor_engine_mfu": 0.5}],
"neff_node": [{"node": "2", "variable_name": ""}, {"variable_name": "w", "type": "WEIGHT", "format": "NC", "shape": "[4 8]", "size": "64",
   "load_to_sbuf_dma_count": 2, "load_to_sbuf_total_size_bytes": 128}, {"variable_name": "x", "type": "IN"}],
"dma_queues_info": [{"q_name": "qSync", "q_type": "weights", "q_idx": 1, "q_eng_idx": 10, "q_axi_port": 0}],
"active_time": [{"engine": "sync"}], "cc_cores": [{"a": 1}, {"a": 2}],
"profile_info": [{"neff_name": "/models/graph.neff"}],
"nc_mem_usage": [{"usage_type": "Weights", "amount_bytes": 32, "nc": 1, "nd": 0}, {"usage_type": "Total", "amount_bytes": 32}],
"summary": [{"total_time": 0.5, "nc_idx": 1, "instance_type": "inf2.xlarge"}],
"metadata": [{"ntff_version": 6, "last_hw_timestamp": 120}]
})json";

Result<std::unique_ptr<Profile>> try_read_json(std::string_view text) {
  const TemporaryFile file(text);
  Result<std::unique_ptr<Profile>> result = neuron_reader().read(file.path(), {});
  if (result) {
    EXPECT_EQ(check_profile(**result), std::vector<std::string>{});
  }
  return result;
}

// "lane: start+duration name"
std::vector<std::string> json_slices(const Profile& p) {
  std::vector<std::string> lines;
  for (Row i = 0; i < p.slices.rows(); ++i) {
    lines.push_back(std::string(p.text(p.lanes.name[p.slices.lane[i]])) + ": " + std::to_string(p.slices.start[i]) + "+" +
                    std::to_string(p.slices.duration[i]) + " " + std::string(p.text(p.slices.name[i])));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(NeuronJson, SectionsBecomeTheTablesOfAnNtffFile) {
  const auto read = try_read_json(kFile);
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  const Profile& p = **read;
  EXPECT_EQ(json_slices(p),
            (Lines{"TensorMatrix: 40+20 MATMUL", "GpSimd: 10+1 DMA_DIRECT2D", "Sync: 5+90 EVENT_SEMAPHORE",
                   "Throttling: 20+4 limit 7/8", "Throttling: 24+6 limit unknown", "Layers: 40+20 /sg00/_dot.3", "Q1-E2: 13+5 Q1",
                   "qSync-Q1-E10: 12+5 qSync", "qSync transfers: 12+9 qSync",
                   // derived: when each operator ran
                   "Compute busy: 10+1 Compute busy", "Compute busy: 40+20 Compute busy", "DMA busy: 12+6 DMA busy",
                   "Framework operators: 40+20 _dot.3", "HLO operators: 40+20 dot.3"}));
  EXPECT_EQ(p.device_work.slice, (std::vector<Row>{0, 1, 6, 7})) << "neither waiting nor whole transfers";
  EXPECT_EQ(p.device_work.bytes[3], 64);
  EXPECT_EQ(p.device_work.device[3], 1);
  EXPECT_EQ(p.span_end, 120);
  const auto id = std::find(p.work_facts.name.begin(), p.work_facts.name.end(), p.strings.find("packet_aggregation_id"));
  ASSERT_NE(id, p.work_facts.name.end());
  EXPECT_EQ(p.text(p.work_facts.text[static_cast<std::size_t>(id - p.work_facts.name.begin())]), "7000000000000000003")
      << "a real would round it";
  ASSERT_EQ(p.flows.rows(), 2u) << "an id that no row has leads nowhere";
  EXPECT_EQ(p.flows.from[0], 1u);
  EXPECT_EQ(p.flows.to[0], 0u);
  EXPECT_EQ(p.flows.from[1], 1u) << "the transfer says who started it, and the instruction what it started";
  EXPECT_EQ(p.text(p.slices.name[p.flows.to[1]]), "qSync");
  EXPECT_EQ(p.slices.duration[p.flows.to[1]], 9);
  Lines facts;
  for (Row i = 0; i < p.work_facts.rows() && p.work_facts.slice[i] == 0; ++i) {
    facts.push_back(std::string(p.text(p.work_facts.name[i])) + "=" + std::string(p.text(p.work_facts.text[i])) +
                    (p.work_facts.text[i] == StringId::none ? std::to_string(static_cast<int>(p.work_facts.number[i])) : ""));
  }
  EXPECT_EQ(facts, (Lines{"elements=96", "fully_qualified_subgraph=/sg00", "hbm_read_bytes=512",
                          "hlo_attrs=[{\"op_type\":\"\",\"source_file\":\"\"},{\"op_type\":\"aten__mm\",\"source_file\":\"m.py\","
                          "\"source_line\":\"7\"}]",
                          "hlo_name=%dot.3 = f32[4,8]{1,0} dot(%p0, %p1)", "is_psum_read_sbuf_write=false", "layer=_dot.3",
                          "pc=5", "raw_framework_id=[5]"}));
  EXPECT_EQ(metadata_value(p, "summary.total_time"), "0.5");
  EXPECT_EQ(metadata_value(p, "ntff_version"), "6");
  ASSERT_EQ(p.memory_usage.rows(), 1u);
  EXPECT_EQ(p.memory_usage.allocated[0], 32);
  ASSERT_EQ(p.counters.rows(), 3u);
  EXPECT_EQ(p.text(p.lanes.name[p.counters.lane[2]]), "S[7] (qSync)");
  ASSERT_EQ(p.problems.rows(), 3u);
  EXPECT_EQ(p.text(p.problems.message[0]), "the vendor's tool says: no \"x\" { (Missing Data)");
  EXPECT_EQ(p.text(p.problems.code[1]), "missing_time");
  EXPECT_EQ(p.text(p.problems.message[2]), "rows of the section cc_cores are not read");
  EXPECT_EQ(p.problems.count[2], 2);
}

TEST(NeuronJson, JoinsWhatTheCompilerKnows) {
  const auto read = try_read_json(kFile);
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  const Profile& p = **read;
  ASSERT_EQ(p.program_operators.rows(), 1u);
  EXPECT_EQ(p.text(p.program_operators.program[0]), "graph.neff/sg00");
  EXPECT_EQ(p.text(p.program_operators.name[0]), "dot.3");
  EXPECT_EQ(p.text(p.program_operators.opcode[0]), "dot");
  EXPECT_EQ(p.text(p.program_operators.shape[0]), "f32[4,8]{1,0}");
  EXPECT_EQ(p.text(p.program_operators.framework_operator[0]), "_dot.3");
  EXPECT_EQ(p.text(p.program_operators.category[0]), "aten__mm");
  EXPECT_EQ(p.text(p.program_operators.source[0]), "m.py:7");
  EXPECT_EQ(p.program_work.slice, (std::vector<Row>{0}));
  // 96 multiplications with an addition each. The instructions state what they moved, so the packets that moved it add no
  // cost.
  EXPECT_EQ(p.work_costs.slice, (std::vector<Row>{0}));
  EXPECT_EQ(p.work_costs.flops[0], 192);
  EXPECT_EQ(p.work_costs.bytes_read[0], 512);
  EXPECT_EQ(p.work_costs.bytes_written[0], 0);
  EXPECT_EQ(p.work_costs.bytes[0], 512);
  ASSERT_EQ(p.tensors.rows(), 2u);
  EXPECT_EQ(p.text(p.tensors.shape[0]), "[4 8]");
  EXPECT_EQ(p.tensors.bytes[0], 64);
  EXPECT_EQ(p.tensors.loads[0], 2);
  EXPECT_EQ(p.tensors.loaded_bytes[0], 128);
  EXPECT_EQ(p.tensors.bytes[1], kUnknown);
  EXPECT_EQ(metadata_value(p, "dma_queue.qSync-Q1-E10"), "type weights, AXI port 0, DRAM channel ?");
}

TEST(NeuronJson, PacketsAreCostsIfInstructionsStateNone) {
  const auto read = try_read_json(R"({"dma": [
    {"aggregated": "no", "subgroup": "q-Q1-E1", "timestamp": 1, "duration": 1, "transfer_size": 64, "source": [["SB"]], "dest": ["SB", "PSUM"]},
    {"aggregated": "no", "subgroup": "q-Q1-E1", "timestamp": 3, "duration": 1, "transfer_size": 32, "source": [["WEIGHT"]], "dest": ["SB"]},
    {"aggregated": "no", "subgroup": "q-Q1-E1", "timestamp": 5, "duration": 1, "transfer_size": 16, "source": ["unknown"], "dest": []}]})");
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  const Profile& p = **read;
  EXPECT_EQ(p.work_costs.slice, (std::vector<Row>{1, 2})) << "a copy within the core touches no device memory";
  EXPECT_EQ(p.work_costs.bytes, (std::vector<std::int64_t>{32, 16}));
  EXPECT_EQ(p.work_costs.bytes_read[0], kUnknown);
}

TEST(NeuronJson, ARowIsFoundAgain) {
  const TemporaryFile file(kFile);
  const auto read = neuron_reader().read(file.path(), {});
  ASSERT_TRUE(read.ok());
  const Result<std::string> row = neuron_reader().event_text(file.path(), (*read)->slices.source[3]);
  ASSERT_TRUE(row.ok());
  EXPECT_EQ(*row, R"({"k": 7, "n": 8, "type": 0, "timestamp": 20, "duration": 4})");
  // A slice of a derived lane has no row.
  EXPECT_EQ(neuron_reader().event_text(file.path(), kUnknown).error().code, ErrorCode::not_found);
}

TEST(NeuronJson, ATruncatedFileIsReportedOrRefused) {
  for (std::size_t size = 1; size < kFile.size(); ++size) {
    const auto read = try_read_json(kFile.substr(0, size));
    if (!read) {
      EXPECT_FALSE(read.error().message.empty());
      continue;
    }
    const Profile& p = **read;
    const bool reported =
        std::any_of(p.problems.code.begin(), p.problems.code.end(), [&](StringId code) { return p.text(code) == "truncated"; });
    EXPECT_TRUE(reported) << size;
  }
}

TEST(NeuronJson, OtherFilesAreRefusedWithTheByte) {
  const auto message = [](std::string_view text) {
    const auto read = try_read_json(text);
    return read.ok() ? "" : read.error().message + read.error().where.substr(read.error().where.rfind(':'));
  };
  EXPECT_EQ(message("{}"), "it holds none of the sections of a profile:2");
  EXPECT_EQ(message(R"({"dma" [])"), "expected ':' behind the name of a section:8");
  EXPECT_EQ(message(R"({"dma": [{} {}]})"), "expected ',' or ']':13");
  const auto damaged = try_read_json(R"({"ham": [{"k": 7,, "n"}, {"k": 1, "n": 2, "timestamp": 3, "duration": 4}]})");
  ASSERT_TRUE(damaged.ok());
  EXPECT_EQ((*damaged)->slices.rows(), 1u);
  EXPECT_EQ((*damaged)->text((*damaged)->problems.code[0]), "malformed_event");
  EXPECT_EQ((*damaged)->problems.offset[0], 9);
}

TEST(NeuronJson, LeavesOutARowThatIsTooLong) {
  const std::string row = R"({"label": "Sync", "opcode": "NOP", "timestamp": 1, "duration": 2, "operands": ")";
  const auto p = try_read_json(R"({"instruction": [)" + row + "\"}, " + row + std::string((std::size_t{16} << 20) + 1, 'x') +
                               "\"}, " + row + R"("}], "metadata": [{"ntff_version": 6}]})");
  ASSERT_TRUE(p.ok()) << p.error().to_string();
  EXPECT_EQ((*p)->slices.rows(), 2u);
  ASSERT_EQ((*p)->problems.rows(), 1u);
  EXPECT_EQ((*p)->text((*p)->problems.code[0]), "malformed_event");
  EXPECT_EQ((*p)->problems.count[0], 1);
}

}  // namespace
}  // namespace sightline::formats
