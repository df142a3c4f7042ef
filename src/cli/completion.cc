// sightline completion and man: what shells and man pages need to know of the commands and options, read from their declarations;
// and what happens without a command.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "cli/command.h"
#include "engine/sql_reports.h"

namespace sightline::cli {

namespace {

// ---- the declarations ----

using Texts = std::vector<std::string>;

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->nonpositional(); });
}

bool takes_value(const CLI::Option& option) { return option.get_expected_max() != 0 && option.get_items_expected_max() != 0; }

// "--format", "-o": all names of an option, with dashes.
Texts names_of(const CLI::Option& option) {
  Texts names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// The values that an option allows, where it allows a few: CLI11 shows them as "TEXT:{text,json}".
Texts choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

// The values that shells complete: those that it allows; of a view, the views of this program that the command takes.
Texts values_of(const CLI::Option& option, const CLI::App& command) {
  if (!option.check_lname("view")) return choices_of(option);
  const bool compares = command.get_name() == "diff";
  Texts views;
  for (const Analysis& view : engine::built_in_views()) {
    if (!compares || view.scope() == Scope::pair) views.push_back(view.id);
  }
  return views;
}

std::string joined(const Texts& texts, std::string_view between = " ") {
  std::string out;
  for (const std::string& text : texts) out.append(out.empty() ? "" : between).append(text);
  return out;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

// ---- shells ----

// The words after `sightline COMMAND` that are no options: the commands below it, and the values of its argument.
Texts words_after(const CLI::App& command) {
  Texts words;
  for (const CLI::App* below : commands_of(command)) words.push_back(below->get_name());
  for (const CLI::Option* argument : command.get_options([](const CLI::Option* each) { return each->get_positional(); })) {
    const Texts values = values_of(*argument, command);
    words.insert(words.end(), values.begin(), values.end());
  }
  return words;
}

// The case for `sightline PATH`, where PATH is the names of a command and the commands above it; then those of the commands
// below.
void add_bash_cases(const CLI::App& command, const std::string& path, std::string& out) {
  Texts options;
  for (const CLI::Option* option : options_of(command)) {
    const Texts names = names_of(*option);
    options.insert(options.end(), names.begin(), names.end());
  }
  out += fmt::format("    '{}') words='{}' options='{}'\n      case $before in\n", path, joined(words_after(command)),
                     joined(options));
  for (const CLI::Option* option : options_of(command)) {
    if (!takes_value(*option)) continue;
    const Texts choices = values_of(*option, command);
    out += fmt::format("        {}) {} ;;\n", joined(names_of(*option), "|"),
                       choices.empty() ? "values=files" : "words='" + joined(choices) + "' values=words");
  }
  out += "      esac ;;\n";
  for (const CLI::App* below : commands_of(command)) add_bash_cases(*below, path + " " + below->get_name(), out);
}

std::string bash_completion(const CLI::App& app) {
  std::string commands;
  for (const CLI::App* command : commands_of(app)) {
    commands.append(commands.empty() ? "" : "|").append(command->get_name());
    for (const CLI::App* below : commands_of(*command))
      commands.append("|'" + command->get_name() + " " + below->get_name() + "'");
  }
  std::string out =
      "# bash completion of sightline, made by: sightline completion bash\n"
      "_sightline() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path='' words='' options='' values='' i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case \"${path:+$path }${COMP_WORDS[i]}\" in\n"
      "      " +
      commands +
      ") path=${path:+$path }${COMP_WORDS[i]} ;;\n"
      "      *) break ;;\n"
      "    esac\n"
      "  done\n"
      "  case $path in\n";
  add_bash_cases(app, "", out);
  out = replaced(out, "\n    ' ", "\n    '");  // the first name has nothing above it
  return out +
         "  esac\n"
         "  COMPREPLY=()\n"
         "  [[ -z $values && $word == -* ]] && words=$options\n"
         "  [[ $values != files ]] && COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  [[ $values != words && ${#COMPREPLY[@]} == 0 ]] && compopt -o default\n"
         "}\n"
         "complete -F _sightline sightline\n";
}

// A text between single quotes of a shell.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::string zsh_option(const CLI::Option& option, const CLI::App& command) {
  const std::string text = replaced(replaced(option.get_description(), "[", "("), "]", ")");
  const Texts choices = values_of(option, command);
  const std::string value = !takes_value(option) ? "" : ":value:" + (choices.empty() ? "_files" : "(" + joined(choices) + ")");
  std::string out;
  for (const std::string& name : names_of(option))
    out += " \\\n        " + quoted(name + "[" + replaced(text, ":", "\\:") + "]" + value);
  return out;
}

std::string zsh_case(const CLI::App& command, const std::string& pattern) {
  std::string out = "    " + pattern + ")\n      _arguments";
  for (const CLI::Option* option : options_of(command)) out += zsh_option(*option, command);
  const Texts words = words_after(command);
  return out + " \\\n        " + quoted(words.empty() ? "*:path:_files" : "*:what:(" + joined(words) + ")") + " ;;\n";
}

std::string zsh_completion(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : commands_of(app)) {
    commands += "    " + quoted(command->get_name() + ":" + replaced(command->get_description(), ":", "\\:")) + "\n";
    // The longer path first: the first case that matches is taken.
    for (const CLI::App* below : commands_of(*command))
      cases += zsh_case(*below, "'" + command->get_name() + " " + below->get_name() + "'");
    cases += zsh_case(*command, command->get_name() + "' '*|" + command->get_name());
  }
  return "#compdef sightline\n# zsh completion of sightline, made by: sightline completion zsh\n_sightline() {\n  local -a "
         "commands=(\n" +
         commands +
         "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    _files\n    return\n  fi\n"
         // A word of two counts once it is complete.
         "  local command=$words[2]\n  ((CURRENT > 3)) && command+=\" $words[3]\"\n  shift words\n  ((CURRENT--))\n"
         "  case $command in\n" +
         cases +
         "  esac\n}\n"
         // In a folder of functions the file is the function; sourced, it only defines it.
         "if [[ $funcstack[1] == _sightline ]]; then\n  _sightline \"$@\"\nelse\n  compdef _sightline sightline\nfi\n";
}

