// Reads the stats of events into facts, and the events of a line.
#include "formats/xplane/lines.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace sightline::formats::xplane {

// ---- facts of events ----
// The vocabulary of stats: only this file knows their names.

namespace {

bool is_number(const Stat& stat) {
  return stat.kind == Stat::Kind::real || stat.kind == Stat::Kind::integer || stat.kind == Stat::Kind::unsigned_integer;
}

double real_of(const Stat& stat) {
  if (stat.kind == Stat::Kind::real) return std::bit_cast<double>(stat.number);
  return stat.kind == Stat::Kind::integer ? static_cast<double>(static_cast<std::int64_t>(stat.number))
                                          : static_cast<double>(stat.number);
}

}  // namespace

// ---- bytes by memory ----

namespace {

constexpr std::uint64_t kRead = 1, kWritten = 2;  // kinds of access
constexpr std::size_t kMostMemories = 64;         // of an operator: a device has a few, a damaged file may have any number

void add_bytes(std::int64_t& sum, std::int64_t bytes) {
  const std::int64_t before = sum == kUnknown ? 0 : sum;
  if (__builtin_add_overflow(before, bytes, &sum)) sum = std::numeric_limits<std::int64_t>::max();
}

}  // namespace

std::string memory_name(std::uint64_t memory) {
  constexpr std::string_view kNames[] = {"", "HBM", "CMEM", "VMEM"};
  return memory > 0 && memory < std::size(kNames) ? std::string(kNames[memory]) : fmt::format("memory space {}", memory);
}

std::int64_t MemoryAccesses::add(std::string_view message) {
  const auto [at, is_new] = known_.try_emplace(std::string(message), kUnknown);
  if (!is_new) return at->second;
  std::vector<MemoryAccess> accesses;
  for (ProtoSpan each(message); each.next();) {
    if (each.field() != 1 || !each.is_bytes()) continue;
    std::uint64_t kind = 0, memory = 0;
    std::int64_t bytes = 0;
    for (ProtoSpan field = each.message(); field.next();) {
      if (field.field() == 1) kind = field.unsigned_integer();
      if (field.field() == 2) memory = field.unsigned_integer();
      if (field.field() == 3) bytes = field.integer();
    }
    if (bytes < 0) continue;
    const auto is_it = [&](const MemoryAccess& access) { return access.memory == memory; };
    auto access = std::find_if(accesses.begin(), accesses.end(), is_it);
    if (access == accesses.end()) {
      if (accesses.size() == kMostMemories) continue;
      access = accesses.insert(access, {.memory = memory, .bytes = 0});
    }
    add_bytes(access->bytes, bytes);
    if (kind == kRead) add_bytes(access->read, bytes);
    if (kind == kWritten) add_bytes(access->written, bytes);
  }
  if (accesses.empty()) return kUnknown;
  at->second = static_cast<std::int64_t>(all_.size());
  all_.push_back(std::move(accesses));
  return at->second;
}

// ---- groups of transfers ----
// A message of the compiler about a transfer over the hosts' network: the groups of devices that exchange data.

// Devices of a group; kUnknown: none is stated. A transfer from one device to another has a list of pairs.
static std::int64_t transfer_group_of(std::string_view message) {
  std::int64_t first_group = kUnknown;
  for (ProtoSpan field(message); field.next();) {
    if (!field.is_bytes()) continue;
    if (field.field() == 3) return 1;
    if (field.field() != 2 || first_group != kUnknown) continue;
    first_group = 0;
    for (ProtoSpan group = field.message(); group.next();) first_group += group.field() == 1;
  }
  return first_group == 0 ? kUnknown : first_group;
}

// ---- facts, read ----

