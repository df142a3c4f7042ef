// Proton's files (.hatchet): a tree of frames with metrics, and after it what the devices are.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "formats/call_trees/json_file.h"
#include "formats/common/decimal.h"
#include "formats/common/profile_builder.h"
#include "formats/registry.h"

namespace sightline::formats {

namespace call_trees {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t kLongestPath = std::size_t{8} << 10;  // bytes: a long name may be above many nodes
constexpr std::int64_t kNodesPerLook = 1 << 10;
constexpr std::string_view kTime = "time (ns)", kHostTime = "cpu_time (ns)", kCalls = "count";

void add_devices(element list, ProfileBuilder& out) {
  object vendors;
  if (list.get_object().get(vendors) != SUCCESS) return;
  for (const auto& [vendor, devices] : vendors) {
    object of_vendor;
    if (devices.get_object().get(of_vendor) != SUCCESS) continue;
    for (const auto& [number, about] : of_vendor) {
      object facts;
      if (about.get_object().get(facts) != SUCCESS) continue;
      for (const auto& [key, value] : facts) {
        const std::string name = std::string(vendor) + " " + std::string(number) + " " + std::string(key);
        std::string_view text;
        out.add_metadata(to_utf8(name), value.get_string().get(text) == SUCCESS ? to_utf8(text) : simdjson::minify(value));
      }
    }
  }
}

// A row per node with a time of its own: on a device, or of the host.
void add_calls(object root, ProfileBuilder& out, ReadProgress* progress) {
  struct Place {
    object node;
    std::shared_ptr<const std::string> path;  // names of the nodes above it; children share it
  };
  ReportedCalls& calls = out.profile().reported_calls;
  std::vector<Place> next{{root, std::make_shared<const std::string>()}};
  for (std::int64_t nodes = 1; !next.empty(); ++nodes) {
    if (nodes % kNodesPerLook == 0 && progress != nullptr && progress->is_over()) return;
    const Place at = std::move(next.back());
    next.pop_back();
    object frame, metrics;
    std::string name = at.node["frame"].get_object().get(frame) == SUCCESS ? to_utf8(text_of(frame, "name")) : std::string();
    if (name.empty()) name = "(unnamed)";
    const bool has_metrics = at.node["metrics"].get_object().get(metrics) == SUCCESS;
    for (const std::string_view metric : {kTime, kHostTime}) {
      const std::int64_t time = has_metrics ? integer_of(metrics, metric, 0) : 0;
      if (time < 0) out.report(Severity::warning, "negative_weight", "a weight is negative; it was left out", kUnknown);
      if (time <= 0 || time > kFarthestNs) continue;
      const Row row = add_unknown_row(calls);
      calls.kind[row] = metric == kTime ? SliceKind::kernel : SliceKind::annotation;
      const auto device = whole_number<std::int32_t>(text_of(metrics, "device_id"));
      if (device) calls.device[row] = *device;
      calls.name[row] = out.text(name);
      calls.part[row] = at.path->empty() ? StringId::none : out.text(*at.path);
      calls.calls[row] = integer_of(metrics, kCalls, kUnknown);
      calls.total[row] = time;
    }
    const std::vector<element> children = list_of(at.node, "children");
    if (children.empty()) continue;
    const bool is_root = at.path->empty() && name == "ROOT";
    std::string path = is_root ? std::string() : at.path->empty() ? name : *at.path + " / " + name;
    if (path.size() > kLongestPath) {
      out.report(Severity::warning, "long_text", "the path to a call is longer than 8 KiB; its end was left out", kUnknown);
      path = to_utf8(std::string_view(path).substr(0, kLongestPath));
    }
    const auto shared = std::make_shared<const std::string>(std::move(path));
    std::vector<Place> below;
    for (const element child : children) {
      object of;
      if (child.get_object().get(of) == SUCCESS) below.push_back({of, shared});
    }
    next.insert(next.end(), below.rbegin(), below.rend());
  }
}

Result<std::unique_ptr<Profile>> read_hatchet(ReadContext& context) {
  JsonFile file;
  const Result<bool> loaded = file.load(context);
  if (!loaded) return loaded.error();
  array list;
  if (const auto failed = file.parse().get_array().get(list)) return file.error(failed);
  ProfileBuilder out;
  for (const element each : list) {
    object root;
    if (each.get_object().get(root) != SUCCESS) continue;
    object frame;
    if (root["frame"].get_object().get(frame) == SUCCESS) {
      add_calls(root, out, context.progress());
    } else {
      add_devices(each, out);
    }
  }
  return out.finish();
}

}  // namespace
}  // namespace call_trees

Reader hatchet_reader() {
  return {.id = "hatchet", .title = "Proton profile", .endings = {".hatchet"}, .read_capture = call_trees::read_hatchet};
}

}  // namespace sightline::formats
