// The Kineto reader through its front door: texts in, tables out.
#include "formats/registry.h"

#include <gtest/gtest.h>
#include <simdjson.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <random>

#include "model/profile.h"
#include "tests/support/temporary_file.h"

namespace sightline::formats {

using namespace tests;
namespace {

Result<std::unique_ptr<Profile>> read_text(const std::string& text, std::size_t window = 0, unsigned threads = 2) {
  const TemporaryFile file(text);
  ReadOptions options;
  options.window_bytes = window;
  options.threads = threads;
  Result<std::unique_ptr<Profile>> result = kineto_reader().read(file.path(), options);
  if (result.ok()) {
    EXPECT_EQ(check_profile(**result), std::vector<std::string>{});
  }
  return result;
}

std::string trace(const std::string& events) { return "{\"schemaVersion\": 1, \"traceEvents\": [" + events + "]}"; }

std::string slice(const std::string& cat, const std::string& name, const std::string& ts, const std::string& dur,
                  const std::string& args = "", const std::string& place = R"("pid": 1, "tid": 1)") {
  return R"({"ph": "X", "cat": ")" + cat + R"(", "name": ")" + name + R"(", )" + place + R"(, "ts": )" + ts + R"(, "dur": )" +
         dur + R"(, "args": {)" + args + "}}";
}

std::map<std::string, std::int64_t> kineto_problems(const Profile& p) {
  std::map<std::string, std::int64_t> counts;
  for (std::size_t i = 0; i < p.problems.rows(); ++i) counts[std::string(p.text(p.problems.code[i]))] = p.problems.count[i];
  return counts;
}

Row find_slice(const Profile& p, std::string_view name) {
  for (Row i = 0; i < p.slices.rows(); ++i) {
    if (p.text(p.slices.name[i]) == name) return i;
  }
  return kNoRow;
}

std::string gzip(const std::string& text) {
  std::string out(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// The slow oracle: (name, start in ns of whole us, duration) of every X event, by a whole-file parse.
std::vector<std::tuple<std::string, std::int64_t, std::int64_t>> oracle(const std::string& text) {
  simdjson::dom::parser parser;
  std::vector<std::tuple<std::string, std::int64_t, std::int64_t>> all;
  for (simdjson::dom::element event : parser.parse(text)["traceEvents"].get_array()) {
    if (std::string_view(event["ph"]) != "X") continue;
    all.emplace_back(std::string(std::string_view(event["name"])), std::int64_t(event["ts"]) * 1000,
                     std::int64_t(event["dur"]) * 1000);
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Events whose strings and nested values look like borders between events.
std::string treacherous_trace(std::mt19937& random, int events) {
  const char* names[] = {"plain", "}, {\\\"ph\\\": \\\"X\\\"", "a\\\\", "[{\\\"", "},\\n{\\\"ph\\\"", "\\\\\\\"}, {\\\"", ""};
  const char* args[] = {"", R"("list": [{"ph": "X", "name": "no"}, {"ph": "X"}, {"a": [1, {"b": 2}]}])",
                        R"("text": "}, {\"ph\": \"X\", ")", R"("Input Dims": [[1, 2], [], [[3]]])"};
  const char* borders[] = {",", ", ", ",\n", "  ,\n  ", "\n,\n"};
  std::string text = "{\"a\": {\"traceEvents\": 1}, \"traceEvents\": [";
  for (int i = 0; i < events; ++i) {
    if (i != 0) text += borders[random() % std::size(borders)];
    text += slice("cpu_op", names[random() % std::size(names)], std::to_string(1000 + i), std::to_string(random() % 9),
                  args[random() % std::size(args)]);
  }
  return text + "], \"z\": [{\"a\": 1}, {\"b\": 2}]}";
}

TEST(KinetoReader, WindowsOfAnySizeFindTheEventsOfAWholeFileParse) {
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    const std::string text = treacherous_trace(random, 1 + static_cast<int>(random() % 60));
    const auto expected = oracle(text);
    for (const std::size_t window : {1u, 17u, 64u, 100u, 257u, 1000u, 5000u, 1u << 20}) {
      const auto profile = read_text(text, window, 1 + random() % 3);
      ASSERT_TRUE(profile.ok()) << profile.error().to_string();
      std::vector<std::tuple<std::string, std::int64_t, std::int64_t>> found;
      const Profile& p = **profile;
      const Time first = std::get<1>(
          *std::min_element(expected.begin(), expected.end(), [](auto& a, auto& b) { return std::get<1>(a) < std::get<1>(b); }));
      for (Row i = 0; i < p.slices.rows(); ++i)
        found.emplace_back(p.text(p.slices.name[i]), p.slices.start[i] + first, p.slices.duration[i]);
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected) << "window " << window;
      EXPECT_EQ(p.problems.rows(), 0u);
    }
  }
}

TEST(KinetoReader, TimesAreExactAndRelativeToTheFirstEvent) {
  const auto p = read_text(R"({"traceEvents": [)" + slice("cpu_op", "b", "1712195495508487.739", "0.001") + "," +
                           slice("cpu_op", "a", "1712195495508487.738", "2.5") + R"(], "baseTimeNanoseconds": 5})");
  ASSERT_TRUE(p.ok());
  EXPECT_EQ((*p)->origin_unix_ns, 1'712'195'495'508'487'743);
  EXPECT_EQ((*p)->slices.start[find_slice(**p, "a")], 0);
  EXPECT_EQ((*p)->slices.start[find_slice(**p, "b")], 1);
  EXPECT_EQ((*p)->slices.duration[find_slice(**p, "a")], 2500);
  EXPECT_EQ((*p)->slices.parent[find_slice(**p, "b")], find_slice(**p, "a"));
}

// 12 x 8 of a tensor of rows of 16; the scalar has an empty list of strides; a text may contain quotes and blanks.
TEST(KinetoReader, InputsOfOperatorsHaveStridesAndValues) {
  const auto p =
      read_text(R"({"traceEvents": [)" +
                slice("cpu_op", "aten::add", "1", "2",
                      R"("Input Dims": [[12,8],[],[]], "Input type": ["float","Scalar",""], "Input Strides": [[16,1],[],[]],)"
                      R"( "Concrete Inputs": ["","2","a \"b, c\" d"])") +
                "," + slice("cpu_op", "aten::relu", "5", "2", R"("Input Dims": [[3]])") + "]}");
  ASSERT_TRUE(p.ok());
  const Operators& operators = (*p)->operators;
  ASSERT_EQ(operators.rows(), 2u);
  EXPECT_EQ((*p)->text(operators.input_strides[0]), "[[16, 1], [], []]");
  EXPECT_EQ((*p)->text(operators.concrete_inputs[0]), R"(["", "2", "a \"b, c\" d"])");
  EXPECT_EQ(operators.input_strides[1], StringId::none);
  EXPECT_EQ(operators.concrete_inputs[1], StringId::none);
}

TEST(KinetoReader, RootMayBeAList) {
  const auto p = read_text("[" + slice("cpu_op", "a", "1", "2") + "]");
  ASSERT_TRUE(p.ok());
  EXPECT_EQ((*p)->slices.rows(), 1u);
  EXPECT_EQ((*p)->problems.rows(), 0u);
}

TEST(KinetoReader, IdsBeyondDoublesLinkLaunchAndKernel) {
  const std::string big = "9007199254740993";
  const auto p = read_text(
      trace(slice("cpu_op", "op", "0", "10", R"("External id": )" + big) + "," +
            slice("cuda_runtime", "launch", "1", "2", R"("External id": )" + big + R"(, "correlation": )" + big) + "," +
            slice("cuda_runtime", "other", "4", "2", R"("External id": 9007199254740992, "correlation": 9007199254740992)") +
            "," + slice("kernel", "k", "5", "3", R"("device": 0, "correlation": )" + big, R"("pid": 0, "tid": 7)")));
  ASSERT_TRUE(p.ok());
  const Profile& profile = **p;
  ASSERT_EQ(profile.device_work.rows(), 1u);
  EXPECT_EQ(profile.launches.slice[profile.device_work.launch[0]], find_slice(profile, "launch"));
  EXPECT_EQ(profile.device_work.owner[0], find_slice(profile, "op"));
  EXPECT_EQ(profile.device_work.rule[0], OwnerRule::linked_id);
}

TEST(KinetoReader, LaunchesWithoutIdsBelongToTheInnermostOpenRange) {
  // The id 99 is the call's own correlation id, which the writer put there as filler.
  const auto p = read_text(
      trace(slice("cpu_op", "outer", "0", "100", R"("External id": 1)") + "," +
            slice("user_annotation", "inner", "10", "50", R"("External id": 2)") + "," +
            slice("cuda_driver", "cuLaunchKernel", "20", "5", R"("correlation": 98)") + "," +
            slice("cuda_runtime", "cudaLaunchKernel", "70", "5", R"("External id": 99, "correlation": 99)") + "," +
            slice("kernel", "k1", "30", "3", R"("device": 0, "correlation": 98)", R"("pid": 0, "tid": 7)") + "," +
            slice("kernel", "k2", "80", "3", R"("device": 0, "correlation": 99)", R"("pid": 0, "tid": 7)") + "," +
            slice("kernel", "k3", "90", "3", R"("device": 0, "correlation": 5, "External id": 2)", R"("pid": 0, "tid": 7)") +
            "," + slice("kernel", "k4", "95", "3", R"("device": 0)", R"("pid": 0, "tid": 7)")));
  ASSERT_TRUE(p.ok());
  const Profile& profile = **p;
  const DeviceWork& work = profile.device_work;
  ASSERT_EQ(work.rows(), 4u);
  EXPECT_EQ(work.owner,
            (std::vector<Row>{find_slice(profile, "inner"), find_slice(profile, "outer"), find_slice(profile, "inner"), kNoRow}));
  EXPECT_EQ(work.rule,
            (std::vector<OwnerRule>{OwnerRule::containment, OwnerRule::containment, OwnerRule::device_id, OwnerRule::none}));
}

TEST(KinetoReader, KeepsOverlappingSlicesOfOneStream) {
  const std::string stream = R"("pid": 0, "tid": 7)";
  const auto p = read_text(trace(slice("kernel", "a", "0", "10", "", stream) + "," + slice("kernel", "b", "5", "10", "", stream) +
                                 "," + slice("kernel", "c", "12", "10", "", stream)));
  ASSERT_TRUE(p.ok());
  EXPECT_EQ((*p)->slices.rows(), 3u);
  EXPECT_EQ((*p)->lanes.rows(), 2u);
  EXPECT_EQ((*p)->lanes.overflow_of[1], 0u);
  for (const Row parent : (*p)->slices.parent) EXPECT_EQ(parent, kNoRow);
}

TEST(KinetoReader, BeginAndEndEventsAreSlices) {
  const auto p =
      read_text(R"([{"ph":"B","name":"a","pid":1,"tid":1,"ts":1},{"ph":"B","name":"b","pid":1,"tid":1,"ts":2},)"
                R"({"ph":"E","pid":1,"tid":1,"ts":4},{"ph":"E","pid":1,"tid":1,"ts":9},{"ph":"E","pid":1,"tid":1,"ts":10}])");
  ASSERT_TRUE(p.ok());
  EXPECT_EQ((*p)->slices.duration, (std::vector<Time>{8000, 2000}));
  EXPECT_EQ((*p)->slices.parent[1], 0u);
  EXPECT_EQ(kineto_problems(**p), (std::map<std::string, std::int64_t>{{"unmatched_end", 1}}));
}

TEST(KinetoReader, GzipIsDetectedByContent) {
  const std::string text = trace(slice("cpu_op", "a", "1", "2") + "," + slice("cpu_op", "b", "1", "1"));
  const auto p = read_text(gzip(text), 40);
  ASSERT_TRUE(p.ok());
  EXPECT_EQ((*p)->slices.rows(), 2u);
  const TemporaryFile file(gzip(text));
  const auto event = kineto_reader().event_text(file.path(), (*p)->slices.source[find_slice(**p, "b")]);
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(*event, slice("cpu_op", "b", "1", "1"));
}

TEST(KinetoReader, BadEventsAreSkipped) {
  const std::string good1 = slice("cpu_op", "first", "0", "5");
  const std::string good2 = slice("cpu_op", "last", "10", "5");
  struct Case {
    std::string bad;
    std::map<std::string, std::int64_t> problems;
    std::size_t slices;
  };
  const Case cases[] = {
      {slice("cpu_op", "C:\\x", "6", "1"), {{"bad_escape", 1}}, 3},
      {slice("cpu_op", "two\nlines", "6", "1"), {{"control_character", 1}}, 3},
      {slice("cpu_op", "n", "6", "NaN"), {{"not_a_number", 1}}, 3},
      {slice("cpu_op", "n", "6", "N/A"), {{"not_a_number", 1}}, 3},
      {slice("cpu_op", "n", "6", "-4"), {{"negative_duration", 1}}, 3},
      {R"({"ph": "X", "name": "n", "pid": 1, "tid": 1, "ts": 6})", {{"missing_duration", 1}}, 3},
      {R"({"ph": "X", "name": "n", "pid": 1, "tid": 1, "dur": 6})", {{"missing_time", 1}}, 2},
      {R"({"ph": "X", "pid": 1, "tid": 1, "ts": 6, "dur": 1})", {{"missing_name", 1}}, 3},
      {slice("cpu_op", "n", "6", "1") + ",", {}, 3},
      {R"({"ph": "X", "name": "n", "ts": 6, "dur": 1, "dur": 2,})", {}, 3},
      {slice("cpu_op", "\xE9", "6", "1"), {{"not_utf8", 1}}, 3},
      {R"({"ph": "X", "name": "open, "ts": 6, "dur": 1})", {{"malformed_event", 1}}, 2},
      {R"({"ph": "X", "name": "n", "args": {"a": 1, "ts": 6, "dur": 1})", {{"malformed_event", 1}}, 2},
      {R"({"ph": "X", "name": "n", "args": {"a": 1}}, "ts": 6, "dur": 1})", {{"missing_time", 1}, {"malformed_event", 1}}, 2},
      {R"({"ph": "Q", "name": "n", "ts": 6})", {{"unknown_phase", 1}}, 2},
  };
  for (const Case& c : cases) {
    for (const std::size_t window : {0u, 100u}) {
      const auto p = read_text(trace(good1 + ",\n" + c.bad + ",\n" + good2), window);
      ASSERT_TRUE(p.ok()) << c.bad;
      EXPECT_EQ(kineto_problems(**p), c.problems) << c.bad << " window " << window;
      EXPECT_EQ((*p)->slices.rows(), c.slices) << c.bad;
      EXPECT_NE(find_slice(**p, "first"), kNoRow) << c.bad;
      EXPECT_NE(find_slice(**p, "last"), kNoRow) << c.bad;
      for (const std::int64_t offset : (*p)->problems.offset) EXPECT_GE(offset, 0) << c.bad;
    }
  }
}

TEST(KinetoReader, ATruncatedFileIsReadUpToTheCut) {
  const std::string text =
      trace(slice("cpu_op", "a", "0", "5") + ", " + slice("cpu_op", "b", "10", "5") + ", " + slice("cpu_op", "c", "20", "5"));
  const std::size_t first = text.find('[') + 1;
  for (std::size_t size = first; size + 2 < text.size(); ++size) {
    const auto p = read_text(text.substr(0, size), 64);
    std::size_t complete = 0;
    for (const char* name : {"a", "b", "c"}) {
      const std::size_t at = text.find(std::string("\"name\": \"") + name);
      complete += text.find("}}", at) + 2 <= size ? 1 : 0;
    }
    if (!p.ok()) {
      EXPECT_EQ(complete, 0u) << size;
      EXPECT_NE(p.error().where.find(':'), std::string::npos);
      continue;
    }
    EXPECT_EQ((*p)->slices.rows(), complete) << size;
    EXPECT_EQ(kineto_problems(**p).count("truncated"), 1u) << size;
  }
}

TEST(KinetoReader, ReportsTextAfterTheTrace) {
  const std::string whole = trace(slice("cpu_op", "a", "0", "5"));
  EXPECT_EQ(kineto_problems(**read_text(whole + "\n\n")).count("trailing_bytes"), 0u);
  for (const std::size_t window : {std::size_t{0}, std::size_t{64}}) {
    const auto twice = read_text(whole + "\n" + whole, window);
    ASSERT_EQ(kineto_problems(**twice).count("trailing_bytes"), 1u);
    EXPECT_EQ((*twice)->problems.offset[0], static_cast<std::int64_t>(whole.size()) + 1);
  }
  const auto list = read_text("[" + slice("cpu_op", "a", "0", "5") + "] garbage");
  EXPECT_EQ(kineto_problems(**list).count("trailing_bytes"), 1u);
}

TEST(KinetoReader, ReportsUnknownEventsAndSamples) {
  const auto p = read_text(trace(slice("cpu_op", "a", "0", "5") + R"(, {"ph": null, "name": "b", "pid": 1, "tid": 1, "ts": 1},
    {"ph": "C", "name": "c", "pid": 1, "tid": 1, "ts": 1, "args": {"x": 3, "y": "high"}})"));
  EXPECT_EQ(kineto_problems(**p), (std::map<std::string, std::int64_t>{{"not_a_number", 1}, {"unknown_phase", 1}}));
  EXPECT_EQ((*p)->counters.rows(), 1u);
}

TEST(KinetoReader, ADamagedGzipIsReadUpToTheDamage) {
  std::string events;
  for (int i = 0; i < 3000; ++i)
    events += (i == 0 ? "" : ",") + slice("cpu_op", "n" + std::to_string(i * 7919 % 3000), std::to_string(i * 10), "5");
  const std::string packed = gzip(trace(events));
  const auto cut = read_text(packed.substr(0, packed.size() / 2));
  ASSERT_TRUE(cut.ok());
  EXPECT_GT((*cut)->slices.rows(), 500u);
  EXPECT_LT((*cut)->slices.rows(), 3000u);
  EXPECT_EQ(kineto_problems(**cut).count("damaged_compression"), 1u);
  std::string bad_tail = packed;
  bad_tail[bad_tail.size() - 6] = static_cast<char>(bad_tail[bad_tail.size() - 6] ^ 1);  // inside the checksum
  const auto tail = read_text(bad_tail);
  ASSERT_TRUE(tail.ok());
  EXPECT_EQ((*tail)->slices.rows(), 3000u);
  EXPECT_EQ(kineto_problems(**tail).count("damaged_compression"), 1u);
}

TEST(KinetoReader, OtherFilesFailWithOneClearLine) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "the file is empty"},
      {"  \n ", "the file contains only blanks"},
      {"hello", "not a trace: expected '{' or '['"},
      {"{\"a\": 1}", "not a trace: the root object has no traceEvents"},
      {"{\"a\": 1", "the file ends before its traceEvents"},
      {"{a: 1}", "not JSON: expected a member of the root object"},
  };
  for (const auto& [text, message] : cases) {
    const auto p = read_text(text);
    ASSERT_FALSE(p.ok()) << text;
    EXPECT_EQ(p.error().message, message);
    EXPECT_NE(p.error().where.find("/proc/self/fd/"), std::string::npos);
  }
}

