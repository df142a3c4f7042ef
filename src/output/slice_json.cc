// Everything known of one slice: its facts, the slices it is related to, and the rows of other views that count it.
#include <algorithm>
#include <map>
#include <span>

#include "base/json_writer.h"
#include "model/kind_names.h"
#include "output/slice_facts.h"
#include "output/timeline_json.h"

namespace sightline::output {

namespace {

constexpr std::size_t kMostRelated = 50;

class SliceWriter {
 public:
  SliceWriter(const Timeline& timeline, Row slice, std::string& out)
      : timeline_(timeline), p_(timeline.profile()), s_(p_.slices), slice_(slice), json_(out) {}

  void write(const std::string& event) {
    json_.begin_object();
    write_head(slice_);
    json_.member("depth", std::int64_t{s_.depth[slice_]}).key("facts").begin_array();
    for (const SliceFact& fact : slice_facts(timeline_, slice_)) write_fact(fact);
    json_.end_array().key("related").begin_array();
    write_related();
    json_.end_array().key("links").begin_array();
    write_links();
    json_.end_array().key("event");
    if (event.empty()) {
      json_.null();
    } else {
      json_.value(event);
    }
    json_.messages().end_object();
  }

 private:
  void write_head(Row slice) {
    const DrawnPlace place = timeline_.place_of(slice);
    json_.member("slice", std::int64_t{slice}).member("name", p_.text(s_.name[slice]));
    json_.member("kind", slice_kind_name(s_.kind[slice]));
    json_.member("lane", std::int64_t{place.lane}).member("row", std::int64_t{place.row});
    json_.member("start", s_.start[slice]).member("duration", s_.duration[slice]);
  }

  void write_fact(const SliceFact& fact) {
    json_.begin_object().member("label", fact.label);
    if (const auto* text = std::get_if<std::string>(&fact.value)) {
      json_.key("text");
      fact.words.empty() ? json_.value(*text) : json_.said(fact.words);
      json_.end_object();
      return;
    }
    const auto* integer = std::get_if<std::int64_t>(&fact.value);
    json_.key("value");
    if (integer != nullptr) {
      json_.value(*integer);
    } else {
      json_.value(std::get<double>(fact.value));
    }
    json_.member("unit", unit_name(fact.unit)).member("type", integer != nullptr ? "integer" : "real").end_object();
  }

  // ---- related slices ----

  void relate(const char* relation, Row other) {
    if (other == kNoRow) return;
    json_.begin_object().member("relation", relation);
    write_head(other);
    json_.end_object();
  }

  // The nearest slice of the same name on the lane, before (step -1) or after (step 1).
  Row same_name(int step) const {
    const Row lane = s_.lane[slice_];
    for (std::int64_t i = std::int64_t{slice_} + step; i >= p_.lanes.first[lane] && i < p_.lanes.last[lane]; i += step) {
      if (s_.name[static_cast<Row>(i)] == s_.name[slice_]) return static_cast<Row>(i);
    }
    return kNoRow;
  }

  void write_related() {
    relate("parent", s_.parent[slice_]);
    for (const Row child : direct_children(p_, slice_, kMostRelated)) relate("child", child);
    relate("previous", same_name(-1));
    relate("next", same_name(1));
    const Relations& relations = timeline_.relations();
    if (const Row work = row_of(p_.device_work, slice_); work != kNoRow) {
      if (p_.device_work.launch[work] != kNoRow) relate("launch", p_.launches.slice[p_.device_work.launch[work]]);
      relate("owner", p_.device_work.owner[work]);
    }
    if (const Row launch = row_of(p_.launches, slice_); launch != kNoRow) {
      relate("owner", p_.launches.owner[launch]);
      relate_work("launched", relations.launched_by(launch));
    }
    relate_work("owned", relations.owned_by(slice_));
    const auto is_pair = [&](Row flow) { return p_.flows.kind[flow] == FlowKind::forward_backward; };
    for (const Row flow : relations.flows_from(slice_)) relate(is_pair(flow) ? "backward" : "leads_to", p_.flows.to[flow]);
    for (const Row flow : relations.flows_to(slice_)) relate(is_pair(flow) ? "forward" : "comes_from", p_.flows.from[flow]);
    for (std::size_t i = 0; i < p_.steps.rows() && p_.steps.start[i] <= s_.start[slice_]; ++i) {
      if (s_.start[slice_] < p_.steps.start[i] + p_.steps.duration[i] && p_.steps.slice[i] != slice_)
        relate("step", p_.steps.slice[i]);
    }
    const std::vector<Row>& modules = timeline_.modules();
    if (!modules.empty() && modules[slice_] != slice_) relate("module", modules[slice_]);
  }

