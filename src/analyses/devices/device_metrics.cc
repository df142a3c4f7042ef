// Metrics by group, in the order in which they are shown.
#include "analyses/devices/device_metrics.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analyses/columns.h"
#include "base/fields.h"
#include "model/stated_names.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kWork = "work of the device's engines or streams; waiting for others does not count";
constexpr std::string_view kCopies = "copies of the device, one by one";
constexpr std::string_view kCosts = "operations and bytes of each work item, as stated by the file or known from what ran";
constexpr std::string_view kPeaks = "peaks of the device, see the Metadata view";
constexpr std::string_view kProducts = "operations of each work item; its core, or the operator that it executes";
constexpr std::string_view kTensors = "the program's table of tensors";
constexpr std::string_view kFacts = "what the file states for each instruction";

constexpr std::string_view kNoFlops = "floating-point operations are unknown for all work";
constexpr std::string_view kNoProducts = "for some work with operations, the file does not say whether it multiplies matrices";
constexpr std::string_view kNoPeak = "the peaks of this device are not known";
constexpr std::string_view kNoBytes = "the file does not say how many bytes of device memory the work moved";
constexpr std::string_view kNoPurpose = "the file does not say whether work only transposes";
constexpr std::string_view kNoModel = "the file does not state the operations of the model";
constexpr std::string_view kNoTensors = "the program's tensors are not in this file";
constexpr std::string_view kNoCopies = "no copies of the device were recorded";
constexpr std::string_view kNoCopyBytes = "the file does not state the bytes of some copies";
constexpr std::string_view kFills = "fills of device memory, one by one";
constexpr std::string_view kCollectives = "collectives of the device, one by one";
constexpr std::string_view kNoScale = "the element types of some matrix products are not known";
constexpr std::string_view kNoTransferBytes = "the file does not state the bytes of transfers";
constexpr std::string_view kByHand = "instructions that name a line of a hand-written kernel";
constexpr std::string_view kNoLength = "the program has no length";
constexpr std::string_view kNoClock = "the clock of this device is not known";

