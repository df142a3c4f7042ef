// One pass over the lanes, one over the facts, one over the costs.
#include "analyses/devices/device_totals.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/devices/device_activity.h"
#include "analyses/facts.h"
#include "model/interval.h"
#include "model/profile.h"
#include "model/stated_names.h"

namespace sightline::analyses {

// ---- times as precise as the file states them ----
// A sum of whole ns of many short slices is too small by up to a ns each.

namespace {

class ExactTimes {
 public:
  explicit ExactTimes(const Profile& profile) : p_(profile), unit_(profile.fine_times.rows() == 0 ? 1 : kPicoseconds) {}

  // In units(): a thousandth of a ns, where the profile has times so fine of any slice, else a ns. Fastest in the order of
  // slices.
  Interval of(Row slice) {
    const Interval ns{p_.slices.start[slice], p_.end_of(slice)};
    if (unit_ == 1) return ns;
    const Column<Row>& slices = p_.fine_times.slice;
    if (at_ == slices.size() || slices[at_] > slice) at_ = 0;
    at_ = static_cast<std::size_t>(std::lower_bound(slices.begin() + at_, slices.end(), slice) - slices.begin());
    const bool fine = at_ < slices.size() && slices[at_] == slice;
    const auto beyond = [&](const Column<std::int32_t>& ps) { return fine ? std::max(0, ps[at_]) : 0; };
    const Time start = ns.start * unit_ + beyond(p_.fine_times.start);
    return {start, start + ns.length() * unit_ + beyond(p_.fine_times.duration)};
  }

  // Of a ns.
  double units() const { return static_cast<double>(unit_); }

 private:
  static constexpr Time kPicoseconds = 1000;

  const Profile& p_;
  Time unit_;
  std::size_t at_ = 0;  // of fine_times, where the last was found
};

}  // namespace

// ---- which device work multiplies matrices ----
// First by the core, which is what ran; then by the operator, which is what the program requested.

namespace {

class MatrixProducts {
 public:
  // REQUIRES: the profile outlives it.
  explicit MatrixProducts(const Profile& profile);

  // Whether this row of device_work is a matrix product: it ran on matrix units, or executes a dot, a convolution, or a fusion
  // of these. Nullopt if unknown, for example for a call into a library.
  std::optional<bool> is_product(Row work) const;

 private:
  std::optional<bool> of_operator(Row slice) const;

  const Profile& p_;
  std::vector<std::optional<bool>> operators_;  // by row of program_operators
};

// Of an operator alone; other fusions than that one, and calls, can hold anything.
std::optional<bool> judge(std::string_view opcode, std::string_view category) {
  if (opcode == stated::kDot || opcode == stated::kConvolution || category.starts_with(stated::kConvolution)) return true;
  const bool holds_anything = opcode.empty() || opcode == stated::kFusion || opcode.ends_with(stated::kCallEnding);
  return holds_anything && category != stated::kLoopFusion ? std::nullopt : std::optional(false);
}

MatrixProducts::MatrixProducts(const Profile& profile) : p_(profile) {
  const ProgramOperators& all = p_.program_operators;
  const auto rows = static_cast<Row>(all.rows());
  for (Row row = 0; row < rows; ++row) operators_.push_back(judge(p_.text(all.opcode[row]), p_.text(all.category[row])));
  std::vector<std::optional<bool>> inside(rows);  // unknown only where something inside is
  std::vector<bool> has_inside(rows, false);
  for (Row row = 0; row < rows; ++row) {
    const Row into = all.fused_into[row];
    if (into == kNoRow) continue;
    if (!has_inside[into]) inside[into] = false;
    has_inside[into] = true;
    if (operators_[row] == true) inside[into] = true;
    if (!operators_[row] && inside[into] != true) inside[into] = std::nullopt;
  }
  for (Row row = 0; row < rows; ++row) {
    if (has_inside[row] && operators_[row] != true) operators_[row] = inside[row];
  }
}

std::optional<bool> MatrixProducts::of_operator(Row slice) const {
  const ProgramWork& executed = p_.program_work;
  const auto at = std::lower_bound(executed.slice.begin(), executed.slice.end(), slice);
  if (at == executed.slice.end() || *at != slice) return std::nullopt;
  return operators_[executed.program_operator[static_cast<std::size_t>(at - executed.slice.begin())]];
}

std::optional<bool> MatrixProducts::is_product(Row work) const {
  const Row slice = p_.device_work.slice[work];
  switch (p_.device_work.core_type[work]) {
    case CoreType::matrix: return true;
    case CoreType::vector:
    case CoreType::host: return false;
    case CoreType::general:
      if (p_.lanes.kind[p_.slices.lane[slice]] == LaneKind::engine) return false;  // the matrix units are another engine
      break;
    case CoreType::unknown:
    case CoreType::mixed: break;
  }
  return of_operator(slice);
}

}  // namespace

// ---- the sums ----

namespace {

constexpr std::int64_t kSignal = 4;       // bytes: a copy that only writes a flag
constexpr std::int64_t kSmallCopy = 512;  // bytes

void add_known(double& sum, double value) {
  if (!std::isnan(value)) sum = std::isnan(sum) ? value : sum + value;
}

// `word` in lower case.
bool begins_as(std::string_view text, std::string_view word) {
  const auto is_letter = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; };
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [&](char b, char a) { return is_letter(a, b); });
}

