// Tiles as they stand on the wire, decoded by hand.
#include "output/tiles.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cmath>
#include <cstring>
#include <tuple>

#include "output/slice_json.h"
#include "output/timeline_json.h"
#include "tests/support/text_profile.h"

namespace sightline::output {

using namespace tests;
namespace {

// Pixels of 20 ns are narrowed to 16: 0-40 is longer than that; 41-43 and 44-47 both start in the third, [32, 48).
ProfilePtr three_ops() { return text_profile("thread 1: 0-40 op long, 41-43 op short, 44-47 op longer, 100-101 op last\n"); }

struct Decoded {
  simdjson::dom::parser parser;
  simdjson::dom::element header;
  std::string body;

  explicit Decoded(std::string bytes) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    header = parser.parse(bytes.substr(sizeof length, length));
    EXPECT_EQ((sizeof length + length) % 8, 0u);
    body = bytes.substr(sizeof length + length);
  }
  template <typename T>
  std::vector<T> column(std::string_view name) {
    for (simdjson::dom::element column : header["columns"].get_array()) {
      if (std::string_view(column["name"]) != name) continue;
      std::vector<T> values(static_cast<std::size_t>(std::int64_t(header["marks"])));
      std::memcpy(values.data(), body.data() + std::int64_t(column["offset"]), values.size() * sizeof(T));
      return values;
    }
    return {};
  }
};

TEST(Tiles, LongSlicesStandAloneAndShortOnesOfAPixelAreOneMark) {
  const Timeline timeline(three_ops(), 1);
  const auto request = parse_tile_request(timeline, "0", "0", "120", "20");
  ASSERT_TRUE(request.ok());
  Decoded tile(encode_tiles(timeline, *request));
  EXPECT_EQ(tile.column<double>("start"), (std::vector<double>{0, 41, 100}));
  EXPECT_EQ(tile.column<double>("end"), (std::vector<double>{40, 47, 101}));
  EXPECT_EQ(tile.column<double>("busy"), (std::vector<double>{40, 2 + 3, 1}));
  EXPECT_EQ(tile.column<std::uint32_t>("count"), (std::vector<std::uint32_t>{1, 2, 1}));
  EXPECT_EQ(tile.column<std::uint32_t>("slice"), (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_EQ(std::string_view(tile.header["names"].at(tile.column<std::uint32_t>("name")[1])), "longer");
}

// "name: group; " for each mark.
std::string grouped_marks(std::string_view profile, std::string_view group) {
  const Timeline timeline(text_profile(profile), 1);
  const auto request = parse_tile_request(timeline, "0,1", "0", "400", "1", group);
  EXPECT_TRUE(request.ok());
  Decoded tile(encode_tiles(timeline, *request));
  const std::vector<std::uint32_t> groups = tile.column<std::uint32_t>("group");
  const std::vector<std::uint32_t> names = tile.column<std::uint32_t>("name");
  std::string text;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    text.append(std::string_view(tile.header["names"].at(names[i]))).append(": ");
    text.append(std::string_view(tile.header["groups"].at(groups[i]))).append("; ");
  }
  return text;
}

TEST(Tiles, AMarkHasItsModuleOnRequest) {
  EXPECT_EQ(grouped_marks("thread 1: 0-100 op outside, 200-300 module Net, 210-250 op conv\n", "module"),
            "outside: ; conv: Net; Net: Net; ");
}

TEST(Tiles, AMarkTellsTheOperatorThatItExecutesOrIsCalledAfter) {
  const std::string_view profile = R"(
    program p: dot.3 [framework=Net/fc]
    engine Tensor: 0-10 MATMUL [does=dot.3], 20-30 dot.3
    stream 7: 0-40 mark dot.3, 50-90 mark /main/Net/fc, 100-140 mark other
  )";
  EXPECT_EQ(grouped_marks(profile, "operator"), "MATMUL: dot.3; dot.3: ; dot.3: dot.3; /main/Net/fc: ; other: ; ");
  EXPECT_EQ(grouped_marks(profile, "layer"), "MATMUL: Net/fc; dot.3: ; dot.3: ; /main/Net/fc: Net/fc; other: ; ");
}

TEST(Tiles, BadRequestsSayWhatIsWrong) {
  const Timeline timeline(three_ops(), 1);
  const auto refusal = [&](const char* lanes, const char* start, const char* end, const char* pixel, const char* group = "") {
    return parse_tile_request(timeline, lanes, start, end, pixel, group).error().message;
  };
  EXPECT_EQ(refusal("0", "0", "1", "1", "colour"), "group takes module, operator or layer, not 'colour'");
  EXPECT_EQ(refusal("0,x", "0", "1", "1"), "lanes takes numbers separated by commas, not 'x'");
  EXPECT_EQ(refusal("9", "0", "1", "1"), "no lane 9");
  EXPECT_EQ(refusal("0", "5", "5", "1"), "a window needs start < end and pixel >= 1");
  EXPECT_EQ(refusal("0", "0", "5", "0"), "a window needs start < end and pixel >= 1");
  EXPECT_EQ(refusal("0", "0", "99999999999999999", "1"), "end takes an integer of ns, at most 2^53, not '99999999999999999'");
}

TEST(TimelineJson, SearchFindsNamesWhateverTheirCase) {
  const Timeline timeline(three_ops(), 1);
  EXPECT_EQ(search_json(timeline, {.text = "LONG", .limit = 1}),
            R"({"count":2,"first":0,"hits":[{"slice":0,"lane":0,"row":0,"start":0,"duration":40,"name":"long"}]})");
  EXPECT_EQ(search_json(timeline, {.text = "", .limit = 10}), R"({"count":0,"first":0,"hits":[]})");
}

TEST(TimelineJson, HitsBeginAtANumberOrATime) {
  const Timeline timeline(three_ops(), 1);
  constexpr const char* kSecond =
      R"({"count":2,"first":1,"hits":[{"slice":2,"lane":0,"row":0,"start":44,"duration":3,"name":"longer"}]})";
  EXPECT_EQ(search_json(timeline, {.text = "long", .limit = 9, .offset = 1}), kSecond);
  EXPECT_EQ(search_json(timeline, {.text = "long", .limit = 9, .from = 1}), kSecond);
  EXPECT_EQ(search_json(timeline, {.text = "long", .limit = 9, .from = 45}), R"({"count":2,"first":2,"hits":[]})");
  EXPECT_EQ(search_json(timeline, {.text = "long", .limit = 9, .offset = 7}), R"({"count":2,"first":2,"hits":[]})");
}

TEST(TimelineJson, ASliceTellsItsSelfTimeAndItsNeighbours) {
  const Timeline timeline(text_profile("thread 1: 0-100 op outer, 10-30 op inner, 40-50 op inner\n"), 1);
  simdjson::dom::parser parser;
  const simdjson::dom::element outer = parser.parse(slice_json(timeline, 0, ""));
  EXPECT_EQ(std::int64_t(outer["facts"].at(0)["value"]), 100 - 20 - 10);
  EXPECT_EQ(outer["related"].get_array().size(), 2u);  // two children
  simdjson::dom::parser other;
  const simdjson::dom::element inner = other.parse(slice_json(timeline, 1, "{}"));
  EXPECT_EQ(std::string_view(inner["related"].at(0)["relation"]), "parent");
  EXPECT_EQ(std::string_view(inner["related"].at(1)["relation"]), "next");
  EXPECT_EQ(std::int64_t(inner["related"].at(1)["start"]), 40);
  EXPECT_EQ(std::string_view(inner["event"]), "{}");
}

TEST(TimelineJson, ASliceTellsWhatLeadsToItAndWhatItLeadsTo) {
  std::unique_ptr<Profile> profile = parse_text_profile("stream 7: 0-10 a, 12-15 b, 20-30 c\n");
  for (const auto& [kind, from, to] : {std::tuple{FlowKind::other, 0u, 1u}, std::tuple{FlowKind::forward_backward, 1u, 2u}}) {
    profile->flows.kind.push_back(kind);
    profile->flows.from.push_back(from);
    profile->flows.to.push_back(to);
  }
  const Timeline timeline(ProfilePtr(std::move(profile)), 1);
  const auto relations = [&](Row slice) {
    std::string all;
    simdjson::dom::parser parser;
    const std::string json = slice_json(timeline, slice, "");
    for (const simdjson::dom::element other : parser.parse(json)["related"])
      all += std::string(std::string_view(other["relation"])) + " " + std::string(std::string_view(other["name"])) + "; ";
    return all;
  };
  EXPECT_EQ(relations(0), "leads_to b; ");
  EXPECT_EQ(relations(1), "backward c; comes_from a; ");
  EXPECT_EQ(relations(2), "forward b; ");
}

TEST(TimelineJson, ASliceTellsWhatItsOperatorWasFusedFrom) {
  const ProfilePtr profile = text_profile(R"(
    program p: fused_1 [op=fusion framework=Net/relu], dot, dot [into=fused_1], add [into=fused_1]
    stream 1: 0-100 f [does=fused_1]
    stream 2: 90-220 d [does=dot]
    stream 3: 0-40 mark fused_1, 50-60 mark nothing
  )");
  const Timeline timeline(profile, 1);
  const auto facts = [&](Row slice) {
    std::string text;
    simdjson::dom::parser parser;
    const std::string json = slice_json(timeline, slice, "");
    const simdjson::dom::element detail = parser.parse(json);
    for (const simdjson::dom::element fact : detail["facts"]) {
      std::string_view value;
      if (fact["text"].get(value) == simdjson::SUCCESS)
        text.append(std::string_view(fact["label"])).append("=").append(value).append("; ");
    }
    for (const simdjson::dom::element link : detail["links"]) text.append(std::string_view(link["title"])).append("; ");
    return text;
  };
  // dot ran from 90 to 220, the fused operator until 100.
  EXPECT_NE(facts(0).find("HLO operator=fused_1; Framework operator=Net/relu; Operation=fusion; Fused operators=dot, add; "
                          "Also executed separately during this slice=dot (10 ns); "),
            std::string::npos)
      << facts(0);
  EXPECT_NE(facts(0).find("HLO operators; Framework operators; "), std::string::npos) << facts(0);
  EXPECT_NE(facts(2).find("Fused operators=dot, add; "), std::string::npos) << facts(2);
  EXPECT_EQ(facts(2).find("meanwhile"), std::string::npos) << facts(2);
  EXPECT_EQ(facts(3).find("operator"), std::string::npos) << facts(3);
}

TEST(TimelineJson, ASliceTellsWhatOnlyItsDeviceSaysOfIt) {
  std::unique_ptr<Profile> profile = parse_text_profile("stream 7: 0-10 a, 12-15 b\n");
  const auto add = [&](Row slice, const char* name, double number, const char* text) {
    profile->work_facts.slice.push_back(slice);
    profile->work_facts.name.push_back(profile->strings.intern(name));
    profile->work_facts.number.push_back(number);
    profile->work_facts.text.push_back(profile->strings.intern(text));
  };
  add(0, "pc", 41, "");
  add(0, "ratio", 0.5, "");
  add(0, "sbuf_read_bytes", 1024, "");
  add(0, "mac_time(us)", 1.5, "");
  add(0, "operands", std::nan(""), "src=@0x10");
  add(0, "unknown", std::nan(""), "");
  add(1, "pc", 42, "");
  std::string facts;
  simdjson::dom::parser parser;
  const std::string json = slice_json(Timeline(ProfilePtr(std::move(profile)), 1), 0, "");
  for (const simdjson::dom::element fact : parser.parse(json)["facts"]) facts += simdjson::minify(fact) + "\n";
  EXPECT_NE(facts.find(R"({"label":"pc","value":41,"unit":"none","type":"integer"}
{"label":"ratio","value":0.5,"unit":"none","type":"real"}
{"label":"sbuf_read_bytes","value":1024,"unit":"bytes","type":"integer"}
{"label":"mac_time","value":1500,"unit":"ns","type":"integer"}
{"label":"operands","text":"src=@0x10"}
)"),
            std::string::npos)
      << facts;
  EXPECT_EQ(facts.find("unknown"), std::string::npos) << "what is unknown is no fact";
  EXPECT_EQ(facts.find("42"), std::string::npos) << "of another slice";
}

}  // namespace
}  // namespace sightline::output
