// The members of each part of a report, which both packing and counting follow, and of each part of a rank summary and
// of a breakdown of steps.
#include "engine/packed_derived.h"

#include <tuple>

#include "base/packed.h"

namespace sightline::base {

static void pack(Packer& packer, const Message& message) {
  const bool has_parts = message.kind() == Message::Kind::filled || message.kind() == Message::Kind::list;
  packer.add(message.kind());
  packer.add(has_parts ? message.parts().text : std::string(message));
  if (has_parts) packer.add(message.parts().values);
}

static bool unpack(Unpacker& unpacker, Message& message) {
  Message::Kind kind = Message::Kind::text;
  std::string text;
  if (!unpacker.get(kind) || !unpacker.get(text)) return false;
  if (kind == Message::Kind::text) return message = Message(std::move(text)), true;
  if (kind == Message::Kind::verbatim) return message = Message::verbatim(text), true;
  std::vector<Message> values;
  if (!unpacker.get(values) || (kind == Message::Kind::filled && gaps_in(text) != values.size())) return false;
  message = Message(kind, {std::move(text), std::move(values)});
  return true;
}

}  // namespace sightline::base

namespace sightline::model {

SIGHTLINE_MEMBERS(Interval, start, end)
SIGHTLINE_MEMBERS(WordCells, word, words)
SIGHTLINE_MEMBERS(ReportColumn, key, title, unit, type, doc, role, code, hidden, change, sums, words, bar, category, unknown,
                  values)
SIGHTLINE_MEMBERS(RowDetail, title, view, parameters, when)
SIGHTLINE_MEMBERS(RowLink, title, view, parameters, when, find, direct, other, worker)
SIGHTLINE_MEMBERS(RowMarks, panel, columns)
SIGHTLINE_MEMBERS(ReportTable, key, title, columns, sort_column, sort_descending, row_detail, row_links, marks, said)
SIGHTLINE_MEMBERS(Note, level, text)
SIGHTLINE_MEMBERS(Fact, label, value, unit, doc, unknown)
SIGHTLINE_MEMBERS(AdviceLink, view, title, parameters)
SIGHTLINE_MEMBERS(Advice, id, severity, gain, share, change, title, evidence, where, brief, action, link_view, link_title,
                  link_parameters, more_links, doc_url)
SIGHTLINE_MEMBERS(RangeSelect, start, end, at)
SIGHTLINE_MEMBERS(LineMark, x, label)
SIGHTLINE_MEMBERS(Ceiling, label, slope, flat)
SIGHTLINE_MEMBERS(FactSheet, facts)
SIGHTLINE_MEMBERS(BreakdownChart, table, label, value, top, total)
SIGHTLINE_MEMBERS(BarChart, table, x, series, stacked)
SIGHTLINE_MEMBERS(LineChart, table, x, series, step, select, marks)
SIGHTLINE_MEMBERS(HeatmapChart, table, value, x, y)
SIGHTLINE_MEMBERS(ScatterChart, table, label, value, x, y, ceilings)
SIGHTLINE_MEMBERS(FlameChart, table, label, value, parent, up)
SIGHTLINE_MEMBERS(GanttChart, table, group, lane, start, length, label, hue)
SIGHTLINE_MEMBERS(GraphChart, table, label, detail, value, layer, place, here, edges, from, to)
SIGHTLINE_MEMBERS(TreeTable, table, parent)
SIGHTLINE_MEMBERS(PlainTable, table, known)
SIGHTLINE_MEMBERS(AdviceList, items)
SIGHTLINE_MEMBERS(VerdictItem, id, label, value, note, doc)
SIGHTLINE_MEMBERS(VerdictStrip, items, table, label, value, hue)
SIGHTLINE_MEMBERS(CodeText, text, file)
inline std::tuple<> members_of(const TimelineCanvas&) { return {}; }
SIGHTLINE_MEMBERS(Panel, id, title, content, scope, doc, width, empty, notes)
SIGHTLINE_MEMBERS(ParameterChoice, value, title)
SIGHTLINE_MEMBERS(Parameter, key, title, type, value, choices, doc)
SIGHTLINE_MEMBERS(ProfilePlace, run, worker, span)
SIGHTLINE_MEMBERS(TrailStep, title, parameters)
SIGHTLINE_MEMBERS(Report, view, title, scope, profiles, trail, notes, parameters, panels, tables)

static void pack(Packer& packer, const FactValue& value) {
  packer.add(static_cast<const Cell&>(value));
  packer.add(value.words);
}

static void pack(Packer& packer, const Cells& cells) {
  packer.add(std::uint64_t{cells.size()});
  packer.add(cells.storage());
}

namespace {

struct RowsOf {
  std::size_t operator()(const std::monostate&) const { return 0; }
  std::size_t operator()(const WordCells& cells) const { return cells.word.size(); }
  template <typename T>
  std::size_t operator()(const std::vector<T>& cells) const {
    return cells.size();
  }
};

// Memory beside the value itself.
struct Held {
  template <Plain T>
  std::int64_t of(const T&) const {
    return 0;
  }
  std::int64_t of(const std::monostate&) const { return 0; }
  std::int64_t of(const std::string& text) const {
    return text.capacity() > std::string().capacity() ? static_cast<std::int64_t>(text.capacity()) + 1 : 0;
  }
  std::int64_t of(const Message& message) const {
    const auto english = of(static_cast<const std::string&>(message));
    if (message.kind() != Message::Kind::filled && message.kind() != Message::Kind::list) return english;
    return english + static_cast<std::int64_t>(sizeof(Message::Parts)) + of(message.parts().text) + of(message.parts().values);
  }
  std::int64_t of(const FactValue& value) const { return of(static_cast<const Cell&>(value)) + of(value.words); }
  std::int64_t of(const Cells& cells) const { return of(cells.storage()); }
  template <typename T>
  std::int64_t of(const std::vector<T>& values) const {
    auto bytes = static_cast<std::int64_t>(values.capacity() * sizeof(T));
    if constexpr (!Plain<T>) {
      for (const T& value : values) bytes += of(value);
    }
    return bytes;
  }
  template <typename T>
  std::int64_t of(const std::optional<T>& value) const {
    return value ? of(*value) : 0;
  }
  template <typename A, typename B>
  std::int64_t of(const std::pair<A, B>& pair) const {
    return of(pair.first) + of(pair.second);
  }
  template <typename... Kinds>
  std::int64_t of(const std::variant<Kinds...>& value) const {
    return std::visit([this](const auto& held) { return this->of(held); }, value);
  }
  template <typename T>
  auto of(const T& value) const -> decltype(members_of(value), std::int64_t()) {
    return std::apply([this](const auto&... members) { return (std::int64_t{0} + ... + this->of(members)); }, members_of(value));
  }
};

}  // namespace

static bool unpack(Unpacker& unpacker, FactValue& value) {
  return unpacker.get(static_cast<Cell&>(value)) && unpacker.get(value.words);
}

static bool unpack(Unpacker& unpacker, Cells& cells) {
  std::uint64_t rows = 0;
  Cells::Storage storage;
  if (!unpacker.get(rows) || !unpacker.get(storage)) return false;
  if (!std::holds_alternative<std::monostate>(storage) && rows != std::visit(RowsOf(), storage)) return false;
  cells = Cells(rows, std::move(storage));
  return true;
}

}  // namespace sightline::model

