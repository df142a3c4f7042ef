#include "analyses/operators/compilations.h"

#include "analyses/columns.h"

namespace sightline::analyses {

namespace {

struct Context {
  const Profile& profile;
  const std::map<std::string_view, RegionCalls>& regions;

  const RegionCalls* calls_of(Row compilation) const {
    const auto found = regions.find(profile.text(profile.compilations.region[compilation]));
    return found == regions.end() ? nullptr : &found->second;
  }
};

constexpr std::string_view kLog = "the compiler's log beside the file";
constexpr const char* kNotCalled = "no call of this region was recorded";

std::string_view text_of(const Context& context, StringId id) { return id == StringId::none ? "" : context.profile.text(id); }

void add_calls(TableOf<Row, Context>& table) {
  const std::string_view source = "ranges that the compiler names Torch-Compiled Region";
  table.add(integer_column("calls", "Calls", Unit::count, {"How often it was called.", "number of its ranges", source})
                .with_unknown(kNotCalled),
            [](const Context& of, Row row) { return of.calls_of(row) == nullptr ? kUnknown : of.calls_of(row)->calls; });
  table.add(integer_column("host", "Host total", Unit::ns,
                           {"Host time in it, including everything inside it.", "sum of durations", source})
                .with_unknown(kNotCalled),
            [](const Context& of, Row row) { return of.calls_of(row) == nullptr ? kUnknown : of.calls_of(row)->host; });
  table.add(
      integer_column("device", "Device total", Unit::ns,
                     {"Time of the device work that was launched inside it.", "sum of durations", "attribution of device work"})
          .with_unknown(kNotCalled),
      [](const Context& of, Row row) { return of.calls_of(row) == nullptr ? kUnknown : of.calls_of(row)->device; });
}

void add_phases(TableOf<Row, Context>& table) {
  const std::string_view formula = "sum over forward and backward pass";
  const auto add = [&](std::string_view key, Message title, Message meaning, Column<Time> Compilations::*column) {
    table.add(integer_column(key, std::move(title), Unit::ns, {std::move(meaning), formula, kLog})
                  .with_unknown("the log does not state it"),
              [column](const Context& of, Row row) { return (of.profile.compilations.*column)[row]; });
  };
  add("total", "Compile time", "Time that compiling it took, of which the following columns are parts that overlap.",
      &Compilations::total);
  add("backend", "Backend", "Time in the backend, which gets the traced graph.", &Compilations::backend);
  add("autograd", "Autograd graphs", "Time that making the graphs of forward and backward pass took.", &Compilations::autograd);
  add("inductor", "Inductor", "Time in the compiler of graphs.", &Compilations::inductor);
  add("code", "Code generation", "Time that writing code took.", &Compilations::code);
  add("triton", "Triton", "Time that compiling Triton kernels took.", &Compilations::triton);
}

TableOf<Row, Context> compilation_table() {
  TableOf<Row, Context> table({.key = "compilations", .title = "Compilations", .sort_column = "total"});
  table.add(label_column("region", "Region", "Frame of Python, and the number of its compilation"),
            [](const Context& of, Row row) { return text_of(of, of.profile.compilations.region[row]); });
  const auto text = [&](ReportColumn column, Column<StringId> Compilations::*from) {
    table.add(std::move(column),
              [from](const Context& of, Row row) { return text_of(of, (of.profile.compilations.*from)[row]); });
  };
  text(code_column("function", "Function", "Function that was compiled"), &Compilations::function);
  text(text_column("reason", "Compiled again because", "Conditions of the code before it that did not hold, by the log")
           .with_unknown("the log has no reason: it is the first compilation of its frame, or the reason was not logged"),
       &Compilations::reason);
  add_calls(table);
  add_phases(table);
  const auto count = [&](std::string_view key, Message title, Message meaning, Message formula,
                         Column<std::int64_t> Compilations::*from) {
    table.add(integer_column(key, std::move(title), Unit::count, {std::move(meaning), std::move(formula), kLog}),
              [from](const Context& of, Row row) { return (of.profile.compilations.*from)[row]; });
  };
  count("operators", "Graph operators", "Operators of the graph that was compiled.", "number of operators",
        &Compilations::operators);
  count("guards", "Guards", "Conditions that are checked before its code is used.", "number of guards", &Compilations::guards);
  text(text_column("restarts", "Began again because", "Why tracing began again, such as graph breaks"), &Compilations::restarts);
  text(text_column("failure", "Failure", "Why compiling failed"), &Compilations::failure);
  text(code_column("place", "Source", "File and line of the function"), &Compilations::place);
  return table;
}

TableOf<Row, Context> artifact_table() {
  TableOf<Row, Context> table({.key = "artifacts", .title = "Files of the compiler"});
  table.add(label_column("name", "File", "Name of the file: a graph, its code, its guards, or a report"),
            [](const Context& of, Row row) { return text_of(of, of.profile.compile_artifacts.name[row]); });
  const auto compilation = [](const Context& of, Row row) { return of.profile.compile_artifacts.compilation[row]; };
  table.add(
      code_column("region", "Region", "Frame of Python, and the number of its compilation"),
      [compilation](const Context& of, Row row) { return text_of(of, of.profile.compilations.region[compilation(of, row)]); });
  table.add(code_column("function", "Function", "Function that was compiled"), [compilation](const Context& of, Row row) {
    return text_of(of, of.profile.compilations.function[compilation(of, row)]);
  });
  table.add(code_column("path", "Path", "Path of the file, to open it in an editor"),
            [](const Context& of, Row row) { return text_of(of, of.profile.compile_artifacts.path[row]); });
  return table;
}

void add_table(ReportTable table, Report& report) {
  if (table.rows() == 0) return;
  hide_unknown_columns(table);
  report.panels.push_back({.id = table.key, .title = table.title, .content = PlainTable{table.key}});
  report.tables.push_back(std::move(table));
}

}  // namespace

void add_compilations(const Profile& profile, const std::map<std::string_view, RegionCalls>& regions, Report& report) {
  const Context context{profile, regions};
  add_table(compilation_table().of(context, all_rows(profile.compilations.rows())), report);
  add_table(artifact_table().of(context, all_rows(profile.compile_artifacts.rows())), report);
}

std::vector<ReportTable> compilation_tables() { return {compilation_table().blank(), artifact_table().blank()}; }

}  // namespace sightline::analyses
