// Metrics side by side.
#include "analyses/diff/diff_columns.h"

#include <fmt/core.h>

namespace sightline::analyses {

namespace {

constexpr std::string_view kBoth = "both profiles";

// "Host total: baseline"; of a table with one metric, "Baseline".
Message side_title(const Message& metric, const char* capital, const char* small) {
  return metric.empty() ? Message(capital) : say("{}: {}", metric, small);
}

ReportColumn as_change(ReportColumn column) {
  column.change = true;
  return column;
}

}  // namespace

PairColumns pair_columns(std::string_view key, const Message& title, Unit unit, const MetricDoc& doc, CellType type,
                         const PairOptions& options) {
  const auto number = [&](std::string_view side, const Message& name, const MetricDoc& meaning) {
    const std::string full = fmt::format("{}_{}", side, key);
    ReportColumn column =
        type == CellType::real ? real_column(full, name, unit, meaning) : integer_column(full, name, unit, meaning);
    return std::move(column).with_unknown(options.unknown).hide(options.hidden);
  };
  return {number("baseline", side_title(title, "Baseline", "baseline"), doc).with_category(options.hued ? "baseline" : ""),
          number("compared", side_title(title, "Compared", "compared"), doc).with_category(options.hued ? "compared" : ""),
          as_change(number("change", side_title(title, "Change", "change"),
                           {"Increase from the baseline to the compared profile.", "compared - baseline", kBoth})),
          as_change(real_column(fmt::format("change_{}_share", key), side_title(title, "Change", "change"), Unit::share,
                                {"The change as a share of the baseline.", "(compared - baseline) / baseline", kBoth,
                                 "Unknown where the baseline is 0; the TensorBoard plugin writes infinity."})
                        .with_unknown("the baseline is 0 or unknown")
                        .hide(options.hidden))};
}

double share_of_baseline(const OnBothSides<double>& values) { return quotient(change_of(values), values[kBaseline]); }

double share_of_baseline(const OnBothSides<std::int64_t>& values) {
  if (change_of(values) == kUnknown) return kUnknownReal;
  return share_of_baseline(OnBothSides<double>{static_cast<double>(values[kBaseline]), static_cast<double>(values[kCompared])});
}

ReportColumn slice_column(std::string_view key, Message title, const char* of_what) {
  return integer_column(key, title, Unit::id, {say("Row of the slice of its longest {}.", of_what), "", ""})
      .with_unknown("not in this profile")
      .hide();
}

RowLink baseline_link() { return {"Baseline on the timeline", "timeline", {{"slice", "$baseline_slice"}}}; }

RowLink compared_link() {
  RowLink link{"Compared on the timeline", "timeline", {{"slice", "$compared_slice"}}};
  link.other = true;
  return link;
}

}  // namespace sightline::analyses
