// SliceArgs: one member per column that knows something. Ids of host ranges are made up from their rows, so that a reader finds
// the same owners.
#include "output/slice_args.h"

#include <fmt/core.h>
#include <simdjson.h>

#include "base/json_writer.h"
#include "formats/common/categories.h"
#include "output/slice_json.h"

namespace sightline::output {

namespace {

class JsonArgs final : public ArgSink {
 public:
  explicit JsonArgs(std::string& text) : text_(text) {}

  void integer(std::string_view key, std::int64_t value) override { raw(key, fmt::format("{}", value)); }
  void real(std::string_view key, float value) override { raw(key, fmt::format("{}", value)); }
  void text(std::string_view key, std::string_view value) override {
    std::string quoted;
    append_json_string(quoted, value);
    raw(key, quoted);
  }
  void json(std::string_view key, std::string_view value) override { raw(key, value); }
  ~JsonArgs() {
    if (any_) text_ += '}';
  }

 private:
  void raw(std::string_view key, std::string_view json) {
    text_ += any_ ? ", " : ", \"args\": {";
    any_ = true;
    append_json_string(text_, key);
    text_.append(": ").append(json);
  }

  std::string& text_;
  bool any_ = false;
};

std::int64_t id_of(Row owner) { return owner == kNoRow ? kUnknown : std::int64_t{owner} + 1; }

}  // namespace

std::string device_properties(const Profile& profile) {
  const Devices& d = profile.devices;
  std::string all;
  for (Row row = 0; row < d.rows(); ++row) {
    if (d.ordinal[row] == kUnknown) continue;
    all += fmt::format("{}{{\"id\": {}", all.empty() ? "" : ", ", d.ordinal[row]);
    if (d.name[row] != StringId::none) {
      all += ", \"name\": ";
      append_json_string(all, profile.text(d.name[row]));
    }
    const std::pair<std::string_view, std::int64_t> numbers[] = {{"totalGlobalMem", d.memory[row]},
                                                                 {"computeMajor", d.compute_major[row]},
                                                                 {"computeMinor", d.compute_minor[row]},
                                                                 {"numSms", d.cores[row]},
                                                                 {"maxThreadsPerMultiprocessor", d.threads_per_core[row]},
                                                                 {"regsPerMultiprocessor", d.registers_per_core[row]},
                                                                 {"sharedMemPerMultiprocessor", d.shared_per_core[row]},
                                                                 {"sharedMemPerBlock", d.shared_per_block[row]},
                                                                 {"warpSize", d.warp_size[row]}};
    for (const auto& [key, value] : numbers) {
      if (value != kUnknown) all += fmt::format(", \"{}\": {}", key, value);
    }
    all += '}';
  }
  return all.empty() ? all : "[" + all + "]";
}

std::string_view SliceArgs::category(Row slice) const {
  return category_text(p_.slices.kind[slice], row_of(p_.operators, slice) != kNoRow);
}

std::string_view SliceArgs::json_of(StringId id) {
  const auto [at, is_new] = json_.try_emplace(static_cast<std::uint32_t>(id));
  if (is_new) {
    const std::string text(p_.text(id));
    simdjson::dom::parser parser;
    const bool number = !text.empty() && text.size() < 18 && text[0] != '0' && text.find_first_not_of("0123456789") == text.npos;
    if (number || text == "0") {
      at->second = text;
    } else if (!text.empty() && (text[0] == '[' || text[0] == '{') && parser.parse(text).error() == simdjson::SUCCESS) {
      at->second = text;
    } else {
      append_json_string(at->second, text);
    }
  }
  return at->second;
}

void SliceArgs::append(std::string& text, Row slice) {
  JsonArgs args(text);
  visit(slice, args);
}

void SliceArgs::visit(Row slice, ArgSink& args) {
  const auto number = [&](std::string_view key, std::int64_t value) {
    if (value != kUnknown) args.integer(key, value);
  };
  const auto real = [&](std::string_view key, float value) {
    if (value == value) args.real(key, value);
  };
  const auto text = [&](std::string_view key, StringId id) {
    if (id != StringId::none) args.text(key, p_.text(id));
  };
  const auto json = [&](std::string_view key, StringId id) {
    if (id != StringId::none) args.json(key, json_of(id));
  };
  const SliceKind kind = p_.slices.kind[slice];
  const Row op = row_of(p_.operators, slice);
  if (op != kNoRow || kind == SliceKind::step || kind == SliceKind::annotation) number("External id", id_of(slice));
  if (op != kNoRow) {
    json("Input Dims", p_.operators.input_shapes[op]);
    json("Input type", p_.operators.input_types[op]);
    json("Input Strides", p_.operators.input_strides[op]);
    json("Concrete Inputs", p_.operators.concrete_inputs[op]);
    text("Call stack", p_.operators.call_stack[op]);
  }
  if (const Row module = row_of(p_.modules, slice); module != kNoRow) number("Python module id", p_.modules.instance[module]);
  if (const Row launch = row_of(p_.launches, slice); launch != kNoRow) {
    number("correlation", p_.launches.correlation[launch]);
    number("External id", id_of(p_.launches.owner[launch]));
  }
  if (const Row work = row_of(p_.device_work, slice); work != kNoRow) {
    const DeviceWork& w = p_.device_work;
    number("device", w.device[work]);
    json("stream", p_.lanes.track[p_.slices.lane[slice]]);
    number("correlation", w.correlation[work]);
    number("External id", id_of(w.owner[work]));
    json("grid", w.grid[work]);
    json("block", w.block[work]);
    if (w.registers[work] >= 0) number("registers per thread", std::int64_t{w.registers[work]});
    number("shared memory", w.shared_bytes[work]);
    // What was computed is computed again by who reads this.
    if (w.fill_source[work] != FillSource::computed) {
      real("blocks per SM", w.blocks_per_core[work]);
      real("warps per SM", w.warps_per_core[work]);
      real("est. achieved occupancy %", is_file_zero(w.fill_source[work]) ? 0 : w.occupancy[work]);
    }
    number("bytes", w.bytes[work]);
  }
  if (const Row c = row_of(p_.collectives, slice); c != kNoRow) {
    text("Collective name", p_.collectives.name[c]);
    text("Process Group Name", p_.collectives.group[c]);
    text("Process Group Description", p_.collectives.group_about[c]);
    json("Process Group Ranks", p_.collectives.group_ranks[c]);
    number("Group size", p_.collectives.group_size[c]);
    text("dtype", p_.collectives.dtype[c]);
    number("In msg nelems", p_.collectives.in_elements[c]);
    number("Out msg nelems", p_.collectives.out_elements[c]);
    number("Seq", p_.collectives.sequence[c]);
  }
}

}  // namespace sightline::output
