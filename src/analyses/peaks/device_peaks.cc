// The table is small, so each lookup reads its text again.
#include "analyses/peaks/device_peaks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/fields.h"
#include "base/text.h"

namespace sightline::analyses {

// ---- the table of products ----

namespace {

constexpr double kTera = 1e12, kGiga = 1e9;
constexpr std::string_view kBandwidth = "bandwidth";

std::optional<double> parsed_real(std::string_view text) {
  double number = 0;
  const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || rest != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

bool has_all_words(std::string_view name, std::string_view wanted) {
  const std::vector<std::string_view> words = split_fields(name, " -/");
  const std::vector<std::string_view> all = split_fields(wanted, " ");
  return std::all_of(all.begin(), all.end(), [&](std::string_view word) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view of_name) { return same_word(of_name, word); });
  });
}

constexpr double kGibi = 1024.0 * 1024 * 1024, kLeastShareOfMemory = 0.98;  // a part is reserved
constexpr std::size_t kMemoryField = 5;

// Whether a device without a name is the product of a line: it has its cores and its memory.
bool has_cores_and_memory(const std::vector<std::string_view>& fields, std::int64_t cores, std::int64_t memory) {
  const auto its_cores = whole_number<std::int64_t>(fields[1]);
  const auto its_memory = fields.size() > kMemoryField ? parsed_real(fields[kMemoryField]) : std::nullopt;
  const double share = its_memory ? static_cast<double>(memory) / (*its_memory * kGibi) : 0;
  return its_cores && *its_cores == cores && share >= kLeastShareOfMemory && share <= 1;
}

// The fields of the first line that fits the device; empty if none does.
std::vector<std::string_view> line_of_product(std::string_view name, std::int64_t cores, std::int64_t memory) {
  for (const std::string_view line : split_fields(known_devices(), "\n")) {
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string_view> fields = split_fields(line, "|");
    const std::optional<std::int64_t> its_cores = whole_number<std::int64_t>(fields[1]);
    const bool same_cores = !its_cores || cores <= 0 || *its_cores == cores;
    const bool fits = name.empty() ? has_cores_and_memory(fields, cores, memory) : same_cores && has_all_words(name, fields[0]);
    if (fits) return fields;
  }
  return {};
}

// ---- rows ----

struct PeakRow {
  std::string_view name;  // a precision, or bandwidth
  double per_second;
  std::string_view source;
};

std::vector<PeakRow> rows_of_product(const std::vector<std::string_view>& fields) {
  std::vector<PeakRow> rows;
  if (fields.empty()) return rows;
  for (const std::string_view peak : split_fields(fields[3], " ")) {
    const std::size_t equals = peak.find('=');
    rows.push_back({peak.substr(0, equals), parsed_real(peak.substr(equals + 1)).value_or(0) * kTera, fields[4]});
  }
  if (const std::optional<double> bandwidth = parsed_real(fields[2])) rows.push_back({kBandwidth, *bandwidth * kGiga, fields[4]});
  return rows;
}

constexpr std::string_view kGivenSource = "given with --peak";

void replace_by_given(std::vector<PeakRow>& rows, std::span<const GivenPeak> given) {
  for (const GivenPeak& peak : given) {
    std::erase_if(rows, [&](const PeakRow& row) { return row.name == peak.name; });
    rows.push_back({peak.name, peak.per_second, kGivenSource});
  }
}

}  // namespace

void add_device_peaks(Profile& profile, std::span<const GivenPeak> given) {
  profile.device_peaks = {};
  for (Row device = 0; device < profile.devices.rows(); ++device) {
    const std::string name(profile.text(profile.devices.name[device]));
    std::vector<PeakRow> rows =
        rows_of_product(line_of_product(name, profile.devices.cores[device], profile.devices.memory[device]));
    replace_by_given(rows, given);
    DevicePeaks& table = profile.device_peaks;
    for (const PeakRow& peak : rows) {
      const Row row = add_unknown_row(table);
      const bool is_bandwidth = peak.name == kBandwidth;
      table.device[row] = device;
      if (!is_bandwidth) table.precision[row] = profile.strings.intern(peak.name);
      (is_bandwidth ? table.bandwidth : table.flops)[row] = peak.per_second;
      table.source[row] = profile.strings.intern(peak.source);
    }
  }
}

