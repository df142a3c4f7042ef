// sightline views, metrics, tables and types: documents of the program's views, metrics and tables, as text and markdown, and
// what the server sends, as TypeScript.
#include "analyses/view_tables.h"
#include "cli/command.h"
#include "model/shared_tables.h"
#include "output/wire.h"

namespace sightline::cli {

namespace {

std::string choices_of(const Parameter& parameter) {
  if (parameter.type == ParameterType::flag) return "true|false";
  if (parameter.type == ParameterType::integer) return "number";
  if (parameter.type == ParameterType::time) return "ns";
  if (parameter.type == ParameterType::text) return "text";  // its choices are examples
  std::string text;
  for (const ParameterChoice& choice : parameter.choices) text.append(text.empty() ? "" : "|").append(choice.value);
  return text.empty() ? "text" : text;
}

void append_view(std::string& out, const Analysis& view) {
  out.append(view.id).append("\n  ").append(view.title);
  if (view.group != ViewGroup::none) out.append(" (").append(group_title(view.group)).append(")");
  out.append(". ").append(view.doc).append("\n");
  for (const Parameter& parameter : view.parameters) {
    out += "    --param " + parameter.key + "=" + choices_of(parameter);
    if (!parameter.value.empty()) out += " (default " + parameter.value + ")";
    out += "  " + (parameter.doc.empty() ? parameter.title : parameter.doc) + "\n";
  }
}

int run_views(const std::string& folder) {
  const std::optional<Views> views = load_views(folder, true);
  if (!views) return kFailed;
  std::string out;
  for (const Analysis& view : views->all) append_view(out, view);
  return write_out(out);
}

}  // namespace

void add_views_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("views", "List the views and their parameters");
  auto folder = std::make_shared<std::string>();
  add_views_option(*command, *folder);
  command->callback([&run, folder] { run = [folder] { return run_views(*folder); }; });
}

void add_metrics_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("metrics", "Document every metric, in markdown");
  command->callback([&run] { run = [] { return write_out(metrics_markdown()); }; });
}

void add_tables_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("tables", "Document every table and column of a profile, in markdown");
  command->callback([&run] { run = [] { return write_out(tables_markdown()); }; });
}

void add_types_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("types", "Declare what the server sends, in TypeScript");
  command->callback([&run] { run = [] { return write_out(wire_types()); }; });
}

}  // namespace sightline::cli
