// Compiled code: regions that the framework's compiler replaced, the kernels that it wrote, and the time that compiling took.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "analyses/columns.h"
#include "analyses/facts.h"
#include "analyses/group_index.h"
#include "analyses/operators/compilations.h"
#include "analyses/views.h"
#include "analyses/words.h"
#include "base/sort.h"

namespace sightline::analyses {

namespace {

// ---- names that the compiler gives its ranges ----

constexpr std::string_view kRegion = "Torch-Compiled Region: ";
constexpr std::string_view kGraph = "CompiledFxGraph ";
constexpr std::string_view kPhase = " (dynamo_timed)";

// "Torch-Compiled Region: 3/1": the second compilation of frame 3.
struct RegionId {
  std::int64_t frame = kUnknown, recompilation = kUnknown;
};

std::optional<RegionId> region_id(std::string_view name) {
  if (!name.starts_with(kRegion)) return std::nullopt;
  name.remove_prefix(kRegion.size());
  RegionId id;
  const auto number = [&](std::int64_t& into) {
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), into);
    if (error != std::errc()) into = kUnknown;
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
  };
  number(id.frame);
  if (name.starts_with('/')) {
    name.remove_prefix(1);
    number(id.recompilation);
  }
  return id;
}

// "## Call CompiledFxGraph abc ##" -> "abc".
std::string_view graph_key(std::string_view name) {
  const std::size_t at = name.starts_with('#') ? name.find(kGraph) : std::string_view::npos;
  if (at == std::string_view::npos) return {};
  name.remove_prefix(at + kGraph.size());
  return name.substr(0, name.find(' '));
}

// ---- regions ----

struct Region {
  StringId name = StringId::none;
  RegionId id;
  std::int64_t calls = 0, kernels = 0, written = 0;
  Time host = 0, device = 0;
  std::set<std::string_view> graphs;
  Row longest = kNoRow;
};

// What is inside what: by slice, the group of the innermost region at or around it.
struct Regions {
  GroupIndex<1> names;
  std::vector<Region> all;
  std::vector<Row> of_slice;
};

Regions find_regions(const Profile& p) {
  Regions regions;
  regions.of_slice.assign(p.slices.rows(), kNoRow);
  std::vector<std::int8_t> known(p.strings.size(), -1);  // by name: whether it is that of a region
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    const StringId name = p.slices.name[slice];
    const Row parent = p.slices.parent[slice];
    if (parent != kNoRow) regions.of_slice[slice] = regions.of_slice[parent];
    std::int8_t& is_region = known[static_cast<std::size_t>(name)];
    if (is_region < 0) is_region = region_id(p.text(name)).has_value() ? 1 : 0;
    if (is_region == 0 || p.lanes.kind[p.slices.lane[slice]] != LaneKind::host_thread) continue;
    const Row group = regions.names.number_of({static_cast<std::uint32_t>(name)});
    if (group == regions.all.size()) regions.all.push_back({.name = name, .id = *region_id(p.text(name)), .graphs = {}});
    Region& region = regions.all[group];
    ++region.calls;
    region.host += p.slices.duration[slice];
    if (region.longest == kNoRow || p.slices.duration[slice] > p.slices.duration[region.longest]) region.longest = slice;
    regions.of_slice[slice] = group;
  }
  for (Row slice = 0; slice < p.slices.rows() && !regions.all.empty(); ++slice) {
    if (regions.of_slice[slice] == kNoRow) continue;
    const std::string_view graph = graph_key(p.text(p.slices.name[slice]));
    if (!graph.empty()) regions.all[regions.of_slice[slice]].graphs.insert(graph);
  }
  return regions;
}

void add_device_work(const Profile& p, const FactName& file, Regions& regions) {
  for (Row work = 0; work < p.device_work.rows(); ++work) {
    const Row owner = p.device_work.owner[work], slice = p.device_work.slice[work];
    const Row group = owner == kNoRow ? kNoRow : regions.of_slice[owner];
    if (group == kNoRow) continue;
    Region& region = regions.all[group];
    region.device += p.slices.duration[slice];
    region.kernels += p.slices.kind[slice] == SliceKind::kernel;
    region.written += !text_of(p, slice, file).empty();
  }
}

