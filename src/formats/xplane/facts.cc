// The vocabulary of stats: the one place that knows their names.
#include "formats/xplane/facts.h"

#include <fmt/core.h>

#include "base/text.h"

namespace sightline::formats::xplane {

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
  };
  return all;
}

PlaneNames::PlaneNames(const Plane& plane, StringPool& strings) : plane_(plane), strings_(strings) {
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
  const EventMetadata& said = metadata->second;
  event.name = strings_.intern(to_utf8(said.display_name.empty() ? said.name : said.display_name));
  for (const std::string& stat : said.stats) event.has_facts = add(stat, event.facts) || event.has_facts;
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
      // The framework's operator stands in one stat or in two, one of which may say only that XLA made it.
      const StringId id = text_id(stat);
      const std::string_view said = strings_.view(id);
      if (said == "XlaModule:" || said == "(null)" || said.empty()) return false;
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
  }
  return false;
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

}  // namespace sightline::formats::xplane
