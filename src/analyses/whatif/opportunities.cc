// Patterns are sums over names, so that a list has one row for each thing to change.
#include "analyses/whatif/opportunities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "analyses/columns.h"
#include "analyses/costs/call_arguments.h"
#include "analyses/costs/cost_sums.h"
#include "analyses/costs/costed_calls.h"
#include "analyses/whatif/scenario.h"
#include "analyses/words.h"
#include "base/fields.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "base/text.h"

namespace sightline::analyses {

namespace {

constexpr Time kSmall = 10'000;        // ns
constexpr std::size_t kMostRows = 20;  // of each list
constexpr std::size_t kLongestChain = 12;
constexpr double kLeastBytes = 4096;   // a smaller tensor stays in a cache
constexpr std::int64_t kAligned = 16;  // bytes that matrix units load at once

// Sums by name.
class Groups {
 public:
  Opportunity& of(const std::string& key) {
    const auto [at, is_new] = index_.try_emplace(key, found_.size());
    if (is_new) found_.push_back({.name = key});
    return found_[at->second];
  }
  std::vector<Opportunity> largest() && {
    sort_down(found_, &Opportunity::time);
    if (found_.size() > kMostRows) found_.resize(kMostRows);
    return std::move(found_);
  }

 private:
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<Opportunity> found_;
};

// Bytes of each tensor among the inputs of a call.
std::vector<double> input_bytes(const Profile& p, Row cost) {
  const auto shapes = list_items(p.text(p.operator_costs.input_shapes[cost]));
  const auto types = list_items(p.text(p.operator_costs.input_types[cost]));
  std::vector<double> bytes;
  for (std::size_t i = 0; i < shapes.size() && i < types.size(); ++i) {
    double elements = 1;
    const auto dims = list_items(shapes[i]);
    for (const std::string_view dim : dims) elements *= static_cast<double>(whole_number<std::int64_t>(trimmed(dim)).value_or(0));
    if (!dims.empty()) bytes.push_back(elements * element_type(types[i]).size);
  }
  return bytes;
}

class Finder {
 public:
  Finder(const Profile& profile, const DependencyGraph& graph, const WorkSelection& selection)
      : p_(profile), g_(graph), selection_(selection), call_of_(calls_of_work(profile)), costs_(profile) {
    for (Node node = 0; node < g_.nodes(); ++node) {
      if (g_.kind[node] == NodeKind::work) works_.push_back(node);
    }
  }

  Opportunities run() {
    return {.chains = chains(),
            .collectives = collectives(),
            .small = by_kernel(
                " free", [&](Node node) { return is_kernel(node) && g_.length[node] < kSmall; }, false),
            .copies = by_kernel(
                " free", [&](Node node) { return kind(node) == SliceKind::memcpy; }, true),
            .layouts = by_kernel(
                " free", [&](Node node) { return is_kernel(node) && changes_layout(node); }, true),
            .precisions = products([&](Row call) { return narrower(p_.costed_calls.cost[call]); }),
            .dimensions = products([&](Row call) { return padded(p_.costed_calls.cost[call]) ? at_limit(call) : 1; })};
  }

 private:
  SliceKind kind(Node node) const { return p_.slices.kind[g_.slice[node]]; }
  bool is_kernel(Node node) const { return kind(node) == SliceKind::kernel; }
  std::string_view name(Node node) const { return p_.text(p_.slices.name[g_.slice[node]]); }
  Row call_of(Node node) const { return call_of_[selection_.work_of(node)]; }
  std::string_view unit_of(Row call) const { return p_.text(p_.operator_costs.unit[p_.costed_calls.cost[call]]); }

  static void add(Opportunity& to, Node node, Time length) {
    to.time += length;
    to.nodes.push_back(node);
  }

  // ---- chains ----

  // Kernels of calls that move data, each of which is all of its call.
  Row memory_bound_cost(Node node) const {
    const Row call = is_kernel(node) ? call_of(node) : kNoRow;
    if (call == kNoRow || unit_of(call) == "matrix" || p_.costed_calls.work[call] != g_.slice[node]) return kNoRow;
    const Row cost = p_.costed_calls.cost[call];
    return p_.operator_costs.bytes_written[cost] >= kLeastBytes ? cost : kNoRow;
  }

  // The second call has an input of exactly the size of the first one's result.
  bool hands_over(Row from, Row to) const {
    const auto [at, is_new] = inputs_.try_emplace(to);
    if (is_new) at->second = input_bytes(p_, to);
    return std::find(at->second.begin(), at->second.end(), p_.operator_costs.bytes_written[from]) != at->second.end();
  }

