// A message reads as its English text, and its JSON contains its template and values.
#include "base/message.h"

#include <gtest/gtest.h>

#include "base/json_writer.h"
#include "base/message_parts.h"

namespace sightline::base {
namespace {

std::string written(const Message& message) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().member("text", message).messages().end_object();
  return out;
}

TEST(Message, IsItsEnglishText) {
  EXPECT_EQ(say("No steps."), "No steps.");
  EXPECT_EQ(say("{} of {ranks} are here", std::string("3"), 8), "3 of 8 are here");
  EXPECT_EQ(say("{}, step {}", say("{} calls", "a{}b"), 7), "a{}b calls, step 7");
  EXPECT_EQ(say("expected '{' or {}", "'['"), "expected '{' or '['");
  EXPECT_EQ(sentences({"One.", "", "Two."}), "One. Two.");
  EXPECT_EQ(sentences({}), "");
}

TEST(Message, ATextWithoutValuesIsLookedUpByItself) { EXPECT_EQ(written("No steps."), R"({"text":"No steps."})"); }

TEST(Message, NamesAndFiguresAreStringsAndTextsAreLists) {
  const std::string name = "add<int>";
  EXPECT_EQ(written(say("{} of {}, {}", say("{} calls", 3), name, "all threads")),
            R"({"text":"3 calls of add<int>, all threads","messages":{"3 calls of add<int>, all threads":)"
            R"(["{} of {}, {}",["{} calls","3"],"add<int>",["all threads"]]}})");
  EXPECT_EQ(written(Message::verbatim("GPU 0")), R"({"text":"GPU 0","messages":{"GPU 0":"GPU 0"}})");
}

TEST(Message, AListHasItsSeparator) {
  EXPECT_EQ(written(listed_messages("; ", {"one", say("{} more", 2)})),
            R"({"text":"one; 2 more","messages":{"one; 2 more":{"between":"; ","list":[["one"],["{} more","2"]]}}})");
}

TEST(Message, ATextIsMarkedWhereItCouldBeAName) {
  std::string out;
  JsonWriter json(out);
  json.begin_array().said("host only").said(Message::verbatim("stream 7")).end_array();
  json.messages();
  EXPECT_EQ(out, R"(["host only","stream 7"],"messages":{"host only":["host only"]})");
}

// Template, values, lists and names are read back, and the English text is the same.
TEST(Message, PartsAreReadBack) {
  const Message whole = say("{}: {}; everything before it was read", std::string("a \"b\".csv"),
                            listed_messages(", ", {"one", say("{} more", 2), Message::verbatim("GPU 0")}));
  for (const Message& message : {whole, Message("a text"), Message::verbatim("a name"), sentences({"One.", "Two."})}) {
    const Message again = message_of(message_parts(message));
    EXPECT_EQ(again, message);
    EXPECT_EQ(again.kind(), message.kind());
    EXPECT_EQ(message_parts(again), message_parts(message));
  }
}

TEST(Message, PartsThatCannotBeReadAreAName) {
  for (const char* text : {"", "plain", "[]", "[1]", R"(["{} of {}","1"])", R"({"list":1})"}) {
    EXPECT_EQ(message_of(text), text);
    EXPECT_EQ(message_of(text).kind(), Message::Kind::verbatim);
  }
}

TEST(Message, ASentenceHasItsOwnTemplate) {
  EXPECT_EQ(as_sentence("no steps"), "No steps.");
  EXPECT_EQ(as_sentence(say("each call of {} counts", std::string("f"))), "Each call of f counts.");
  EXPECT_EQ(as_sentence(say("each call of {} counts", std::string("f"))).parts().text, "Each call of {} counts.");
}

}  // namespace
}  // namespace sightline::base