// The options of a command, where the condition `when` holds.
std::string fish_options(const CLI::App& command, const std::string& when) {
  std::string out;
  for (const CLI::Option* option : options_of(command)) {
    out += "complete -c sightline -n " + when;
    for (const std::string& each : option->get_snames()) out += " -s " + each;
    for (const std::string& each : option->get_lnames()) out += " -l " + each;
    const Texts choices = values_of(*option, command);
    if (takes_value(*option)) out += choices.empty() ? " -r" : " -x -a " + quoted(joined(choices));
    out += " -d " + quoted(option->get_description()) + "\n";
  }
  return out;
}

std::string fish_completion(const CLI::App& app) {
  std::string out = "# fish completion of sightline, made by: sightline completion fish\n";
  for (const CLI::App* command : commands_of(app)) {
    const std::string name = command->get_name();
    out += fmt::format("complete -c sightline -n __fish_use_subcommand -a {} -d {}\n", name, quoted(command->get_description()));
    const std::string seen = "__fish_seen_subcommand_from " + name;
    out += fish_options(*command, quoted(seen));
    if (commands_of(*command).empty() && !words_after(*command).empty())
      out += fmt::format("complete -c sightline -n {} -f -a {}\n", quoted(seen), quoted(joined(words_after(*command))));
    for (const CLI::App* below : commands_of(*command)) {
      out += fmt::format("complete -c sightline -n {} -a {} -d {}\n", quoted(seen), below->get_name(),
                         quoted(below->get_description()));
      out += fish_options(*below, quoted(seen + "; and __fish_seen_subcommand_from " + below->get_name()));
    }
  }
  return out;
}

// ---- man pages ----

