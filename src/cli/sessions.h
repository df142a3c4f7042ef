// Sessions: profiles named one by one, with the compiled program that was recorded: -n, -s, -d and --display-name.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/private_folder.h"
#include "base/result.h"
#include "engine/engine.h"

namespace sightline::cli {

struct SessionChoice {
  std::string program;
  std::vector<std::string> files;  // one per worker
  std::string folder;
  std::string display_name;

  bool any() const { return !files.empty() || !folder.empty(); }
};

void add_session_options(CLI::App& command, SessionChoice& choice);

// Forgets how the recording that was read from `path` was linked with its program; nothing, if it was not. `cache`: its folder.
void remove_session(const std::string& cache, const std::string& path);
void remove_all_sessions(const std::string& cache);

// Adds the chosen files to an engine. A recording and its program
// are one capture when they are in one folder, so files that were
// named separately are linked into one folder: in the cache's
// folder, so the profile is found again, or without a cache in a
// temporary folder, which is removed with this object.
class Sessions {
 public:
  explicit Sessions(SessionChoice choice) : choice_(std::move(choice)) {}
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;

  // `cache`: the cache's folder, or empty. An Error when a file does not exist or cannot be read as a profile.
  Result<bool> add_to(Engine& engine, const std::string& cache);

  // For a program that ends without destroying this.
  void remove_temporary() { temporary_.reset(); }

  // Complains when the recordings were read without the program. REQUIRES: they have been read.
  void report_unread_programs(const Catalogue& catalogue, const Answers& answers) const;

 private:
  Result<std::string> link_of(const std::string& file, const std::string& cache);
  static Result<bool> add(Engine& engine, const std::string& path, const std::string& named, const std::string& run);

  SessionChoice choice_;
  std::optional<PrivateFolder> temporary_;
};

}  // namespace sightline::cli