const std::unordered_map<std::string_view, PlaneNames::Slot>& PlaneNames::known() {
  using Kind = Slot::Kind;
  const auto number = [](Number which) { return Slot{Kind::number, static_cast<std::uint8_t>(which)}; };
  const auto text = [](Text which) { return Slot{Kind::text, static_cast<std::uint8_t>(which)}; };
  const auto real = [](Real which) { return Slot{Kind::real, static_cast<std::uint8_t>(which)}; };
  static const std::unordered_map<std::string_view, Slot> all{
      {"correlation_id", number(Number::correlation)},
      {"program_id", number(Number::program)},
      {"step_num", number(Number::step)},
      {"iter_num", number(Number::step)},
      {"_r", number(Number::root)},
      {"_pt", number(Number::producer_type)},
      {"_p", number(Number::producer)},
      {"_ct", number(Number::consumer_type)},
      {"_c", number(Number::consumer)},
      {"flow", number(Number::flow)},
      {"_pid", number(Number::flow_process)},
      {"process_id", number(Number::flow_process)},
      {"_a", number(Number::async)},
      {"run_id", number(Number::run)},
      {"allocation_bytes", number(Number::allocation_bytes)},
      {"bytes_allocated", number(Number::bytes_allocated)},
      {"bytes_available", number(Number::bytes_available)},
      {"bytes_reserved", number(Number::bytes_reserved)},
      {"index_on_host", number(Number::memory_index)},
      {"addr", number(Number::address)},
      {"device_offset_ps", number(Number::device_offset)},
      {"device_duration_ps", number(Number::device_duration)},
      {"hlo_op", text(Text::hlo_op)},
      {"hlo_module", text(Text::hlo_module)},
      {"name", text(Text::framework_op)},
      {"tf_op", text(Text::framework_op)},
      {"hlo_category", text(Text::category)},
      {"source", text(Text::source)},
      {"shape_with_layout", text(Text::shape)},
      {"kernel_details", text(Text::kernel_details)},
      {"memcpy_details", text(Text::copy_details)},
      {"memset_details", text(Text::fill_details)},
      {"Memset_details", text(Text::fill_details)},
      {"allocator_name", text(Text::allocator)},
      {"flops", real(Real::flops)},
      {"bytes_accessed", real(Real::bytes_accessed)},
      {"theoretical_occupancy_pct", real(Real::occupancy)},
      {"counter_value", real(Real::counter)},
      {"% util", real(Real::counter)},
      {"min_duration_ps", real(Real::shortest_ps)},
      {"fragmentation", real(Real::fragmentation)},
      {"vdd_energy_j", real(Real::energy)},
      {"memory_access_breakdown", {Kind::accesses, 0}},
      {"dcn_collective_info", {Kind::transfer_group, 0}},
  };
  return all;
}

PlaneNames::PlaneNames(const Plane& plane, StringPool& strings, MemoryAccesses* accesses)
    : plane_(plane), strings_(strings), accesses_(accesses) {
  for (const auto& [id, name] : plane.stat_names) {
    if (const auto slot = known().find(name); slot != known().end()) slots_.emplace(id, slot->second);
  }
}

const PlaneNames::Event& PlaneNames::event(std::int64_t id) {
  const auto [at, is_new] = events_.try_emplace(id);
  if (!is_new) return at->second;
  Event& event = at->second;
  const auto metadata = plane_.events.find(id);
  if (metadata == plane_.events.end()) {
    event.name = strings_.intern(fmt::format("event {} (its name is lost)", id));
    return event;
  }
  const EventMetadata& stated = metadata->second;
  event.name = strings_.intern(to_utf8(stated.display_name.empty() ? stated.name : stated.display_name));
  for (const std::string& stat : stated.stats) event.has_facts = add(stat, event.facts) || event.has_facts;
  return event;
}

StringId PlaneNames::text_id(const Stat& stat) const {
  if (stat.kind == Stat::Kind::reference) {
    const auto [at, is_new] = references_.try_emplace(stat.number, StringId::none);
    if (is_new) at->second = strings_.intern(text(stat));
    return at->second;
  }
  return strings_.intern(text(stat));
}