class Summing {
 public:
  Summing(const Profile& profile, std::int64_t device) : p_(profile), times_(profile) { t_.device = device; }

  DeviceTotals run() {
    for (Row lane = 0; lane < p_.lanes.rows(); ++lane) {
      if (p_.lanes.device[lane] == t_.device) add_lane(lane);
    }
    finish_engines();
    finish_copies();
    add_facts();
    in_ns();
    add_costs();
    add_tensors();
    add_device();
    add_length();
    return std::move(t_);
  }

 private:
  struct Engine {
    EngineTotals totals;
    std::vector<IntervalSet> busy;  // by lane
  };
  struct Queue {
    CopyTotals totals;
    std::vector<IntervalSet> busy;  // by lane
  };

  // Until here these times are in units of times_.
  void in_ns() {
    const auto turn = [&](auto&... times) { ((times /= times_.units()), ...); };
    for (EngineTotals& engine : t_.engines) turn(engine.time, engine.active);
    for (auto* copies : {&t_.queues, &t_.types}) {
      for (CopyTotals& each : *copies) turn(each.time, each.active);
    }
    for (CopyTotals* sum : {&t_.copies, &t_.fills, &t_.dynamic_copies, &t_.fixed_copies, &t_.collectives})
      turn(sum->time, sum->active);
    turn(t_.active, t_.computing, t_.transfer_time, t_.activation_time);
  }

  static double sum_of(const IntervalSet& busy) { return static_cast<double>(total_length(busy)); }

  Engine& engine_of(Row lane) {
    const std::string_view track = p_.text(p_.lanes.track[lane]);
    const auto at = std::find_if(engines_.begin(), engines_.end(), [&](const Engine& e) { return e.totals.name == track; });
    if (at != engines_.end()) return *at;
    Engine engine;
    engine.totals.name = track;
    engine.totals.is_engine = p_.lanes.kind[lane] == LaneKind::engine;
    const bool numbered = track.find_first_not_of("0123456789") == track.npos;
    engine.totals.title = engine.totals.is_engine && !numbered ? std::string(track) : stream_title(p_, lane);
    engines_.push_back(std::move(engine));
    return engines_.back();
  }