TEST(KinetoReader, DeviceAnnotationsAreNeverSteps) {
  const auto p = read_text(trace(slice("user_annotation", "ProfilerStep#3", "0", "10") + "," +
                                 slice("gpu_user_annotation", "ProfilerStep#3", "5", "10", "", R"("pid": 0, "tid": 7)")));
  ASSERT_TRUE(p.ok());
  EXPECT_EQ((*p)->steps.number, (std::vector<std::int64_t>{3}));
  EXPECT_EQ((*p)->device_work.rows(), 0u);
}

TEST(KinetoReader, MemoryEventsNameTheirDevice) {
  const auto event = [](const std::string& device) {
    return R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 1, "args": {"Bytes": 8, )" + device + "}}";
  };
  const auto p =
      read_text(trace(event(R"("Device Type": 0, "Device Id": -1)") + "," + event(R"("Device Type": 1, "Device Id": 3)") + "," +
                      event(R"("Device Type": 6, "Device Id": 0)") + "," + event(R"("Device Type": 12, "Device Id": 1)") + "," +
                      event(R"("Device Type": 99, "Device Id": 2)") + "," + event(R"("Device Id": 2)")));
  ASSERT_TRUE(p.ok());
  std::vector<std::string> names;
  for (const StringId name : (*p)->memory_events.device_name) names.emplace_back((*p)->text(name));
  EXPECT_EQ(names, (std::vector<std::string>{"CPU", "GPU3", "GPU0", "XPU1", "device type 99, 2", "unknown device 2"}));
}

