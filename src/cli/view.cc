// sightline view: serves the page and its API until Ctrl-C. The address is printed at once; files load in the background. With
// --ingest-only or --output-format it reads and writes profiles instead.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "agent/agent.h"
#include "analyses/view_tables.h"
#include "base/memory.h"
#include "base/remote/remote_file.h"
#include "cli/command.h"
#include "cli/export.h"
#include "cli/sessions.h"
#include "engine/capture.h"
#include "engine/engine.h"
#include "server/capture_service.h"
#include "server/http_server.h"
#include "server/open_service.h"
#include "server/running_servers.h"
#include "store/file_io.h"
#include "store/profile_cache.h"

namespace sightline::cli {

namespace {

// ---- output instead of serving: --ingest-only and --output-format ----

struct OutputChoice {
  bool ingest_only = false;
  std::string format;  // empty: the page is served
  std::string file;
  DatabaseChoice database;

  bool serves() const { return !ingest_only && format.empty(); }
};

struct Format {
  std::string_view name, exported, file;
};

// The last: the default file; empty: stdout.
constexpr Format kFormats[] = {{"summary-text", "summary-text", ""}, {"summary-json", "summary-json", ""},
                               {"json", "json", "ntff.json"},        {"perfetto", "perfetto", "ntff.pftrace"},
                               {"parquet", "parquet", ""},           {"db", "", ""}};

const Format& format_called(std::string_view name) {
  return *std::find_if(std::begin(kFormats), std::end(kFormats), [&](const Format& format) { return format.name == name; });
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  return names;
}

std::vector<ProfileSelector> ready_profiles(const Catalogue& catalogue, bool& all) {
  std::vector<ProfileSelector> ready;
  for (const CaptureState& capture : catalogue.state()) {
    if (capture.error) complain(capture.error->to_string());
    all = all && capture.status == LoadStatus::ready;
    if (capture.status == LoadStatus::ready) ready.push_back({capture.run, capture.worker, capture.span});
  }
  return ready;
}

// Each of several profiles has its own file: ntff.json becomes ntff-WORKER.json.
std::string file_of(const std::string& wanted, const ProfileSelector& profile, bool several) {
  if (wanted.empty() || !several) return wanted;
  std::string name = profile.worker + (profile.span == "default" ? "" : "-" + profile.span);
  std::replace(name.begin(), name.end(), '/', '_');
  const std::filesystem::path path = wanted;
  return (path.parent_path() / (path.stem().string() + "-" + name + path.extension().string())).string();
}

int write_profile(const Engine& engine, const OutputChoice& choice, const ProfileSelector& profile, bool several) {
  const Format& format = format_called(choice.format);
  ExportOptions options;
  options.selector = profile;
  options.format = format.exported;
  options.output = file_of(choice.file.empty() ? std::string(format.file) : choice.file, profile, several);
  if (is_folder_format(options.format) && options.output.empty()) {
    const Result<std::string> name = engine.answers().name_of(profile);
    if (!name) return fail(name.error());
    options.output = *name;
  }
  const int done = write_export(engine, options);
  return done != kDone || options.output.empty() ? done : write_out("written: " + options.output + "\n");
}

// A summary of several profiles is one answer.
int write_in_format(const Engine& engine, const OutputChoice& choice, const std::vector<ProfileSelector>& profiles) {
  if (choice.format.starts_with("summary-")) {
    ExportOptions options;
    options.format = choice.format;
    options.output = choice.file;
    options.all = true;
    return write_export(engine, options);
  }
  for (const ProfileSelector& profile : profiles) {
    const int done = write_profile(engine, choice, profile, profiles.size() > 1);
    if (done != kDone) return done;
  }
  return kDone;
}

int print_names(const Answers& answers, const std::vector<ProfileSelector>& profiles, const ProfileCache& cache) {
  const std::vector<std::string> kept = cache.keys();
  for (const ProfileSelector& profile : profiles) {
    const Result<std::string> key = answers.content_key(profile);
    if (!key) return fail(key.error());
    if (std::find(kept.begin(), kept.end(), *key) == kept.end()) {
      complain(profile.worker + ": not kept in the cache");
      return kFailed;
    }
    const int printed = write_out("Profile \"" + profile_name(*key) + "\" is ready to view\n");
    if (printed != kDone) return printed;
  }
  return kDone;
}

void add_output_options(CLI::App& command, OutputChoice& choice) {
  command.add_flag("--ingest-only", choice.ingest_only, "Read into the cache, print the name of each profile, and do not serve");
  command
      .add_option("--output-format", choice.format,
                  "Write the profiles in this format and do not serve; db: points of an InfluxDB, see --db-endpoint")
      ->check(CLI::IsMember(format_names()));
  command.add_option(
      "--output-file", choice.file,
      "File to write (default: ntff.json, ntff.pftrace; for parquet a folder with the profile's name; for summaries stdout)");
  add_database_options(command, choice.database);
}

// Errors in the choice that can be found before anything is read.
Result<bool> check_output(const OutputChoice& choice) {
  const bool into_file = !choice.format.empty() && choice.format != "db";
  if (!choice.file.empty() && !into_file)
    return Error{ErrorCode::invalid_argument, "--output-file needs an --output-format that writes a file", ""};
  if (choice.database.any() || choice.format == "db") {
    if (const Result<bool> sound = check_database(choice.database); !sound) return sound;
  }
  if (!into_file) return true;
  const Format& format = format_called(choice.format);
  return check_place(choice.file.empty() ? std::string(format.file) : choice.file, std::string(format.exported));
}

// Writes every profile in the chosen format, or its points to the
// chosen database; then, with --ingest-only, prints the name of each in
// the cache. REQUIRES: the engine has read all. Returns the exit code.
int write_outputs(const Engine& engine, const OutputChoice& choice, const ProfileCache* cache) {
  bool all = true;
  const std::vector<ProfileSelector> profiles = ready_profiles(engine.catalogue(), all);
  if (profiles.empty()) return kFailed;
  int done = kDone;
  if (choice.database.any() || choice.format == "db") done = write_to_database(engine.answers(), profiles, choice.database);
  if (done == kDone && !choice.format.empty() && choice.format != "db") done = write_in_format(engine, choice, profiles);
  if (done == kDone && choice.ingest_only && cache != nullptr) done = print_names(engine.answers(), profiles, *cache);
  return done == kDone && !all ? kFailed : done;
}

// ---- the command ----

constexpr std::chrono::milliseconds kEndWithin{500};

struct ViewOptions {
  std::vector<std::string> paths;
  SessionChoice sessions;
  OutputChoice output;
  bool force = false;
  bool terminology = false;
  std::string host = "127.0.0.1";
  int port = 3001;
  std::string token;
  bool no_token = false;
  bool open = false;
  double watch = 2;
  bool no_watch = false;
  bool wait = false;
  bool no_capture = false;
  bool no_add = false;
  std::int64_t upload_limit = -1;  // bytes; -1: by the free space
  std::string port_file;
  bool die_with_stdin = false;
  unsigned threads = 0;
  CacheChoice cache;
  std::int64_t memory = 0;
  CostTexts costs;
  std::string views;
};

void wait_for_end() {
  const sigset_t signals = end_signals();
  int signal = 0;
  sigwait(&signals, &signal);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // a second Ctrl-C ends at once
}

// `token`: empty for an address without one; `place`: of a profile, or empty.
std::string address_of(const ViewOptions& options, int port, const std::string& token, const std::string& place = "") {
  const bool v6 = options.host.find(':') != std::string::npos;
  std::string host = v6 ? "[" + options.host + "]" : options.host;
  if (options.host == "0.0.0.0" || options.host == "::") host = machine_name();
  const std::string last = token.empty() ? "" : (place.empty() ? "?token=" : "&token=") + token;
  return "http://" + host + ":" + std::to_string(port) + "/" + place + last;
}

// Opens the desktop's browser, without a shell and without waiting for it.
void open_browser(const std::string& address) {
  const pid_t child = fork();
  if (child == 0) {
    const sigset_t signals = end_signals();
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
    if (fork() == 0) execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
    _exit(0);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

// Ends the program when the program that started it has ended: then the other end of the pipe is closed.
void end_with_stdin() {
  std::thread([] {
    char ignored[256];
    ssize_t got = 0;
    do {
      got = read(STDIN_FILENO, ignored, sizeof ignored);
    } while (got > 0 || (got < 0 && errno == EINTR));
    kill(getpid(), SIGTERM);
  }).detach();
}

// Without a path: opens what was loaded before; a page without profiles offers ways to open one. Returns the exit code.
int add_profiles(Engine& engine, const ViewOptions& options, Sessions& sessions, const std::string& cache) {
  const Result<bool> added = sessions.add_to(engine, cache);
  if (!added) return fail(added.error());
  if (!options.paths.empty()) return add_paths(engine, options.paths) || options.wait ? kDone : kFailed;
  if (!options.sessions.any() && engine.add_cached() == 0 && !options.output.serves()) {
    complain("the cache has no profile: give a file or a directory");
    return kFailed;
  }
  for (const std::string& notice : engine.catalogue().notices()) complain(notice);
  return kDone;
}

// Where each profile that was named is shown, below the page's address.
std::vector<std::string> places_of(const Catalogue& catalogue) {
  std::vector<std::string> places;
  for (const CaptureState& capture : catalogue.state())
    places.push_back(place_query({capture.run, capture.worker, capture.span}));
  return places;
}

// The folder for recordings from the page: the first folder that is shown.
std::string captures_folder(const std::vector<std::string>& paths) {
  std::error_code failed;
  for (const std::string& path : paths) {
    if (std::filesystem::is_directory(path, failed)) return (std::filesystem::path(path) / "captures").string();
  }
  return "captures";
}

// Where servers store the files that their pages send: in the cache, so that all are of one disk; else with the temporary files.
std::string uploads_folder(const std::string& cache) {
  if (!cache.empty()) return cache + "/uploads";
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  return failed ? "" : (folder / ("sightline-uploads-" + std::to_string(geteuid()))).string();
}

// The paths that were given, with blanks between them.
std::string shown_paths(const ViewOptions& options) {
  std::string text;
  const auto add = [&](const std::string& path) { text += (text.empty() || path.empty() ? "" : " ") + path; };
  for (const std::string& path : options.paths) add(path);
  for (const std::string& file : options.sessions.files) add(file);
  add(options.sessions.folder);
  return text;
}

// `cache` may be null.
int serve(Engine& engine, const ViewOptions& options, Sessions& sessions, ProfileCache* kept) {
  const std::string cache = kept == nullptr ? "" : kept->folder();
  CaptureService captures(captures_folder(options.paths), [&engine](const std::string& folder) {
    const std::string run = "captures/" + std::filesystem::path(folder).filename().string();
    if (const Result<std::size_t> added = engine.add_path(folder, run); !added) complain(added.error().to_string());
    engine.start();
  });
  OpenService open(engine, {.folder = uploads_folder(cache), .limit_bytes = options.upload_limit}, !options.token.empty(), kept);
  Result<std::string> once = options.open && !options.token.empty() ? new_token() : std::string();
  if (!once) return fail(once.error());
  ServerEntry entry(cache);
  const Access access{.host = options.host,
                      .token = options.token,
                      .see_address = entry.possible() ? "sightline servers" : "",
                      .once = once->empty() ? nullptr : std::make_shared<OneTimeToken>(*once)};
  const agent::Agent tools(engine, {.all_shown = true, .may_open = !options.no_add && !options.token.empty()});
  HttpServer server(engine, access, {options.no_capture ? nullptr : &captures, options.no_add ? nullptr : &open, &tools});
  const Result<int> port = server.start(options.port);
  if (!port) return fail(port.error());
  if (options.port != 0 && *port != options.port) {
    complain("port " + std::to_string(options.port) + " is taken; using " + std::to_string(*port));
  }
  engine.start();
  if (!options.no_watch) engine.watcher().watch(std::chrono::milliseconds(static_cast<std::int64_t>(1e3 * options.watch)));
  const std::string address = address_of(options, *port, options.token);
  entry.publish(address, shown_paths(options));
  if (!options.port_file.empty()) {
    const Result<bool> written = replace_file(options.port_file, std::to_string(*port) + "\n", Durable::no);
    if (!written) return fail(written.error());
  }
  if (options.die_with_stdin) end_with_stdin();
  std::string lines = "Sightline is at " + address + " (Ctrl-C ends it)\n";
  const std::vector<std::string> places = options.sessions.any() ? places_of(engine.catalogue()) : std::vector<std::string>{};
  for (const std::string& place : places) lines += "View profile at " + address_of(options, *port, options.token, place) + "\n";
  if (write_out(lines) != kDone) return kFailed;
  if (options.open) open_browser(address_of(options, *port, *once, places.size() == 1 ? places.front() : ""));
  wait_for_end();
  give_up_remote();
  captures.end();
  open.end();
  if (!server.stop(kEndWithin)) {  // a client keeps its connection open; nothing is lost
    sessions.remove_temporary();
    entry.remove();
    std::_Exit(kDone);
  }
  return kDone;
}

int run_engine(const ViewOptions& options) {
  reuse_freed_memory();
  const std::unique_ptr<ProfileCache> cache = open_cache(options.cache);
  if (options.output.ingest_only && cache == nullptr)
    return fail({ErrorCode::invalid_argument, "--ingest-only without a cache does nothing", ""});
  const bool serves = options.output.serves();
  const std::optional<Views> views = load_views(options.views, serves);
  if (!views) return kFailed;
  const Result<CostChoice> costs = cost_choice(options.costs);
  if (!costs) return fail(costs.error());
  Engine engine({.threads = options.threads,
                 .timelines = serves || options.output.format == "perfetto",
                 .analyses = views->all,
                 .marker_folder = cache == nullptr ? "" : cache->folder() + "/markers",
                 .cache = cache.get(),
                 .costs = *costs,
                 .read_anew = options.force,
                 .keep = serves || options.output.ingest_only ? KeepRead::all : KeepRead::slow,
                 .say = complain,
                 .memory = options.memory});
  Sessions sessions(options.sessions);
  const std::string folder = cache == nullptr ? "" : cache->folder();
  const int added = add_profiles(engine, options, sessions, folder);
  if (added != kDone) return added;
  if (serves && !options.output.database.any()) return serve(engine, options, sessions, cache.get());
  engine.start();
  wait_until_read(engine);
  sessions.report_unread_programs(engine.catalogue(), engine.answers());
  warn_of_problems(engine.catalogue());
  if (options.output.ingest_only) engine.loader().finish_writing();
  const int written = write_outputs(engine, options.output, cache.get());
  engine.loader().finish_writing();
  return serves && written == kDone ? serve(engine, options, sessions, cache.get()) : written;
}

// A token is in an address and in a cookie as it is.
std::string token_misfit(const std::string& token) {
  const bool plain = !token.empty() && std::all_of(token.begin(), token.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '~';
  });
  return plain ? "" : "a token is made of letters, digits and - _ . ~";
}

// Without --token a random one is made, unless --no-token is given, which is for loopback only.
Result<bool> choose_token(ViewOptions& options) {
  if (!options.token.empty() || !options.output.serves()) return true;
  if (!options.no_token) {
    Result<std::string> made = new_token();
    if (!made) return made.error();
    options.token = *std::move(made);
    return true;
  }
  if (!is_loopback(options.host)) {
    return Error{ErrorCode::invalid_argument,
                 say("--no-token is for loopback only: users of other machines can reach {}", options.host), ""};
  }
  complain(std::string("--no-token: any user of this machine can read these profiles") +
           (options.no_capture ? "" : ", see the command lines of your processes, and record them") +
           (options.no_add ? "" : "; it can also send files to this server"));
  return true;
}

int run_view(ViewOptions options) {
  if (options.terminology) return write_out(metrics_markdown());
  const Result<bool> sound = check_output(options.output);
  if (!sound) return fail(sound.error());
  const Result<bool> writable = check_place(options.port_file, "");
  if (!writable) return fail(writable.error());
  const Result<bool> chosen = choose_token(options);
  if (!chosen) return fail(chosen.error());
  block_end_signals();
  return run_engine(options);
}

}  // namespace

int view_in_browser(const std::vector<std::string>& paths) {
  ViewOptions options;
  options.paths = paths;
  options.open = true;
  return run_view(options);
}

void add_view_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("view", "Show profiles in a browser");
  auto options = std::make_shared<ViewOptions>();
  command->add_option("PATH", options->paths,
                      "Profiles: files, or directories to search; also in clouds (default: all in the cache)");
  command->add_option("--port", options->port, "Port; if it is taken, the next free one; 0: any free port")
      ->check(CLI::Range(0, 65'535))
      ->capture_default_str();
  command->add_option("--host", options->host, "Address to listen on")->capture_default_str();
  CLI::Option* token = command
                           ->add_option("--token", options->token,
                                        "Secret that every request must carry; it is part of the address (default: random)")
                           ->envname("SIGHTLINE_TOKEN")
                           ->check(CLI::Validator(token_misfit, "TEXT"));
  command
      ->add_flag("--no-token", options->no_token,
                 "Require no token, on loopback only: then any user of this machine can read the profiles, see the command lines "
                 "of your processes, and record them")
      ->excludes(token);
  add_session_options(*command, options->sessions);
  add_output_options(*command, options->output);
  add_views_option(*command, options->views);
  command->add_flag("--force", options->force, "Read cached files again");
  command->add_flag("--terminology", options->terminology, "Document every metric, as `metrics` does");
  add_cache_options(*command, options->cache);
  add_memory_option(*command, options->memory);
  add_cost_options(*command, options->costs);
  command->add_flag("--open", options->open, "Open the page in the browser");
  command->add_option("--watch", options->watch, "Seconds between two checks for new and changed files")
      ->check(CLI::Range(0.1, 86'400.0))
      ->capture_default_str();
  command->add_flag("--no-watch", options->no_watch, "Do not check for new files");
  command->add_flag("--wait", options->wait, "Serve even if no profile is found yet")->excludes("--no-watch");
  command->add_flag("--no-capture", options->no_capture, "Do not allow recording from the page");
  command->add_flag("--no-add", options->no_add, "Do not open further profiles from the page");
  command
      ->add_option_function<std::string>(
          "--upload-limit", [options](const std::string& text) { options->upload_limit = parse_size(text).value_or(0); },
          "Most bytes of files that the page sends, kept until the server ends: N, or with K, M, G, T; 0: none (default: half of "
          "the free space of the cache's disk)")
      ->type_name("SIZE")
      ->check(CLI::Validator([](const std::string& text) { return parse_size(text) ? "" : "not a size such as 20G: " + text; },
                             "", "size"));
  command->add_option("--port-file", options->port_file, "Write the port into this file once the server answers");
  command->add_flag("--die-with-stdin", options->die_with_stdin, "End when stdin closes, for programs that start Sightline");
  add_threads_option(*command, options->threads);
  command->callback([&run, options] { run = [options] { return run_view(*options); }; });
}

}  // namespace sightline::cli
