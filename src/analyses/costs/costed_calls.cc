// One pass over device work. The way from its owner to the operator is remembered, and so is the cost of each distinct call.
#include "analyses/costs/costed_calls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "analyses/costs/cost_model.h"

namespace sightline::analyses {

// ---- the rows ----

namespace {

constexpr std::string_view kReducedProducts[] = {"tf32", "s1688gemm", "s1688fprop", "s1688dgrad", "s1688wgrad"};

// Whether the kernel's name says that it multiplies fp32 in the narrower tf32.
bool multiplies_tf32(std::string_view kernel) {
  return std::any_of(std::begin(kReducedProducts), std::end(kReducedProducts),
                     [&](std::string_view sign) { return kernel.find(sign) != kernel.npos; });
}

class CallCoster {
 public:
  CallCoster(Profile& profile, const CostModel& model) : p_(profile), model_(model) {}

  void run() {
    call_of_slice_.resize(p_.slices.rows());
    for (Row work = 0; work < p_.device_work.rows(); ++work) add_work(p_.device_work.slice[work], p_.device_work.owner[work]);
    write_rows();
  }

 private:
  // What is known of a slice: not looked at yet, no operator with a formula around it, or 2 + its number in calls_.
  static constexpr Row kNotSeen = 0, kWithout = 1, kFirst = 2;

  struct Call {
    Row slice, cost, work = kNoRow;
    Time time = 0;
    bool tf32 = false;
  };

  void add_work(Row slice, Row owner) {
    const Row found = owner == kNoRow || !can_have_cost(p_, slice) ? kWithout : find(owner);
    if (found < kFirst) return;
    Call& call = calls_[found - kFirst];
    const Time duration = p_.slices.duration[slice];
    call.time += duration;
    if (call.work == kNoRow || duration > p_.slices.duration[call.work]) call.work = slice;
    call.tf32 |= is_fp32_product_[call.cost] && multiplies_tf32(p_.text(p_.slices.name[slice]));
  }

  // The slice, or the nearest one around it, that is an operator with a formula; remembered for all slices on the way.
  Row find(Row slice) {
    path_.clear();
    Row found = kWithout;
    for (; slice != kNoRow; slice = p_.slices.parent[slice]) {
      if (call_of_slice_[slice] != kNotSeen) {
        found = call_of_slice_[slice];
        break;
      }
      path_.push_back(slice);
      const Row cost = cost_of_slice(slice);
      if (cost == kNoRow) continue;
      calls_.push_back({slice, cost});
      found = static_cast<Row>(calls_.size() - 1) + kFirst;
      break;
    }
    for (const Row passed : path_) call_of_slice_[passed] = found;
    return found;
  }

  Row cost_of_slice(Row slice) {
    const SliceKind kind = p_.slices.kind[slice];
    if (kind != SliceKind::op && kind != SliceKind::host_communication) return kNoRow;
    const auto& rows = p_.operators.slice;
    const auto at = std::lower_bound(rows.begin(), rows.end(), slice);
    if (at == rows.end() || *at != slice) return kNoRow;
    const auto row = static_cast<std::size_t>(at - rows.begin());
    const Operators& all = p_.operators;
    const StringId name = p_.slices.name[slice];
    const Key key{{name, all.input_shapes[row], all.input_types[row], all.input_strides[row], all.concrete_inputs[row]},
                  takes_step_sums(name) ? step_around(slice) : kNoRow};
    const auto [known, is_new] = costs_.try_emplace(key, kNoRow);
    if (is_new) known->second = new_cost(key);
    return known->second;
  }

  bool takes_step_sums(StringId name) {
    const auto [known, is_new] = takes_step_sums_.try_emplace(name, false);
    if (is_new) known->second = model_.takes_step_sums(p_.text(name));
    return known->second;
  }

  // The innermost engine's step around the call, by its row in serving_steps; kNoRow: it states no sums.
  Row step_around(Row slice) const {
    const auto& steps = p_.serving_steps.slice;
    for (Row at = p_.slices.parent[slice]; at != kNoRow && !steps.empty(); at = p_.slices.parent[at]) {
      const auto found = std::lower_bound(steps.begin(), steps.end(), at);
      if (found == steps.end() || *found != at) continue;
      const Row step = static_cast<Row>(found - steps.begin());
      return are_stated(step_sums(p_.serving_steps, step)) ? step : kNoRow;
    }
    return kNoRow;
  }

  struct Key {
    std::array<StringId, 5> texts;
    Row step;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = key.step;
      for (const StringId id : key.texts) hash = (hash ^ static_cast<std::uint32_t>(id)) * 0x9E3779B97F4A7C15u;
      return hash ^ (hash >> 32);
    }
  };