TEST(KinetoReader, NamesOfFilesGiveWorkerAndSpan) {
  const auto name = [](const char* file) {
    const ProfileName n = kineto_reader().name(file);
    return n.worker + "|" + n.span_stamp;
  };
  EXPECT_EQ(name("worker0.1623143089861.pt.trace.json.gz"), "worker0|1623143089861");
  EXPECT_EQ(name("host_17.pt.trace.json"), "host_17|");
  EXPECT_EQ(name("rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz"), "rank-34.Jul_15_10_52_41|1074");
  EXPECT_EQ(name("123.pt.trace.json"), "123|");
  EXPECT_EQ(name("rank0.json.gz"), "rank0|");
  EXPECT_EQ(name("rank.3.pt.trace.json"), "rank.3|");
  EXPECT_EQ(name("rank.1623143089861.pt.trace.json"), "rank|1623143089861");
}

// ---- what the profiler of 2026 writes ----

// "name = value" of each fact of the slice, in order.
std::vector<std::string> facts_of(const Profile& p, Row slice) {
  std::vector<std::string> facts;
  for (Row i = 0; i < p.work_facts.rows(); ++i) {
    if (p.work_facts.slice[i] != slice) continue;
    const double number = p.work_facts.number[i];
    const bool is_text = p.work_facts.text[i] != StringId::none;
    facts.push_back(std::string(p.text(p.work_facts.name[i])) + " = " +
                    (is_text ? std::string(p.text(p.work_facts.text[i])) : std::to_string(static_cast<std::int64_t>(number))));
  }
  return facts;
}

