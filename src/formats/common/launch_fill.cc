// The rules of the occupancy calculator of the devices' vendor, for the generations since Volta.
#include "formats/common/launch_fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "base/text.h"

namespace sightline::formats {

namespace {

constexpr std::int64_t kPartitions = 4;          // of a core; each has its share of the registers
constexpr std::int64_t kRegisterUnit = 256;      // registers are given to a warp in steps of so many
constexpr std::int64_t kUsualShared = 48 << 10;  // bytes that a block gets on all devices without requesting more

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

// What differs between generations of devices.
struct Generation {
  std::int64_t most_blocks;      // resident on a core
  std::int64_t shared_unit;      // bytes: shared memory is given to a block in such steps
  std::int64_t shared_reserved;  // bytes that each block takes besides
};

std::optional<Generation> generation(std::int64_t major, std::int64_t minor) {
  if (major == 7) return Generation{minor < 5 ? 32 : 16, 256, 0};
  if (major == 8) return Generation{minor == 0 ? 32 : minor == 9 ? 24 : 16, 128, 1024};
  if (major == 9 || major == 10) return Generation{32, 128, 1024};
  if (major == 12) return Generation{24, 128, 1024};
  return std::nullopt;
}

// "[4, 1, 2]"; nothing for any other text.
std::optional<std::array<std::int64_t, 3>> dimensions(std::string_view text) {
  std::array<std::int64_t, 3> sizes{};
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t end = i + 1 < sizes.size() ? text.find(", ") : text.size();
    if (end == std::string_view::npos) return std::nullopt;
    const auto size = whole_number<std::int64_t>(text.substr(0, end));
    if (!size || *size <= 0) return std::nullopt;
    sizes[i] = *size;
    text.remove_prefix(std::min(text.size(), end + 2));
  }
  return sizes;
}

// Calls of this kind take the size of the grid in threads, not in blocks, and writers copy it to the kernel unchanged.
bool grid_is_in_threads(std::string_view call) {
  return call == "hipExtModuleLaunchKernel" || call == "hipHccModuleLaunchKernel";
}

class Filling {
 public:
  explicit Filling(Profile& profile) : p_(profile), w_(profile.device_work) {
    for (Row row = 0; row < p_.devices.rows(); ++row) device_rows_.emplace(p_.devices.ordinal[row], row);
  }

  void run() {
    for (Row work = 0; work < w_.rows(); ++work) {
      const SliceKind kind = p_.slices.kind[w_.slice[work]];
      if (kind == SliceKind::kernel || kind == SliceKind::collective) fill(work);
    }
  }

 private:
  void fill(Row work) {
    const auto at = device_rows_.find(w_.device[work]);
    const bool has_all = !std::isnan(w_.blocks_per_core[work]) && !std::isnan(w_.warps_per_core[work]);
    const bool may_lack = std::isnan(w_.occupancy[work]) || w_.occupancy[work] == 0;
    if (has_all && !may_lack) return;
    drop_false_zero(work, at == device_rows_.end() ? kUnknown : p_.devices.shared_per_block[at->second]);
    const std::optional<Launch> launch = at == device_rows_.end() ? std::nullopt : launch_of(work);
    if (!launch) return;
    fill_per_core(work, at->second, *launch);
    fill_occupancy(work, at->second, *launch);
  }

  void drop_false_zero(Row work, std::int64_t usual) {
    if (w_.occupancy[work] != 0 || w_.shared_bytes[work] <= (usual > 0 ? usual : kUsualShared)) return;
    w_.occupancy[work] = kUnknownReal;
    w_.fill_source[work] = FillSource::unknown_for_zero;
  }

  void fill_per_core(Row work, Row device, const Launch& launch) {
    const std::int64_t cores = p_.devices.cores[device], width = p_.devices.warp_size[device];
    const auto put = [&](float& value, double computed) {
      if (!std::isnan(value)) return;
      value = static_cast<float>(computed);
      if (!is_file_zero(w_.fill_source[work])) w_.fill_source[work] = FillSource::computed;
    };
    if (cores <= 0) return;
    const double blocks = launch.blocks / static_cast<double>(cores);
    put(w_.blocks_per_core[work], blocks);
    if (width > 0) put(w_.warps_per_core[work], blocks * launch.threads / static_cast<double>(width));
  }

