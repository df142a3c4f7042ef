// The reader of the TensorBoard plugin's log through its front door: files in a folder in, tables out.
#include "formats/registry.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "model/profile.h"
#include "tests/support/temporary_folder.h"

namespace sightline::formats {

using namespace tests;
namespace {

namespace fs = std::filesystem;

using Texts = std::map<std::string, std::string>;  // by file name

constexpr std::string_view kLoggedTrace = R"({"neuronStartTimestampNs": 1000, "traceEvents": [
{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"Process Execution"}},
{"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"/host:CPU"}},
{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"Framework Ops"}},
{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"HLO Ops"}},
{"ph":"X","name":"NN/dot","pid":1,"tid":1,"ts":1.5,"dur":0.4},
{"ph":"X","name":"dot.1","pid":1,"tid":2,"ts":1.5,"dur":0.3,"args":{"fused":"a, b"}},
{"ph":"X","name":"other","pid":1,"tid":2,"ts":1.9,"dur":0.1},
{"ph":"X","name":"dot.1","pid":2,"tid":3,"ts":1.5,"dur":0.3}]})";

class Log {
 public:
  explicit Log(const Texts& texts) {
    for (const auto& [name, text] : texts) std::ofstream(fs::path(folder_.path()) / name, std::ios::binary) << text;
  }
  std::string path(const std::string& name = "") const { return (fs::path(folder_.path()) / name).string(); }

 private:
  TemporaryFolder folder_;
};

std::unique_ptr<Profile> read_texts(const Texts& texts) {
  const Log log(texts);
  Result<std::unique_ptr<Profile>> result = neuron_log_reader().read(log.path(), {});
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().to_string());
  if (!result) return std::make_unique<Profile>();
  EXPECT_EQ(check_profile(**result), std::vector<std::string>{});
  return *std::move(result);
}

std::string logged_number(std::int64_t value) { return value == kUnknown ? "-" : std::to_string(value); }

// "framework|name device core calls total", one line per row of reported_program_work.
std::string runs(const Profile& p) {
  std::string text;
  const ReportedProgramWork& all = p.reported_program_work;
  for (Row i = 0; i < all.rows(); ++i) {
    const Row of = all.program_operator[i];
    text.append(p.text(p.program_operators.framework_operator[of])).append("|");
    text.append(p.text(p.program_operators.name[of])).append(" ");
    text += logged_number(all.device[i]) + " " + std::string(p.text(all.core[i])) + " " + logged_number(all.calls[i]) + " " +
            logged_number(all.total[i]) + "\n";
  }
  return text;
}

std::vector<std::string> fused(const Profile& p) {
  std::vector<std::string> lines;
  const ProgramOperators& all = p.program_operators;
  for (Row i = 0; i < all.rows(); ++i) {
    if (all.fused_into[i] == kNoRow) continue;
    lines.push_back(std::string(p.text(all.name[i])) + " in " + std::string(p.text(all.name[all.fused_into[i]])));
  }
  return lines;
}

std::vector<std::string> problem_lines(const Profile& p) {
  std::vector<std::string> lines;
  for (Row i = 0; i < p.problems.rows(); ++i) {
    lines.push_back(std::string(p.text(p.problems.code[i])) + ": " + std::string(p.text(p.problems.message[i])));
  }
  return lines;
}

TEST(NeuronLog, OperatorsOfBothKinds) {
  const auto p = read_texts(
      {{"neuron_framework_op.json",
        R"({"ops":[{"name":"NN/dot","occurrences":2,"neuron_device":0,"neuron_core":1,"time_ns":400}],"total_time":400 })"},
       {"neuron_hlo_op.json", R"({"total_time": 650, "ops": [
                          {"name":"dot.1","occurrences":2,"neuron_device":0,"neuron_core":0,"time_ns":400},
                          {"name":"fused_3","occurrences":1,"neuron_device":0,"neuron_core":0,"time_ns":150,"fused":["a","b"]},
                          {"name":"fused_3","occurrences":1,"neuron_device":1,"neuron_core":0,"time_ns":100,"fused":["a","b"]}]})"}});
  EXPECT_EQ(runs(*p), "NN/dot| 0 1 2 400\n|dot.1 0 0 2 400\n|fused_3 0 0 1 150\n|fused_3 1 0 1 100\n");
  EXPECT_EQ(fused(*p), (std::vector<std::string>{"a in fused_3", "b in fused_3"}));
  EXPECT_EQ(problem_lines(*p), std::vector<std::string>{});
  EXPECT_EQ(p->device_word, "NeuronDevice");
  EXPECT_EQ(p->devices.rows(), 2u);
}