using Strings = std::vector<std::string>;
constexpr const char* kStream7 = R"("pid": 0, "tid": 7)";
constexpr const char* kStream8 = R"("pid": 0, "tid": 8)";

TEST(KinetoReader, CopiesAndFillsAreNamedByTheirArguments) {
  const auto p =
      read_text(trace(slice("gpu_memcpy", "Memcpy", "0", "1",
                            R"("copy kind": "HtoD", "src kind": "pinned", "dst kind": "device_static")", kStream7) +
                      "," + slice("gpu_memcpy", "Memcpy", "2", "1", R"("copy kind": "PtoP")", kStream7) + "," +
                      slice("gpu_memset", "Memset", "4", "1", R"("memory kind": 3)", kStream7) + "," +
                      slice("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", "6", "1", R"("copy kind": "HtoD")", kStream7)));
  ASSERT_TRUE(p.ok());
  for (const char* name :
       {"Memcpy HtoD (Pinned -> Device Static)", "Memcpy PtoP", "Memset (Device)", "Memcpy DtoH (Device -> Pageable)"})
    EXPECT_NE(find_slice(**p, name), kNoRow) << name;
}

TEST(KinetoReader, NodesOfAGraphWaitOnTheirStreamAndHaveTheirIds) {
  const std::string node = R"("device": 0, "correlation": 3, "graph id": 5, "graph node id": )";
  const auto p =
      read_text(trace(slice("kernel", "k", "0", "10", node + "1", kStream7) + "," +
                      slice("graph_event_node", "EventRecord", "10", "0", node + "2", kStream7) + "," +
                      slice("graph_host_node", "HostNode: f", "12", "3", node + R"(3, "host fn": "f")", kStream7) + "," +
                      slice("kernel", "eager", "20", "1", R"("device": 0, "correlation": 4, "queued": 0)", kStream7)));
  ASSERT_TRUE(p.ok());
  const Profile& profile = **p;
  EXPECT_EQ(profile.slices.kind[find_slice(profile, "EventRecord")], SliceKind::sync);
  EXPECT_EQ(profile.slices.kind[find_slice(profile, "HostNode: f")], SliceKind::sync);
  EXPECT_EQ(profile.device_work.rows(), 2u);
  EXPECT_EQ(facts_of(profile, find_slice(profile, "k")), (Strings{"graph id = 5", "graph node id = 1"}));
  EXPECT_EQ(facts_of(profile, find_slice(profile, "HostNode: f")), (Strings{"graph id = 5", "graph node id = 3", "host fn = f"}));
  EXPECT_EQ(facts_of(profile, find_slice(profile, "eager")), Strings{});
}

