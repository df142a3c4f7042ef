// Event files are records: 8 bytes of length, its checksum, an Event, its checksum. The checksums are CRC-32C, rotated and
// shifted as the writer does.
#include "formats/step_metrics/metric_log.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "formats/binary/proto_message.h"
#include "formats/common/decimal.h"
#include "formats/read_context.h"

namespace sightline::formats::step_metrics {

namespace {

// ---- records ----

constexpr std::uint64_t kLongestRecord = 16 << 20;  // images, sounds and graphs may be longer: they have no scalars

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
    table[i] = crc;
  }
  return table;
}();

std::uint32_t masked_crc(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char byte : bytes) crc = crc >> 8 ^ kCrcTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFF];
  return std::rotr(~crc, 15) + 0xA282EAD8u;
}

template <typename Number>
Number little_endian(std::string_view bytes) {
  Number number = 0;
  for (std::size_t i = sizeof(Number); i-- > 0;) number = static_cast<Number>(number << 8 | static_cast<unsigned char>(bytes[i]));
  return number;
}

// ---- events ----

constexpr unsigned kWallTime = 1, kStep = 2, kSummary = 5;                                                  // of Event
constexpr unsigned kValue = 1;                                                                              // of Summary
constexpr unsigned kTag = 1, kSimpleValue = 2, kTensor = 8;                                                 // of Summary.Value
constexpr unsigned kType = 1, kShape = 2, kContent = 4, kFloats = 5, kDoubles = 6, kInts = 7, kLongs = 10;  // of TensorProto
constexpr unsigned kDim = 2, kDimSize = 1;                                                                  // of TensorShapeProto
constexpr std::int64_t kFloat = 1, kDouble = 2, kInt = 3, kLong = 9;                                        // types

double float_of(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

std::optional<double> scalar_of_content(std::int64_t type, std::string_view bytes) {
  if (type == kFloat && bytes.size() == 4) return float_of(little_endian<std::uint32_t>(bytes));
  if (type == kDouble && bytes.size() == 8) return std::bit_cast<double>(little_endian<std::uint64_t>(bytes));
  if (type == kInt && bytes.size() == 4) return std::bit_cast<std::int32_t>(little_endian<std::uint32_t>(bytes));
  if (type == kLong && bytes.size() == 8)
    return static_cast<double>(std::bit_cast<std::int64_t>(little_endian<std::uint64_t>(bytes)));
  return std::nullopt;
}

bool is_one_value(ProtoSpan shape) {
  while (shape.next()) {
    if (shape.field() != kDim) continue;
    for (ProtoSpan dim = shape.message(); dim.next();) {
      if (dim.field() == kDimSize && dim.integer() != 1) return false;
    }
  }
  return true;
}

// The number of a tensor that holds one; nullopt for texts, images and histograms.
std::optional<double> scalar_of(ProtoSpan tensor) {
  std::int64_t type = 0;
  std::string_view content;
  std::optional<double> value;
  int values = 0;
  bool is_one = true;
  const auto set = [&](double number) {
    value = number;
    ++values;
  };
  while (tensor.next()) {
    switch (tensor.field()) {
      case kType: type = tensor.integer(); break;
      case kShape: is_one = is_one_value(tensor.message()); break;
      case kContent: content = tensor.bytes(); break;
      case kFloats:
        if (!tensor.is_bytes()) {
          set(float_of(tensor.unsigned_integer()));
        } else if (const std::string_view packed = tensor.bytes(); packed.size() == 4) {
          set(float_of(little_endian<std::uint32_t>(packed)));
        } else {
          return std::nullopt;
        }
        break;
      case kDoubles: tensor.fixed_numbers([&](std::uint64_t bits) { set(std::bit_cast<double>(bits)); }); break;
      case kInts:
      case kLongs: tensor.integers([&](std::int64_t number) { set(static_cast<double>(number)); }); break;
      default: break;
    }
  }
  if (!is_one || tensor.damaged() || values > 1) return std::nullopt;
  return values == 1 ? value : scalar_of_content(type, content);
}

void add_value(ProtoSpan value, const Metric& about, StringPool& strings, MetricLog& log) {
  std::string_view tag;
  std::optional<double> number;
  while (value.next()) {
    switch (value.field()) {
      case kTag: tag = value.bytes(); break;
      case kSimpleValue: number = float_of(value.unsigned_integer()); break;
      case kTensor: number = scalar_of(value.message()); break;
      default: break;
    }
  }
  if (tag.empty() || !number) return;
  Metric metric = about;
  metric.name = strings.intern(to_utf8(tag));
  metric.value = std::isfinite(*number) ? *number : static_cast<double>(kUnknownReal);
  log.metrics.push_back(metric);
}

Time unix_ns(double seconds) {
  const double ns = seconds * 1e9;
  return ns > 0 && ns < static_cast<double>(kFarthestNs) ? std::llround(ns) : kUnknown;
}

// False: the event is damaged.
bool add_event(std::string_view bytes, StringPool& strings, MetricLog& log) {
  Metric about{StringId::none, 0, kUnknown, 0};
  std::vector<ProtoSpan> summaries;  // the step may be written behind them
  ProtoSpan event(bytes);
  while (event.next()) {
    switch (event.field()) {
      case kWallTime: about.unix_ns = unix_ns(event.real()); break;
      case kStep: about.number = event.integer(); break;
      case kSummary: summaries.push_back(event.message()); break;
      default: break;
    }
  }
  for (ProtoSpan& summary : summaries) {
    while (summary.next()) {
      if (summary.field() == kValue) add_value(summary.message(), about, strings, log);
    }
    if (summary.damaged()) return false;
  }
  return !event.damaged();
}

}  // namespace

