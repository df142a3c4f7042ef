// Everything known of one slice: its facts, the slices it is related to, and the rows of other views that count it (docs/http.md,
// "Timeline").
#pragma once

#include <algorithm>
#include <vector>

#include "output/timeline_json.h"
#include "timeline/timeline.h"

namespace sightline::output {

// ---- one slice ----

// A slice and where it is drawn.
struct DrawnSlice {
  Row slice = 0;
  std::string_view name;
  SliceKind kind = SliceKind::other;
  Row lane = 0, row = 0;
  Time start = 0, duration = 0;
};

struct SliceFact {
  Message label;
  std::variant<std::string, std::int64_t, double> value;
  Unit unit = Unit::none;
  Message words{};  // the value, where it is a text of the program and no name
};

struct RelatedSlice {
  std::string_view relation;
  DrawnSlice slice{};
};

// A row of another view that counts the slice.
struct SliceLink {
  std::string_view title, view;
  std::vector<std::pair<std::string, std::string>> parameters{};  // by key
  std::optional<std::string_view> find{};
};

struct SliceDetail {
  DrawnSlice slice{};
  int depth = 0;
  std::vector<SliceFact> facts{};
  std::vector<RelatedSlice> related{};
  std::vector<SliceLink> links{};
  std::optional<std::string> event{};
};

template <typename Wire>
void describe_members(Wire& wire, const DrawnSlice& drawn) {
  wire.must("slice", drawn.slice);
  wire.must("name", drawn.name);
  wire.must("kind", drawn.kind);
  wire.must("lane", drawn.lane);
  wire.must("row", drawn.row);
  wire.must("start", drawn.start);
  wire.must("duration", drawn.duration);
}

template <typename Wire>
void describe(Wire& wire, const SliceFact& fact) {
  const auto* text = std::get_if<std::string>(&fact.value);
  const auto* integer = std::get_if<std::int64_t>(&fact.value);
  const auto* real = std::get_if<double>(&fact.value);
  std::optional<NameOrText> reads;
  if (text != nullptr) reads = NameOrText{fact.words.empty() ? Message::verbatim(*text) : fact.words};
  std::optional<WireNumber> number;
  if (integer != nullptr) number = *integer;
  if (real != nullptr) number = *real;
  const auto of_number = [&](auto member) { return number ? std::optional(member) : std::nullopt; };
  wire.type("SliceFact", "A text, or a number with its unit.");
  wire.must("label", fact.label);
  wire.some("text", reads);
  wire.some("value", number);
  wire.some("unit", of_number(fact.unit));
  wire.some("type", of_number(integer != nullptr ? CellType::integer : CellType::real));
}

template <typename Wire>
void describe(Wire& wire, const RelatedSlice& related) {
  wire.type("Related");
  wire.must("relation", related.relation);
  describe_members(wire, related.slice);
}

template <typename Wire>
void describe(Wire& wire, const SliceLink& link) {
  wire.type("SliceLink", "A row of another view that counts the slice.");
  wire.must("title", link.title);
  wire.must("view", link.view);
  wire.must("parameters", link.parameters);
  wire.some("find", link.find);
}

template <typename Wire>
void describe(Wire& wire, const SliceDetail& detail) {
  wire.type("SliceDetail");
  describe_members(wire, detail.slice);
  wire.must("depth", detail.depth);
  wire.must("facts", detail.facts);
  wire.must("related", detail.related);
  wire.must("links", detail.links);
  wire.must("event", detail.event, "The slice's own text in the file.");
  wire.messages();
}

// ---- what is known of it ----

// The operator of a compiled program that the slice executes, or, on a lane that says when operators ran, is called after; kNoRow
// where there is none.
Row executed_operator(const Profile& profile, Row slice);

// Known facts only: what is unknown has none. REQUIRES: `slice` is a row of slices.
std::vector<SliceFact> slice_facts(const Timeline& timeline, Row slice);

// Direct children of the slice on its lane, in order of time, `most` at most. Time: theirs, not that of what is inside them.
std::vector<Row> direct_children(const Profile& profile, Row slice, std::size_t most);

// The row of a side table, sorted by slice, that belongs to `slice`, or kNoRow.
template <typename Table>
Row row_of(const Table& table, Row slice) {
  const auto at = std::lower_bound(table.slice.begin(), table.slice.end(), slice);
  return at != table.slice.end() && *at == slice ? static_cast<Row>(at - table.slice.begin()) : kNoRow;
}

// `event` is the slice's own text in the file, or empty. REQUIRES: `slice` is a row of slices.
std::string slice_json(const Timeline& timeline, Row slice, const std::string& event);

}  // namespace sightline::output
