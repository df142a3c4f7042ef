// Types and functions that the subcommands share. A subcommand is a function
// add_..._command: it declares its options, and its callback sets `run` to
// the work of the subcommand. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 beyond a limit.
#pragma once

#include <CLI/CLI.hpp>
#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/sql_reports.h"
#include "output/report_format.h"

namespace sightline::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kExceeded = 3;  // a limit that the user set

using Run = std::function<int()>;

void add_view_command(CLI::App& app, Run& run);
void add_report_command(CLI::App& app, Run& run);
void add_what_if_command(CLI::App& app, Run& run);
void add_diff_command(CLI::App& app, Run& run);
void add_history_command(CLI::App& app, Run& run);
void add_views_command(CLI::App& app, Run& run);
void add_metrics_command(CLI::App& app, Run& run);
void add_info_command(CLI::App& app, Run& run);
void add_export_command(CLI::App& app, Run& run);
void add_query_command(CLI::App& app, Run& run);
void add_losses_command(CLI::App& app, Run& run);
void add_map_command(CLI::App& app, Run& run);
void add_fleet_command(CLI::App& app, Run& run);
void add_costs_command(CLI::App& app, Run& run);
void add_reproduce_command(CLI::App& app, Run& run);
void add_tables_command(CLI::App& app, Run& run);
void add_types_command(CLI::App& app, Run& run);
void add_ingest_command(CLI::App& app, Run& run);
void add_list_command(CLI::App& app, Run& run);
void add_remove_command(CLI::App& app, Run& run);
void add_servers_command(CLI::App& app, Run& run);
void add_capture_command(CLI::App& app, Run& run);
void add_mcp_command(CLI::App& app, Run& run);
void add_agent_command(CLI::App& app, Run& run);
void add_completion_command(CLI::App& app, Run& run);
void add_man_command(CLI::App& app, Run& run);

// The name that was probably meant by `word`; empty: none is near.
std::string nearest_name(const std::vector<std::string>& names, const std::string& word);

// Without a command: help for no argument, `view` for a path, and the nearest command for a typing error. Returns the exit code,
// or nothing when the arguments, which may now begin with `view`, are to be parsed.
std::optional<int> without_command(const CLI::App& app, std::vector<std::string>& arguments);

// A number of rows: none that is negative, which the library would take for a large one.
CLI::Range row_count();

// Options with the same words everywhere: --format, PATH..., --threads, and --run, --worker and --span.
void add_format_option(CLI::App& command, std::string& format);
void add_paths_option(CLI::App& command, std::vector<std::string>& paths);
void add_threads_option(CLI::App& command, unsigned& threads);
void add_selector_options(CLI::App& command, ProfileSelector& selector);

// --memory: EngineOptions::memory.
void add_memory_option(CLI::App& command, std::int64_t& bytes);

// --costs and --peak: EngineOptions::costs.
struct CostTexts {
  std::string formulas;            // path of a file
  std::vector<std::string> peaks;  // name=rate
};
void add_cost_options(CLI::App& command, CostTexts& texts);
Result<CostChoice> cost_choice(const CostTexts& texts);

// --views, and the views with those of its folder. `try_all`: see all_views; then each wrong file is a line on stderr. Without
// a
// value, an error was printed.
void add_views_option(CLI::App& command, std::string& folder);
std::optional<Views> load_views(const std::string& folder, bool try_all);

// --no-cache and --cache-size, and the cache they request.
struct CacheChoice {
  bool none = false;
  std::string size;  // empty: SIGHTLINE_CACHE_SIZE, else the cache's own choice
};
void add_cache_options(CLI::App& command, CacheChoice& choice);
std::unique_ptr<ProfileCache> open_cache(const CacheChoice& choice);  // null: --no-cache, or no folder for the cache

// What the commands that write a report have in common: its parameters, its form, and how profiles are read.
struct ReportChoice {
  std::vector<std::string> parameters;  // key=value
  std::string table;
  std::string format = "text";
  std::optional<std::size_t> rows;
  unsigned threads = 0;
  CacheChoice cache;
  CostTexts costs;
  std::int64_t memory = 0;
};
void add_report_options(CLI::App& command, ReportChoice& choice);
void add_output_options(CLI::App& command, ReportChoice& choice);  // all but --param

// key=value texts as parameters of a view.
Result<ParameterTexts> split_parameters(const std::vector<std::string>& texts);

// One line on stderr: "sightline: message".
void complain(std::string_view message);

// The signals that end the program: SIGINT, SIGTERM, SIGHUP.
sigset_t end_signals();

// Blocks them, so that only the thread that waits for them gets them. Call it before any other thread starts: all inherit it.
sigset_t block_end_signals();

// Complains and returns the exit code that fits.
int fail(const Error& error);

// Adds every path, and complains about paths that cannot be read. False when nothing can be loaded.
bool add_paths(Engine& engine, const std::vector<std::string>& paths);

// Whether the selector selects this profile; an empty member selects all.
bool selects(const ProfileSelector& selector, const CaptureState& capture);

// Prints on stderr which profile is used, when the selector did not decide it.
void print_profile_used(const Catalogue& catalogue, const ProfileSelector& selector);

// Waits until the engine has read what it was started for. On a terminal, stderr shows the progress of what takes more than a
// second (SIGHTLINE_PROGRESS_AFTER: other seconds).
enum class Reads { all, chosen };  // all profiles that were found, or those of Engine::queue_only
void wait_until_read(Engine& engine, Reads reads = Reads::all);

// A partial answer must not look complete: prints a line on stderr for each file that had problems.
void warn_of_problems(const Catalogue& catalogue);

// Serves files or folders and opens them in the browser, until Ctrl-C: sightline view PATH... --open.
int view_in_browser(const std::vector<std::string>& paths);

// Writes to stdout; a reader that went away (head) ends the output quietly. Returns the exit code.
int write_out(std::string_view text);

// The terminal's width (COLUMNS where it is set, 120 without a terminal), and whether it wants colour (NO_COLOR).
TextStyle terminal_style();

// Writes a report, or its one table, to stdout: as many rows as requested, else all of a single table. Returns the exit code.
int write_report(const Report& report, const std::string& format, const std::string& table,
                 std::optional<std::size_t> rows = std::nullopt);

}  // namespace sightline::cli