  void add_lane(Row lane) {
    IntervalSet work, copies, fills, computing;
    CopyTotals queue;
    std::map<StringId, IntervalSet> by_type;
    std::int64_t instructions = 0;
    double time = 0;
    for (Row slice = p_.lanes.first[lane]; slice < p_.lanes.last[lane]; ++slice) {
      const Interval interval = times_.of(slice);
      const auto length = static_cast<double>(interval.length());
      const SliceKind kind = p_.slices.kind[slice];
      if (kind == SliceKind::memset) {
        extend(fills, interval);
        count_copy(t_.fills, bytes_of(work_row(slice)), length);
      } else if (kind == SliceKind::memcpy) {
        extend(copies, interval);
        const StringId type = add_copy(slice, length, queue);
        extend(by_type[type], interval);
      } else if (is_kernel(kind)) {
        ++instructions;
        extend(work, interval);
        time += length;
        if (kind == SliceKind::collective) {
          add_collective(interval);
        } else {
          extend(computing, interval);
        }
        if (p_.text(p_.slices.name[slice]).starts_with(stated::kActivation)) {
          ++t_.activations;
          t_.activation_time += length;
        }
      } else if (kind == SliceKind::sync) {
        ++instructions;
      } else if (p_.lanes.kind[lane] == LaneKind::queue) {
        ++t_.transfers;
        t_.transfer_time += length;
      }
    }
    if (instructions > 0) {
      Engine& engine = engine_of(lane);
      engine.totals.instructions += instructions;
      engine.totals.time += time;
      engine.busy.push_back(std::move(work));
    }
    if (!fills.empty()) fills_.push_back(std::move(fills));
    if (!computing.empty()) computing_.push_back(std::move(computing));
    if (queue.count == 0) return;
    // Lanes that relieve a queue of copies that overlap are that queue's.
    Queue& whole = queues_[p_.main_lane(lane)];
    queue.name = p_.text(p_.lanes.name[lane]);
    add(whole.totals, queue);
    whole.busy.push_back(copies);
    copies_.push_back(std::move(copies));
    for (auto& [type, busy] : by_type) type_busy_[type].push_back(std::move(busy));
  }

  static void add(CopyTotals& sum, const CopyTotals& part) {
    sum.name = part.name;
    sum.type = part.type;
    sum.count += part.count;
    sum.bytes += part.bytes;
    sum.without_bytes += part.without_bytes;
    sum.time += part.time;
  }

  static void count_copy(CopyTotals& totals, std::int64_t bytes, double time) {
    ++totals.count;
    totals.time += time;
    if (bytes == kUnknown) {
      ++totals.without_bytes;
    } else {
      totals.bytes += bytes;
    }
  }

  // The row of device_work of a slice, or none.
  Row work_row(Row slice) {
    const auto at = std::lower_bound(p_.device_work.slice.begin() + next_work_, p_.device_work.slice.end(), slice);
    next_work_ = at - p_.device_work.slice.begin();
    return at != p_.device_work.slice.end() && *at == slice ? static_cast<Row>(next_work_) : kNoRow;
  }
  std::int64_t bytes_of(Row work) const { return work == kNoRow ? kUnknown : p_.device_work.bytes[work]; }

  void add_collective(const Interval& interval) {
    ++t_.collectives.count;
    t_.collectives.time += static_cast<double>(interval.length());
    collectives_.push_back(interval);
  }

  // Sums one copy; returns its type.
  StringId add_copy(Row slice, double length, CopyTotals& queue) {
    const Row row = work_row(slice);
    const std::int64_t bytes = bytes_of(row);
    const StringId type = row == kNoRow ? StringId::none : p_.device_work.type[row];
    for (CopyTotals* totals : {&queue, &types_[type], &t_.copies}) count_copy(*totals, bytes, length);
    queue.type = p_.text(type);
    if (bytes > kSignal && p_.text(type) != "instruction") {
      ++t_.needful_copies;
      t_.needful_bytes += bytes;
      t_.small_copies += bytes < kSmallCopy;
    }
    return type;
  }