  void relate_work(const char* relation, std::span<const Row> work) {
    for (const Row row : work.first(std::min(work.size(), kMostRelated))) relate(relation, p_.device_work.slice[row]);
  }

  // ---- rows of other views ----

  void link(std::string_view title, std::string_view view, const std::map<std::string, std::string>& parameters, Row find) {
    json_.begin_object().member("title", title).member("view", view).key("parameters").begin_object();
    for (const auto& [key, value] : parameters) json_.member(key, value);
    json_.end_object();
    if (find != kNoRow) json_.member("find", p_.text(s_.name[find]));
    json_.end_object();
  }

  // Rows of the views of compiled programs' operators.
  void link_operator(Row of) {
    const ProgramOperators& all = p_.program_operators;
    const auto to = [&](std::string_view title, std::string_view view, StringId name) {
      if (name == StringId::none) return;
      json_.begin_object().member("title", title).member("view", view).key("parameters").begin_object().end_object();
      json_.member("find", p_.text(name)).end_object();
    };
    to("HLO operators", "program_operators", all.name[of]);
    to("Framework operators", "framework_operators", all.framework_operator[of]);
  }

  bool is_operator(Row slice) const { return slice != kNoRow && row_of(p_.operators, slice) != kNoRow; }

  void write_links() {
    const std::string name(p_.text(s_.name[slice_]));
    const bool has_kernels = std::any_of(p_.device_work.slice.begin(), p_.device_work.slice.end(), [&](Row slice) {
      return s_.kind[slice] == SliceKind::kernel || s_.kind[slice] == SliceKind::collective;
    });
    if (is_operator(slice_)) {
      link("Operators", "operators", {}, slice_);
      if (has_kernels) link("Kernels of this operator", "kernels", {{"operator", name}, {"group_by", "launch"}}, kNoRow);
    }
    const Row work = row_of(p_.device_work, slice_);
    if (work != kNoRow && (s_.kind[slice_] == SliceKind::kernel || s_.kind[slice_] == SliceKind::collective)) {
      link("Kernels", "kernels", {}, slice_);
      link("Launches of this kernel", "kernels", {{"search", name}, {"group_by", "launch"}}, kNoRow);
    }
    if (const Row of = executed_operator(p_, slice_); of != kNoRow) link_operator(of);
    if (const Row launch = row_of(p_.launches, slice_); launch != kNoRow && is_operator(p_.launches.owner[launch])) {
      link("Operator that made the call", "operators", {}, p_.launches.owner[launch]);
    }
    if (work != kNoRow && is_operator(p_.device_work.owner[work])) {
      link("Operator that launched it", "operators", {}, p_.device_work.owner[work]);
    }
    const auto step = std::find(p_.steps.slice.begin(), p_.steps.slice.end(), slice_);
    if (step != p_.steps.slice.end() && p_.operators.rows() != 0) {
      const std::int64_t number = p_.steps.number[static_cast<std::size_t>(step - p_.steps.slice.begin())];
      link("Operators of this step", "operators", {{"step", std::to_string(number)}}, kNoRow);
    }
  }

  const Timeline& timeline_;
  const Profile& p_;
  const Slices& s_;
  Row slice_;
  JsonWriter json_;
};

}  // namespace

std::string slice_json(const Timeline& timeline, Row slice, const std::string& event) {
  std::string out;
  SliceWriter(timeline, slice, out).write(event);
  return out;
}

}  // namespace sightline::output
