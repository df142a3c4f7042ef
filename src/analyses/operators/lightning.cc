// Lightning: what PyTorch Lightning's own profiler records: the modules of the model by their dotted names, and the tree of
// hooks. Both are annotations: "[pl][module]torch.nn.Linear: encoder.0" and "[pl][profile][Strategy]DDP.training_step".
#include <map>
#include <numeric>

#include "analyses/columns.h"
#include "analyses/group_index.h"
#include "analyses/steps/range_columns.h"
#include "analyses/steps/step_windows.h"
#include "analyses/views.h"
#include "analyses/words.h"

namespace sightline::analyses {

namespace {

constexpr std::string_view kModule = "[pl][module]";
constexpr std::string_view kHook = "[pl][profile]";

// By string id: whether it is the name of such a range.
std::vector<bool> names_with(const Profile& profile, std::string_view prefix) {
  std::vector<bool> names(profile.strings.size());
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = profile.text(static_cast<StringId>(i)).starts_with(prefix);
  return names;
}

// The host tree with the annotations of these names as nodes, and which nodes they are, of one step when given.
struct Marked {
  HostTree tree;
  std::vector<bool> member;  // by node
};

Marked mark(const Profile& profile, std::string_view prefix, const std::optional<StepWindow>& step) {
  const std::vector<bool> names = names_with(profile, prefix);
  const auto named = [&](Row slice) {
    return profile.slices.kind[slice] == SliceKind::annotation && names[static_cast<std::size_t>(profile.slices.name[slice])];
  };
  Marked marked{build_host_tree(profile, named), {}};
  marked.member.resize(marked.tree.nodes());
  for (Row node = 0; node < marked.tree.nodes(); ++node) {
    const Row slice = marked.tree.slice[node];
    marked.member[node] = named(slice) && (!step || starts_in(*step, profile.slices.start[slice]));
  }
  return marked;
}

struct Ranges {
  RangeTree ranges;
  std::vector<std::string> names;  // by group, as shown
  std::vector<std::string> types;  // of modules: the class, empty when it is not known
  std::vector<std::string> texts;  // as recorded, empty for a module that is never called
};

// ---- modules: by their dotted names ----

class ModuleGroups {
 public:
  Ranges group(const Profile& profile, const Marked& marked) {
    found_.ranges.group_of_node.assign(marked.tree.nodes(), kNoRow);
    for (Row node = 0; node < marked.tree.nodes(); ++node) {
      if (!marked.member[node]) continue;
      const std::string_view text = profile.text(profile.slices.name[marked.tree.slice[node]]);
      std::string_view name = text.substr(kModule.size()), type;
      if (const std::size_t colon = name.rfind(": "); colon != std::string_view::npos) {
        type = name.substr(0, colon);
        name.remove_prefix(colon + 2);
      }
      const Row group = group_of(name);
      if (found_.texts[group].empty()) found_.texts[group] = text;
      if (found_.types[group].empty()) found_.types[group] = type.substr(type.rfind('.') + 1);
      found_.ranges.group_of_node[node] = group;
    }
    finish_range_tree(profile, marked.tree, found_.ranges);
    return std::move(found_);
  }

 private:
  // "a.b.c" is below "a.b", whether that is ever called or not.
  Row group_of(std::string_view name) {
    if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
    const std::size_t dot = name.rfind('.');
    const Row parent = dot == std::string_view::npos ? kNoRow : group_of(name.substr(0, dot));
    const Row group = static_cast<Row>(found_.names.size());
    numbers_.emplace(name, group);
    found_.ranges.parent.push_back(parent);
    found_.names.emplace_back(name);
    found_.types.emplace_back();
    found_.texts.emplace_back();
    return group;
  }

