// The vendor's JSON through the reader's front door: a small file made by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/check_profile.h"
#include "readers/neuron/neuron_reader.h"
#include "tests/support/temporary_file.h"

namespace sightline {
namespace {

constexpr std::string_view kFile = R"json({
"warnings": [{"category": "Missing Data", "message": "no \"x\" {"}],
"terminology": {"a": "}]", "b": ["{"]},
"instruction": [
  {"id": 7000000000000000001, "label": "GpSimd", "opcode": "DMA_DIRECT2D", "timestamp": 10, "duration": 1, "operands": "semaphore=7",
   "pc": 0, "layer": "", "predecessors": []},
  {"id": 2, "label": "TensorMatrix", "opcode": "MATMUL", "timestamp": 40, "duration": 20, "operands": "", "pc": 5, "layer": "_dot.3",
   "hbm_read_bytes": 512, "is_psum_read_sbuf_write": false, "raw_framework_id": [5],
   "predecessors": [{"id": 7000000000000000001, "type": "FLOW_DEPENDENCE"}, {"id": 99, "type": "FLOW_DEPENDENCE"}]},
  {"id": 3, "label": "Sync", "opcode": "EVENT_SEMAPHORE", "timestamp": 5, "duration": 90}, {"label": "Sync", "opcode": "NOP"}],
"dma": [
  {"aggregated": "no", "subgroup": "qSync-Q1-E10", "dma_queue": "1", "dma_engine": "10", "timestamp": 12, "duration": 5,
   "transfer_size": 64, "queue_type": "data", "crc": 7},
  {"aggregated": "no", "subgroup": "Q1-E2", "dma_queue": "1", "dma_engine": "2", "timestamp": 13, "duration": 5,
   "transfer_size": 32, "queue_type": "data", "crc": 8},
  {"aggregated": "yes", "subgroup": "qSync", "timestamp": 12, "duration": 9, "transfer_size": 96, "variable": "w"}],
"ham": [{"k": 7, "n": 8, "type": 0, "timestamp": 20, "duration": 4}, {"k": 1, "n": 1, "type": 99, "timestamp": 24, "duration": 6}],
"semaphore_update": [{"id": "S[7] (qSync)", "value": 16, "timestamp": 18}, {"id": "2", "value": 1, "timestamp": 3}],
"pending_dma": [{"timestamp": 10, "value": 1}],
"nc_mem_usage": [{"usage_type": "Weights", "amount_bytes": 32, "nc": 1, "nd": 0}, {"usage_type": "Total", "amount_bytes": 32}],
"summary": [{"total_time": 0.5, "nc_idx": 1, "instance_type": "inf2.xlarge"}],
"metadata": [{"ntff_version": 6, "last_hw_timestamp": 120}]
})json";

Result<std::unique_ptr<Profile>> try_read(std::string_view text) {
  const TemporaryFile file(text);
  Result<std::unique_ptr<Profile>> result = neuron_reader().read(file.path(), {});
  if (result) {
    EXPECT_EQ(check_profile(**result), std::vector<std::string>{});
  }
  return result;
}