bool PlaneNames::add(std::string_view message, Facts& to) const {
  const Stat stat = stat_of(message);
  const auto at = slots_.find(stat.name);
  if (at == slots_.end() || stat.kind == Stat::Kind::none) return false;
  const Slot slot = at->second;
  const bool is_text = !is_number(stat);
  const double real = real_of(stat);
  switch (slot.kind) {
    case Slot::Kind::text: {
      // The framework's operator is in one stat or in two, one of which may only say that XLA made it.
      const StringId id = text_id(stat);
      const std::string_view stated = strings_.view(id);
      if (stated == "XlaModule:" || stated == "(null)" || stated.empty()) return false;
      to.texts[slot.index] = id;
      return true;
    }
    case Slot::Kind::real:
      if (is_text) return false;
      to.reals[slot.index] = real;
      return true;
    case Slot::Kind::number:
      if (is_text) return false;
      to.numbers[slot.index] = stat.kind != Stat::Kind::real ? static_cast<std::int64_t>(stat.number)
                               : real > -9e18 && real < 9e18 ? static_cast<std::int64_t>(real)
                                                             : kUnknown;
      to.has_program = to.has_program || slot.index == static_cast<std::size_t>(Number::program);
      return true;
    case Slot::Kind::accesses: return add_accesses(stat, to);
    case Slot::Kind::transfer_group:
      if (stat.kind != Stat::Kind::bytes) return false;
      to.numbers[static_cast<std::size_t>(Number::transfer_group)] = transfer_group_of(stat.text);
      return true;
  }
  return false;
}

bool PlaneNames::add_accesses(const Stat& stat, Facts& to) const {
  if (accesses_ == nullptr || stat.kind != Stat::Kind::bytes) return false;
  const std::int64_t which = accesses_->add(stat.text);
  if (which == kUnknown) return false;
  double of_device = 0;
  for (const MemoryAccess& access : (*accesses_)[which]) {
    if (access.memory == kDeviceMemory) of_device += static_cast<double>(access.bytes);
  }
  to.numbers[static_cast<std::size_t>(Number::accesses)] = which;
  to.reals[static_cast<std::size_t>(Real::device_bytes)] = of_device;
  return true;
}

std::optional<PlaneNames::Reading> PlaneNames::reading(std::string_view message) const {
  const Stat stat = stat_of(message);
  if (!is_number(stat)) return std::nullopt;
  return Reading{strings_.intern(to_utf8(name(stat))), real_of(stat), slots_.contains(stat.name)};
}

std::string_view PlaneNames::name(const Stat& stat) const {
  const auto at = plane_.stat_names.find(stat.name);
  return at == plane_.stat_names.end() ? std::string_view() : std::string_view(at->second);
}

std::string PlaneNames::text(const Stat& stat) const {
  switch (stat.kind) {
    case Stat::Kind::none: return "";
    case Stat::Kind::real: return fmt::format("{}", std::bit_cast<double>(stat.number));
    case Stat::Kind::unsigned_integer: return fmt::format("{}", stat.number);
    case Stat::Kind::integer: return fmt::format("{}", static_cast<std::int64_t>(stat.number));
    case Stat::Kind::text: return to_utf8(stat.text);
    case Stat::Kind::bytes: return fmt::format("{} bytes", stat.text.size());
    case Stat::Kind::reference: {
      const auto at = plane_.stat_names.find(static_cast<std::int64_t>(stat.number));
      return at == plane_.stat_names.end() ? "" : to_utf8(at->second);
    }
  }
  return "";
}

// ---- lines ----
// read_line: one pass over a line's message. The line's time may follow its events, so events keep their offset in ps until
// it is known.

namespace {

constexpr std::int64_t kSince1970 = 100'000'000'000'000'000;          // ns: no profile is three years long
constexpr std::int64_t kFarTime = std::int64_t{4} * kSince1970 * 10;  // ns: sums and differences of such times do not overflow

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
    if (is_counter_line(line_.name)) add_readings();
  }

  // The first stat of an event looks up the facts of its metadata, which the event's own stats override. The id is written
  // before the stats.
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

  // For the event that was added last.
  void add_readings() {
    for (ProtoSpan field(bytes_); field.next();) {
      if (field.field() != field::kEventStats) continue;
      const auto reading = names_.reading(field.bytes());
      if (reading && !reading->is_fact) line_.readings.push_back({line_.events.size() - 1, reading->stat, reading->value});
    }
  }

  // From ps since the line's time to ns since the profile's. Both ends are rounded down, so nested slices stay nested and
  // separate ones separate.
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
