// A reader, analyses and a directory for tests: the "format" is text that starts with `fake`; the next word decides what
// happens: "fake ok 12" has 12 events, "fake bad" fails, "fake problem" has a problem, "fake wait" waits to be
// cancelled, "fake memory" runs out of it, "fake large 50" takes 50 MiB, "fake patient 15" takes 15 MiB and keeps them for a
// while, so that another file is read meanwhile.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "analyses/analysis.h"
#include "analyses/ranks/rank_summary.h"
#include "base/parallel.h"
#include "engine/engine_options.h"
#include "formats/read_context.h"

namespace sightline::engine {

inline Result<std::unique_ptr<Profile>> read_fake(ReadContext& context) {
  context.when_empty(Empty::kept);
  const std::string& path = context.path();
  const ReadOptions& options = context.options();
  std::ifstream file(path);
  std::string magic, what;
  std::int64_t events = 0;
  file >> magic >> what >> events;
  options.progress->stage = "reading";
  while (what == "wait" && !options.progress->cancelled) std::this_thread::yield();
  if (options.progress->cancelled) return Error{ErrorCode::cancelled, "cancelled", path};
  if (magic != "fake" || what == "bad") return Error{ErrorCode::malformed, "not fake enough", path + ":5"};
  if (what == "memory")
    parallel_for(100, 4, [](std::size_t i) {
      if (i == 7) throw std::bad_alloc();
    });
  if (what == "large" || what == "patient") {  // as many MiB as it has events, of which it looks at each
    std::vector<std::vector<char>> blocks;
    const std::int64_t wanted = events;
    for (events = 0; events < wanted && !options.progress->memory.reached(); ++events)
      blocks.emplace_back(std::size_t{1} << 20, 'x');
    if (what == "patient") std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  if (what == "throw") throw std::runtime_error("the library threw");
  auto profile = std::make_unique<Profile>();
  profile->events = events;
  if (what == "problem") profile->add_problem(Severity::warning, "torn", "the end is missing", 1, 5);
  return profile;
}

inline ProfileName name_fake(std::string_view file_name) {
  const std::string name(file_name.substr(0, file_name.rfind(".fake")));
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {name, ""};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

inline const std::array<Reader, 1>& fake_readers() {
  static const std::array<Reader, 1> readers{
      Reader{.id = "fake",
             .title = "Fake trace",
             .claims_file = [](std::string_view name) { return name.ends_with(".fake"); },
             .sniff_file = [](std::string_view, std::string_view head) { return head.starts_with("fake"); },
             .name_file = name_fake,
             .read_capture = read_fake,
             .claims_folder = [](const FolderEntries& folder) { return folder.name.ends_with("_set"); },
             .name_folder =
                 [](const std::string& path, const FolderEntries&) {
                   const std::string name = path.substr(path.rfind('/') + 1);
                   return ProfileName{name.substr(0, name.size() - 4), ""};
                 }}};
  return readers;
}

// A directory that is removed with all that is in it.
class TemporaryTree {
 public:
  TemporaryTree() {
    std::string name = (std::filesystem::temp_directory_path() / "sightline_XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~TemporaryTree() { std::filesystem::remove_all(root_); }

  std::string root() const { return root_.string(); }
  std::string path(const std::string& name) const { return (root_ / name).string(); }

  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  void link(const std::string& name, const std::string& target) {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::filesystem::create_symlink(target, root_ / name);
  }

 private:
  std::filesystem::path root_;
};

// Answers with the files it was given, so that tests see what was selected.
inline Result<Report> list_files(const AnalysisInput& input) {
  Report report{.view = "files", .title = "Files"};
  std::string scope;
  for (const ProfilePtr& profile : input.profiles) {
    scope += std::filesystem::path(profile->file).filename().string() + " ";
  }
  for (const RankSummaryPtr& rank : input.ranks) scope += rank->worker + " ";
  report.scope = scope + input.parameters.text("word");
  return report;
}

inline Analysis fake_analysis(std::string_view id, ViewGroup group) {
  Analysis analysis{};
  analysis.id = id;
  analysis.title = "Title";
  analysis.group = group;
  analysis.doc = "Doc.";
  analysis.parameters = {{.key = "word", .title = "Word", .type = ParameterType::text, .value = "default"}};
  analysis.run = list_files;
  return analysis;
}

inline std::span<const Analysis> fake_analyses() {
  static const std::vector<Analysis> all = [] {
    std::vector<Analysis> list{fake_analysis("one", ViewGroup::where_time_went), fake_analysis("all", ViewGroup::across_ranks),
                               fake_analysis("two", ViewGroup::compare), fake_analysis("hidden", ViewGroup::none),
                               fake_analysis("never", ViewGroup::memory)};
    list.back().unavailable = [](const Profile&) { return std::optional<Message>("recorded without it"); };
    return list;
  }();
  return all;
}

// Complete options, for a part that is tested without an engine.
inline EngineOptions fake_options() {
  EngineOptions options{.threads = 2, .readers = fake_readers(), .analyses = fake_analyses()};
  options.memory = options.reading_memory = std::int64_t{1} << 30;
  return options;
}

}  // namespace sightline::engine