// An arrow of an id from 2^40 on leads from the end of a node to the start of the next; with a smaller one it repeats a launch.
TEST(KinetoReader, ArrowsBetweenTheNodesOfAGraph) {
  const auto arrow = [](const std::string& id, const std::string& from, const std::string& to) {
    return R"({"ph": "s", "cat": "ac2g", "id": )" + id + R"(, "pid": 0, "tid": 7, "ts": )" + from +
           R"(}, {"ph": "f", "cat": "ac2g", "bp": "e", "id": )" + id + R"(, "pid": 0, "tid": 8, "ts": )" + to + "}";
  };
  const auto p = read_text(trace(
      slice("kernel", "a", "1.001", "9.5", "", kStream7) + "," + slice("kernel", "b", "10.502", "4", "", kStream7) + "," +
      slice("gpu_user_annotation", "n", "11.9", "30", "", kStream8) + "," + slice("kernel", "c", "12", "1", "", kStream8) + "," +
      slice("kernel", "d", "20", "1", "", kStream8) + "," + arrow("1099511627776", "10.502", "12") + "," +
      arrow("1099511627777", "14.501", "20") + "," + arrow("3", "10.501", "20") + "," + arrow("1099511627778", "16", "20")));
  ASSERT_TRUE(p.ok());
  const Profile& profile = **p;
  std::map<std::string, std::string> arrows;
  for (Row i = 0; i < profile.flows.rows(); ++i) {
    EXPECT_EQ(profile.flows.kind[i], FlowKind::other);
    arrows[std::string(profile.text(profile.slices.name[profile.flows.from[i]]))] =
        profile.text(profile.slices.name[profile.flows.to[i]]);
  }
  EXPECT_EQ(arrows, (std::map<std::string, std::string>{{"a", "c"}, {"b", "d"}}));
  EXPECT_EQ(profile.lanes.rows(), 2u);
}