std::string joined(const std::set<std::string_view>& texts) {
  std::string all;
  for (const std::string_view text : texts) (all += all.empty() ? "" : ", ") += text;
  return all;
}

TableOf<Region, Profile> region_table(bool has_device_work) {
  const std::string_view source = "ranges that the compiler names Torch-Compiled Region";
  TableOf<Region, Profile> table(
      {.key = "regions", .title = "Compiled regions", .sort_column = has_device_work ? "device" : "host"});
  table.add(label_column("name", "Region", "Frame of Python, and the number of its compilation"), &Region::name);
  table.add(integer_column("frame", "Frame", Unit::id, {"Number of the frame that was compiled.", "", source}).hide(),
            [](const Region& row) { return row.id.frame; });
  table.add(
      integer_column("recompilation", "Recompilation", Unit::id,
                     {"Which compilation of the frame it is: 0 is the first, each further one was a recompilation.", "", source}),
      [](const Region& row) { return row.id.recompilation; });
  table.add(integer_column("calls", "Calls", Unit::count, {"How often it was called.", "number of its ranges", source}),
            &Region::calls);
  table.add(integer_column("host", "Host total", Unit::ns,
                           {"Host time in it, including everything inside it.", "sum of durations", source}),
            &Region::host);
  table.add(
      integer_column("device", "Device total", Unit::ns,
                     {"Time of the device work that was launched inside it.", "sum of durations", "attribution of device work"})
          .hide(!has_device_work),
      &Region::device);
  table.add(integer_column("kernels", "Kernels", Unit::count,
                           {"Kernels launched inside it.", "number of kernels", "attribution of device work"})
                .hide(!has_device_work),
            &Region::kernels);
  table.add(
      integer_column("written", "Written kernels", Unit::count,
                     {"Those of them that the compiler wrote.", "number of kernels with a file", "kernel_file of operators"})
          .hide(!has_device_work),
      &Region::written);
  table.add(code_column("graph", "Graphs", "Keys of the compiled graphs that it called, as in the compiler's cache")
                .with_unknown("no call of a compiled graph was recorded inside it"),
            [](const Region& row) { return joined(row.graphs); });
  table.add(longest_slice_column("call"), &Region::longest);
  return table;
}

// ---- kernels that the compiler wrote ----

struct Written {
  StringId name = StringId::none;
  std::string_view file, hash, arguments;
  std::int64_t calls = 0;
  Time device = 0;
  Row longest = kNoRow;
};

std::vector<Written> written_kernels(const Profile& p, const FactName& file) {
  const FactName hash(p, {"kernel_hash"}), arguments(p, {"kernel_kwargs"});
  std::map<std::tuple<StringId, std::string_view, std::string_view>, Written> known;
  for (const Row slice : p.device_work.slice) {
    const std::string_view from = text_of(p, slice, file);
    if (from.empty()) continue;
    const std::string_view given = text_of(p, slice, arguments);
    Written& of = known[{p.slices.name[slice], from, given}];
    of.name = p.slices.name[slice];
    of.file = from;
    of.hash = text_of(p, slice, hash);
    of.arguments = given;
    ++of.calls;
    of.device += p.slices.duration[slice];
    if (of.longest == kNoRow || p.slices.duration[slice] > p.slices.duration[of.longest]) of.longest = slice;
  }
  std::vector<Written> rows;
  for (const auto& [key, of] : known) rows.push_back(of);
  sort_down(rows, &Written::device);
  return rows;
}

