// Slices by device and section; per level, the union of the times of what has the same path or operator.
#include "formats/common/program_lanes.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "model/interval.h"
#include "model/modules.h"

namespace sightline::formats {

namespace {

enum Section : std::size_t { kExecution, kTransfer, kControl, kSections };
constexpr std::array<const char*, kSections> kSectionTitles{"execution", "data transfer", "control"};

struct Work {
  Time start, end;
  Row program_operator;
};

// The times at which something on one lane was active, by key.
class Active {
 public:
  // The times of a key, to add to; the reference stays valid.
  std::vector<Interval>& times_of(const std::string& key, std::string_view name) {
    Times& times = all_[key];
    times.name = name;
    return times.ran;
  }

  std::vector<NewSlice> slices(StringPool& strings) {
    std::vector<NewSlice> made;
    for (auto& [key, times] : all_) {
      const StringId name = strings.intern(times.name);
      for (const Interval& each : merge(std::move(times.ran)))
        made.push_back({each.start, each.length(), name, SliceKind::device_annotation, kUnknown});
    }
    return made;
  }

 private:
  struct Times {
    std::string name;
    std::vector<Interval> ran;
  };
  std::map<std::string, Times> all_;
};

struct DeviceSections {
  std::array<std::vector<Work>, kSections> of;
  Active computes, moves;
};

Section section_of(SliceKind kind) {
  if (kind == SliceKind::memcpy || kind == SliceKind::memset) return kTransfer;
  return is_device_work(kind) ? kExecution : kControl;
}

std::map<std::int64_t, DeviceSections> work_by_device(const Profile& p) {
  std::map<std::int64_t, DeviceSections> devices;
  for (Row row = 0; row < p.program_work.rows(); ++row) {
    const Row slice = p.program_work.slice[row];
    devices[p.lanes.device[p.slices.lane[slice]]].of[section_of(p.slices.kind[slice])].push_back(
        {p.slices.start[slice], p.end_of(slice), p.program_work.program_operator[row]});
  }
  for (Row lane = 0; lane < p.lanes.rows(); ++lane) {
    const auto device = devices.find(p.lanes.device[lane]);
    if (device == devices.end()) continue;
    std::vector<Interval>& computes = device->second.computes.times_of("", "Compute busy");
    std::vector<Interval>& moves = device->second.moves.times_of("", "DMA busy");
    for (Row slice = p.lanes.first[lane]; slice < p.lanes.last[lane]; ++slice) {
      const SliceKind kind = p.slices.kind[slice];
      if (!is_device_work(kind)) continue;
      (section_of(kind) == kTransfer ? moves : computes).push_back({p.slices.start[slice], p.end_of(slice)});
    }
  }
  return devices;
}

class Writer {
 public:
  explicit Writer(ProfileBuilder& builder) : p_(builder.profile()), out_(builder) {}

  void overview(const std::string& title, std::int64_t device, DeviceSections& work) {
    const Row process = out_.add_process(title + " overview");
    add(process, device, "Compute busy", work.computes);
    add(process, device, "DMA busy", work.moves);
  }

  void section(const std::string& title, std::int64_t device, const std::vector<Work>& work) {
    if (work.empty()) return;
    Active modules, framework, operators;
    std::unordered_map<Row, std::vector<std::vector<Interval>*>> times;  // by operator: the lists that its times belong to
    for (const Work& each : work) {
      const auto [at, is_new] = times.try_emplace(each.program_operator);
      if (is_new) at->second = times_of(each.program_operator, modules, framework, operators);
      for (std::vector<Interval>* list : at->second) list->push_back({each.start, each.end});
    }
    const Row process = out_.add_process(title);
    add(process, device, "Modules", modules);
    add(process, device, "Framework operators", framework);
    add(process, device, "HLO operators", operators);
  }

 private:
  std::vector<std::vector<Interval>*> times_of(Row of, Active& modules, Active& framework, Active& operators) {
    const std::string_view path = p_.text(p_.program_operators.framework_operator[of]);
    const std::vector<std::string_view> parts = path_parts(path);
    std::vector<std::vector<Interval>*> times;
    for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
      const auto end = static_cast<std::size_t>(parts[part].data() + parts[part].size() - path.data());
      times.push_back(&modules.times_of(std::string(path.substr(0, end)), parts[part]));
    }
    if (!path.empty()) times.push_back(&framework.times_of(std::string(path), parts.empty() ? path : parts.back()));
    const StringId name = p_.program_operators.name[of];
    if (name != StringId::none) times.push_back(&operators.times_of(std::to_string(of), p_.text(name)));
    return times;
  }

  void add(Row process, std::int64_t device, std::string_view name, Active& active) {
    const std::vector<NewSlice> slices = active.slices(p_.strings);
    if (!slices.empty()) out_.add_lane({LaneKind::other, process, device, name, name}, slices, [](std::size_t, Row) {});
  }

  Profile& p_;
  ProfileBuilder& out_;
};

}  // namespace

void add_program_lanes(ProfileBuilder& builder, const std::function<std::string(std::int64_t device)>& title) {
  Writer writer(builder);
  for (auto& [device, work] : work_by_device(builder.profile())) {
    const std::string name = title(device);
    writer.overview(name, device, work);
    for (std::size_t section = 0; section < kSections; ++section)
      writer.section(name + " " + kSectionTitles[section], device, work.of[section]);
  }
}

}  // namespace sightline::formats