// ---- what the user gives ----

namespace {

std::optional<double> parsed_rate(std::string_view text) {
  constexpr std::string_view kLetters = "kMGTP";
  double factor = 1;
  if (const std::size_t at = text.empty() ? text.npos : kLetters.find(text.back()); at != kLetters.npos) {
    factor = std::pow(1000.0, static_cast<double>(at + 1));
    text.remove_suffix(1);
  }
  const std::optional<double> number = parsed_real(text);
  return number && *number > 0 ? std::optional(*number * factor) : std::nullopt;
}

}  // namespace

Result<std::vector<GivenPeak>> parse_peaks(std::span<const std::string> texts) {
  std::vector<GivenPeak> peaks;
  for (const std::string& text : texts) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::optional<double> rate = parsed_rate(std::string_view(text).substr(std::min(equals + 1, text.size())));
    if (equals == 0 || !rate)
      return Error{ErrorCode::invalid_argument,
                   say("--peak {}: expected a precision or bandwidth and its peak per second, such as bf16=708T", text), ""};
    peaks.push_back({text.substr(0, equals), *rate});
  }
  return peaks;
}

// ---- what a view uses ----

PeaksOf::PeaksOf(const Profile& profile, std::int64_t device) {
  const auto add_source = [&](std::string_view source) {
    if (!source.empty() && std::find(sources_.begin(), sources_.end(), source) == sources_.end()) sources_.emplace_back(source);
  };
  const DevicePeaks& peaks = profile.device_peaks;
  const auto is_given = [&](Row row) { return profile.text(peaks.source[row]) == kGivenSource; };
  for (Row row = 0; row < profile.devices.rows(); ++row) {
    if (profile.devices.ordinal[row] != device) continue;
    stated_flops_ = profile.devices.peak_flops[row];
    bandwidth_ = profile.devices.peak_bandwidth[row];
    if (!std::isnan(stated_flops_) || !std::isnan(bandwidth_)) add_source(profile.text(profile.devices.peak_source[row]));
  }
  for (Row row = 0; row < peaks.rows(); ++row) {
    if (profile.devices.ordinal[peaks.device[row]] != device) continue;
    const bool is_bandwidth = peaks.precision[row] == StringId::none;
    const bool is_stated = !std::isnan(is_bandwidth ? bandwidth_ : stated_flops_);
    if (is_stated && !is_given(row)) continue;
    if (is_bandwidth) {
      bandwidth_ = peaks.bandwidth[row];
    } else {
      flops_.emplace_back(profile.text(peaks.precision[row]), peaks.flops[row]);
    }
    add_source(profile.text(peaks.source[row]));
  }
}

double PeaksOf::find(std::string_view precision) const {
  const auto at = std::find_if(flops_.begin(), flops_.end(), [&](const auto& each) { return each.first == precision; });
  return at == flops_.end() ? static_cast<double>(kUnknownReal) : at->second;
}

double PeaksOf::flops(std::string_view precision, std::string_view unit) const {
  if (unit == "matrix") {
    const double of_matrix = find(std::string(precision) + "_matrix");
    if (!std::isnan(of_matrix)) return of_matrix;
    const double any = find(precision);
    return std::isnan(any) ? stated_flops_ : any;
  }
  return find(precision == "fp64" ? precision : "fp32");  // vector units compute narrow types at least as fast
}

bool PeaksOf::any() const { return !flops_.empty() || !std::isnan(stated_flops_) || !std::isnan(bandwidth_); }

}  // namespace sightline::analyses