TableOf<Written, Profile> written_table() {
  const std::string_view source = "kernels whose operator states a kernel_file";
  TableOf<Written, Profile> table({.key = "written", .title = "Kernels that the compiler wrote", .sort_column = "device"});
  table.add(label_column("name", "Kernel", "Name of the kernel"), &Written::name);
  table.add(integer_column("calls", "Calls", Unit::count, {"How often it ran.", "number of kernels", source}), &Written::calls);
  table.add(integer_column("device", "Device time", Unit::ns, {"Time that it took.", "sum of durations", source}),
            &Written::device);
  table.add(real_column("mean", "Mean", Unit::ns, {"Average time of a call.", "device time / calls", source}),
            [](const Written& row) { return quotient(row.device, row.calls); });
  table.add(code_column("file", "File", "File with its source"), &Written::file);
  table.add(code_column("arguments", "Arguments", "What it was compiled with, such as sizes of blocks"), &Written::arguments);
  table.add(code_column("hash", "Hash", "Hash of its source").hide(), &Written::hash);
  table.add(longest_slice_column("call"), &Written::longest);
  return table;
}

// ---- compiling ----

struct Phase {
  StringId name = StringId::none;
  std::int64_t calls = 0;
  Time total = 0, outermost = 0;  // outermost: in no other phase
  Row longest = kNoRow;
};

std::vector<Phase> compile_phases(const Profile& p) {
  std::vector<Phase> phases;
  GroupIndex<1> names;
  std::vector<std::int8_t> known(p.strings.size(), -1);
  const auto is_phase = [&](Row slice) {
    std::int8_t& is = known[static_cast<std::size_t>(p.slices.name[slice])];
    if (is < 0) is = p.text(p.slices.name[slice]).ends_with(kPhase) ? 1 : 0;
    return is == 1 && p.lanes.kind[p.slices.lane[slice]] == LaneKind::host_thread;
  };
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    if (!is_phase(slice)) continue;
    const Row group = names.number_of({static_cast<std::uint32_t>(p.slices.name[slice])});
    if (group == phases.size()) phases.push_back({.name = p.slices.name[slice]});
    Phase& phase = phases[group];
    ++phase.calls;
    phase.total += p.slices.duration[slice];
    if (phase.longest == kNoRow || p.slices.duration[slice] > p.slices.duration[phase.longest]) phase.longest = slice;
    Row around = p.slices.parent[slice];
    while (around != kNoRow && !is_phase(around)) around = p.slices.parent[around];
    if (around == kNoRow) phase.outermost += p.slices.duration[slice];
  }
  sort_down(phases, &Phase::total);
  return phases;
}

TableOf<Phase, Profile> phase_table() {
  const std::string_view source = "ranges that the compiler marks as dynamo_timed";
  TableOf<Phase, Profile> table({.key = "phases", .title = "Compiling", .sort_column = "total"});
  table.add(label_column("name", "Phase", "Phase of compiling, as the compiler names it"), &Phase::name);
  table.add(integer_column("calls", "Calls", Unit::count, {"How often it ran.", "number of its ranges", source}), &Phase::calls);
  table.add(integer_column("total", "Total", Unit::ns, {"Time in it, including phases inside it.", "sum of durations", source}),
            &Phase::total);
  table.add(longest_slice_column("call"), &Phase::longest);
  return table;
}

// ---- the report ----

Panel facts_panel(const Profile& p, const Regions& regions, const std::vector<Written>& written,
                  const std::vector<Phase>& phases) {
  Time all = 0, in_written = 0, compiling = 0;
  std::int64_t again = 0;
  for (const Row slice : p.device_work.slice) all += p.slices.duration[slice];
  for (const Written& kernel : written) in_written += kernel.device;
  for (const Phase& phase : phases) compiling += phase.outermost;
  for (const Region& region : regions.all) again += region.id.recompilation != kUnknown && region.id.recompilation > 0;
  const auto doc = [](const MetricDoc& of) { return of.text(); };
  FactSheet sheet;
  sheet.facts = {{"Compiled regions", Cell{static_cast<std::int64_t>(regions.all.size())}, Unit::count,
                  doc({"Regions that were called; each compilation of a frame is one.", "number of names",
                       "ranges that the compiler names Torch-Compiled Region"})},
                 {"Recompilations", Cell{again}, Unit::count,
                  doc({"Those that are not the first compilation of their frame.", "number of regions with a recompilation > 0",
                       "ranges that the compiler names Torch-Compiled Region"})},
                 {"Compiling", phases.empty() ? Cell{} : Cell{compiling}, Unit::ns,
                  doc({"Host time of compiling within the recording.", "sum of the durations of the outermost phases",
                       "ranges that the compiler marks as dynamo_timed"}),
                  "no compiling was recorded"},
                 {"Device time in written kernels", share_cell(in_written, all), Unit::share,
                  doc({"Share of device time in kernels that the compiler wrote.",
                       "device time of kernels with a file / device time", "kernels whose operator states a kernel_file"})}};
  return {.id = "facts", .title = "Compiled code", .content = std::move(sheet)};
}