  std::vector<Opportunity> chains() {
    std::map<Row, std::vector<Node>> streams;
    for (const Node node : works_) streams[p_.main_lane(p_.slices.lane[g_.slice[node]])].push_back(node);
    Groups groups;
    for (const auto& [lane, nodes] : streams) {
      std::vector<Node> chain;
      Row last = kNoRow;
      for (const Node node : nodes) {
        const Row cost = memory_bound_cost(node);
        const bool goes_on = cost != kNoRow && last != kNoRow && chain.size() < kLongestChain && hands_over(last, cost);
        if (!goes_on) {
          add_chain(groups, chain);
          chain.clear();
        }
        if (cost != kNoRow) chain.push_back(node);
        last = cost;
      }
      add_chain(groups, chain);
    }
    return std::move(groups).largest();
  }

  // A fused kernel neither writes nor reads what one hands to the next.
  void add_chain(Groups& groups, const std::vector<Node>& chain) const {
    if (chain.size() < 2) return;
    std::string title;
    double saved = 0, moved = 0;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const Row call = call_of(chain[i]), cost = p_.costed_calls.cost[call];
      if (i > 0) title += " \u2192 ";
      title += p_.text(p_.slices.name[p_.costed_calls.slice[call]]);
      moved += p_.operator_costs.bytes_read[cost] + p_.operator_costs.bytes_written[cost];
      if (i + 1 < chain.size()) saved += 2 * p_.operator_costs.bytes_written[cost];
    }
    Opportunity& to = groups.of(title);
    ++to.count;
    to.amount = (std::isnan(to.amount) ? 0 : to.amount) + saved;
    for (const Node node : chain) {
      add(to, node, g_.length[node]);
      to.factors.push_back(moved > 0 ? std::max(0.0, 1 - saved / moved) : 1);
    }
  }

  // ---- collectives ----

  // Device work after the collective that waits for none of this name, not even through others: it could run beside it.
  Time independent(const std::vector<Node>& of) const {
    std::vector<std::uint8_t> waits(g_.nodes());
    for (const Node node : of) waits[node] = 1;
    Time beside = 0;
    Node next = 0;
    for (const Node node : of) {
      if (node < next) continue;
      // Up to the end of its step.
      const auto step =
          std::find_if(g_.steps.begin(), g_.steps.end(), [&](const GraphStep& each) { return g_.time[node] < each.window.end; });
      const Time until = step == g_.steps.end() ? g_.end_of(node) : step->window.end;
      for (next = node + 1; next < g_.nodes() && g_.time[next] < until; ++next) {
        for (Edge edge = g_.first_edge[next]; edge < g_.first_edge[next + 1]; ++edge) {
          const bool by_end = g_.edge_kind[edge] != EdgeKind::order;
          waits[next] |= waits[g_.from[edge]] != 0 && by_end ? 1 : 0;
        }
        const bool is_work = g_.kind[next] == NodeKind::work && kind(next) != SliceKind::collective;
        if (is_work && waits[next] == 0 && g_.time[next] >= g_.end_of(node)) beside += g_.length[next];
      }
    }
    return beside;
  }

  std::vector<Opportunity> collectives() const {
    Groups groups;
    for (const Node node : works_) {
      if (kind(node) != SliceKind::collective) continue;
      Opportunity& to = groups.of(std::string(name(node)));
      ++to.count;
      add(to, node, g_.length[node]);
      to.hides = true;
    }
    std::vector<Opportunity> found = std::move(groups).largest();
    for (Opportunity& each : found) {
      each.amount = static_cast<double>(independent(each.nodes));
      each.change = change_of_name("collective", each.name, " hidden");
    }
    return found;
  }

  // ---- by name ----

  template <typename Fits>
  std::vector<Opportunity> by_kernel(std::string_view action, Fits&& fits, bool all_of_name) const {
    Groups groups;
    for (const Node node : works_) {
      if (!fits(node)) continue;
      Opportunity& to = groups.of(std::string(name(node)));
      ++to.count;
      add(to, node, g_.length[node]);
    }
    std::vector<Opportunity> found = std::move(groups).largest();
    for (Opportunity& each : found) {
      if (all_of_name) each.change = change_of_name("kernel", each.name, action);
    }
    return found;
  }

