// One line per column.
#include "analyses/costs/cost_columns.h"

#include "analyses/columns.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kCostSource =
    "shapes and types of the operators' inputs by the formula of each, device work that the operators caused, peaks of the "
    "device";
constexpr std::string_view kCostUnknown = "none of its operators has a formula, or its inputs were not recorded";
constexpr std::string_view kPeakUnknown = "none of its operators has a formula, or the device's peaks are not known";

}  // namespace

TableOf<CostSums> cost_columns() {
  TableOf<CostSums> table;
  table.add(real_column("to_win", "Time to win", Unit::ns,
                        {"Device time that would be saved if each call took no longer than the peaks allow.",
                         "sum over calls of max(0, duration of its device work - attainable time)", kCostSource, kNew})
                .with_unknown(kPeakUnknown),
            [](const CostSums& of) { return of.time_to_win(); });
  table.add(real_column("of_attainable", "Of attainable", Unit::share,
                        {"Share of the speed that the peaks of the device allow. Above 100 %, a peak, a shape or a precision is "
                         "wrong.",
                         "sum of attainable times / sum of the durations of their device work; attainable time of a call = "
                         "max(operations / peak operations of its precision, bytes / peak bandwidth)",
                         kCostSource, kNew})
                .with_unknown(kPeakUnknown),
            [](const CostSums& of) { return of.of_attainable(); });
  table.add(real_column("flops_rate", "FLOP/s", Unit::flops_per_second,
                        {"How fast the operators with a formula computed.",
                         "sum of their operations / sum of the durations of their device work; a multiplication with an addition "
                         "is two",
                         kCostSource, kNew})
                .with_unknown(kCostUnknown),
            [](const CostSums& of) { return of.flops > 0 ? of.flops_per_second() : kUnknownNumber; });
  table.add(
      real_column("bytes_rate", "Bytes/s", Unit::bytes_per_second,
                  {"How fast the operators with a formula moved data: each input is read once, each result written once.",
                   "sum of the bytes of their inputs and results / sum of the durations of their device work", kCostSource, kNew})
          .with_unknown(kCostUnknown),
      [](const CostSums& of) { return of.bytes_per_second(); });
  return table;
}

}  // namespace sightline::analyses