void add_table(Report& report, ReportTable table) {
  if (table.rows() == 0) return;
  table.row_links = timeline_links();
  report.panels.push_back({.id = table.key, .title = table.title, .content = PlainTable{table.key}});
  report.tables.push_back(std::move(table));
}

std::map<std::string_view, RegionCalls> calls_of(const Profile& p, const Regions& regions) {
  std::map<std::string_view, RegionCalls> by_id;
  for (const Region& region : regions.all) {
    const std::string_view id = p.text(region.name).substr(kRegion.size());
    RegionCalls& of = by_id[id.substr(0, id.find(' '))];
    of.calls += region.calls;
    of.host += region.host;
    of.device = p.device_work.rows() == 0 ? kUnknown : of.device + region.device;
  }
  return by_id;
}

Result<Report> run_compiled_code(const AnalysisInput& input) {
  const Profile& profile = *input.profiles.front();
  const FactName file(profile, {"kernel_file"});
  Regions regions = find_regions(profile);
  add_device_work(profile, file, regions);
  const std::vector<Written> written = written_kernels(profile, file);
  const std::vector<Phase> phases = compile_phases(profile);
  Report report{.view = "compiled_code", .title = "Compiled code"};
  report.scope = say("{}, {}", count_words(std::ssize(regions.all), "{} compiled region", "{} compiled regions"),
                     count_words(std::ssize(written), "{} written kernel", "{} written kernels"));
  report.panels.push_back(facts_panel(profile, regions, written, phases));
  const bool has_device_work = profile.device_work.rows() > 0;
  std::stable_sort(regions.all.begin(), regions.all.end(),
                   [&](const Region& a, const Region& b) { return has_device_work ? a.device > b.device : a.host > b.host; });
  add_table(report, region_table(has_device_work).of(profile, regions.all));
  add_compilations(profile, calls_of(profile, regions), report);
  add_table(report, written_table().of(profile, written));
  add_table(report, phase_table().of(profile, phases));
  return report;
}

std::optional<Message> compiled_code_unavailable(const Profile& profile) {
  if (FactName(profile, {"kernel_file"}).is_known() || profile.compilations.rows() > 0) return std::nullopt;
  for (std::size_t id = 0; id < profile.strings.size(); ++id) {
    const std::string_view text = profile.text(static_cast<StringId>(id));
    if (text.starts_with(kRegion) || text.ends_with(kPhase)) return std::nullopt;
  }
  return "no code that the framework's compiler made in this profile: no compiled region, and no kernel with a file";
}

std::vector<ReportTable> compiled_code_tables() {
  std::vector<ReportTable> tables{region_table(true).blank(), written_table().blank(), phase_table().blank()};
  for (ReportTable& of_log : compilation_tables()) tables.push_back(std::move(of_log));
  return tables;
}

}  // namespace

Analysis compiled_code_analysis() {
  return {.id = "compiled_code",
          .title = "Compiled code",
          .group = ViewGroup::where_time_went,
          .doc = "Regions that the framework's compiler replaced, the kernels that it wrote, and the time that compiling took.",
          .parameters = {},
          .unavailable = compiled_code_unavailable,
          .run = run_compiled_code,
          .tables = compiled_code_tables};
}

}  // namespace sightline::analyses