  Ranges found_;
  std::map<std::string, Row, std::less<>> numbers_;
};

// A container of modules that is never called has the sum of its modules.
void fill_containers(RangeRows& rows) {
  for (Row group = static_cast<Row>(rows.sums.size()); group-- > 0;) {
    if (rows.sums[group].calls == 0) rows.sums[group].device_busy = kUnknown;
    const Row parent = rows.ranges.parent[group];
    if (parent == kNoRow || rows.sums[parent].calls != 0) continue;
    rows.sums[parent].host_total += rows.sums[group].host_total;
    rows.sums[parent].device_total += rows.sums[group].device_total;
  }
}

// ---- hooks: by nesting ----

Ranges group_hooks(const Profile& profile, const Marked& marked) {
  Ranges found;
  GroupIndex<2> keys;  // group around + 1, name
  std::vector<Row> around(marked.tree.nodes(), kNoRow);
  found.ranges.group_of_node.assign(marked.tree.nodes(), kNoRow);
  for (Row node = 0; node < marked.tree.nodes(); ++node) {
    const Row parent = marked.tree.parent[node];
    const Row outside = parent == kNoRow ? kNoRow : around[parent];
    around[node] = outside;
    if (!marked.member[node]) continue;
    const StringId name = profile.slices.name[marked.tree.slice[node]];
    const Row group = keys.number_of({outside + 1, static_cast<std::uint32_t>(name)});
    if (group == found.names.size()) {
      found.ranges.parent.push_back(outside);
      found.texts.emplace_back(profile.text(name));
      found.names.push_back(found.texts.back().substr(kHook.size()));
    }
    found.ranges.group_of_node[node] = around[node] = group;
  }
  finish_range_tree(profile, marked.tree, found.ranges);
  return found;
}

// ---- the report ----

TableOf<Row, RangeRows, Ranges> lightning_table(bool modules, bool has_device_work) {
  TableOf<Row, RangeRows, Ranges> table(
      {.key = modules ? "modules" : "hooks",
       .title = modules ? "Modules" : "Hooks",
       .row_links = {timeline_links().front(), {"Search on the timeline", "timeline", {{"search", "$range"}}}}});
  table.add(modules ? label_column("name", "Module", "Its name in the model")
                    : label_column("name", "Hook", "What Lightning was doing, as Lightning names it"),
            even_empty([](const RangeRows&, const Ranges& found, Row group) { return found.names[group]; }));
  if (modules) {
    table.add(code_column("type", "Class", "Class of the module").with_unknown("it is never called itself"),
              [](const RangeRows&, const Ranges& found, Row group) { return found.types[group]; });
  }
  table.add_all(
      range_columns(has_device_work),
      [](const RangeRows& rows, const Ranges&, Row group) {
        return RangeRow{&rows, group};
      },
      [modules](ReportColumn& column) {
        if (!modules && (column.key == "operators" || column.key.starts_with("backward"))) column.hidden = true;
        return true;
      });
  table.add(code_column("range", "Range", "The name of its calls as recorded").hide(),
            [](const RangeRows&, const Ranges& found, Row group) { return found.texts[group]; });
  return table;
}

void add_part(Report& report, const RangeRows& rows, const Ranges& found, bool modules, const FlameChoice& flame) {
  std::vector<Row> groups(found.ranges.groups());
  std::iota(groups.begin(), groups.end(), Row{0});
  ReportTable table = lightning_table(modules, rows.profile.device_work.rows() > 0).of(rows, found, groups);
  title_width(table, flame);
  report.panels.push_back(flame_panel(table, flame));
  Panel panel{.id = table.key, .title = table.title, .content = TreeTable{table.key, "parent"}};
  panel.empty = modules ? "Lightning recorded no module here." : "Lightning recorded no hook here.";
  report.panels.push_back(std::move(panel));
  report.tables.push_back(std::move(table));
}

Result<Report> run_lightning(const AnalysisInput& input) {
  const ProfilePtr& profile = input.profiles.front();
  const Parameters& given = input.parameters;
  const auto step = chosen_step(profile, given.text("step"));
  if (!step) return step.error();
  const auto work = work_by_start(profile);

  Report report{.view = "lightning", .title = "Lightning"};
  report.parameters.push_back(step_parameter(profile, given));
  const FlameChoice flame{.device_time = choose_device_time(report, *profile, given),
                          .per_call = given.text("width") == "average"};
  const Marked module_calls = mark(*profile, kModule, *step);
  const Ranges modules = ModuleGroups().group(*profile, module_calls);
  RangeRows module_rows = range_rows(*profile, module_calls.tree, *work, modules.ranges, modules.names);
  fill_containers(module_rows);
  set_widths(module_rows, flame);
  add_part(report, module_rows, modules, true, flame);
  const Marked hook_calls = mark(*profile, kHook, *step);
  const Ranges hooks = group_hooks(*profile, hook_calls);
  RangeRows hook_rows = range_rows(*profile, hook_calls.tree, *work, hooks.ranges, hooks.names);
  set_widths(hook_rows, flame);
  add_part(report, hook_rows, hooks, false, flame);
  report.scope = say("{}, {}, all threads", count_words(std::ssize(modules.names), "{} module", "{} modules"),
                     count_words(std::ssize(hooks.names), "{} hook", "{} hooks"));
  if (*step) report.scope = say("{}, step {}", report.scope, (*step)->number);
  return report;
}

std::optional<Message> lightning_unavailable(const Profile& profile) {
  for (std::size_t i = 0; i < profile.strings.size(); ++i) {
    const std::string_view text = profile.text(static_cast<StringId>(i));
    if (text.starts_with(kModule) || text.starts_with(kHook)) return std::nullopt;
  }
  return "not recorded by PyTorch Lightning's PyTorchProfiler: it has no [pl][profile] or [pl][module] ranges";
}

std::vector<ReportTable> lightning_tables() {
  return {lightning_table(true, true).blank(), lightning_table(false, true).blank()};
}

}  // namespace

Analysis lightning_analysis() {
  std::vector<Parameter> parameters = flame_parameters();
  parameters.push_back(
      {"step", "Step", ParameterType::text, "", {}, "Only calls that start inside the host range of the step of this number"});
  return {.id = "lightning",
          .title = "Lightning",
          .group = ViewGroup::where_time_went,
          .doc = "Which modules and which hooks of a PyTorch Lightning run took the time.",
          .parameters = std::move(parameters),
          .unavailable = lightning_unavailable,
          .run = run_lightning,
          .tables = lightning_tables};
}

}  // namespace sightline::analyses