TEST(NeuronLog, MembersUnderTheSpellingsOfItsColumns) {
  const auto p = read_texts({{"neuron_hlo_op.json", R"_({"ops":[{"Op Name":"x","Occurrences":"3","Neuron Device":"NeuronDevice 2",
    "NeuronCore":"NeuronCore 1","Time (ns)":"12.6","Time %":5,"Fused":"p, q","color":"red"},
    {"hloOp":"y","duration_us":1.5,"core":"gp"}]})_"}});
  EXPECT_EQ(runs(*p), "|x 2 1 3 13\n|y - gp - 1500\n");
  EXPECT_EQ(fused(*p), (std::vector<std::string>{"p in x", "q in x"}));
  EXPECT_EQ(problem_lines(*p),
            std::vector<std::string>{"unknown_members: neuron_hlo_op.json: members of operators that are not understood: color"});
}

TEST(NeuronLog, RowsThatCannotBeUsedAreCounted) {
  const auto p = read_texts(
      {{"neuron_hlo_op.json", R"({"ops":[{"time":1},{"name":"x","time":-1},{"name":{}, "time":},{"name":"z","time":"long"}]})"}});
  EXPECT_EQ(runs(*p), "|x -  - -\n|z -  - -\n");
  EXPECT_EQ(problem_lines(*p), std::vector<std::string>{"unusable_rows: neuron_hlo_op.json: rows of operators without a name"});
  EXPECT_EQ(p->problems.count[0], 2);
  EXPECT_EQ(p->problems.offset[0], 8);
}

TEST(NeuronLog, ReportsATotalThatDoesNotAddUp) {
  const auto p = read_texts({{"neuron_hlo_op.json", R"({"ops":[{"name":"x","time":10}],"total_time":12})"}});
  EXPECT_EQ(problem_lines(*p),
            std::vector<std::string>{"other_total: neuron_hlo_op.json: the file states a total time of 12 ns; the times of its "
                                     "operators sum to 10 ns"});
}

TEST(NeuronLog, SlicesOfTheTraceExecuteOperators) {
  const auto p = read_texts({{"neuron_op_timeline_split.json", std::string(kLoggedTrace)},
                             {"neuron_op_timeline.json", "not read"},
                             {"neuron_framework_op.json", R"({"ops":[{"name":"NN/dot","time":400}]})"},
                             {"neuron_hlo_op.json", R"({"ops":[{"name":"dot.1","time":300}]})"}});
  ASSERT_EQ(p->slices.rows(), 4u);
  EXPECT_EQ(p->origin_unix_ns, 1000 + 1500);
  EXPECT_EQ(p->lanes.kind[0], LaneKind::engine);
  EXPECT_EQ(p->lanes.kind[2], LaneKind::host_thread);
  ASSERT_EQ(p->program_work.rows(), 2u);
  for (Row i = 0; i < 2; ++i) {
    const Row of = p->program_work.program_operator[i];
    const StringId name = p->program_operators.name[of];
    EXPECT_EQ(p->slices.name[p->program_work.slice[i]],
              name == StringId::none ? p->program_operators.framework_operator[of] : name);
  }
  EXPECT_EQ(problem_lines(*p),
            std::vector<std::string>{
                "other_timeline: neuron_op_timeline_split.json is drawn; neuron_op_timeline.json beside it is not"});
}

