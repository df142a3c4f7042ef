// encode_counters: the entries of all series in one list of columns.
#include "output/counters_wire.h"

#include <bit>

#include "analyses/derived_data.h"
#include "base/json_writer.h"

namespace sightline::output {

static_assert(std::endian::native == std::endian::little, "columns go out as they lie in memory");

CounterCharts::CounterCharts(std::shared_ptr<const std::vector<Counter>> counters) : counters_(std::move(counters)) {
  for (const Counter& counter : *counters_) {
    levels_.emplace_back();
    for (const CounterSeries& series : counter.series) levels_.back().emplace_back(series.time, series.value);
  }
}

std::int64_t CounterCharts::bytes() const {
  std::size_t bytes = 0;
  for (const std::vector<CounterLevels>& counter : levels_) {
    for (const CounterLevels& levels : counter) bytes += sizeof levels + levels.bytes();
  }
  return static_cast<std::int64_t>(bytes);
}

static std::int64_t held_bytes(const CounterCharts& charts) { return charts.bytes(); }

std::shared_ptr<const CounterCharts> counter_charts(const ProfilePtr& profile) {
  return derived<CounterCharts>(profile, [](const ProfilePtr& of) { return CounterCharts(counters(of)); });
}

std::string encode_counters(const CounterCharts& charts, const std::vector<std::uint32_t>& counters, const Window& requested) {
  const Window window = aligned(requested);
  std::vector<CounterEntry> entries;
  std::string head;
  JsonWriter json(head);
  json.begin_object()
      .member("start", window.start)
      .member("end", window.end)
      .member("pixel", window.pixel)
      .key("rows")
      .begin_array();
  for (const std::uint32_t counter : counters) {
    for (std::size_t series = 0; series < charts.counters()[counter].series.size(); ++series) {
      const std::size_t first = entries.size();
      charts.levels(counter, series).query(window, entries);
      json.begin_object().member("counter", std::int64_t{counter}).member("series", static_cast<std::int64_t>(series));
      json.member("first", static_cast<std::int64_t>(first));
      json.member("count", static_cast<std::int64_t>(entries.size() - first)).end_object();
    }
  }
  json.end_array().key("columns").begin_array();
  std::size_t offset = 0;
  for (const char* name : {"time", "least", "most", "last"}) {
    json.begin_object()
        .member("name", name)
        .member("type", "f64")
        .member("offset", static_cast<std::int64_t>(offset))
        .end_object();
    offset += entries.size() * sizeof(double);
  }
  json.end_array().end_object();
  const auto length_and_head = [&] { return sizeof(std::uint32_t) + head.size(); };
  while (length_and_head() % sizeof(double) != 0) head += ' ';

  std::string body;
  body.reserve(length_and_head() + offset);
  const auto length = static_cast<std::uint32_t>(head.size());
  body.append(reinterpret_cast<const char*>(&length), sizeof length).append(head);
  const auto column = [&](auto&& value_of) {
    for (const CounterEntry& entry : entries) {
      const double value = value_of(entry);
      body.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  };
  column([](const CounterEntry& e) { return static_cast<double>(e.time); });
  column([](const CounterEntry& e) { return e.least; });
  column([](const CounterEntry& e) { return e.most; });
  column([](const CounterEntry& e) { return e.last; });
  return body;
}

}  // namespace sightline::output