  void finish_engines() {
    std::vector<IntervalSet> all;
    for (Engine& engine : engines_) {
      const IntervalSet busy = unite_all(std::move(engine.busy));
      engine.totals.active = sum_of(busy);
      all.push_back(busy);
      t_.engines.push_back(std::move(engine.totals));
    }
    for (const IntervalSet& copies : copies_) all.push_back(copies);
    all.insert(all.end(), fills_.begin(), fills_.end());
    t_.fills.active = sum_of(unite_all(std::move(fills_)));
    t_.computing = sum_of(unite_all(std::move(computing_)));
    t_.active = sum_of(unite_all(std::move(all)));
  }

  void finish_copies() {
    t_.copies.active = sum_of(unite_all(std::move(copies_)));
    t_.collectives.active = sum_of(merge(std::move(collectives_)));
    for (auto& [lane, queue] : queues_) {
      queue.totals.active = sum_of(unite_all(std::move(queue.busy)));
      t_.queues.push_back(queue.totals);
    }
    std::vector<IntervalSet> fixed, dynamic;
    for (auto& [type, totals] : types_) {
      totals.type = totals.name = p_.text(type);
      const IntervalSet busy = unite_all(std::move(type_busy_[type]));
      totals.active = sum_of(busy);
      t_.types.push_back(totals);
      const bool is_dynamic = totals.type.find("dynamic") != std::string::npos;
      add(is_dynamic ? t_.dynamic_copies : t_.fixed_copies, totals);
      (is_dynamic ? dynamic : fixed).push_back(busy);
    }
    t_.fixed_copies.active = sum_of(unite_all(std::move(fixed)));
    t_.dynamic_copies.active = sum_of(unite_all(std::move(dynamic)));
    std::sort(t_.types.begin(), t_.types.end(), [](const CopyTotals& a, const CopyTotals& b) { return a.name < b.name; });
  }

  bool is_here(Row slice) const { return p_.lanes.device[p_.slices.lane[slice]] == t_.device; }

  EngineTotals* engine_at(Row slice) {
    const std::string_view track = p_.text(p_.lanes.track[p_.slices.lane[slice]]);
    const auto at = std::find_if(t_.engines.begin(), t_.engines.end(), [&](const EngineTotals& e) { return e.name == track; });
    return at == t_.engines.end() ? nullptr : &*at;
  }

  void add_facts() {
    const FactName transferred(p_, {stated::kTransferBytes, stated::kNewTransferBytes});
    const FactName of_kernel(p_, {stated::kKernelStack, stated::kKernelInstruction, stated::kKernelLine});
    std::vector<std::uint8_t> is_bytes(p_.strings.size(), 0);
    const WorkFacts& facts = p_.work_facts;
    std::int64_t transfers = 0;
    Row by_hand = kNoRow;  // counted last
    for (Row fact = 0; fact < facts.rows(); ++fact) {
      const Row slice = facts.slice[fact];
      const double number = facts.number[fact];
      const StringId name = facts.name[fact];
      const SliceKind kind = p_.slices.kind[slice];
      if (transferred.is(name) && !is_device_work(kind) && is_here(slice)) {
        add_known(t_.transfer_bytes, number);
        transfers += !std::isnan(number);
      }
      if (of_kernel.is(name) && slice != by_hand && is_here(slice)) {
        by_hand = slice;
        if (EngineTotals* engine = engine_at(slice); engine != nullptr) ++engine->by_hand;
      }
      std::uint8_t& bytes = is_bytes[static_cast<std::uint32_t>(name)];  // 0: not checked yet, 1: no, 2: yes
      if (bytes == 0) bytes = p_.text(name).ends_with(stated::kBytesEnding) ? 2 : 1;
      if (bytes == 2 && !std::isnan(number) && is_kernel(kind) && is_here(slice))
        t_.stated_bytes[std::string(p_.text(name))] += number;
    }
    if (transfers != t_.transfers) t_.transfer_bytes = kUnknownReal;
  }