TEST(KinetoReader, AWaitForAnEventHasAnArrowFromTheCallThatRecordedIt) {
  const std::string wait = R"("stream": 8, "wait_on_stream": )";
  const auto p = read_text(
      trace(slice("cuda_runtime", "cudaEventRecord", "0", "1", R"("correlation": 6)") + "," +
            slice("cuda_sync", "Stream Wait Event", "5", "3", wait + R"(0, "wait_on_cuda_event_record_corr_id": 6)", kStream8) +
            "," + slice("cuda_sync", "Event Sync", "9", "3", wait + R"(-1, "wait_on_cuda_event_record_corr_id": -1)", kStream8)));
  ASSERT_TRUE(p.ok());
  const Profile& profile = **p;
  const Row waits = find_slice(profile, "Stream Wait Event");
  EXPECT_EQ(facts_of(profile, waits), (Strings{"wait_on_stream = 0", "wait_on_cuda_event_record_corr_id = 6"}));
  EXPECT_EQ(facts_of(profile, find_slice(profile, "Event Sync")), Strings{});
  ASSERT_EQ(profile.flows.rows(), 1u);
  EXPECT_EQ(profile.flows.from[0], find_slice(profile, "cudaEventRecord"));
  EXPECT_EQ(profile.flows.to[0], waits);
}

// Queued 1.5 us before its start, in a clock with the same base as the times; 7 is of another clock and has no meaning.
TEST(KinetoReader, TimeInTheQueue) {
  const auto p = read_text(R"({"baseTimeNanoseconds": 1000000000000000, "traceEvents": [)" +
                           slice("kernel", "a", "20", "1", R"("queued": 1000000000018500)", kStream7) + "," +
                           slice("kernel", "b", "30", "1", R"("queued": 7)", kStream7) + "," +
                           slice("kernel", "c", "40", "1", R"("queued": 0)", kStream7) + "]}");
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(facts_of(**p, find_slice(**p, "a")), (Strings{"Time in queue (ns) = 1500"}));
  EXPECT_EQ((*p)->work_facts.rows(), 1u);
}

TEST(KinetoReader, FactsOfACompilerAreOnTheOperatorAndTheKernel) {
  const auto p = read_text(trace(
      slice("cpu_op", "triton_poi", "0", "10",
            R"("External id": 1, "kernel_file": "/tmp/a.py", "kernel_hash": "abc", "kernel_kwargs": "XBLOCK=16", "stream": 7)") +
      "," + slice("cuda_driver", "cuLaunchKernel", "2", "1", R"("External id": 1, "correlation": 2)") + "," +
      slice("kernel", "triton_poi_0", "20", "1", R"("device": 0, "correlation": 2)", kStream7)));
  ASSERT_TRUE(p.ok());
  const Strings expected{"kernel_file = /tmp/a.py", "kernel_hash = abc", "kernel_kwargs = XBLOCK=16"};
  EXPECT_EQ(facts_of(**p, find_slice(**p, "triton_poi")), expected);
  EXPECT_EQ(facts_of(**p, find_slice(**p, "triton_poi_0")), expected);
}

