// Changes values of a sound profile as the input says, as the file of a stranger could have them: the first byte chooses what is
// computed; each further five bytes are a column (two), a row, the kind of the value, and a number in it. Every such profile is
// refused, or all answers about it can be computed.
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>

#include <simdjson.h>

#include "engine/loaded_profile.h"
#include "output/report_format.h"
#include "output/tiles.h"
#include "output/timeline_json.h"
#include "store/outside_profile.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/small_profile.h"
#include "tests/fuzz/sound_reading.h"
#include "tests/support/text_profile.h"

namespace {

using namespace sightline::tests;

// An integer of each size that a program meets at an edge, and small ones.
std::int64_t integer(std::uint8_t kind, std::uint8_t number) {
  constexpr std::array<std::int64_t, 12> kEdges = {-1,
                                                   0,
                                                   std::numeric_limits<std::int64_t>::min(),
                                                   std::numeric_limits<std::int64_t>::max(),
                                                   std::int64_t{1} << 62,
                                                   -(std::int64_t{1} << 62),
                                                   (std::int64_t{1} << 62) - 1,
                                                   1 - (std::int64_t{1} << 62),
                                                   std::numeric_limits<std::int32_t>::max(),
                                                   std::numeric_limits<std::int32_t>::min(),
                                                   std::numeric_limits<std::uint32_t>::max(),
                                                   9'000'000'000'000};
  return kind < kEdges.size() ? kEdges[kind] : kind < 128 ? number : 10 * std::int64_t{number} - 500;
}

double real(std::uint8_t kind, std::uint8_t number) {
  constexpr std::array<double, 8> kEdges = {std::numeric_limits<double>::quiet_NaN(),
                                            std::numeric_limits<double>::infinity(),
                                            -std::numeric_limits<double>::infinity(),
                                            1e308,
                                            -1e308,
                                            0,
                                            -1,
                                            1e-308};
  return kind < kEdges.size() ? kEdges[kind] : number;
}

void change(Profile& profile, std::size_t wanted, std::uint8_t row, std::uint8_t kind, std::uint8_t number) {
  std::size_t columns = 0;
  Profile::visit_tables(profile, [&](auto& table) {
    table.for_each_column([&](const ColumnInfo&, const auto& column) { columns += !column.empty(); });
  });
  wanted %= columns;
  Profile::visit_tables(profile, [&](auto& table) {
    table.for_each_column([&]<typename T>(const ColumnInfo&, Column<T>& column) {
      if (column.empty() || wanted-- != 0) return;
      const std::size_t at = row % column.size();
      if constexpr (std::is_floating_point_v<T>) {
        column[at] = static_cast<T>(real(kind, number));
      } else if constexpr (std::is_same_v<T, bool>) {
        column[at] = number % 2 != 0;
      } else {
        column[at] = static_cast<T>(integer(kind, number));
      }
    });
  });
}

void answer(std::unique_ptr<const Profile> profile, std::uint8_t which) {
  static simdjson::dom::parser json;
  const std::size_t views = all_analyses().size(), chosen = which % (views + 3);
  if (chosen == views) return sound_dependencies(*profile);
  LoadedProfile loaded(std::move(profile));
  if (chosen == views + 1) {
    const auto timeline = loaded.timeline(1);
    const auto counters = std::vector<Counter>();
    require(json.parse(timeline_json(*timeline, counters)).error() == simdjson::SUCCESS, "the timeline is not JSON");
    if (const auto request = parse_tile_request(*timeline, "0,1,2", "0", "300", "1")) (void)encode_tiles(*timeline, *request);
    return;
  }
  if (chosen == views + 2) {
    const std::atomic<bool> go_on{false};
    (void)loaded.derive(all_analyses(), false, 1, go_on);
    return;
  }
  const Analysis& view = all_analyses()[chosen];
  const Parameters parameters(view.parameters);
  const ProfilePtr both[] = {loaded.profile(), loaded.profile()};
  if (view.scope() == Scope::ranks) (void)loaded.rank("w");
  if (view.scope() != Scope::profile && view.scope() != Scope::pair) return;
  if (view.unavailable && view.unavailable(*loaded.profile())) return;
  const Result<Report> report = view.scope() == Scope::profile ? loaded.answer(view, parameters)
                                                               : run_view(view, {.profiles = both, .parameters = parameters});
  if (report) require(json.parse(report_json(*report)).error() == simdjson::SUCCESS, "the report is not JSON");
}

}  // namespace

FUZZ_TARGET(outside_profile_fuzz, data, size) {
  if (size == 0) return 0;
  std::unique_ptr<Profile> profile = parse_text_profile(kSmallProfile);
  const std::uint8_t which = *data;
  for (++data, --size; size >= 5; data += 5, size -= 5)
    change(*profile, data[0] + std::size_t{256} * data[1], data[2], data[3], data[4]);
  if (fault_of_outside_profile(*profile).empty()) answer(std::move(profile), which);
  return 0;
}
