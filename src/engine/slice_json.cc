// Everything known of one slice: its facts from the side tables, and the slices it is related to.
#include <algorithm>
#include <span>

#include "base/json_writer.h"
#include "engine/timeline_json.h"
#include "model/slice_kind_name.h"

namespace sightline {

namespace {

constexpr std::size_t kMostRelated = 50;

// The row of a side table that belongs to `slice`, or kNoRow.
template <typename Table>
Row row_of(const Table& table, Row slice) {
  const auto at = std::lower_bound(table.slice.begin(), table.slice.end(), slice);
  return at != table.slice.end() && *at == slice ? static_cast<Row>(at - table.slice.begin()) : kNoRow;
}

class SliceWriter {
 public:
  SliceWriter(const Timeline& timeline, Row slice, std::string& out)
      : timeline_(timeline), p_(timeline.profile()), s_(p_.slices), slice_(slice), json_(out) {}

  void write(const std::string& event) {
    json_.begin_object().member("slice", std::int64_t{slice_}).member("name", p_.text(s_.name[slice_]));
    json_.member("kind", slice_kind_name(s_.kind[slice_]));
    write_place(slice_);
    json_.member("start", s_.start[slice_])
        .member("duration", s_.duration[slice_])
        .member("depth", std::int64_t{s_.depth[slice_]});
    json_.key("facts").begin_array();
    write_facts();
    json_.end_array().key("related").begin_array();
    write_related();
    json_.end_array().key("event");
    if (event.empty()) {
      json_.null();
    } else {
      json_.value(event);
    }
    json_.end_object();
  }

 private:
  void write_place(Row slice) {
    const DrawnPlace place = timeline_.place_of(slice);
    json_.member("lane", std::int64_t{place.lane}).member("row", std::int64_t{place.row});
  }

  void fact(const char* label, StringId text) {
    if (text != StringId::none) json_.begin_object().member("label", label).member("text", p_.text(text)).end_object();
  }
  void fact(const char* label, std::int64_t value, Unit unit) {
    if (value == kUnknown) return;
    json_.begin_object()
        .member("label", label)
        .member("value", value)
        .member("unit", unit_name(unit))
        .member("type", "integer")
        .end_object();
  }
  void fact(const char* label, float value, Unit unit) {
    if (value != value) return;
    json_.begin_object()
        .member("label", label)
        .member("value", static_cast<double>(value))
        .member("unit", unit_name(unit))
        .member("type", "real")
        .end_object();
  }

  Time time_of_children() const {
    Time sum = 0;
    for (const Row child : children(s_.lane.size())) sum += s_.duration[child];
    return sum;
  }

  // Direct children, in order of time.
  std::vector<Row> children(std::size_t most) const {
    std::vector<Row> found;
    const Row last = p_.lanes.last[s_.lane[slice_]];
    for (Row i = slice_ + 1; i < last && s_.start[i] < p_.end_of(slice_) && found.size() < most; ++i) {
      if (s_.parent[i] == slice_) found.push_back(i);
    }
    return found;
  }

  void write_facts() {
    fact("Self time", s_.duration[slice_] - time_of_children(), Unit::ns);
    if (const Row op = row_of(p_.operators, slice_); op != kNoRow) {
      fact("Input shapes", p_.operators.input_shapes[op]);
      fact("Input types", p_.operators.input_types[op]);
      fact("Call stack", p_.operators.call_stack[op]);
    }
    if (const Row work = row_of(p_.device_work, slice_); work != kNoRow) write_device_facts(work);
    if (const Row launch = row_of(p_.launches, slice_); launch != kNoRow)
      fact("Correlation id", p_.launches.correlation[launch], Unit::id);
    if (const Row c = row_of(p_.collectives, slice_); c != kNoRow) {
      fact("Collective", p_.collectives.name[c]);
      fact("Process group", p_.collectives.group[c]);
      fact("Group size", p_.collectives.group_size[c], Unit::count);
      fact("Element type", p_.collectives.dtype[c]);
      fact("Elements in", p_.collectives.in_elements[c], Unit::count);
      fact("Elements out", p_.collectives.out_elements[c], Unit::count);
      fact("Sequence number", p_.collectives.sequence[c], Unit::id);
    }
  }