  // Of one piece of work with operations.
  void add_flops(Row slice, double flops, double scaled, const FactName& purpose) {
    const bool turns = text_of(p_, slice, purpose) == stated::kTransposing;
    scaled_products_ += !std::isnan(scaled);
    add_known(t_.scaled_flops, scaled);
    if (!purpose.is_known()) return;
    add_known(t_.transpose_flops, turns ? flops : 0);
    add_known(t_.scaled_transpose_flops, turns ? scaled : 0);
  }

  void add_costs() {
    const WorkCosts& costs = p_.work_costs;
    const FactName purpose(p_, {stated::kPurpose, stated::kMatrixPurpose});
    const FactName scaled(p_, {stated::kScaledFlops});
    const MatrixProducts products(p_);
    std::int64_t unknown_products = 0;
    next_work_ = 0;
    for (Row row = 0; row < costs.rows(); ++row) {
      const Row slice = costs.slice[row];
      if (!is_here(slice) || !is_kernel(p_.slices.kind[slice])) continue;
      const double flops = costs.flops[row];
      add_known(t_.flops, flops);
      if (flops > 0) {
        const Row work = work_row(slice);
        const std::optional<bool> is_product = work == kNoRow ? std::nullopt : products.is_product(work);
        ++t_.with_flops;
        t_.matrix_products += is_product.value_or(false);
        unknown_products += !is_product;
        add_flops(slice, flops, fact_number(p_, slice, scaled), purpose);
      }
      const auto known = [](std::int64_t bytes) { return bytes == kUnknown ? kUnknownReal : static_cast<double>(bytes); };
      const double read = known(costs.bytes_read[row]), written = known(costs.bytes_written[row]);
      add_known(t_.bytes_read, read);
      add_known(t_.bytes_written, written);
      double moved = known(costs.bytes[row]);
      if (std::isnan(moved)) {
        add_known(moved, read);
        add_known(moved, written);
      }
      add_known(t_.bytes_moved, moved);
    }
    if (unknown_products > 0) t_.matrix_products = kUnknown;
    if (scaled_products_ != t_.with_flops) t_.scaled_flops = t_.scaled_transpose_flops = kUnknownReal;
    // Matrix products are work of matrix units; which engine has them decides what limits computing.
    for (std::size_t i = 0; i < p_.device_work.rows(); ++i) {
      const Row slice = p_.device_work.slice[i];
      if (p_.device_work.core_type[i] != CoreType::matrix || !is_here(slice)) continue;
      const std::string_view track = p_.text(p_.lanes.track[p_.slices.lane[slice]]);
      for (EngineTotals& engine : t_.engines) engine.matrix |= engine.name == track;
    }
    t_.model_flops = stated_number(p_, stated::kModelFlops);
    if (std::isnan(t_.model_flops)) t_.model_flops = stated_number(p_, stated::kCompiledFlops);
  }

  void add_tensors() {
    const Tensors& tensors = p_.tensors;
    for (Row row = 0; row < tensors.rows(); ++row) {
      if (tensors.bytes[row] == kUnknown) continue;
      const std::string_view use = p_.text(tensors.use[row]);
      double* const sum = begins_as(use, "in") || begins_as(use, "input")     ? &t_.tensors_in
                          : begins_as(use, "out") || begins_as(use, "output") ? &t_.tensors_out
                          : begins_as(use, "weight")                          ? &t_.weights
                                                                              : nullptr;
      if (sum != nullptr && !use.empty()) add_known(*sum, static_cast<double>(tensors.bytes[row]));
    }
    // If the tensors of a program are known, uses without tensors have 0 bytes.
    if (tensors.rows() == 0) return;
    for (double* sum : {&t_.tensors_in, &t_.tensors_out, &t_.weights}) add_known(*sum, 0);
  }

