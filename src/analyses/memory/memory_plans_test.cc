// Memory plans: a case worked by hand, the coverage against a byte-by-byte count, and the sweep against a scan of each place.
#include "analyses/memory/memory_plans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

#include "model/tables.h"
#include "tests/support/text_profile.h"
#include "tests/support/view_cells.h"

namespace sightline::analyses {

using namespace tests;
namespace {

struct Value {
  std::string name, use;
  std::int64_t piece, offset, bytes;
  std::int64_t first = kUnknown, last = kUnknown;
  Row made_by = kNoRow;
};

void add_values(Profile& p, const std::string& program, const std::string& id, const std::vector<Value>& values) {
  for (const Value& value : values) {
    const Row row = add_unknown_row(p.program_buffers);
    p.program_buffers.program[row] = p.strings.intern(program);
    p.program_buffers.program_id[row] = p.strings.intern(id);
    p.program_buffers.program_operator[row] = value.made_by;
    p.program_buffers.value[row] = p.strings.intern(value.name);
    p.program_buffers.use[row] = p.strings.intern(value.use);
    p.program_buffers.allocation[row] = value.piece;
    p.program_buffers.offset[row] = value.offset;
    p.program_buffers.bytes[row] = value.bytes;
    p.program_buffers.first[row] = value.first;
    p.program_buffers.last[row] = value.last;
  }
}

// Piece 0 is the caller's: 100 bytes of a parameter, in which a result of 80 bytes is as well. Piece 1 holds a result of 8,
// piece 2 a constant of 4: 112 bytes throughout. Piece 3 is for temporaries:
//   place 0: a comes, 0-64        64 live
//   place 1: b comes, 64-96       96
//   place 2: b's part, 64-80      96: shares the place of b
//   place 3: a has gone           32
//   place 4: c comes, 0-40        72
//   place 5: b has gone           56: its part of 16 is still there
//   place 6: the part has gone    40
//   place 7: c has gone            0
// The peak is 112 + 96 = 208, first reached at place 1. Of d, which is behind them, the file does not say when it lives: 101
// bytes are set aside. e is a core's own.
ProfilePtr planned() {
  std::unique_ptr<Profile> p =
      parse_text_profile("program train: p, k, mul [op=multiply shape=f32[16] source=m.py:3 framework=f/mul], add [op=add]\n");
  const Row parameter = 0, constant = 1, mul = 2, add = 3;
  add_values(*p, "train", "7",
             {{"p", "parameter", 0, 0, 100, 0, 7, parameter},
              {"out", "output", 1, 0, 8, 0, 7, add},
              {"out2", "parameter", 0, 0, 80, 0, 7, add},
              {"k", "constant", 2, 0, 4, 0, 7, constant},
              {"a", "temporary", 3, 0, 64, 0, 2, mul},
              {"b", "temporary", 3, 64, 32, 1, 4, add},
              {"b{0}", "temporary", 3, 64, 16, 2, 5, add},
              {"c", "temporary", 3, 0, 40, 4, 6, mul},
              {"d", "temporary", 3, 96, 5},
              {"e", "thread-local", 4, 0, 1000}});
  add_values(*p, "eval", "9", {{"q", "parameter", 0, 0, 300}, {"v", "temporary, memory space 1", 1, 0, 20, 0, 1}});
  return p;
}

std::string facts_of(const Report& report, std::string_view id) {
  std::string text;
  for (const Panel& panel : report.panels) {
    if (panel.id != id) continue;
    for (const Fact& fact : panel_facts(panel)) text += fact.label + ": " + cell_text(fact.value) + "\n";
    for (const Note& note : panel.notes) text += note.text + "\n";
  }
  return text;
}

TEST(MemoryPlans, ValuesOfAProgram) {
  const Report report = run_view(planned(), "memory", {{"program", "7"}});
  EXPECT_EQ(facts_of(report, "plan_summary"),
            "Peak live: 208\n"
            "Reached by: b\n"
            "Parameters: 100\n"
            "Outputs: 8\n"
            "Constants: 4\n"
            "Temporaries at the peak: 96\n"
            "Set aside for temporaries: 101\n"
            "Total: 213\n"
            "Not in the curve, because the file does not say when they are live: 1 value (5 B).\n");
  EXPECT_EQ(rows_text(report, "plan_curve", {"place", "live", "held", "value"}),
            "0 176 112 a\n1 208 112 b\n2 208 112 b{0}\n3 144 112 a\n4 184 112 c\n5 168 112 b\n6 152 112 b{0}\n7 112 112 c\n");
}

TEST(MemoryPlans, LiveValuesSumToTheLiveMemory) {
  const std::vector<std::string> columns{"value", "size", "counted", "use", "opcode", "shape", "source"};
  EXPECT_EQ(rows_text(run_view(planned(), "memory", {{"program", "7"}}), "plan_live", columns),
            "p 100 100 parameter - - -\n"
            "out2 80 0 parameter add - -\n"
            "a 64 64 temporary multiply f32[16] m.py:3\n"
            "b 32 32 temporary add - -\n"
            "out 8 8 output add - -\n"
            "k 4 4 constant - - -\n");
  // After b is freed, its part is still where it was.
  EXPECT_EQ(rows_text(run_view(planned(), "memory", {{"program", "7"}, {"place", "5"}}), "plan_live", {"value", "counted"}),
            "p 100\nout2 0\nc 40\nb{0} 16\nout 8\nk 4\n");
}

TEST(MemoryPlans, ProgramsAndSpacesAreChosen) {
  // The program that holds the most comes first; values in a separate memory space form a separate plan.
  const Report report = run_view(planned(), "memory");
  EXPECT_EQ(facts_of(report, "plan_summary").substr(0, 15), "Peak live: 300\n");
  EXPECT_EQ(rows_text(report, "plans", {"program", "id", "space", "peak", "set_aside", "total", "values"}),
            "train 7 device memory 208 101 213 9\n"
            "eval 9 device memory 300 0 300 1\n"
            "eval 9 memory space 1 20 20 20 1\n");
  EXPECT_EQ(
      facts_of(run_view(planned(), "memory", {{"program", "9"}, {"space", "memory space 1"}}), "plan_summary").substr(0, 14),
      "Peak live: 20\n");
  EXPECT_THROW(run_view(planned(), "memory", {{"program", "8"}}), std::invalid_argument);
  EXPECT_THROW(run_view(planned(), "memory", {{"space", "memory space 3"}}), std::invalid_argument);
  EXPECT_THROW(run_view(planned(), "memory", {{"place", "first"}}), std::invalid_argument);
  // A choice that was made for another program does not interfere.
  EXPECT_EQ(
      facts_of(run_view(planned(), "memory", {{"program", "7"}, {"space", "memory space 1"}}), "plan_summary").substr(0, 15),
      "Peak live: 208\n");
}

TEST(MemoryPlans, APeakWithoutLifetimesIsUnknown) {
  auto p = std::make_unique<Profile>();
  add_values(*p, "f", "", {{"p", "parameter", 0, 0, 8}, {"t", "temporary", 1, 0, 4}});
  const ProfilePtr profile = std::move(p);
  EXPECT_EQ(rows_text(run_view(profile, "memory"), "plans", {"peak", "parameters", "temporaries", "set_aside"}), "- 8 - 4\n");
  // But a table of pointers beside the tensors that it points to is negligible.
  p = std::make_unique<Profile>();
  add_values(*p, "f", "", {{"p", "parameter", 0, 0, 800}, {"t", "temporary", 1, 0, 8}});
  EXPECT_EQ(rows_text(run_view(ProfilePtr(std::move(p)), "memory"), "plans", {"peak", "parameters", "temporaries", "set_aside"}),
            "800 800 0 8\n");
}

TEST(MemoryPlans, CoverageCountsEachByteOnce) {
  std::mt19937 dice(7);
  const auto random = [&] { return static_cast<std::int64_t>(dice()); };
  for (int round = 0; round < 200; ++round) {
    Coverage coverage;
    std::map<std::int64_t, int> bytes;  // the oracle: how many values are on each byte
    std::vector<std::array<std::int64_t, 3>> there;
    for (int i = 0; i < 40; ++i) {
      const bool take = !there.empty() && random() % 2 == 0;
      const std::size_t which = there.empty() ? 0 : static_cast<std::size_t>(random()) % there.size();
      const std::int64_t begin = random() % 20;
      const std::array<std::int64_t, 3> value =
          take ? there[which] : std::array<std::int64_t, 3>{random() % 2, begin, begin + random() % 8};
      std::int64_t changed = 0;
      for (std::int64_t at = value[1]; at < value[2]; ++at) {
        int& count = bytes[value[0] * 1000 + at];
        changed += take ? --count == 0 : count++ == 0;
      }
      if (take) {
        ASSERT_EQ(coverage.remove(value[0], value[1], value[2]), changed);
        there.erase(there.begin() + static_cast<std::ptrdiff_t>(which));
      } else {
        ASSERT_EQ(coverage.add(value[0], value[1], value[2]), changed);
        there.push_back(value);
      }
    }
  }
}

// The slow way: at each place, count the bytes of all values that live there.
std::size_t bytes_at(const ProgramBuffers& buffers, std::int64_t place) {
  std::set<std::pair<std::int64_t, std::int64_t>> covered;
  for (Row row = 0; row < buffers.rows(); ++row) {
    const bool throughout = buffers.first[row] == kUnknown;
    if (!throughout && (place < buffers.first[row] || place > buffers.last[row])) continue;
    for (std::int64_t at = 0; at < buffers.bytes[row]; ++at) covered.emplace(buffers.allocation[row], buffers.offset[row] + at);
  }
  return covered.size();
}

TEST(MemoryPlans, TheSweepEqualsTheScan) {
  std::mt19937 dice(11);
  const auto random = [&] { return static_cast<std::int64_t>(dice()); };
  for (int round = 0; round < 50; ++round) {
    std::vector<Value> values;
    for (int i = 0; i < 30; ++i) {
      const std::int64_t first = random() % 20, last = first + random() % 10;
      const std::int64_t piece = random() % 2, offset = random() % 50, bytes = random() % 30;
      const bool throughout = random() % 4 == 0;
      values.push_back({"v", throughout ? "output" : "temporary", throughout ? piece : 2 + piece, offset, bytes,
                        throughout ? kUnknown : first, throughout ? kUnknown : last});
    }
    auto profile = std::make_unique<Profile>();
    add_values(*profile, "f", "1", values);
    const std::vector<MemoryPlan> plans = memory_plans(*profile);
    ASSERT_EQ(plans.size(), 1u);
    std::int64_t most = 0;
    for (std::size_t point = 0; point < plans[0].places.size(); ++point) {
      const auto scanned = static_cast<std::int64_t>(bytes_at(profile->program_buffers, plans[0].places[point]));
      ASSERT_EQ(plans[0].live_at(point), scanned);
      most = std::max(most, scanned);
      std::int64_t sum = 0;
      for (const LiveValue& value : live_values(*profile, plans[0], point)) sum += value.own;
      ASSERT_EQ(sum, scanned);
    }
    EXPECT_EQ(plans[0].peak_bytes(), most);
  }
}

}  // namespace
}  // namespace sightline::analyses
