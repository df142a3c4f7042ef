// sightline: the command line. Parses arguments and runs the chosen subcommand; docs/cli.md describes them all.
#include <execinfo.h>

#include <algorithm>
#include <exception>

#include "base/remote/remote_file.h"
#include "cli/command.h"
#include "sql/sql_files.h"

namespace {

// Help without the library's notation: "--rows N", "PATH...".
class Help : public CLI::Formatter {
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_items_expected_max() == 0) return "";
    const std::string type = option->get_type_name();
    const std::size_t choices = type.find('{');
    const bool number = type.starts_with("UINT") || type.starts_with("INT") || type.starts_with("FLOAT");
    std::string text = choices != std::string::npos ? type.substr(choices) : number ? "N" : "TEXT";
    if (!option->get_default_str().empty()) text += " (default: " + option->get_default_str() + ")";
    if (!option->get_envname().empty()) text += " (or the variable " + option->get_envname() + ")";
    return option->nonpositional() ? " " + text : "";
  }

  std::string make_option_usage(const CLI::Option* option) const override {
    const std::string name = make_option_name(option, true) + (option->get_expected_max() > 1 ? "..." : "");
    return option->get_required() ? name : "[" + name + "]";
  }
};

// CLI11's own messages, as one line of ours.
std::string usage_message(const CLI::App* app, const CLI::Error& error) {
  std::string command = "sightline";
  for (auto chosen = app->get_subcommands(); !chosen.empty(); chosen = chosen.front()->get_subcommands()) {
    command += " " + chosen.front()->get_name();
  }
  return "sightline: " + std::string(error.what()) + " (see: " + command + " --help)\n";
}

int run_command(int argc, char** argv) {
  using namespace sightline::cli;
  CLI::App app{"Shows where the time and memory of machine-learning accelerators go.", "sightline"};
  app.set_version_flag("--version", "sightline " SIGHTLINE_VERSION);
  app.require_subcommand(1);
  app.failure_message(usage_message);
  app.formatter(std::make_shared<Help>());  // the commands inherit it
  Run run;
  add_view_command(app, run);
  add_servers_command(app, run);
  add_report_command(app, run);
  add_what_if_command(app, run);
  add_diff_command(app, run);
  add_history_command(app, run);
  add_capture_command(app, run);
  add_info_command(app, run);
  add_export_command(app, run);
  add_ingest_command(app, run);
  add_list_command(app, run);
  add_remove_command(app, run);
  add_views_command(app, run);
  add_query_command(app, run);
  add_losses_command(app, run);
  add_map_command(app, run);
  add_fleet_command(app, run);
  add_costs_command(app, run);
  add_reproduce_command(app, run);
  add_mcp_command(app, run);
  add_agent_command(app, run);
  add_metrics_command(app, run);
  add_tables_command(app, run);
  add_types_command(app, run);
  add_completion_command(app, run);
  add_man_command(app, run);
  std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (const std::optional<int> done = without_command(app, arguments)) return *done;
    std::reverse(arguments.begin(), arguments.end());  // as the parser takes them
    app.parse(std::move(arguments));
    return run();
  } catch (const CLI::ParseError& stop) {  // --help and --version too
    return app.exit(stop) == 0 ? kDone : kUsage;
  } catch (const std::bad_alloc&) {
    complain("not enough memory");
  } catch (const std::exception& failure) {
    complain(failure.what());
  }
  return kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  void* frame = nullptr;
  ::backtrace(&frame, 1);  // makes glibc load what an exception needs to leave std::call_once: when there is no memory, it cannot
  const int done = run_command(argc, argv);
  sightline::sql::remove_local_copies();  // close_remote() may end the program at once
  sightline::base::close_remote(done);
  return done;
}