namespace sightline::analyses {

SIGHTLINE_MEMBERS(StepWindow, number, host, window, device_events, requested_by)
SIGHTLINE_MEMBERS(StepWindows, source, kept, dropped)
SIGHTLINE_MEMBERS(Breakdown, part)
SIGHTLINE_MEMBERS(StepBreakdown, steps, breakdown, mean, mean_total, known)
SIGHTLINE_MEMBERS(RankDevice, ordinal, name, memory, compute_major, compute_minor, cores)
SIGHTLINE_MEMBERS(RankStep, number, window, computation, overlap, communication, other)
SIGHTLINE_MEMBERS(StageWork, extent, busy, forward, backward, recomputing, backward_start)
SIGHTLINE_MEMBERS(RankCollective, interval, kind, slice, step, name, group, group_about, group_ranks, group_size, sequence,
                  in_bytes, out_bytes)
SIGHTLINE_MEMBERS(StatedStep, step, device, computing, overlapped, communication, free, exposed)
SIGHTLINE_MEMBERS(StatedOperation, step, name, group, calls, elapsed, transit, wait, synchronization, bytes)
SIGHTLINE_MEMBERS(StatedLink, step, transport, bytes, duration, packets, packet_bytes, small_packet_bytes)
SIGHTLINE_MEMBERS(StatedRoute, step, group, transport, ranks, source, target, bytes, duration)
SIGHTLINE_MEMBERS(StatedLong, step, name, group, elapsed, transit)
SIGHTLINE_MEMBERS(StatedGroup, name, about, ranks, size)
SIGHTLINE_MEMBERS(RankStated, steps, operations, links, routes, groups, long_collectives)
SIGHTLINE_MEMBERS(RankActivity, start, pixel, end, code, share)
SIGHTLINE_MEMBERS(RankSummary, worker, role, host, process, rank, world_size, origin_unix_ns, computes_on_device,
                  has_recorded_steps, devices, steps, stage_work, collectives, texts, stated, activity, operators)

}  // namespace sightline::analyses

namespace sightline::engine {

std::string pack_report(const std::string& question, const Report& report) {
  Packer packer;
  packer.add(question);
  packer.add(report);
  return packer.take();
}

std::optional<Report> unpack_report(const std::string& question, std::span<const std::byte> bytes) {
  Unpacker unpacker(bytes);
  std::string answered;
  std::optional<Report> report(std::in_place);
  const bool whole = unpacker.get(answered) && answered == question && unpacker.get(*report) && unpacker.at_end();
  if (!whole) report.reset();
  return report;
}

std::string pack_rank(RankSummary rank) {
  rank.worker.clear();
  Packer packer;
  packer.add(rank);
  return packer.take();
}

std::optional<RankSummary> unpack_rank(std::span<const std::byte> bytes, std::string worker) {
  Unpacker unpacker(bytes);
  std::optional<RankSummary> rank(std::in_place);
  if (!unpacker.get(*rank) || !unpacker.at_end()) return std::nullopt;
  rank->worker = std::move(worker);
  return rank;
}

std::string pack_steps(const StepBreakdown& steps) {
  Packer packer;
  packer.add(steps);
  return packer.take();
}

std::optional<StepBreakdown> unpack_steps(std::span<const std::byte> bytes) {
  Unpacker unpacker(bytes);
  std::optional<StepBreakdown> steps(std::in_place);
  if (!unpacker.get(*steps) || !unpacker.at_end()) steps.reset();
  return steps;
}

std::int64_t held_bytes(const Report& report) { return Held().of(report); }

}  // namespace sightline::engine
