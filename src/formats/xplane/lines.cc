// read_line: one pass over a line's message. The line's own time may come after its events, so they wait for it as ps: until then
// the start of an event is its offset.
#include "formats/xplane/lines.h"

#include "base/text.h"

namespace sightline::formats::xplane {

namespace {

constexpr std::int64_t kSince1970 = 100'000'000'000'000'000;          // ns: no profile is three years long
constexpr std::int64_t kFarTime = std::int64_t{4} * kSince1970 * 10;  // ns: sums and differences of such times do not overflow

std::int64_t floor_ns(std::int64_t ps) { return ps >= 0 ? ps / 1000 : -((-(ps + 1)) / 1000) - 1; }

void count(std::int64_t& counter, std::int64_t& first, std::int64_t at) {
  if (counter++ == 0) first = at;
}

class LineReader {
 public:
  LineReader(ByteStream& in, PlaneNames& names, LineTally& tally) : in_(in), names_(names), tally_(tally) {}

  Line run(ProtoMessage message, Origin& origin) {
    while (message.next()) {
      switch (message.field()) {
        case field::kLineId: line_.id = static_cast<std::int64_t>(message.integer()); break;
        case field::kLineName: line_.name = to_utf8(tally_.left_out.bytes(message)); break;
        case field::kLineDisplayName: line_.display_name = to_utf8(tally_.left_out.bytes(message)); break;
        case field::kLineTimestamp: timestamp_ = static_cast<std::int64_t>(message.integer()); break;
        case field::kLineEvents: {
          const std::int64_t source = in_.position();
          const std::int64_t left_out = tally_.left_out.count;
          tally_.left_out.bytes(message, bytes_);
          if (!in_.failed() && tally_.left_out.count == left_out) add_event(source);
          break;
        }
        default: break;
      }
    }
    place(origin);
    return std::move(line_);
  }

 private:
  void add_event(std::int64_t source) {
    std::int64_t id = 0, offset_ps = 0, duration_ps = 0, occurrences = kUnknown;
    ProtoSpan field(bytes_);
    Facts facts;
    bool any = false;
    while (field.next()) {
      switch (field.field()) {
        case field::kEventMetadataId: id = field.integer(); break;
        case field::kEventOffset: offset_ps = field.integer(); break;
        case field::kEventDuration: duration_ps = field.integer(); break;
        case field::kEventOccurrences: occurrences = field.integer(); break;
        case field::kEventStats: any = add_stat(field.bytes(), id, facts, any); break;
        default: break;
      }
    }
    if (field.damaged()) return count(tally_.malformed, tally_.first_malformed, source);
    const PlaneNames::Event& kind = names_.event(id);
    if (!any && kind.has_facts) {
      facts = kind.facts;
      any = true;
    }
    ++tally_.events;
    if (occurrences != kUnknown) {
      if (duration_ps < 0) return count(tally_.impossible, tally_.first_impossible, source);
      line_.aggregates.push_back({kind.name, facts, occurrences, floor_ns(duration_ps)});
      return;
    }
    const std::uint32_t at = any ? static_cast<std::uint32_t>(line_.facts.size()) : kNoFacts;
    if (any) line_.facts.push_back(facts);
    line_.events.push_back({offset_ps, duration_ps, kind.name, at, source});
    if (line_.name == kCounterLine) add_readings();
  }

  // The first stat of an event finds what its metadata says; the event's own word stands above that. The id is written before
  // the stats.
  bool add_stat(std::string_view stat, std::int64_t id, Facts& facts, bool any) {
    if (!any) {
      const PlaneNames::Event& kind = names_.event(id);
      if (kind.has_facts) {
        facts = kind.facts;
        any = true;
      }
    }
    return names_.add(stat, facts) || any;
  }

  // Of the event that was added last.
  void add_readings() {
    for (ProtoSpan field(bytes_); field.next();) {
      if (field.field() != field::kEventStats) continue;
      const auto reading = names_.reading(field.bytes());
      if (reading && !reading->is_fact) line_.readings.push_back({line_.events.size() - 1, reading->stat, reading->value});
    }
  }

  // From ps since the line's own time to ns since the profile's. Both ends are rounded down, so that what was nested or apart
  // stays so.
  void place(Origin& origin) {
    if (line_.events.empty()) return;
    const bool sound = timestamp_ > -kFarTime && timestamp_ < kFarTime;
    const std::int64_t begin = sound ? origin.since_begin(timestamp_) : 0;
    std::size_t kept = 0;
    auto reading = line_.readings.begin();
    auto kept_reading = reading;
    for (std::size_t i = 0; i < line_.events.size(); ++i) {
      const LineEvent event = line_.events[i];
      const auto first = reading;
      while (reading != line_.readings.end() && reading->event == i) ++reading;
      std::int64_t end_ps = 0;
      if (!sound || event.duration < 0 || __builtin_add_overflow(event.start, event.duration, &end_ps)) {
        count(tally_.impossible, tally_.first_impossible, event.source);
        continue;
      }
      LineEvent placed = event;
      placed.start = begin + floor_ns(event.start);
      placed.duration = begin + floor_ns(end_ps) - placed.start;
      for (auto of = first; of != reading; ++of) *kept_reading++ = {kept, of->stat, of->value};
      line_.events[kept++] = placed;
    }
    line_.events.resize(kept);
    line_.readings.erase(kept_reading, line_.readings.end());
  }

  ByteStream& in_;
  PlaneNames& names_;
  LineTally& tally_;
  Line line_;
  std::int64_t timestamp_ = 0;
  std::string bytes_;
};

}  // namespace

std::int64_t Origin::since_begin(std::int64_t timestamp_ns) {
  if (timestamp_ns < kSince1970) return timestamp_ns;
  if (unix_ns == kUnknown) unix_ns = timestamp_ns;
  return timestamp_ns - unix_ns;
}

Line read_line(ByteStream& in, ProtoMessage message, PlaneNames& names, Origin& origin, LineTally& tally) {
  return LineReader(in, names, tally).run(message, origin);
}

}  // namespace sightline::formats::xplane