  void add_device() {
    for (Row row = 0; row < p_.devices.rows(); ++row) {
      if (p_.devices.ordinal[row] != t_.device) continue;
      t_.name = p_.text(p_.devices.name[row]);
      t_.clock = p_.devices.clock[row];
      t_.peak_flops = p_.devices.peak_flops[row];
      t_.peak_bandwidth = p_.devices.peak_bandwidth[row];
      t_.peak_source = p_.text(p_.devices.peak_source[row]);
    }
    t_.copy_bandwidth = stated_number(p_, stated::kCopyBandwidth);
    if (std::isnan(t_.copy_bandwidth)) t_.copy_bandwidth = t_.peak_bandwidth;
  }

  void add_length() {
    t_.recording = p_.span_end - p_.span_start;
    const double ps = stated_number(p_, stated::kProgramTime), seconds = stated_number(p_, stated::kSummedTime);
    t_.total_source = "the file states how long the program ran";
    t_.total = !std::isnan(ps) ? ps / 1e3 : seconds * 1e9;
    t_.total_is_summed = std::isnan(ps) && t_.total > 0;
    if (t_.total > 0) return;
    t_.total = static_cast<double>(t_.recording);
    t_.total_source = "length of the recording: the file states no length of the program";
  }

  const Profile& p_;
  ExactTimes times_;
  DeviceTotals t_;
  std::vector<Engine> engines_;
  std::vector<IntervalSet> copies_, fills_, computing_;  // by lane
  std::vector<Interval> collectives_;
  std::map<Row, Queue> queues_;  // by lane
  std::map<StringId, CopyTotals> types_;
  std::map<StringId, std::vector<IntervalSet>> type_busy_;  // by type, then by lane
  std::int64_t scaled_products_ = 0;
  std::ptrdiff_t next_work_ = 0;  // slices are requested in their order
};

}  // namespace

double CopyTotals::known_bytes() const { return without_bytes > 0 ? kUnknownReal : static_cast<double>(bytes); }

bool DeviceTotals::has_engines() const {
  return std::any_of(engines.begin(), engines.end(), [](const EngineTotals& engine) { return engine.is_engine; });
}

std::vector<std::int64_t> devices_with_work(const Profile& profile) {
  std::vector<std::int64_t> devices;
  std::vector<std::uint8_t> seen(profile.lanes.rows(), 0);
  for (const Row slice : profile.device_work.slice) {
    const Row lane = profile.slices.lane[slice];
    if (seen[lane] != 0) continue;
    seen[lane] = 1;
    const std::int64_t device = profile.lanes.device[lane];
    if (std::find(devices.begin(), devices.end(), device) == devices.end()) devices.push_back(device);
  }
  std::sort(devices.begin(), devices.end());
  return devices;
}

// The lowest ordinal of a device that ran a kernel. One that only copied has little to show.
static std::optional<std::int64_t> first_to_compute(const Profile& profile) {
  std::optional<std::int64_t> first;
  for (const Row slice : profile.device_work.slice) {
    const std::int64_t device = profile.lanes.device[profile.slices.lane[slice]];
    if (is_kernel(profile.slices.kind[slice]) && (!first || device < *first)) first = device;
  }
  return first;
}

Result<std::int64_t> chosen_device(const Profile& profile, const std::string& given) {
  const std::vector<std::int64_t> devices = devices_with_work(profile);
  std::string known;
  for (const std::int64_t device : devices) {
    const std::string number = device == kUnknown ? "" : std::to_string(device);
    if (number == given) return device;
    known += (known.empty() ? "" : ", ") + number;
  }
  if (given.empty() && !devices.empty()) return first_to_compute(profile).value_or(devices.front());
  return Error{ErrorCode::invalid_argument, say("device {} did no work in this profile; those that did: {}", given, known), ""};
}

DeviceTotals device_totals(const Profile& profile, std::int64_t device) { return Summing(profile, device).run(); }

double stated_number(const Profile& profile, std::string_view key) {
  const std::string_view text = metadata_value(profile, key);
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = failed == std::errc() && end == text.data() + text.size() && !text.empty();
  return whole ? number : static_cast<double>(kUnknownReal);
}

}  // namespace sightline::analyses
