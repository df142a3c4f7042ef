// Both formats walk the same rows. Values are exact, in the unit that the metric's documentation names.
#include "output/summary_format.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/json_writer.h"
#include "base/text.h"
#include "model/stated_names.h"
#include "model/unit.h"

namespace sightline::output {

namespace {

struct Metric {
  std::string key;
  Cell value;
};

void add_system(const Profile& profile, std::vector<Metric>& metrics) {
  for (const std::string_view key : stated::kSystem) {
    const bool there = std::any_of(metrics.begin(), metrics.end(), [&](const Metric& metric) { return metric.key == key; });
    std::string_view value = metadata_value(profile, key);
    if (value.empty()) value = metadata_value(profile, std::string(stated::kSummary).append(key));
    if (there || value.empty()) continue;
    const auto number = whole_number<std::int64_t>(value);
    metrics.push_back({std::string(key), number ? Cell{*number} : Cell{std::string(value)}});
  }
}

Result<std::vector<Metric>> metrics_of(const DeviceReport& of) {
  const Report& report = of.report;
  const ReportTable* table = report.find_table("metrics");
  const ReportColumn* key = table == nullptr ? nullptr : table->find("key");
  const ReportColumn* value = table == nullptr ? nullptr : table->find("value");
  if (key == nullptr || value == nullptr)
    return Error{ErrorCode::unsupported, say("the view {} has no table of metrics", report.view), ""};
  std::vector<Metric> metrics;
  for (std::size_t row = 0; row < table->rows(); ++row)
    if (const Cell name = key->values[row]; !is_unknown(name))
      metrics.push_back({std::get<std::string>(name), value->values[row]});
  add_system(*of.profile, metrics);
  return metrics;
}

void append_value(JsonWriter& json, const Cell& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    json.value(std::string_view(*text));
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    json.value(*integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    json.value(*real);
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    json.value(*flag);
  } else {
    json.null();
  }
}

std::string value_text(const Cell& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (is_unknown(value)) return std::string(kUnknownText);
  std::string out;
  JsonWriter json(out);
  append_value(json, value);
  return out == "null" ? std::string(kUnknownText) : out;
}

}  // namespace

Result<std::string> summary_text(const std::vector<DeviceReport>& profiles) {
  std::string out;
  for (const DeviceReport& each : profiles) {
    Result<std::vector<Metric>> metrics = metrics_of(each);
    if (!metrics) return metrics.error();
    if (profiles.size() > 1) out += (out.empty() ? "" : "\n") + each.name + "\n";
    std::size_t width = 0;
    for (const Metric& metric : *metrics) width = std::max(width, metric.key.size());
    for (const Metric& metric : *metrics) out += fmt::format("{:<{}}  {}\n", metric.key, width, value_text(metric.value));
  }
  return out;
}

Result<std::string> summary_json(const std::vector<DeviceReport>& profiles) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  for (const DeviceReport& each : profiles) {
    Result<std::vector<Metric>> metrics = metrics_of(each);
    if (!metrics) return metrics.error();
    json.key(each.name).begin_object();
    for (const Metric& metric : *metrics) append_value(json.key(metric.key), metric.value);
    json.end_object();
  }
  json.end_object();
  return out + "\n";
}

}  // namespace sightline::output