// Figures of matrix engines that name the purpose of each instruction.
bool is_of_engines(std::string_view key) {
  constexpr std::array<std::string_view, 5> kKeys{"transpose_flops", "adjusted_hardware_flops", "adjusted_transpose_flops",
                                                  "mfu_inst_estimated_percent", "mfu_inst_max_achievable_estimated_percent"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

class Listing {
 public:
  Listing(const DeviceTotals& totals, const std::string& word) : t_(totals), word_(lower_case(word)), rows_(rows_of(totals)) {
    for (const EngineTotals& engine : t_.engines) has_kernels_ |= engine.by_hand > 0;
  }

  std::vector<DeviceMetric> run() {
    overall();
    computing();
    for (DeviceMetric& metric : all_) metric.of_engines = is_of_engines(metric.key);
    memory();
    copying();
    collectives();
    for (const EngineTotals& engine : t_.engines) {
      if (engine.is_engine) add_engine(engine);
    }
    return std::move(all_);
  }

 private:
  using Text = DeviceMetric::Text;

  void add(std::string key, Message title, Unit unit, double value, const Text& text, double slack = 0) {
    all_.push_back(device_metric(group_, std::move(key), std::move(title), unit, value, text, slack));
  }

  // A time, and its share of the program's length.
  void add_time(const std::string& key, const Message& title, double ns, const Text& text, double rows) {
    add(key, title, Unit::ns, ns, text, rows);
    const std::string formula = std::string(text.formula) + " / total time";
    add(key + "_percent", say("{}, share", title), Unit::share, ratio(ns, t_.total),
        {"Share of the total time.", formula, text.source, kNoLength}, ratio(rows, t_.total));
  }

  void overall() {
    group_ = "Overall";
    add("total_time", "Total time", Unit::ns, t_.total,
        {"How long the program ran on the device, idle time included.", "as stated; else the length of the recording",
         t_.total_source, kNoLength},
        1);
    all_.back().is_stated = t_.total_is_summed;
    add_time("total_active_time", "Active time", t_.active,
             {"Time with at least one engine working, or at least one copy or fill running.",
              "length of the union of work, copies and fills", kWork, kNoLength},
             rows_);
    add(word_ + "_cycle_count", "Cycles", Unit::count, std::round(t_.total / 1e9 * t_.clock),
        {"Cycles of the device's clock in the total time.", "total time x clock, rounded", kPeaks, kNoClock}, 1);
  }

  void computing() {
    group_ = "Computing";
    const double useful = t_.flops - t_.transpose_flops;
    const double capacity = t_.peak_flops * t_.total / 1e9;  // FLOP that the device could have done
    const std::string_view no_share = std::isnan(t_.flops) ? kNoFlops : kNoPeak;
    const std::string_view no_useful = std::isnan(t_.flops) ? kNoFlops : std::isnan(t_.transpose_flops) ? kNoPurpose : kNoPeak;
    const std::string_view no_intensity = std::isnan(useful) ? no_useful : kNoBytes;
    add("hardware_flops", "Hardware FLOPs", Unit::flops, t_.flops,
        {"Floating-point operations that ran.", "sum of operations; a multiplication with an addition is two", kCosts, kNoFlops});
    add("transpose_flops", "Transpose FLOPs", Unit::flops, t_.transpose_flops,
        {"The part of them that only transposed matrices.", "sum of operations of work that transposes", kFacts,
         std::isnan(t_.flops) ? kNoFlops : kNoPurpose});
    add("model_flops", "Model FLOPs", Unit::flops, t_.model_flops,
        {"Operations that the model needs, as its compiler counts them.", "2 x multiply-accumulates of the model, as stated",
         "stated by the file", kNoModel});
    all_.back().is_stated = true;
    const std::string_view no_scale = std::isnan(t_.flops) ? kNoFlops : kNoScale;
    add("adjusted_hardware_flops", "Hardware FLOPs, scaled", Unit::flops, t_.scaled_flops,
        {"Operations that ran, weighted by the time they take: the peak is for 16-bit elements, and other types are faster or "
         "slower.",
         "sum of operations x time of an element of their type / time of a 16-bit element", kFacts, no_scale});
    add("adjusted_transpose_flops", "Transpose FLOPs, scaled", Unit::flops, t_.scaled_transpose_flops,
        {"The part of them that only transposed matrices.", "the same sum of work that transposes", kFacts,
         std::isnan(t_.scaled_flops) ? no_scale : kNoPurpose});
    const auto count_or_unknown = [&](std::int64_t count) {
      return t_.with_flops > 0 && count != kUnknown ? static_cast<double>(count) : static_cast<double>(kUnknownReal);
    };
    add("matmul_instruction_count", "Matrix products", Unit::count, count_or_unknown(t_.matrix_products),
        {"Work that multiplies matrices.",
         "number of work items with operations that ran on matrix units, or execute a dot, a convolution, or what a program "
         "fused one into",
         kProducts, t_.with_flops > 0 ? kNoProducts : kNoFlops});
    add("flops_work_count", "Work with operations", Unit::count, count_or_unknown(t_.with_flops),
        {"Work with known floating-point operations: matrix products and all other work.", "number of work items with operations",
         kCosts, kNoFlops});
    add("hfu_estimated_percent", "Hardware FLOPs utilization", Unit::share, ratio(t_.flops, capacity),
        {"HFU: share of the peak that the work that ran used.", "hardware FLOPs / (peak x total time)", kPeaks, no_share});
    add("mfu_inst_estimated_percent", "Useful FLOPs utilization", Unit::share, ratio(useful, capacity),
        {"MFU of the work that ran: share of the peak used for other operations than transposes.",
         "(hardware FLOPs - transpose FLOPs) / (peak x total time)", kPeaks, no_useful});
    add("mfu_estimated_percent", "Model FLOPs utilization", Unit::share, ratio(t_.model_flops, capacity),
        {"MFU: share of the peak that the model's operations used.", "model FLOPs / (peak x total time)", kPeaks,
         std::isnan(t_.model_flops) ? kNoModel : kNoPeak});
    if (t_.activations > 0) {
      const auto count = static_cast<double>(t_.activations);
      add("activate_instruction_count", "Activations", Unit::count, count,
          {"Work that applies a function to each element.", "number of work items whose name begins with ACTIVATE", kWork, ""});
      add("activate_instruction_time", "Activation time", Unit::ns, t_.activation_time,
          {"Work that runs at the same time is counted separately.", "sum of their lengths", kWork, ""}, count);
    }
    const double ridge = t_.peak_flops / t_.peak_bandwidth;
    add("mm_arithmetic_intensity", "Arithmetic intensity", Unit::flops_per_byte, ratio(useful, t_.bytes_moved),
        {"Useful operations per byte of device memory.", "(hardware FLOPs - transpose FLOPs) / (memory read + memory written)",
         kCosts, no_intensity});
    add("peak_flops_bandwidth_ratio", "Balance of the device", Unit::flops_per_byte, ridge,
        {"The intensity above which computing is the limit, not memory.", "peak operations / peak bandwidth", kPeaks, kNoPeak});
    add("mfu_inst_max_achievable_estimated_percent", "Best useful utilization", Unit::share,
        ratio(ratio(useful, t_.bytes_moved), ridge),
        {"The most that the memory's bandwidth allows at this intensity; above 100%, computing is the limit.",
         "arithmetic intensity / balance of the device", kCosts, no_intensity});
    add("mfu_max_achievable_estimated_percent", "Best model utilization", Unit::share,
        ratio(ratio(t_.model_flops, t_.bytes_moved), ridge),
        {"The same for the operations that the model needs.",
         "(model FLOPs / (memory read + memory written)) / balance of the device", kCosts,
         std::isnan(t_.model_flops) ? kNoModel : kNoBytes});
  }

  void memory() {
    group_ = "Device memory";
    const double seconds = t_.total / 1e9;
    add("hbm_read_bytes", "Memory read", Unit::bytes, t_.bytes_read,
        {"Bytes that work read from the device's memory.", "sum of bytes read", kCosts, kNoBytes});
    add("hbm_write_bytes", "Memory written", Unit::bytes, t_.bytes_written,
        {"Bytes that work wrote to the device's memory.", "sum of bytes written", kCosts, kNoBytes});
    add("mbu_estimated_percent", "Bandwidth utilization", Unit::share, ratio(ratio(t_.bytes_moved, seconds), t_.peak_bandwidth),
        {"MBU: share of the memory's peak bandwidth that was used.",
         "(memory read + memory written) / total time / peak bandwidth", kPeaks,
         std::isnan(t_.bytes_moved) ? kNoBytes : kNoPeak});
    const double inputs = t_.tensors_in + t_.weights;
    add("mbu_min_read_util_percent", "Least bandwidth utilization", Unit::share, ratio(ratio(inputs, seconds), t_.peak_bandwidth),
        {"Share of the peak bandwidth needed to read inputs and weights once.",
         "(inputs + weights) / total time / peak bandwidth", kTensors, std::isnan(inputs) ? kNoTensors : kNoPeak});
    add("weight_size_bytes", "Weights", Unit::bytes, t_.weights, {"Size of all weights.", "sum of sizes", kTensors, kNoTensors});
    add("inputs_and_weights_size_bytes", "Inputs and weights", Unit::bytes, inputs,
        {"What must be read once.", "sum of sizes", kTensors, kNoTensors});
    add("inputs_outputs_weights_size_bytes", "Inputs, outputs and weights", Unit::bytes, inputs + t_.tensors_out,
        {"What must be moved once.", "sum of sizes", kTensors, kNoTensors});
    for (const auto& [name, bytes] : t_.stated_bytes) {
      if (name == stated::kMemoryRead || name == stated::kMemoryWritten) continue;
      if (name.size() <= stated::kBytesEnding.size()) continue;
      std::string title = name.substr(0, name.size() - stated::kBytesEnding.size());
      std::replace(title.begin(), title.end(), '_', ' ');
      title[0] = static_cast<char>(title[0] >= 'a' && title[0] <= 'z' ? title[0] - 'a' + 'A' : title[0]);
      add(name, title, Unit::bytes, bytes,
          {"As the file states it for each instruction.", "sum of the fact of this name", kFacts, ""});
    }
  }

  void copying() {
    group_ = "Data movement";
    const CopyTotals& all = t_.copies;
    if (all.count == 0 && t_.engines.empty()) return;
    const double rows = static_cast<double>(all.count), active = all.active;
    const double bytes = all.known_bytes();
    const std::string_view no_bytes = all.count == 0 ? kNoCopies : kNoCopyBytes;
    const auto known = [&](double value) { return all.count > 0 ? value : static_cast<double>(kUnknownReal); };
    add("dma_packet_count", "Copies", Unit::count, rows, {"Copies, one by one.", "number of copies", kCopies, ""});
    add("dma_packet_bytes", "Bytes copied", Unit::bytes, known(bytes),
        {"Bytes of all copies.", "sum of bytes", kCopies, no_bytes});
    add("dma_packet_average_bytes", "Mean copy", Unit::bytes, ratio(bytes, rows),
        {"Small copies cannot use the bandwidth.", "bytes copied / copies", kCopies, no_bytes});
    add("dma_packet_time", "Copy time", Unit::ns, known(all.time),
        {"Copies that run at the same time are counted separately.", "sum of lengths", kCopies, kNoCopies}, rows);
    if (all.count > 0)
      add_time("dma_active_time", "Copies active", all.active,
               {"Time with at least one copy running.", "length of the union of copies", kCopies, kNoCopies}, rows);
    add("dma_active_cycles", "Copies active, cycles", Unit::count, known(std::round(active / 1e9 * t_.clock)),
        {"The same in cycles of the device's clock.", "time in which copies are active x clock, rounded", kPeaks,
         all.count == 0 ? kNoCopies : kNoClock},
        rows);
    add("dma_efficiency", "Copy efficiency", Unit::share, ratio(ratio(bytes, active / 1e9), t_.copy_bandwidth),
        {"Share of their bandwidth that copies used while at least one ran.",
         "bytes copied / time in which copies are active / bandwidth", kPeaks,
         std::isnan(bytes) || all.count == 0 ? no_bytes : kNoPeak});
    if (t_.fills.count > 0) {
      add("fill_count", "Fills", Unit::count, static_cast<double>(t_.fills.count),
          {"Fills of device memory; they are not copies.", "number of fills", kFills, ""});
      add("fill_bytes", "Bytes filled", Unit::bytes, t_.fills.known_bytes(),
          {"Bytes of all fills.", "sum of bytes", kFills, "the file does not state the bytes of some fills"});
      add("fill_time", "Fill time", Unit::ns, t_.fills.time,
          {"Fills that run at the same time are counted separately.", "sum of lengths", kFills, ""},
          static_cast<double>(t_.fills.count));
    }
    if (t_.transfers > 0) {
      add("dma_transfer_count", "Transfers", Unit::count, static_cast<double>(t_.transfers),
          {"Transfers that the program requested; each consists of copies.", "number of transfers", kCopies, ""});
      add("dma_transfer_time", "Transfer time", Unit::ns, t_.transfer_time,
          {"Transfers that run at the same time are counted separately.", "sum of lengths", kCopies, ""},
          static_cast<double>(t_.transfers));
      add("dma_transfer_total_bytes", "Bytes of transfers", Unit::bytes, t_.transfer_bytes,
          {"Bytes of all transfers.", "sum of bytes", kCopies, kNoTransferBytes});
      add("dma_transfer_average_bytes", "Mean transfer", Unit::bytes, ratio(t_.transfer_bytes, static_cast<double>(t_.transfers)),
          {"Small transfers cannot use the bandwidth.", "bytes of transfers / transfers", kCopies, kNoTransferBytes});
    }
    add_types();
  }

  // Copies of queues that are filled while the program runs, and all others.
  void add_types() {
    group_ = "Copies by kind of queue";
    for (const CopyTotals& type : t_.types) {
      if (type.type.find("dynamic") != std::string::npos) add_type(type.type, type);
    }
    if (t_.dynamic_copies.count == 0) return;
    add_type("dynamic", t_.dynamic_copies);
    if (t_.fixed_copies.count > 0) add_type("static", t_.fixed_copies);
  }

  void add_type(const std::string& key, const CopyTotals& type) {
    std::string made = key;
    std::replace(made.begin(), made.end(), '_', ' ');
    made[0] = static_cast<char>(made[0] - 'a' + 'A');
    const Message title = made + " copies";
    const double count = static_cast<double>(type.count), all = static_cast<double>(t_.copies.count);
    const double bytes = type.known_bytes(), active = type.active;
    constexpr std::string_view kMade =
        "queues by who fills them: the compiler (static), an engine (software dynamic) or hardware";
    add(key + "_dma_packet_count", title, Unit::count, count, {"Copies of these queues.", "number of copies", kMade, ""});
    add(key + "_dma_packet_percent", say("{}, share", title), Unit::share, ratio(count, all),
        {"Share of all copies.", "copies of these queues / copies", kMade, ""});
    add(key + "_dma_size", say("{}, bytes", title), Unit::bytes, bytes,
        {"Bytes copied by these queues.", "sum of bytes", kMade, kNoCopyBytes});
    add(key + "_dma_size_percent", say("{}, share of bytes", title), Unit::share, ratio(bytes, t_.copies.known_bytes()),
        {"Share of all bytes.", "bytes of these queues / bytes copied", kMade, kNoCopyBytes});
    add(key + "_dma_active_time", say("{}, active", title), Unit::ns, active,
        {"Time with at least one copy of these queues running.", "length of the union of its copies", kMade, ""}, count);
    const double copying = t_.copies.active;
    add(key + "_dma_active_time_percent", say("{}, share of active time", title), Unit::share, ratio(active, copying),
        {"Share of the time in which copies are active.", "its active time / time in which copies are active", kMade, ""},
        ratio(2 * all, copying));
  }

  void collectives() {
    group_ = "Communication";
    const CopyTotals& all = t_.collectives;
    if (all.count == 0) return;
    const auto count = static_cast<double>(all.count);
    add("cc_op_count", "Collectives", Unit::count, count,
        {"Collectives on the device.", "number of collectives", kCollectives, ""});
    add("cc_op_time", "Collective time", Unit::ns, all.time,
        {"Collectives that run at the same time are counted separately.", "sum of lengths", kCollectives, ""}, count);
    add_time("cc_op_active_time", "Collectives active", all.active,
             {"Time with at least one collective running.", "length of the union of collectives", kCollectives, kNoLength},
             count);
  }

  void add_engine(const EngineTotals& engine) {
    const Message name = Message::verbatim(engine.title);
    group_ = say("{} engine", name);
    const std::string key = lower_case(engine.name) + "_engine_";
    const double rows = static_cast<double>(engine.instructions);
    add_time(key + "active_time", say("{} engine active", name), engine.active,
             {"Time in which the engine works.", "length of the union of its work", kWork, kNoLength}, 2 * rows);
    add(key + "instruction_time", say("{} engine, instruction time", name), Unit::ns, engine.time,
        {"Instructions that run at the same time are counted separately.", "sum of lengths", kWork, ""}, rows);
    add(key + "instruction_count", say("{} engine, instructions", name), Unit::count, rows,
        {"Instructions of the engine, waits included.", "number of instructions", kWork, ""});
    if (!has_kernels_) return;
    add(key + "kernel_instruction_percent", say("{} engine, hand-written", name), Unit::share,
        ratio(static_cast<double>(engine.by_hand), rows),
        {"Share of its instructions that come from a hand-written kernel, not from the compiler.",
         "instructions of hand-written kernels / instructions", kByHand, ""});
  }

  const DeviceTotals& t_;
  std::string word_;
  double rows_;
  Message group_;
  bool has_kernels_ = false;  // some instruction is of a kernel written by hand
  std::vector<DeviceMetric> all_;
};

}  // namespace

DeviceMetric device_metric(Message group, std::string key, Message title, Unit unit, double value, const DeviceMetric::Text& text,
                           double slack) {
  DeviceMetric metric;
  metric.group = std::move(group);
  metric.key = std::move(key);
  metric.title = std::move(title);
  metric.unit = unit;
  metric.value = value;
  metric.doc = MetricDoc{text.meaning, text.formula, text.source}.text();
  metric.formula = text.formula;
  metric.unknown = text.unknown;
  metric.slack = slack;
  return metric;
}

double rows_of(const DeviceTotals& totals) {
  auto rows = static_cast<double>(totals.copies.count);
  for (const EngineTotals& engine : totals.engines) rows += static_cast<double>(engine.instructions);
  return rows;
}

std::vector<DeviceMetric> device_metrics(const Profile& profile, const DeviceTotals& totals, const std::string& word) {
  std::vector<DeviceMetric> metrics = Listing(totals, word).run();
  for (const DeviceMetricGroup& group : vendor_metric_groups()) {
    for (DeviceMetric& metric : group.metrics(profile, totals, word)) {
      metric.of_engines = true;
      metrics.push_back(std::move(metric));
    }
  }
  return metrics;
}

std::vector<DeviceMetric> example_device_metrics() {
  DeviceTotals totals;
  totals.device = 0;
  totals.total = 1;
  totals.total_source = "the file states how long the program ran";
  totals.engines.push_back({.name = "Tensor", .title = "Tensor", .is_engine = true});
  totals.engines.back().by_hand = 1;
  totals.activations = 1;
  totals.collectives.count = 1;
  totals.copies.count = 1;
  totals.transfers = 1;
  totals.stated_bytes["spill_reload_bytes"] = 0;
  totals.fixed_copies.count = totals.dynamic_copies.count = totals.fills.count = 1;
  totals.types.push_back({.name = "software_dynamic", .type = "software_dynamic"});
  std::vector<DeviceMetric> metrics = Listing(totals, "device").run();
  for (const DeviceMetricGroup& group : vendor_metric_groups()) {
    for (DeviceMetric& metric : group.example()) metrics.push_back(std::move(metric));
  }
  return metrics;
}

}  // namespace sightline::analyses