TEST(KinetoReader, RangesOfCountersAreNotKernels) {
  const auto p = read_text(trace(slice("cuda_profiler_range", "gemm", "0", "10",
                                       R"("sm__inst.sum": 128.0, "dram__bytes.sum": 4096.0)", R"("pid": 0, "tid": 0)")));
  ASSERT_TRUE(p.ok());
  EXPECT_EQ((*p)->device_work.rows(), 0u);
  EXPECT_EQ((*p)->slices.kind[0], SliceKind::measurement);
  EXPECT_EQ(facts_of(**p, 0), (Strings{"sm__inst.sum = 128", "dram__bytes.sum = 4096"}));
}

TEST(KinetoReader, ACounterNamedLikeAFactIsACounter) {
  const auto p = read_text(trace(
      slice("cuda_runtime", "cudaEventRecord", "0", "1", R"("correlation": 6)") + "," +
      slice("cuda_profiler_range", "a", "5", "3", R"("wait_on_cuda_event_record_corr_id": 6.0)", R"("pid": 0, "tid": 0)") + "," +
      slice("cuda_profiler_range", "b", "9", "3", R"("wait_on_cuda_event_record_corr_id": 1e300)", R"("pid": 0, "tid": 0)")));
  ASSERT_TRUE(p.ok());
  EXPECT_EQ((*p)->flows.rows(), 0u);
}

TEST(KinetoReader, CountersOfADeviceAreNamedByTheEvent) {
  const std::string sample = R"-({"ph": "C", "name": "SM Active (%)", "pid": "GPU 0 Counters", "ts": 1.0, "args": {"": 80.0}},)-";
  const auto p = read_text(trace(sample + slice("kernel", "k", "0", "10", "", kStream7)));
  ASSERT_TRUE(p.ok());
  ASSERT_EQ((*p)->counters.rows(), 1u);
  EXPECT_EQ((*p)->text((*p)->lanes.name[(*p)->counters.lane[0]]), "SM Active (%)");
  EXPECT_EQ((*p)->counters.value[0], 80);
}

// A GPU kernel whose name is of no matrix-unit family did not use matrix units; for other devices the names have no known
// meaning.
TEST(KinetoReader, CoreTypesWithoutKnownNamesAreUnknown) {
  const auto types = [](const std::string& events) {
    const auto p = read_text(trace(events));
    std::vector<CoreType> all;
    for (const CoreType type : (*p)->device_work.core_type) all.push_back(type);
    return all;
  };
  const std::string label = R"({"ph": "M", "name": "process_labels", "pid": 0, "tid": 0, "args": {"labels": "XPU 0"}})";
  EXPECT_EQ(types(slice("mtia_ccp_events", "fc-dtype_Float", "0", "1", "", kStream7)),
            (std::vector<CoreType>{CoreType::unknown}));
  EXPECT_EQ(types(slice("hpu_op", "gemm", "0", "1", "", kStream7)), (std::vector<CoreType>{CoreType::unknown}));
  EXPECT_EQ(types(slice("kernel", "gemm", "0", "1", "", kStream7) + "," + label), (std::vector<CoreType>{CoreType::unknown}));
  EXPECT_EQ(types(slice("kernel", "elementwise", "0", "1", "", kStream7)), (std::vector<CoreType>{CoreType::general}));
  EXPECT_EQ(types(slice("kernel", "sm90_xmma_gemm", "0", "1", "", kStream7) + "," + label),
            (std::vector<CoreType>{CoreType::matrix}));
}

// ---- too long, too deep, too many ----

constexpr std::size_t kTooLong = (std::size_t{16} << 20) + 1;

TEST(KinetoReader, SkipsOnlyTheEventThatIsTooLong) {
  const std::string before = slice("cpu_op", "before", "1", "1"), after = slice("cpu_op", "after", "3", "1");
  const std::string name(kTooLong, 'x');
  std::string list = "{\"a\": 1}";
  while (list.size() < 2 * kTooLong) list += ", {\"ph\": \"X\", \"name\": \"no\"}, {\"b\": [1]}, [\"]}\", {\"c\": \"\\\"}\"}]";
  for (const std::string& event : {slice("cpu_op", name, "2", "1"), slice("cpu_op", "long", "2", "1", "\"list\": [" + list + "]"),
                                   slice("cpu_op", name + name + name, "2", "1")}) {
    const auto p = read_text(trace(before + "," + event + "," + after));
    ASSERT_TRUE(p.ok()) << p.error().to_string();
    EXPECT_EQ((*p)->slices.rows(), 2u);
    EXPECT_NE(find_slice(**p, "before"), kNoRow);
    EXPECT_NE(find_slice(**p, "after"), kNoRow);
    EXPECT_EQ(kineto_problems(**p), (std::map<std::string, std::int64_t>{{"long_event", 1}}));
    EXPECT_EQ((*p)->problems.offset[0], static_cast<std::int64_t>(trace("").size() - 2 + before.size() + 1));
  }
}

