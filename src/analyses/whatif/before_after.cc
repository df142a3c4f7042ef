// Two sets of times for the same nodes: those of the recording and those of the replay.
#include "analyses/whatif/before_after.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/lane_titles.h"
#include "analyses/words.h"
#include "base/sort.h"
#include "model/kind_names.h"
#include "model/table_of.h"

namespace sightline::analyses {

namespace {

constexpr Time kPixels = 1'000;     // of the whole axis: what is shorter than one is joined
constexpr Time kLongestJoined = 8;  // pixels

using Lanes = std::map<Row, std::vector<LanePiece>>;

// What each chain of threads does inside the step: nodes are the ends of code or of waiting.
void add_host(Lanes& lanes, const DependencyGraph& g, const Profile& p, const StepTimes& of) {
  const auto& [times, lengths, step] = of;
  std::map<Row, Node> before;  // by chain
  for (Node node = 0; node < g.nodes(); ++node) {
    const auto edge = g.binding(node);
    if (g.kind[node] == NodeKind::work || !edge || g.slice[node] == kNoRow) continue;
    const Row chain = g.chain_of_lane[p.slices.lane[g.slice[node]]];
    const auto [last, is_first] = before.try_emplace(chain, node);
    const Time from = std::max(times[last->second], step.start), until = std::min(times[node], step.end);
    last->second = node;
    if (is_first || from >= until) continue;
    lanes[chain].push_back(
        {.lane = chain, .start = from - step.start, .length = until - from, .waits = g.kind[node] == NodeKind::wait});
  }
}

void add_device(Lanes& lanes, const DependencyGraph& g, const Profile& p, const StepTimes& of, const GraphStep& in) {
  const auto& [times, lengths, step] = of;
  for (std::uint32_t i = in.first_work; i < in.last_work; ++i) {
    const Node work = g.step_works[i];
    const Row lane = p.main_lane(p.slices.lane[g.slice[work]]);
    if (lengths[work] > 0) {
      lanes[lane].push_back({.lane = lane, .start = times[work] - step.start, .length = lengths[work], .slice = g.slice[work]});
    }
  }
}

Time busy(const std::vector<LanePiece>& pieces) {
  return std::accumulate(pieces.begin(), pieces.end(), Time{0},
                         [](Time sum, const LanePiece& piece) { return sum + piece.length; });
}

// Short pieces that follow each other are one.
std::vector<LanePiece> joined(std::vector<LanePiece> pieces, const Profile& p, Time pixel) {
  sort_up(pieces, &LanePiece::start);
  std::vector<LanePiece> out;
  bool is_short = false;  // the last one consists of short ones
  for (const LanePiece& piece : pieces) {
    LanePiece* const last = out.empty() ? nullptr : &out.back();
    const bool continues = last != nullptr && piece.start - (last->start + last->length) < pixel;
    const bool is_same_host = continues && piece.slice == kNoRow && last->waits == piece.waits;
    const bool is_same_blur =
        continues && is_short && piece.length < pixel && last->length < kLongestJoined * pixel && piece.slice != kNoRow;
    if (!is_same_host && !is_same_blur) {
      out.push_back(piece);
      is_short = piece.length < pixel;
      continue;
    }
    if (piece.slice != kNoRow && p.slices.duration[piece.slice] > p.slices.duration[last->slice]) last->slice = piece.slice;
    last->length = std::max(last->length, piece.start + piece.length - last->start);
    last->pieces += piece.pieces;
  }
  return out;
}

std::vector<Row> busiest(const Lanes& lanes, const Profile& p, bool host, std::size_t most, std::int64_t& left_out) {
  std::vector<Row> found;
  for (const auto& [lane, pieces] : lanes) {
    if ((p.lanes.kind[lane] == LaneKind::host_thread) == host) found.push_back(lane);
  }
  sort_down(found, [&](Row each) { return busy(lanes.at(each)); });
  if (found.size() > most) {
    left_out += static_cast<std::int64_t>(found.size() - most);
    found.resize(most);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

void add_lanes(BeforeAfter& found, const Profile& profile, const DependencyGraph& graph, std::size_t step,
               const StepTimes& recorded, const StepTimes& predicted, MostLanes most, std::uint32_t rank) {
  Lanes before, after;
  add_host(before, graph, profile, recorded);
  add_device(before, graph, profile, recorded, graph.steps[step]);
  add_host(after, graph, profile, predicted);
  add_device(after, graph, profile, predicted, graph.steps[step]);
  std::vector<Row> shown = busiest(before, profile, true, most.host, found.left_out);
  const std::vector<Row> devices = busiest(before, profile, false, most.device, found.left_out);
  shown.insert(shown.end(), devices.begin(), devices.end());
  const Time pixel = std::max<Time>(1, std::max(found.recorded, found.predicted) / kPixels);
  for (Lanes* lanes : {&before, &after}) {
    for (const Row lane : shown) {
      for (LanePiece piece : joined((*lanes)[lane], profile, pixel)) {
        piece.predicted = lanes == &after;
        piece.rank = rank;
        found.pieces.push_back(piece);
      }
    }
  }
}

BeforeAfter before_and_after(const Profile& profile, const DependencyGraph& graph, const GraphChange& change, std::size_t step) {
  const std::vector<Time> times = replay(graph, change);
  const StepTimes recorded{graph.time, graph.length, graph.steps[step].window};
  const StepTimes predicted{times, change.length, step_intervals(graph, change, times)[step]};
  BeforeAfter found{.recorded = recorded.window.length(), .predicted = predicted.window.length(), .pieces = {}, .left_out = 0};
  add_lanes(found, profile, graph, step, recorded, predicted, {}, 0);
  return found;
}

namespace {

Message piece_lane_title(const PieceProfiles& of, const LanePiece& piece) {
  const Profile& p = *of.profiles[piece.rank];
  const Message title = lane_title(p, piece.lane);
  if (!of.workers.empty()) return say("{}, {}", of.workers[piece.rank], title);
  if (p.devices.rows() < 2 || p.lanes.process[piece.lane] == kNoRow) return title;
  return say("{}, {}", process_title(p, p.lanes.process[piece.lane]), title);
}

TableOf<LanePiece, PieceProfiles> piece_lanes_table() {
  TableOf<LanePiece, PieceProfiles> table({.key = "before_after", .title = "One step, before and after"});
  const auto whose = [](const LanePiece& piece) { return piece.predicted ? Message("Predicted") : Message("As recorded"); };
  table.add(words_column("times", "Times", "As recorded, or as predicted with the changes"), whose);
  table.add(words_column("lane", "Lane", "The thread of the host, or the stream or engine of a device"), piece_lane_title);
  table.add(integer_column("start", "Start", Unit::ns, {"Time since the beginning of the step.", "", "dependency graph"}),
            &LanePiece::start);
  table.add(integer_column("length", "Length", Unit::ns, {"How long it takes.", "end - start", "dependency graph"}),
            &LanePiece::length);
  table.add(label_column("name", "Name", "Device work; where several short pieces are drawn as one, the longest"),
            even_empty([](const PieceProfiles& of, const LanePiece& piece) {
              const Profile& p = *of.profiles[piece.rank];
              return piece.slice == kNoRow ? std::string_view() : p.text(p.slices.name[piece.slice]);
            }));
  table.add(
      integer_column("pieces", "Pieces", Unit::count,
                     {"How many short pieces that follow each other are drawn as one.", "number of pieces", "dependency graph"}),
      &LanePiece::pieces);
  table.add(words_column("hue", "Hue", "Category that gives its colour").with_role(ColumnRole::category).hide(),
            [](const PieceProfiles& of, const LanePiece& piece) -> std::string_view {
              if (piece.slice == kNoRow) return piece.waits ? "idle" : "host";
              const SliceKind kind = of.profiles[piece.rank]->slices.kind[piece.slice];
              return kind == SliceKind::collective ? "communication" : slice_kind_name(kind);
            });
  return table;
}

}  // namespace

void add_before_after_panel(Report& report, const BeforeAfter& found, const PieceProfiles& of, Message scope) {
  report.tables.push_back(piece_lanes_table().of(of, found.pieces));
  Panel panel{.id = "before_after",
              .title = "One step, before and after",
              .content = GanttChart{.table = "before_after",
                                    .group = "times",
                                    .lane = "lane",
                                    .start = "start",
                                    .length = "length",
                                    .label = "name",
                                    .hue = "hue"}};
  panel.scope = std::move(scope);
  if (found.left_out > 0)
    panel.notes.push_back(
        {Note::Level::info, say("{} with less work not shown", count_words(found.left_out, "{} lane", "{} lanes"))});
  panel.doc = "What the threads and streams with most work do in one step, on an axis that begins with the step.";
  report.panels.push_back(std::move(panel));
}

ReportTable blank_before_after() { return piece_lanes_table().blank(); }

}  // namespace sightline::analyses