// "lane: start+duration name"
std::vector<std::string> slices(const Profile& p) {
  std::vector<std::string> lines;
  for (Row i = 0; i < p.slices.rows(); ++i) {
    lines.push_back(std::string(p.text(p.lanes.name[p.slices.lane[i]])) + ": " + std::to_string(p.slices.start[i]) + "+" +
                    std::to_string(p.slices.duration[i]) + " " + std::string(p.text(p.slices.name[i])));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(NeuronJson, SectionsBecomeTheTablesOfAnNtffFile) {
  const auto read = try_read(kFile);
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  const Profile& p = **read;
  EXPECT_EQ(slices(p), (Lines{"TensorMatrix: 40+20 MATMUL", "GpSimd: 10+1 DMA_DIRECT2D", "Sync: 5+90 EVENT_SEMAPHORE",
                              "Throttling: 20+4 limit 7/8", "Throttling: 24+6 limit unknown", "Q1-E2: 13+5 Q1",
                              "qSync-Q1-E10: 12+5 qSync", "qSync transfers: 12+9 qSync"}));
  EXPECT_EQ(p.device_work.slice, (std::vector<Row>{0, 1, 5, 6})) << "neither waiting nor whole transfers";
  EXPECT_EQ(p.device_work.bytes[3], 64);
  EXPECT_EQ(p.device_work.device[3], 1);
  EXPECT_EQ(p.span_end, 120);
  ASSERT_EQ(p.flows.rows(), 1u) << "an id that no row has leads nowhere";
  EXPECT_EQ(p.flows.from[0], 1u);
  EXPECT_EQ(p.flows.to[0], 0u);
  Lines facts;
  for (Row i = 0; i < p.work_facts.rows() && p.work_facts.slice[i] == 0; ++i) {
    facts.push_back(std::string(p.text(p.work_facts.name[i])) + "=" + std::string(p.text(p.work_facts.text[i])) +
                    (p.work_facts.text[i] == StringId::none ? std::to_string(static_cast<int>(p.work_facts.number[i])) : ""));
  }
  EXPECT_EQ(facts,
            (Lines{"hbm_read_bytes=512", "is_psum_read_sbuf_write=false", "layer=_dot.3", "pc=5", "raw_framework_id=[5]"}));
  EXPECT_EQ(metadata_value(p, "summary.total_time"), "0.5");
  EXPECT_EQ(metadata_value(p, "ntff_version"), "6");
  ASSERT_EQ(p.memory_usage.rows(), 1u);
  EXPECT_EQ(p.memory_usage.allocated[0], 32);
  ASSERT_EQ(p.counters.rows(), 3u);
  EXPECT_EQ(p.text(p.lanes.name[p.counters.lane[2]]), "S[7] (qSync)");
  ASSERT_EQ(p.problems.rows(), 2u);
  EXPECT_EQ(p.text(p.problems.message[0]), "the vendor's tool says: no \"x\" { (Missing Data)");
  EXPECT_EQ(p.text(p.problems.code[1]), "missing_time");
}

TEST(NeuronJson, ARowIsFoundAgain) {
  const TemporaryFile file(kFile);
  const auto read = neuron_reader().read(file.path(), {});
  ASSERT_TRUE(read.ok());
  const Result<std::string> row = neuron_reader().event_text(file.path(), (*read)->slices.source[3]);
  ASSERT_TRUE(row.ok());
  EXPECT_EQ(*row, R"({"k": 7, "n": 8, "type": 0, "timestamp": 20, "duration": 4})");
}

TEST(NeuronJson, CutAnywhereItSaysSoOrIsRefused) {
  for (std::size_t size = 1; size < kFile.size(); ++size) {
    const auto read = try_read(kFile.substr(0, size));
    if (!read) {
      EXPECT_FALSE(read.error().message.empty());
      continue;
    }
    const Profile& p = **read;
    const bool told =
        std::any_of(p.problems.code.begin(), p.problems.code.end(), [&](StringId code) { return p.text(code) == "truncated"; });
    EXPECT_TRUE(told) << size;
  }
}

TEST(NeuronJson, WhatIsNoSuchFileIsRefusedWithTheByte) {
  const auto message = [](std::string_view text) {
    const auto read = try_read(text);
    return read.ok() ? "" : read.error().message + read.error().where.substr(read.error().where.rfind(':'));
  };
  EXPECT_EQ(message("{}"), "it holds none of the sections of a device profile:2");
  EXPECT_EQ(message(R"({"dma" [])"), "expected ':' behind the name of a section:8");
  EXPECT_EQ(message(R"({"dma": [{} {}]})"), "expected ',' or ']':13");
  const auto damaged = try_read(R"({"ham": [{"k": 7,, "n"}, {"k": 1, "n": 2, "timestamp": 3, "duration": 4}]})");
  ASSERT_TRUE(damaged.ok());
  EXPECT_EQ((*damaged)->slices.rows(), 1u);
  EXPECT_EQ((*damaged)->text((*damaged)->problems.code[0]), "malformed_event");
  EXPECT_EQ((*damaged)->problems.offset[0], 9);
}

}  // namespace
}  // namespace sightline