TEST(KinetoReader, SkipsMembersThatAreTooLongAnywhere) {
  const std::string text(kTooLong, 'x'), event = slice("cpu_op", "a", "1", "1");
  const auto p = read_text("{\"first\": 1, \"long\": [\"" + text + "\"], \"second\": 2, \"traceEvents\": [" + event +
                           "], \"behind\": \"" + text + "\", \"third\": 3}");
  ASSERT_TRUE(p.ok()) << p.error().to_string();
  EXPECT_EQ((*p)->slices.rows(), 1u);
  EXPECT_EQ(metadata_value(**p, "first"), "1");
  EXPECT_EQ(metadata_value(**p, "second"), "2");
  EXPECT_EQ(metadata_value(**p, "third"), "3");
  EXPECT_EQ(metadata_value(**p, "long"), "");
  EXPECT_EQ(kineto_problems(**p), (std::map<std::string, std::int64_t>{{"long_member", 2}}));
  EXPECT_EQ((*p)->problems.offset[0], 13);
}

TEST(KinetoReader, ReadsMetadataNestedAMillionDeep) {
  constexpr std::size_t kDepth = 1'000'000;
  const auto p = read_text("{\"deep\": " + std::string(kDepth, '[') + std::string(kDepth, ']') + ", \"traceEvents\": [" +
                           slice("cpu_op", "a", "1", "1") + "]}");
  ASSERT_TRUE(p.ok()) << p.error().to_string();
  EXPECT_EQ((*p)->slices.rows(), 1u);
  EXPECT_EQ(metadata_value(**p, "deep").size(), 2 * kDepth);
  EXPECT_EQ((*p)->problems.rows(), 0u);
}

TEST(KinetoReader, ReportsBytesAfterAGzipMemberExceptMembersAndZeros) {
  const std::string packed = gzip(trace(slice("cpu_op", "a", "1", "1")));
  for (const std::string& behind : {std::string(), std::string(70'000, '\0'), gzip(" ")}) {
    const auto p = read_text(packed + behind);
    ASSERT_TRUE(p.ok()) << p.error().to_string();
    EXPECT_EQ((*p)->problems.rows(), 0u);
  }
  for (const std::string& behind : {std::string("garbage"), std::string(300'000, '\0') + "garbage"}) {
    const auto p = read_text(packed + behind);
    ASSERT_TRUE(p.ok()) << p.error().to_string();
    EXPECT_EQ((*p)->slices.rows(), 1u);
    ASSERT_EQ(kineto_problems(**p), (std::map<std::string, std::int64_t>{{"damaged_compression", 1}}));
    const std::size_t at = packed.size() + behind.size() - 7;
    EXPECT_EQ((*p)->text((*p)->problems.message[0]), "gzip: other bytes follow the compressed data at byte " +
                                                         std::to_string(at) + " of the file; everything before it was read");
  }
}

TEST(KinetoReader, ReadsTheFirstSeriesOfACounterWithVeryMany) {
  std::string values;
  for (int i = 0; i < 100'000; ++i) values += (i == 0 ? "\"s" : ",\"s") + std::to_string(i) + "\":1";
  const std::string counter = R"({"ph": "C", "name": "c", "pid": 1, "ts": 1, "args": {)";
  const auto p = read_text(trace(slice("cpu_op", "a", "1", "1") + "," + counter + values + "}}," + counter + "\"last\": 2}}"));
  ASSERT_TRUE(p.ok()) << p.error().to_string();
  EXPECT_EQ((*p)->counters.rows(), 1001u);
  EXPECT_EQ(kineto_problems(**p), (std::map<std::string, std::int64_t>{{"many_series", 1}}));
}

// The part that is read stays within the limit, so most of so many events is left out; the rest is a valid profile.
TEST(KinetoReader, ReadingEndsAtTheMemoryLimit) {
  constexpr int kEvents = 1'000'000;
  std::string events = slice("cpu_op", "a", "1", "1");
  const std::string event = R"(,{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1})";
  for (int i = 0; i < kEvents; ++i) events += event;
  const TemporaryFile file(trace(events));
  ReadProgress progress;
  progress.memory.begin(std::int64_t{10} << 20);
  ReadOptions options;
  options.threads = 2;
  options.progress = &progress;
  const auto p = kineto_reader().read(file.path(), options);
  ASSERT_TRUE(p.ok()) << p.error().to_string();
  EXPECT_TRUE(progress.memory.was_reached());
  EXPECT_GT((*p)->slices.rows(), 0u);
  EXPECT_LT((*p)->slices.rows(), static_cast<std::size_t>(kEvents));
  EXPECT_EQ((*p)->problems.rows(), 0u);  // the caller reports why
  EXPECT_EQ(check_profile(**p), std::vector<std::string>{});
}

}  // namespace
}  // namespace sightline::formats
