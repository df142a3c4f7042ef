// Agent: the tools that a program, such as a language model, uses to find out why a run is slow. Each is a thin call of the
// engine: it names profiles, asks a view or a query, and writes the answer as JSON that is short, says what it left out, and
// gives every number its unit and the row that it comes from. No tool computes a metric. Thread-safe as far as the engine is.
//
// Names in a recording are untrusted: their author may address the reader. Answers quote them as data, and name the columns
// and members that hold them ("untrusted").
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/arguments.h"
#include "base/result.h"
#include "engine/engine.h"

namespace sightline::agent {

struct AgentOptions {
  std::vector<std::string> paths = {};  // that calls without a path are about
  std::string address = {};             // of a running page, for links; empty: none
  bool all_shown = false;               // calls without a path are about all profiles of the catalogue instead
  bool may_open = true;                 // calls may name other paths
  bool may_reach = false;               // calls may name addresses in a cloud that are not below `paths`
  bool may_capture = false;             // calls may record processes
};

// One call of a tool.
struct Call {
  const Arguments& arguments;
  std::function<bool()> stop;  // whether the caller has given up; may be empty
};

class Agent {
 public:
  // The engine outlives this.
  Agent(Engine& engine, AgentOptions options) : engine_(engine), options_(std::move(options)) {}

  // The captures of the path that a call gives, or else of the agent's paths; read, as far as they can be.
  Result<std::vector<CapturePtr>> captures(const std::string& path) const;

  // A capture that a call selects by "path", "run", "worker" and "span", with `prefix` before these names; the first that
  // matches.
  struct Chosen {
    CapturePtr capture;
    ProfileSelector name;
    std::size_t matching = 0;
  };
  Result<Chosen> choose(const Arguments& arguments, const std::string& prefix = "") const;

  // The page's address of a view of a profile; empty when no page is known.
  std::string link(const ProfileSelector& profile, std::string_view view) const;

  Engine& engine() const { return engine_; }
  const AgentOptions& options() const { return options_; }

 private:
  Engine& engine_;
  const AgentOptions options_;
};

struct Output {
  std::string_view name, type, doc;
  bool always = true;
};

struct Tool {
  std::string_view name, title, doc;
  std::vector<Input> inputs;
  std::vector<Output> outputs;                               // members of the answer, an object
  Result<std::string> (*answer)(const Agent&, const Call&);  // at most kMostBytes of JSON
  bool records = false;                                      // it needs AgentOptions::may_capture
};

// In the order in which they are listed.
std::span<const Tool> tools();

// Null when there is none of that name.
const Tool* find_tool(std::string_view name);

bool is_allowed(const Tool& tool, const AgentOptions& options);

// Runs a tool, whatever the standard library throws.
Result<std::string> run_tool(const Agent& agent, const Tool& tool, const Call& call);

// The tools one by one.
Tool open_tool();
Tool diagnose_tool();
Tool view_tool();
Tool query_tool();
Tool compare_tool();
Tool window_tool();
Tool what_if_tool();
Tool capture_tool();

// Null when the engine has no view of that id.
const Analysis* find_view(const Engine& engine, std::string_view id);

// The inputs that select a profile, which all tools have.
std::vector<Input> with_profile(std::vector<Input> own);

// Which profile an answer is about, and "of" how many that match, if there are several.
void write_profile(JsonWriter& json, std::string_view key, const Agent::Chosen& chosen);

}  // namespace sightline::agent
