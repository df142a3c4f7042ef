// sightline mcp and agent: the tools for agents, over the Model Context Protocol on stdin and stdout, and one at a time in a
// shell.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "agent/mcp.h"
#include "cli/command.h"
#include "store/profile_cache.h"

namespace sightline::cli {

namespace {

constexpr std::chrono::milliseconds kWatchEvery{2000};

struct AgentChoice {
  std::vector<std::string> arguments;  // mcp: paths; agent: key=value and paths
  std::string tool;
  std::string json;
  std::string server;
  std::string views;
  bool allow_addresses = false;
  bool allow_capture = false;
  unsigned threads = 0;
  CacheChoice cache;
  CostTexts costs;
  std::int64_t memory = 0;
};

// An engine with an agent that answers about these paths.
struct Desk {
  std::optional<Views> views;
  std::unique_ptr<ProfileCache> cache;
  std::optional<Engine> engine;
  std::optional<agent::Agent> tools;

  // The exit code, if this fails.
  std::optional<int> open(const AgentChoice& choice, std::vector<std::string> paths) {
    views = load_views(choice.views, false);
    if (!views) return kFailed;
    cache = open_cache(choice.cache);
    const Result<CostChoice> costs = cost_choice(choice.costs);
    if (!costs) return fail(costs.error());
    engine.emplace(EngineOptions{.threads = choice.threads,
                                 .analyses = views->all,
                                 .cache = cache.get(),
                                 .costs = *costs,
                                 .keep = KeepRead::slow,
                                 .say = complain,
                                 .memory = choice.memory});
    std::string address = choice.server;
    if (!address.empty() && address.back() != '/') address += '/';
    tools.emplace(*engine, agent::AgentOptions{.paths = std::move(paths),
                                               .address = std::move(address),
                                               .may_reach = choice.allow_addresses,
                                               .may_capture = choice.allow_capture});
    return std::nullopt;
  }
};

// ---- mcp ----

// Calls take(line) for each line of stdin, without its end; of a line that is longer than any message, its beginning.
template <typename Take>
void each_line(const Take& take) {
  std::string line;
  char buffer[65536];
  while (true) {
    const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    for (const char c : std::string_view(buffer, static_cast<std::size_t>(got))) {
      if (c == '\n') {
        if (line.find_first_not_of(" \t\r") != line.npos) take(line);
        line.clear();
      } else if (line.size() <= agent::kMostMessageBytes) {
        line += c;
      }
    }
  }
  if (line.find_first_not_of(" \t\r") != line.npos) take(line);
}

int run_mcp(const AgentChoice& choice) {
  Desk desk;
  if (const std::optional<int> failed = desk.open(choice, choice.arguments)) return *failed;
  desk.engine->start();
  desk.engine->watcher().watch(kWatchEvery);
  agent::McpSession session(*desk.tools, [](const std::string& message) { (void)write_out(message + "\n"); });
  each_line([&](const std::string& line) { session.receive(line); });
  session.finish();
  desk.engine->loader().finish_writing();
  return kDone;
}

// ---- agent ----

using Pairs = std::vector<std::pair<std::string, std::string>>;

// key=value of a declared input, or else a path.
void sort_arguments(const agent::Tool& tool, const std::vector<std::string>& arguments, Pairs& given,
                    std::vector<std::string>& paths) {
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const std::string key = argument.substr(0, equals);
    const std::string_view input = std::string_view(key).substr(0, key.find('.'));
    const bool is_input = equals != argument.npos && std::any_of(tool.inputs.begin(), tool.inputs.end(),
                                                                 [&](const agent::Input& each) { return each.name == input; });
    if (is_input) {
      given.emplace_back(key, argument.substr(equals + 1));
    } else {
      paths.push_back(argument);
    }
  }
}

Result<agent::Arguments> bind_json(const agent::Tool& tool, const std::string& text) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(text).get(root) != simdjson::SUCCESS)
    return Error{ErrorCode::invalid_argument, "--json takes an object of arguments", ""};
  return agent::Arguments::bind(tool.inputs, root);
}

int run_agent(const AgentChoice& choice) {
  const agent::Tool* const tool = agent::find_tool(choice.tool);
  Pairs given;
  std::vector<std::string> paths;
  sort_arguments(*tool, choice.arguments, given, paths);
  if (!choice.json.empty() && !given.empty())
    return fail({ErrorCode::invalid_argument, "give the arguments as --json or as key=value, not both", ""});
  const Result<agent::Arguments> arguments =
      choice.json.empty() ? agent::Arguments::bind(tool->inputs, given) : bind_json(*tool, choice.json);
  if (!arguments) return fail(arguments.error());
  if (tool->records && !choice.allow_capture)
    return fail({ErrorCode::invalid_argument, "recording is off: --allow-capture allows it", ""});
  Desk desk;
  if (const std::optional<int> failed = desk.open(choice, std::move(paths))) return *failed;
  const Result<std::string> answer = agent::run_tool(*desk.tools, *tool, {*arguments, {}});
  if (!answer) return fail(answer.error());
  const int written = write_out(*answer + "\n");
  desk.engine->loader().finish_writing();
  return written;
}

void add_shared_options(CLI::App& command, AgentChoice& choice) {
  command.add_option("--server", choice.server, "Address of a running sightline view, for links into its page");
  command.add_flag("--allow-addresses", choice.allow_addresses, "Let calls read any address in a cloud, with your credentials");
  command.add_flag("--allow-capture", choice.allow_capture, "Let the tool capture record running processes of this machine");
  add_views_option(command, choice.views);
  add_threads_option(command, choice.threads);
  add_cache_options(command, choice.cache);
  add_memory_option(command, choice.memory);
  add_cost_options(command, choice.costs);
}

}  // namespace

void add_mcp_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("mcp", "Serve tools for agents on stdin and stdout (Model Context Protocol)");
  auto choice = std::make_shared<AgentChoice>();
  command->add_option("PATH", choice->arguments, "Profiles that calls without a path are about: files or directories");
  add_shared_options(*command, *choice);
  command->callback([&run, choice] { run = [choice] { return run_mcp(*choice); }; });
}

void add_agent_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("agent", "Call one tool for agents and print its JSON");
  auto choice = std::make_shared<AgentChoice>();
  std::vector<std::string> names;
  for (const agent::Tool& tool : agent::tools()) names.emplace_back(tool.name);
  command->add_option("TOOL", choice->tool, "Which tool")->required()->check(CLI::IsMember(names));
  command->add_option("ARGUMENT", choice->arguments, "key=value, and profiles: files or directories");
  command->add_option("--json", choice->json, "All arguments as one JSON object, instead of key=value");
  add_shared_options(*command, *choice);
  command->callback([&run, choice] { run = [choice] { return run_agent(*choice); }; });
}

}  // namespace sightline::cli
