// read_line: one pass over a line's message. The line's own time may come after its events, so they wait for it as ps.
#include "readers/xplane/lines.h"

#include "base/utf8.h"

namespace sightline::xplane {

namespace {

constexpr std::int64_t kSince1970 = 100'000'000'000'000'000;          // ns: no profile is three years long
constexpr std::int64_t kFarTime = std::int64_t{4} * kSince1970 * 10;  // ns: sums and differences of such times do not overflow

struct RawEvent {
  std::int64_t id = 0, offset_ps = 0, duration_ps = 0, occurrences = kUnknown, source = 0;
  std::uint32_t facts = kNoFacts;
};

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
        case field::kLineName: line_.name = to_utf8(message.bytes()); break;
        case field::kLineDisplayName: line_.display_name = to_utf8(message.bytes()); break;
        case field::kLineTimestamp: timestamp_ = static_cast<std::int64_t>(message.integer()); break;
        case field::kLineEvents: {
          const std::int64_t source = in_.position();
          message.bytes(bytes_);
          if (!in_.failed()) add_event(source);
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
    RawEvent event{.source = source};
    ProtoSpan field(bytes_);
    Facts facts;
    bool any = false;
    while (field.next()) {
      switch (field.field()) {
        case field::kEventMetadataId: event.id = field.integer(); break;
        case field::kEventOffset: event.offset_ps = field.integer(); break;
        case field::kEventDuration: event.duration_ps = field.integer(); break;
        case field::kEventOccurrences: event.occurrences = field.integer(); break;
        case field::kEventStats: any = add_stat(field.bytes(), event, facts, any); break;
        default: break;
      }
    }
    if (field.damaged()) return count(tally_.malformed, tally_.first_malformed, source);
    const PlaneNames::Event& kind = names_.event(event.id);
    if (!any && kind.has_facts) {
      facts = kind.facts;
      any = true;
    }
    if (any) {
      event.facts = static_cast<std::uint32_t>(line_.facts.size());
      line_.facts.push_back(facts);
    }
    raw_.push_back(event);
  }

  // The first stat of an event finds what its metadata says; the event's own word stands above that.
  bool add_stat(std::string_view stat, const RawEvent& event, Facts& facts, bool any) {
    if (!any) {
      const PlaneNames::Event& kind = names_.event(event.id);  // the id is written before the stats
      if (kind.has_facts) {
        facts = kind.facts;
        any = true;
      }
    }
    return names_.add(stat, facts) || any;
  }

  void place(Origin& origin) {
    tally_.events += static_cast<std::int64_t>(raw_.size());
    if (raw_.empty()) return;
    const bool sound = timestamp_ > -kFarTime && timestamp_ < kFarTime;
    const std::int64_t begin = sound ? origin.since_begin(timestamp_) : 0;
    line_.events.reserve(raw_.size());
    for (const RawEvent& event : raw_) {
      std::int64_t end_ps = 0;
      if (!sound || event.duration_ps < 0 || __builtin_add_overflow(event.offset_ps, event.duration_ps, &end_ps)) {
        count(tally_.impossible, tally_.first_impossible, event.source);
        continue;
      }
      const StringId name = names_.event(event.id).name;
      if (event.occurrences != kUnknown) {
        const Facts facts = event.facts == kNoFacts ? Facts() : line_.facts[event.facts];
        line_.aggregates.push_back({name, facts, event.occurrences, floor_ns(event.duration_ps)});
        continue;
      }
      // Both ends are rounded down, so that what was nested or apart stays so.
      const std::int64_t start = begin + floor_ns(event.offset_ps);
      line_.events.push_back({start, begin + floor_ns(end_ps) - start, name, event.facts, event.source});
    }
  }

  ByteStream& in_;
  PlaneNames& names_;
  LineTally& tally_;
  Line line_;
  std::int64_t timestamp_ = 0;
  std::vector<RawEvent> raw_;
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

}  // namespace sightline::xplane