  void fill_occupancy(Row work, Row device, const Launch& launch) {
    if (!std::isnan(w_.occupancy[work]) || w_.registers[work] < 0 || w_.shared_bytes[work] == kUnknown) return;
    const double occupancy = computed_occupancy(p_.devices, device, launch);
    if (std::isnan(occupancy)) return;
    w_.occupancy[work] = static_cast<float>(occupancy);
    const bool is_zero = w_.fill_source[work] == FillSource::unknown_for_zero;
    w_.fill_source[work] = is_zero ? FillSource::computed_for_zero : FillSource::computed;
  }

  std::optional<Launch> launch_of(Row work) {
    const auto grid = known_dimensions(w_.grid[work]), block = known_dimensions(w_.block[work]);
    if (!grid || !block) return std::nullopt;
    const Row call = w_.launch[work];
    const bool in_threads = call != kNoRow && grid_is_in_threads(p_.text(p_.slices.name[p_.launches.slice[call]]));
    Launch launch{1, 1, w_.registers[work], w_.shared_bytes[work]};
    for (std::size_t i = 0; i < grid->size(); ++i) {
      const auto size = static_cast<double>((*block)[i]), all = static_cast<double>((*grid)[i]);
      launch.threads *= size;
      launch.blocks *= in_threads ? std::ceil(all / size) : all;
    }
    return launch;
  }

  const std::optional<std::array<std::int64_t, 3>>& known_dimensions(StringId text) {
    const auto [at, is_new] = dimensions_.try_emplace(text);
    if (is_new) at->second = dimensions(p_.text(text));
    return at->second;
  }

  Profile& p_;
  DeviceWork& w_;
  std::unordered_map<std::int64_t, Row> device_rows_;  // by ordinal
  std::unordered_map<StringId, std::optional<std::array<std::int64_t, 3>>> dimensions_;
};

}  // namespace

double computed_occupancy(const Devices& devices, Row device, const Launch& launch) {
  const auto unknown = static_cast<double>(kUnknownReal);
  const auto rules = generation(devices.compute_major[device], devices.compute_minor[device]);
  const std::int64_t width = devices.warp_size[device], most_threads = devices.threads_per_core[device];
  const std::int64_t registers = devices.registers_per_core[device], shared = devices.shared_per_core[device];
  // Devices of another vendor use the same numbers for generations, and warps of another width.
  if (!rules || width != 32 || most_threads <= 0 || registers <= 0 || shared <= 0 || devices.cores[device] <= 0) return unknown;
  if (launch.threads > static_cast<double>(most_threads)) return unknown;
  const std::int64_t warps = (static_cast<std::int64_t>(launch.threads) + width - 1) / width;
  std::int64_t resident = std::min(rules->most_blocks, most_threads / width / warps);
  if (launch.registers > 0) {
    const std::int64_t of_warp = rounded_up(std::min<std::int64_t>(launch.registers, 1 << 20) * width, kRegisterUnit);
    resident = std::min(resident, registers / kPartitions / of_warp * kPartitions / warps);
  }
  const std::int64_t of_block =
      rounded_up(std::max<std::int64_t>(launch.shared_bytes, 0) + rules->shared_reserved, rules->shared_unit);
  if (of_block > 0) resident = std::min(resident, shared / of_block);
  if (resident == 0) return unknown;  // it ran, so the file's values must be wrong
  const double blocks = launch.blocks / static_cast<double>(devices.cores[device]);
  return 100 * std::min(static_cast<double>(resident), blocks) * launch.threads / static_cast<double>(most_threads);
}

void fill_launches(Profile& profile) { Filling(profile).run(); }

}  // namespace sightline::formats
