// Choosing profiles, and the list of tools.
#include "agent/agent.h"

#include <fmt/core.h>

#include <algorithm>

#include "agent/answer.h"
#include "base/remote/remote_path.h"
#include "engine/guarded.h"

namespace sightline::agent {

namespace {

constexpr Failing kAnswering{"not enough memory for this answer", "answering failed: {}"};
constexpr std::size_t kMostNamed = 8;

bool matches(const std::string& wanted, const std::string& name) { return wanted.empty() || wanted == name; }

bool is_below(const std::string& path, const std::string& folder) {
  return path == folder || (path.starts_with(folder.ends_with('/') ? folder : folder + "/") && path.find("..") == path.npos);
}

Error no_profile(const std::vector<CapturePtr>& captures) {
  std::string names;
  for (std::size_t i = 0; i < std::min(captures.size(), kMostNamed); ++i) {
    const ProfileSelector name = captures[i]->name();
    names += fmt::format("{}run={} worker={} span={}", i == 0 ? "" : "; ", name.run, name.worker, name.span);
  }
  if (captures.size() > kMostNamed) names += fmt::format("; and {} more", captures.size() - kMostNamed);
  return {ErrorCode::not_found, Message::verbatim("no such profile; there are: " + names), ""};
}

}  // namespace

Result<std::vector<CapturePtr>> Agent::captures(const std::string& path) const {
  if (!path.empty() && !options_.may_open)
    return Error{ErrorCode::invalid_argument, Message::verbatim("this server opens no other paths: leave out 'path'"), ""};
  const auto holds = [&](const std::string& own) { return is_below(path, own); };
  if (is_remote(path) && !options_.may_reach && std::none_of(options_.paths.begin(), options_.paths.end(), holds))
    return Error{ErrorCode::invalid_argument,
                 Message::verbatim("addresses are off: this server opens only those it was started with, and files below them "
                                   "(--allow-addresses allows others)"),
                 ""};
  if (path.empty() && options_.all_shown) {
    engine_.loader().wait();
    return engine_.catalogue().all();
  }
  const std::vector<std::string> paths = path.empty() ? options_.paths : std::vector{path};
  if (paths.empty())
    return Error{ErrorCode::invalid_argument, Message::verbatim("argument 'path' is missing: a file or folder of profiles"), ""};
  std::vector<CapturePtr> all;
  for (const std::string& each : paths) {
    const Result<std::vector<CapturePtr>> found = engine_.open_path(each);
    if (!found) return found.error();
    for (const CapturePtr& capture : *found) {
      if (std::find(all.begin(), all.end(), capture) == all.end()) all.push_back(capture);
    }
  }
  engine_.loader().wait();
  return all;
}

Result<Agent::Chosen> Agent::choose(const Arguments& arguments, const std::string& prefix) const {
  const auto given = [&](const char* name) { return arguments.text(prefix + name); };
  const Result<std::vector<CapturePtr>> all = captures(given("path"));
  if (!all) return all.error();
  Chosen chosen;
  for (const CapturePtr& capture : *all) {
    const ProfileSelector name = capture->name();
    if (!matches(given("run"), name.run) || !matches(given("worker"), name.worker) || !matches(given("span"), name.span))
      continue;
    if (chosen.matching++ == 0) chosen = {capture, name, 1};
  }
  if (chosen.matching == 0) return no_profile(*all);
  if (const std::optional<Error> not_ready = chosen.capture->not_ready()) return *not_ready;
  return chosen;
}

std::string Agent::link(const ProfileSelector& profile, std::string_view view) const {
  if (options_.address.empty()) return "";
  return options_.address + place_query(profile) + "&view=" + query_escaped(view);
}

std::span<const Tool> tools() {
  static const std::vector<Tool> all{open_tool(),    diagnose_tool(), view_tool(),    query_tool(),
                                     compare_tool(), window_tool(),   what_if_tool(), capture_tool()};
  return all;
}

const Tool* find_tool(std::string_view name) {
  const std::span<const Tool> all = tools();
  const auto at = std::find_if(all.begin(), all.end(), [&](const Tool& tool) { return tool.name == name; });
  return at == all.end() ? nullptr : &*at;
}

bool is_allowed(const Tool& tool, const AgentOptions& options) { return !tool.records || options.may_capture; }

Result<std::string> run_tool(const Agent& agent, const Tool& tool, const Call& call) {
  return guarded(kAnswering, "", [&]() -> Result<std::string> { return tool.answer(agent, call); });
}

std::vector<Input> with_profile(std::vector<Input> own) {
  const std::vector<Input> all{
      {"path", InputType::text, "File or folder of profiles; default: those the server was started with"},
      {"run", InputType::text, "Run, as open lists it; default: the first"},
      {"worker", InputType::text, "Worker; default: the first"},
      {"span", InputType::text, "Span; default: the first"}};
  own.insert(own.end(), all.begin(), all.end());
  return own;
}

void write_profile(JsonWriter& json, std::string_view key, const Agent::Chosen& chosen) {
  json.key(key).begin_object();
  json.member("run", quoted_name(chosen.name.run)).member("worker", quoted_name(chosen.name.worker));
  json.member("span", quoted_name(chosen.name.span));
  if (chosen.matching > 1) json.member("of", static_cast<std::int64_t>(chosen.matching));
  json.end_object();
}

}  // namespace sightline::agent