  Row new_cost(const Key& key) {
    const std::optional<OperatorCost> cost =
        model_.cost({.name = p_.text(key.texts[0]),
                     .input_shapes = p_.text(key.texts[1]),
                     .input_types = p_.text(key.texts[2]),
                     .input_strides = p_.text(key.texts[3]),
                     .concrete_inputs = p_.text(key.texts[4]),
                     .sums = key.step == kNoRow ? ServingStepSums{} : step_sums(p_.serving_steps, key.step)});
    const bool known = cost && !(std::isnan(cost->flops) && std::isnan(cost->bytes_read) && std::isnan(cost->bytes_written));
    if (!known) return kNoRow;
    OperatorCosts& all = p_.operator_costs;
    const Row row = add_unknown_row(all);
    all.name[row] = key.texts[0];
    all.input_shapes[row] = key.texts[1];
    all.input_types[row] = key.texts[2];
    all.family[row] = p_.strings.intern(cost->family);
    all.precision[row] = p_.strings.intern(cost->precision);
    all.unit[row] = p_.strings.intern(cost_unit_name(cost->unit));
    all.flops[row] = cost->flops;
    all.bytes_read[row] = cost->bytes_read;
    all.bytes_written[row] = cost->bytes_written;
    all.at_least[row] = cost->at_least;
    is_fp32_product_.push_back(cost->unit == CostUnit::kMatrix && cost->precision == "fp32");
    return row;
  }

  // The same cost in the narrower precision.
  Row in_tf32(Row cost) {
    const auto [known, is_new] = in_tf32_.try_emplace(cost, kNoRow);
    if (!is_new) return known->second;
    OperatorCosts& all = p_.operator_costs;
    all.for_each_column([&](const ColumnInfo&, auto& column) { column.push_back(column[cost]); });
    all.precision[all.rows() - 1] = p_.strings.intern("tf32");
    return known->second = static_cast<Row>(all.rows() - 1);
  }

  void write_rows() {
    std::sort(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) { return a.slice < b.slice; });
    CostedCalls& rows = p_.costed_calls;
    rows.for_each_column([&](const ColumnInfo&, auto& column) { column.reserve(calls_.size()); });
    for (const Call& call : calls_) {
      rows.slice.push_back(call.slice);
      rows.cost.push_back(call.tf32 ? in_tf32(call.cost) : call.cost);
      rows.work.push_back(call.work);
      rows.device_time.push_back(call.time);
    }
  }

  Profile& p_;
  const CostModel& model_;
  Column<Row> call_of_slice_;
  std::vector<Call> calls_;
  std::vector<Row> path_;
  std::unordered_map<Key, Row, HashOfKey> costs_;       // kNoRow: no formula
  std::vector<bool> is_fp32_product_;                   // by row of operator_costs that has a formula's precision
  std::unordered_map<StringId, bool> takes_step_sums_;  // by name of operator
  std::map<Row, Row> in_tf32_;
};

}  // namespace

void add_costed_calls(Profile& profile, const CostModel& model) {
  profile.operator_costs = {};
  profile.costed_calls = {};
  if (profile.operators.rows() > 0 && profile.device_work.rows() > 0) CallCoster(profile, model).run();
}

bool can_have_cost(const Profile& profile, Row slice) {
  const SliceKind kind = profile.slices.kind[slice];
  if (kind != SliceKind::memcpy) return kind != SliceKind::collective;
  const std::string_view name = profile.text(profile.slices.name[slice]);
  return name.find("HtoD") == name.npos && name.find("DtoH") == name.npos;
}

std::vector<Row> calls_of_work(const Profile& profile) {
  std::vector<Row> calls(profile.device_work.rows(), kNoRow);
  if (profile.costed_calls.rows() == 0) return calls;
  Column<Row> call_of_slice;  // + 2; 1: none around it; 0: not looked at
  call_of_slice.resize(profile.slices.rows());
  const auto& rows = profile.costed_calls.slice;
  for (Row call = 0; call < rows.size(); ++call) call_of_slice[rows[call]] = call + 2;
  std::vector<Row> path;
  for (Row work = 0; work < calls.size(); ++work) {
    if (!can_have_cost(profile, profile.device_work.slice[work])) continue;
    path.clear();
    Row slice = profile.device_work.owner[work], found = 1;
    for (; slice != kNoRow; slice = profile.slices.parent[slice]) {
      if (call_of_slice[slice] != 0) {
        found = call_of_slice[slice];
        break;
      }
      path.push_back(slice);
    }
    for (const Row passed : path) call_of_slice[passed] = found;
    if (found > 1) calls[work] = found - 2;
  }
  return calls;
}

}  // namespace sightline::analyses
