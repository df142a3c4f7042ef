// MemoryRecords: one sweep over the events for devices and partners, one over the nodes of each thread for the ranges.
#include "analyses/memory/memory_records.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "analyses/derived_data.h"
#include "base/check.h"

namespace sightline::analyses {

namespace {

struct Place {
  std::int64_t address;
  std::uint16_t device;
  bool operator==(const Place&) const = default;
};

struct PlaceHash {
  std::size_t operator()(const Place& place) const {
    const auto address = static_cast<std::uint64_t>(place.address);
    return static_cast<std::size_t>((address ^ (std::uint64_t{place.device} << 48)) * 0x9E3779B97F4A7C15ull >> 7);
  }
};

class Relater {
 public:
  Relater(const Profile& profile, const HostTree& tree) : profile_(profile), events_(profile.memory_events), tree_(tree) {}

  MemoryRecords relate() {
    name_devices();
    pair_up();
    find_nodes();
    return std::move(records_);
  }

 private:
  void name_devices() {
    std::map<StringId, MemoryDevice> named;
    for (Row i = 0; i < events_.rows(); ++i) {
      MemoryDevice& device = named[events_.device_name[i]];
      device.name = events_.device_name[i];
      device.ordinal = events_.device[i];
      device.host = events_.device_type[i] == 0;
      device.has_events = true;
      device.has_totals |= events_.total_allocated[i] != kUnknown;
      device.has_addresses |= events_.address[i] != kUnknown;
    }
    for (const StringId name : profile_.memory_usage.device_name) named[name].name = name;
    for (const auto& entry : named) records_.devices.push_back(entry.second);
    CHECK(records_.devices.size() <= 0xFFFF);
    std::sort(records_.devices.begin(), records_.devices.end(), [&](const MemoryDevice& a, const MemoryDevice& b) {
      return a.host != b.host ? b.host : profile_.text(a.name) < profile_.text(b.name);
    });
    std::map<StringId, std::uint16_t> number;
    for (const MemoryDevice& device : records_.devices) number.emplace(device.name, static_cast<std::uint16_t>(number.size()));
    records_.device.reserve(events_.rows());
    for (const StringId name : events_.device_name) records_.device.push_back(number.at(name));
  }

  void pair_up() {
    records_.partner.assign(events_.rows(), kNoRow);
    std::unordered_map<Place, Row, PlaceHash> pending;
    for (Row i = 0; i < events_.rows(); ++i) {
      if (events_.address[i] == kUnknown) continue;
      const Place place{events_.address[i], records_.device[i]};
      if (allocates(profile_, i)) {
        pending[place] = i;
      } else if (const auto found = pending.find(place); found != pending.end()) {
        records_.partner[i] = found->second;
        records_.partner[found->second] = i;
        pending.erase(found);
      }
    }
  }

  // Nodes are numbered thread by thread in order of start, those on overflow lanes with their thread.
  void find_nodes() {
    records_.node.assign(events_.rows(), kNoRow);
    std::vector<std::vector<Row>> events_of(profile_.lanes.rows());
    for (Row i = 0; i < events_.rows(); ++i) {
      if (const Row lane = thread_of(events_.lane[i]); lane != kNoRow) events_of[lane].push_back(i);
    }
    for (Row first = 0; first < tree_.nodes();) {
      const Row lane = lane_of(first);
      Row last = first;
      while (last < tree_.nodes() && lane_of(last) == lane) ++last;
      sweep(first, last, events_of[lane]);
      first = last;
    }
  }

  Row thread_of(Row lane) const { return lane == kNoRow ? kNoRow : profile_.main_lane(lane); }

  Row lane_of(Row node) const { return thread_of(profile_.slices.lane[tree_.slice[node]]); }

  void sweep(Row first, Row last, const std::vector<Row>& events) {
    std::vector<Row> open;  // the most recently opened last
    Row next = first;
    for (const Row event : events) {
      const Time time = events_.time[event];
      while (next < last && profile_.slices.start[tree_.slice[next]] <= time) open.push_back(next++);
      while (!open.empty() && profile_.end_of(tree_.slice[open.back()]) <= time) open.pop_back();
      if (!open.empty()) records_.node[event] = tree_.merged_into[open.back()];
    }
  }

  const Profile& profile_;
  const MemoryEvents& events_;
  const HostTree& tree_;
  MemoryRecords records_;
};

}  // namespace

MemoryRecords relate_memory(const Profile& profile, const HostTree& tree) { return Relater(profile, tree).relate(); }

static std::int64_t held_bytes(const MemoryRecords& records) {
  return held_bytes(records.devices, records.device, records.node, records.partner);
}

std::shared_ptr<const MemoryRecords> memory_records(const ProfilePtr& profile) {
  return derived<MemoryRecords>(profile, [](const ProfilePtr& of) { return relate_memory(*of, *host_tree(of)); });
}

}  // namespace sightline::analyses