// A text as roff shows it: backslashes, dashes, and no line that begins with a dot or a quote.
std::string roff(const std::string& text) {
  const std::string plain = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  return !plain.empty() && (plain.front() == '.' || plain.front() == '\'') ? "\\&" + plain : plain;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string option_heading(const CLI::Option& option) {
  if (!option.nonpositional()) return option.get_name(true);
  const Texts choices = choices_of(option);
  const std::string value = !takes_value(option) ? "" : choices.empty() ? " VALUE" : " " + joined(choices, "|");
  return joined(names_of(option), ", ") + value;
}

// The page of `sightline`, or of a command: `name` is "sightline view".
std::string man_page(const CLI::App& command, const std::string& name) {
  std::string out =
      fmt::format(".TH \"{}\" 1 \"\" \"Sightline {}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", upper(replaced(name, " ", "-")),
                  SIGHTLINE_VERSION, roff(replaced(name, " ", "-")), roff(command.get_description()));
  const std::vector<const CLI::App*> below = commands_of(command);
  out += ".B " + roff(name) + "\n" + (below.empty() ? "" : "COMMAND ") + "[OPTION]...";
  for (const CLI::Option* option : command.get_options([](const CLI::Option* each) { return each->get_positional(); }))
    out += " " + roff(option->get_name(true)) + (option->get_expected_max() > 1 ? "..." : "");
  out += "\n";
  if (!below.empty()) out += ".SH COMMANDS\n";
  for (const CLI::App* each : below) out += ".TP\n.B " + roff(each->get_name()) + "\n" + roff(each->get_description()) + "\n";
  out += ".SH OPTIONS\n";
  for (const CLI::Option* option : command.get_options()) {
    out += ".TP\n.B " + roff(option_heading(*option)) + "\n" + roff(option->get_description());
    out += (option->get_default_str().empty() ? "" : " (default: " + roff(option->get_default_str()) + ")") + "\n";
  }
  out += ".SH EXIT STATUS\n0 done; 1 failed; 2 wrong usage; 3 a limit of diff was exceeded.\n.SH SEE ALSO\n";
  return out + (name == "sightline" ? "sightline\\-view(1), sightline\\-report(1), sightline\\-diff(1)\n" : "sightline(1)\n");
}

int print_man_page(const CLI::App& app, const std::string& name) {
  if (name.empty()) return write_out(man_page(app, "sightline"));
  for (const CLI::App* command : commands_of(app)) {
    if (command->get_name() == name) return write_out(man_page(*command, "sightline " + name));
  }
  return fail({ErrorCode::invalid_argument, say("no command '{}'", name), ""});
}

// ---- without a command ----

// How many letters to insert, delete, replace or swap with their neighbour.
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::vector<std::size_t>> cost(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
  for (std::size_t i = 0; i <= from.size(); ++i) {
    for (std::size_t j = 0; j <= to.size(); ++j) {
      std::size_t& least = cost[i][j] = std::max(i, j);
      if (i == 0 || j == 0) continue;
      least = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) least = std::min(least, cost[i - 2][j - 2] + 1);
    }
  }
  return cost.back().back();
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

bool looks_like_path(const std::string& word) {
  std::error_code failed;
  return word.find_first_of("/.") != std::string::npos || std::filesystem::exists(word, failed);
}

}  // namespace

std::string nearest_name(const std::vector<std::string>& names, const std::string& word) {
  constexpr std::size_t kMostEdits = 2;
  std::string nearest;
  std::size_t least = std::min(kMostEdits, word.size() / 2) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = word.size() > 2 && name.starts_with(word) ? 0 : edits(word, name);
    if (distance < least) nearest = name, least = distance;
  }
  return nearest;
}

std::optional<int> without_command(const CLI::App& app, std::vector<std::string>& arguments) {
  if (arguments.empty()) return write_out(app.help());
  const std::string word = arguments.front();
  const std::vector<const CLI::App*> commands = commands_of(app);
  const bool known =
      std::any_of(commands.begin(), commands.end(), [&](const CLI::App* each) { return each->get_name() == word; });
  if (known || word.starts_with("-")) return std::nullopt;
  if (looks_like_path(word)) {
    arguments.insert(arguments.begin(), "view");
    return std::nullopt;
  }
  const std::string nearest = nearest_name(names_of(commands), word);
  complain("no command '" + word + "'" +
           (nearest.empty() ? " and no file of this name (see: sightline --help)" : ": did you mean " + nearest + "?"));
  return kUsage;
}

void add_completion_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("completion", "Print completion of the command line for a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&app, &run, shell] {
    run = [&app, shell] {
      return write_out(*shell == "bash" ? bash_completion(app) : *shell == "zsh" ? zsh_completion(app) : fish_completion(app));
    };
  });
}

void add_man_command(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("man", "Print the man page of the program or of a command");
  auto name = std::make_shared<std::string>();
  command->add_option("COMMAND", *name, "A command (default: the program)")->type_name_fn([&app] {
    return "TEXT:{" + joined(names_of(commands_of(app)), ",") + "}";
  });
  command->callback([&app, &run, name] { run = [&app, name] { return print_man_page(app, *name); }; });
}

}  // namespace sightline::cli