void read_event_file(ByteStream& in, std::size_t most, StringPool& strings, MetricLog& log) {
  constexpr std::size_t kHead = 12, kTail = 4;
  std::string head(kHead, '\0'), record;
  while (log.metrics.size() < most) {
    const std::int64_t at = in.position();
    const std::size_t got = in.take(head.data(), kHead);
    if (got == 0 || in.failed()) return;
    const auto length = little_endian<std::uint64_t>(head);
    if (got < kHead) {
      log.is_cut = true;
      return;
    }
    const std::string_view bytes = head;
    if (masked_crc(bytes.substr(0, 8)) != little_endian<std::uint32_t>(bytes.substr(8))) return log.flaw(at);
    if (length > kLongestRecord) {
      if (length > std::uint64_t{1} << 40) return log.flaw(at);
      in.skip(static_cast<std::int64_t>(length + kTail) - 1);
      if (in.next() < 0) {  // bytes beyond the end count as skipped
        log.is_cut = !in.failed();
        return;
      }
      continue;
    }
    record.resize(length + kTail);
    if (in.take(record.data(), record.size()) < record.size()) {
      log.is_cut = !in.failed();
      return;
    }
    const std::string_view event = std::string_view(record).substr(0, length);
    const bool is_whole = masked_crc(event) == little_endian<std::uint32_t>(std::string_view(record).substr(length));
    if (!is_whole || !add_event(event, strings, log)) log.flaw(at);
  }
}

void read_mlflow_metric(ByteStream& in, StringId name, std::size_t most, MetricLog& log) {
  std::string line;
  for (std::int64_t at = 0; log.metrics.size() < most && in.line(line, kLongestLine); at = in.position()) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const std::vector<std::string_view> parts = split_line(line, ' ');
    const auto ms = whole_number<std::int64_t>(parts[0]);
    const bool is_not_finite = parts.size() > 1 && (parts[1] == "nan" || parts[1] == "inf" || parts[1] == "-inf");
    const auto value = parts.size() > 1 ? parse_real(parts[1]) : std::nullopt;
    const auto number = parts.size() > 2 ? whole_number<std::int64_t>(parts[2]) : std::nullopt;
    if (!ms || *ms < 0 || *ms > kFarthestNs / 1'000'000 || (!value && !is_not_finite) || (parts.size() > 2 && !number)) {
      log.flaw(at);
      continue;
    }
    const double real = value.value_or(kUnknownReal);
    log.metrics.push_back({name, number.value_or(kUnknown), *ms * 1'000'000, std::isfinite(real) ? real : kUnknownReal});
  }
}

}  // namespace sightline::formats::step_metrics