TEST(NeuronLog, ReportsDamageAndReadsTheRest) {
  const std::string operators = R"({"ops":[{"name":"x","time":10},{"name":"y","ti)";
  auto p = read_texts({{"neuron_hlo_op.json", operators}, {"neuron_trace.json", "nonsense"}});
  EXPECT_EQ(runs(*p), "|x -  - 10\n");
  ASSERT_EQ(p->problems.rows(), 2u);
  EXPECT_EQ(problem_lines(*p)[0],
            "truncated: neuron_hlo_op.json: the file ends before its list of operators does; those before it were read");
  EXPECT_EQ(p->problems.offset[0], static_cast<std::int64_t>(operators.size()));
  EXPECT_NE(problem_lines(*p)[1].find("neuron_trace.json:0: not a trace"), std::string::npos);
  p = read_texts({{"neuron_hlo_op.json", R"({"ops":[{"name":"x","time":10}] oops)"}});
  EXPECT_EQ(runs(*p), "|x -  - 10\n");
  EXPECT_NE(problem_lines(*p)[0].find("malformed: "), std::string::npos);
}

TEST(NeuronLog, NothingToReadIsAnErrorWithTheCause) {
  const Log log(Texts{{"neuron_hlo_op.json", R"({"ops":[]})"}});
  const auto empty = neuron_log_reader().read(log.path(), {});
  ASSERT_FALSE(empty.ok());
  EXPECT_NE(empty.error().to_string().find("nothing could be read: it holds no events"), std::string::npos);
  const Log bad(Texts{{"neuron_hlo_op.json", "[1]"}});
  const auto refused = neuron_log_reader().read(bad.path(), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().to_string().find("neuron_hlo_op.json:1: expected '{' at the beginning"), std::string::npos)
      << refused.error().to_string();
}

TEST(NeuronLog, ASingleFileCanBeRead) {
  const Log log(
      Texts{{"neuron_hlo_op.json", R"({"ops":[{"name":"x","time":10}]})"}, {"neuron_trace.json", std::string(kLoggedTrace)}});
  const auto read = neuron_log_reader().read(log.path("neuron_hlo_op.json"), {});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ((*read)->slices.rows(), 0u);
  EXPECT_EQ((*read)->reported_program_work.rows(), 1u);
  EXPECT_EQ(neuron_log_reader().files_of(log.path("neuron_hlo_op.json"))->size(), 0u);
  EXPECT_EQ(neuron_log_reader().files_of(log.path())->size(), 2u);
}

TEST(NeuronLog, ASlicesTextIsFoundAgain) {
  const Log log(Texts{{"neuron_trace.json", std::string(kLoggedTrace)}});
  const auto read = neuron_log_reader().read(log.path(), {});
  ASSERT_TRUE(read.ok());
  const Profile& p = **read;
  const auto name = std::find(p.slices.name.begin(), p.slices.name.end(), p.strings.find("dot.1")) - p.slices.name.begin();
  const Result<std::string> text = neuron_log_reader().event_text(log.path(), p.slices.source[static_cast<Row>(name)]);
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("\"fused\":\"a, b\""), std::string::npos);
}

TEST(NeuronLog, FoldersAndTheirNames) {
  const Reader reader = neuron_log_reader();
  const std::vector<std::string> files{"x.txt", "neuron_hlo_op.json.gz"}, others{"hlo_op.json"};
  EXPECT_TRUE(reader.claims_folder({"a", files, {}}));
  EXPECT_FALSE(reader.claims_folder({"a", others, {}}));
  const auto named = [&](const std::string& folder) {
    const ProfileName name = reader.name_folder("/logs/plugins/neuron/" + folder, {});
    return name.worker + "|" + name.span_stamp;
  };
  EXPECT_EQ(named("2023_04_28_00_54_04_c1a9_1"), "c1a9_1|20230428005404");
  EXPECT_EQ(named("2023_04_28_00_54_04"), "neuron|20230428005404");
  EXPECT_EQ(named("2023_04_28_00_54_04x"), "2023_04_28_00_54_04x|");
  EXPECT_EQ(named("mine"), "mine|");
}

}  // namespace
}  // namespace sightline::formats