  bool changes_layout(Node node) const {
    constexpr std::array<std::string_view, 6> kWords{"nchwtonhwc", "nhwctonchw", "transpose", "transdata", "permute", "im2col"};
    const auto [at, is_new] = layout_.try_emplace(p_.slices.name[g_.slice[node]]);
    if (is_new)
      at->second =
          std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) { return contains_text(name(node), word); });
    return at->second;
  }

  // ---- products ----

  template <typename FactorOf>
  std::vector<Opportunity> products(FactorOf&& factor_of) const {
    Groups groups;
    for (const Node node : works_) {
      const Row call = is_kernel(node) ? call_of(node) : kNoRow;
      if (call == kNoRow || unit_of(call) != "matrix") continue;
      const Row cost = p_.costed_calls.cost[call];
      const double factor = factor_of(call);  // NaN: not known by how much it would be faster
      if (factor == 1) continue;
      const std::string title(p_.text(p_.operator_costs.name[cost]));
      const std::string shapes(p_.text(p_.operator_costs.input_shapes[cost]));
      Opportunity& to = groups.of(title + " " + shapes + " " + std::string(p_.text(p_.operator_costs.precision[cost])));
      to.detail = shapes + " " + std::string(p_.text(p_.operator_costs.precision[cost]));
      to.count += p_.costed_calls.work[call] == g_.slice[node];
      add(to, node, g_.length[node]);
      to.factors.push_back(factor);
    }
    std::vector<Opportunity> found = std::move(groups).largest();
    for (Opportunity& each : found) each.name = each.name.substr(0, each.name.size() - each.detail.size() - 1);
    return found;
  }

  // Of the time, in 16 bits instead of 32 or 64, by the peaks of the device; 1: it is narrow already.
  double narrower(Row cost) const {
    const std::string_view precision = p_.text(p_.operator_costs.precision[cost]);
    if (precision != "fp32" && precision != "fp64") return 1;
    return quotient(peak(precision), std::max(peak("bf16"), peak("fp16")));
  }

  // Of the first device; NaN: not known.
  double peak(std::string_view precision) const {
    double found = kUnknownNumber;
    for (Row row = 0; row < p_.device_peaks.rows() && p_.device_peaks.device[row] == p_.device_peaks.device[0]; ++row) {
      if (p_.text(p_.device_peaks.precision[row]) == precision) found = p_.device_peaks.flops[row];
    }
    return found;
  }

  // The least time that the peaks allow / its time.
  double at_limit(Row call) const {
    const CostSums sums = costs_.of(call);
    return std::min(0.999, quotient(sums.attainable, static_cast<double>(sums.attainable_time)));
  }

  // One of the two last dimensions of an operand is no multiple of what matrix units load at once.
  bool padded(Row cost) const {
    const auto shapes = list_items(p_.text(p_.operator_costs.input_shapes[cost]));
    const auto types = list_items(p_.text(p_.operator_costs.input_types[cost]));
    if (p_.text(p_.operator_costs.family[cost]) != "product") return false;
    for (std::size_t i = 0; i < shapes.size() && i < types.size(); ++i) {
      const auto dims = list_items(shapes[i]);
      const double size = element_type(types[i]).size;
      if (dims.size() < 2 || !(size > 0)) continue;
      const auto elements = std::max<std::int64_t>(1, kAligned / std::llround(std::max(1.0, size)));
      for (std::size_t dim = dims.size() - 2; dim < dims.size(); ++dim) {
        const std::int64_t length = whole_number<std::int64_t>(trimmed(dims[dim])).value_or(0);
        if (length > 1 && length % elements != 0) return true;
      }
    }
    return false;
  }

  const Profile& p_;
  const DependencyGraph& g_;
  const WorkSelection& selection_;
  const std::vector<Row> call_of_;  // by device_work
  const CallCosts costs_;
  std::vector<Node> works_;
  mutable std::unordered_map<Row, std::vector<double>> inputs_;  // by row of operator_costs
  mutable std::unordered_map<StringId, bool> layout_;            // by name of a kernel: whether it changes a layout
};

}  // namespace

Opportunities find_opportunities(const Profile& profile, const DependencyGraph& graph, const WorkSelection& selection) {
  return Finder(profile, graph, selection).run();
}

void find_gains(const DependencyGraph& graph, std::vector<Opportunity>& found) {
  const double recorded = predict(graph, unchanged(graph)).mean;
  parallel_for(found.size(), default_threads(), [&](std::size_t i) {
    Opportunity& each = found[i];
    if (std::any_of(each.factors.begin(), each.factors.end(), [](double factor) { return std::isnan(factor); })) return;
    GraphChange change = unchanged(graph);
    if (each.hides) change.hidden.resize(graph.nodes());
    for (std::size_t at = 0; at < each.nodes.size(); ++at) {
      const Node node = each.nodes[at];
      if (each.hides) {
        change.hidden[node] = 1;
      } else {
        const double factor = each.factors.empty() ? 0 : each.factors[at];
        change.length[node] = std::llround(static_cast<double>(graph.length[node]) * factor);
      }
    }
    if (recorded > 0) each.gain = (recorded - predict(graph, change).mean) / recorded;
  });
}

}  // namespace sightline::analyses
