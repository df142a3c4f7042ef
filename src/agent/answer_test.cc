// Limits, quoting, ids of evidence, arguments and their schema.
#include "agent/answer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agent/arguments.h"

namespace sightline::agent {

namespace {

TEST(Answer, TheLongestTextWithinTheLimitIsFound) {
  const auto write = [](std::size_t n) { return std::string(10 + 3 * n, 'x'); };
  for (std::size_t limit = 0; limit < 60; ++limit) {
    const std::string text = longest_within(limit, 12, write);
    if (limit < 10) {
      EXPECT_EQ(text, "") << limit;
    } else {
      EXPECT_EQ(text.size(), 10 + 3 * std::min<std::size_t>(12, (limit - 10) / 3)) << limit;
    }
  }
}

TEST(Answer, NamesLoseWhatIsInvisible) {
  EXPECT_EQ(quoted_name("a\nb\x1b[1m"), "a b\uFFFD[1m");
  EXPECT_EQ(quoted_name("a\u202Eb\u200Bc\U000E0041d\uFEFF"), "a\uFFFDb\uFFFDc\uFFFDd\uFFFD");
  EXPECT_EQ(quoted_name("größe 算子"), "größe 算子");
  EXPECT_EQ(quoted_name(std::string(200, 'x'), 10), "xxxxxx…xxx");
}

TEST(Answer, NumbersHaveNineDigitsAndUnknownIsNull) {
  std::string out;
  JsonWriter json(out);
  json.begin_array();
  for (const double number : {19917235.0, 17156634.5, 1.0 / 3, std::nan(""), 1e300}) write_number(json, number);
  json.end_array();
  EXPECT_EQ(out, "[19917235,17156634.5,0.333333333,null,1e+300]");
}

TEST(Answer, EvidenceReadsBack) {
  const Evidence evidence{"kernels", {{"group_by", "name"}, {"search", "a/b#1?c=d&e %"}}, "kernels", 12};
  const std::string id = evidence_id(evidence);
  EXPECT_EQ(id.substr(0, 23), "kernels?group_by=name&s");
  const Result<Evidence> again = parse_evidence(id);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->view, "kernels");
  EXPECT_EQ(again->parameters, evidence.parameters);
  EXPECT_EQ(again->part, "kernels");
  EXPECT_EQ(again->row, 12u);
  for (const char* wrong :
       {"", "kernels", "kernels/kernels", "kernels#3", "a/b#", "a/b#-1", "a/b#99999999999999999999", "a?b/c#1"})
    EXPECT_FALSE(parse_evidence(wrong).ok()) << wrong;
}

// ---- arguments ----

const std::vector<Input> kInputs{{"name", InputType::text, "A name", true},
                                 {"rows", InputType::integer, "How many", false, 1, 50},
                                 {"all", InputType::flag, "All of them"},
                                 {"columns", InputType::texts, "Keys"},
                                 {"params", InputType::map, "Of the view"}};

Result<Arguments> bound(std::string_view text) {
  static simdjson::dom::parser parser;
  return Arguments::bind(kInputs, parser.parse(text));
}

TEST(Arguments, AreBoundByType) {
  const auto given =
      bound(R"({"name":"x","rows":50,"all":true,"columns":["a","b"],"params":{"step":3,"on":false,"of":1.5,"t":"u"}})");
  ASSERT_TRUE(given.ok());
  EXPECT_EQ(given->text("name"), "x");
  EXPECT_EQ(given->integer("rows", 20), 50);
  EXPECT_TRUE(given->flag("all"));
  EXPECT_EQ(given->texts("columns"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(given->map("params"), (engine::ParameterTexts{{"step", "3"}, {"on", "false"}, {"of", "1.5"}, {"t", "u"}}));
  const auto least = bound(R"({"name":""})");
  ASSERT_TRUE(least.ok());
  EXPECT_EQ(least->integer("rows", 20), 20);
  EXPECT_TRUE(least->has("name"));
  EXPECT_FALSE(least->has("params"));
}

TEST(Arguments, TextsAreTheSameAsJson) {
  const auto given =
      Arguments::bind(kInputs, {{"name", "x"}, {"rows", "7"}, {"all", "true"}, {"columns", "a,b"}, {"params.step", "3"}});
  ASSERT_TRUE(given.ok());
  EXPECT_EQ(given->integer("rows", 0), 7);
  EXPECT_TRUE(given->flag("all"));
  EXPECT_EQ(given->texts("columns").size(), 2u);
  EXPECT_EQ(given->map("params").front().first, "step");
  for (const auto& wrong : {std::pair{"rows", "x"}, std::pair{"rows", "0"}, std::pair{"all", "yes"}, std::pair{"params", "1"},
                            std::pair{"nothing", "1"}})
    EXPECT_FALSE(Arguments::bind(kInputs, {{"name", "x"}, {wrong.first, wrong.second}}).ok()) << wrong.first;
}

TEST(Arguments, ErrorsSayWhatIsValid) {
  EXPECT_EQ(bound(R"({"name":"x","row":1})").error().message, "no argument 'row'; valid: name, rows, all, columns, params");
  EXPECT_EQ(bound(R"({"name":"x","rows":51})").error().message, "argument 'rows' is from 1 to 50");
  EXPECT_EQ(bound(R"({"name":"x","rows":"5"})").error().message, "argument 'rows' is an integer");
  EXPECT_EQ(bound(R"({"name":"x","columns":[1]})").error().message, "argument 'columns' is a list of strings");
  EXPECT_EQ(bound(R"({"name":"x","params":{"a":[]}})").error().message,
            "argument 'params' is an object of strings, numbers or booleans");
  EXPECT_EQ(bound("{}").error().message, "argument 'name' is missing: A name");
  EXPECT_EQ(bound("[]").error().message, "the arguments are an object");
}

TEST(Arguments, TheSchemaDeclaresThem) {
  std::string out;
  JsonWriter json(out);
  write_input_schema(json, std::span(kInputs).first(2));
  EXPECT_EQ(out, R"({"type":"object","properties":{"name":{"type":"string","description":"A name"},)"
                 R"("rows":{"type":"integer","minimum":1,"maximum":50,"description":"How many"}},)"
                 R"("required":["name"],"additionalProperties":false})");
}

}  // namespace

}  // namespace sightline::agent