  void write_device_facts(Row work) {
    const DeviceWork& w = p_.device_work;
    fact("Device", w.device[work], Unit::id);
    if (w.launch[work] != kNoRow) {
      // Formula: device start - end of the launching call.
      fact("Launch delay", s_.start[slice_] - p_.end_of(p_.launches.slice[w.launch[work]]), Unit::ns);
    }
    fact("Grid", w.grid[work]);
    fact("Block", w.block[work]);
    if (w.registers[work] >= 0) fact("Registers per thread", std::int64_t{w.registers[work]}, Unit::count);
    fact("Shared memory", w.shared_bytes[work], Unit::bytes);
    fact("Blocks per core", w.blocks_per_core[work], Unit::count);
    fact("Estimated occupancy", w.occupancy[work], Unit::percent);
    fact("Bytes", w.bytes[work], Unit::bytes);
    fact("Correlation id", w.correlation[work], Unit::id);
  }

  void relate(const char* relation, Row other) {
    if (other == kNoRow) return;
    json_.begin_object()
        .member("relation", relation)
        .member("slice", std::int64_t{other})
        .member("name", p_.text(s_.name[other]));
    json_.member("kind", slice_kind_name(s_.kind[other]));
    write_place(other);
    json_.member("start", s_.start[other]).member("duration", s_.duration[other]).end_object();
  }

  // The nearest slice of the same name on the lane, before (step -1) or after (step 1).
  Row same_name(int step) const {
    const Row lane = s_.lane[slice_];
    for (std::int64_t i = std::int64_t{slice_} + step; i >= p_.lanes.first[lane] && i < p_.lanes.last[lane]; i += step) {
      if (s_.name[static_cast<Row>(i)] == s_.name[slice_]) return static_cast<Row>(i);
    }
    return kNoRow;
  }

  void write_related() {
    relate("parent", s_.parent[slice_]);
    for (const Row child : children(kMostRelated)) relate("child", child);
    relate("previous", same_name(-1));
    relate("next", same_name(1));
    if (const Row work = row_of(p_.device_work, slice_); work != kNoRow) {
      if (p_.device_work.launch[work] != kNoRow) relate("launch", p_.launches.slice[p_.device_work.launch[work]]);
      relate("owner", p_.device_work.owner[work]);
    }
    if (const Row launch = row_of(p_.launches, slice_); launch != kNoRow) {
      relate("owner", p_.launches.owner[launch]);
      relate_work("launched", p_.device_work.launch, launch);
    }
    relate_work("owned", p_.device_work.owner, slice_);
    for (std::size_t f = 0; f < p_.flows.rows(); ++f) {
      if (p_.flows.from[f] == slice_) relate("backward", p_.flows.to[f]);
      if (p_.flows.to[f] == slice_) relate("forward", p_.flows.from[f]);
    }
    for (std::size_t i = 0; i < p_.steps.rows(); ++i) {
      const Time start = p_.steps.start[i];
      if (start <= s_.start[slice_] && s_.start[slice_] < start + p_.steps.duration[i]) relate("step", p_.steps.slice[i]);
    }
  }

  void relate_work(const char* relation, std::span<const Row> column, Row wanted) {
    std::size_t left = kMostRelated;
    for (std::size_t i = 0; i < column.size() && left != 0; ++i) {
      if (column[i] != wanted) continue;
      relate(relation, p_.device_work.slice[i]);
      --left;
    }
  }

  const Timeline& timeline_;
  const Profile& p_;
  const Slices& s_;
  Row slice_;
  JsonWriter json_;
};

}  // namespace

std::string slice_json(const Timeline& timeline, Row slice, const std::string& event) {
  std::string out;
  SliceWriter(timeline, slice, out).write(event);
  return out;
}

}  // namespace sightline
