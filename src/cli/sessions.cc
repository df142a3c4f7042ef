// Linking recordings with their program, and naming their run.
#include "cli/sessions.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/remote/remote_path.h"
#include "cli/command.h"
#include "formats/reader.h"
#include "store/content_key.h"
#include "store/file_io.h"

namespace sightline::cli {

namespace {

namespace fs = std::filesystem;

Result<bool> link_into(const std::string& folder, const std::string& name, const std::string& file) {
  const fs::path link = fs::path(folder) / name;
  const fs::path made = unfinished_name(link.string());
  std::error_code failed;
  fs::create_symlink(fs::canonical(file, failed), made, failed);
  if (!failed) fs::rename(made, link, failed);
  if (failed) return Error{ErrorCode::unreadable, say("cannot be created: {}", failed.message()), link.string()};
  return true;
}

// The name of a file without the endings of its format and its compression.
fs::path stem_of(const std::string& file) {
  const fs::path name = fs::path(file).filename();
  return name.extension() == ".gz" ? name.stem().stem() : name.stem();
}

// The format whose recordings have a program in another file.
const Reader& format_with_program() {
  return *std::find_if(readers().begin(), readers().end(), [](const Reader& reader) { return !reader.program.name.empty(); });
}

std::string_view program_option() {
  const std::string_view names = format_with_program().program.option;
  return names.substr(names.find(',') + 1);
}

// Errors in the choice: no recording, or the two options are swapped, as when a pattern of the shell gives all files of a folder.
Result<bool> check_choice(const SessionChoice& choice) {
  const Reader& format = format_with_program();
  const auto wrong = [](TemplateMessage message, const std::string& file) {
    return Error{ErrorCode::invalid_argument, std::move(message), file};
  };
  if (!choice.program.empty() && choice.files.empty())
    return wrong(say("{} needs --session-file: a program alone has no recording of its execution", program_option()), "");
  if (fs::path(choice.program).extension() == format.endings.front())
    return wrong(say("this is a recording ({}), not a compiled program: use --session-file", format.program.recording),
                 choice.program);
  for (const std::string& file : choice.files) {
    if (fs::path(file).extension() == format.program.ending)
      return wrong(say("this is a compiled program ({}), not a recording: use {}", format.program.name, program_option()), file);
  }
  return true;
}

constexpr std::string_view kFolder = "sessions";  // of the cache: a folder for each recording and program, with links to both

}  // namespace

void remove_session(const std::string& cache, const std::string& path) {
  const fs::path all = fs::path(cache) / kFolder, inside = fs::path(path).lexically_relative(all);
  std::error_code ignored;
  if (!inside.empty() && *inside.begin() != ".." && *inside.begin() != ".") fs::remove_all(all / *inside.begin(), ignored);
}

void remove_all_sessions(const std::string& cache) {
  std::error_code ignored;
  fs::remove_all(fs::path(cache) / kFolder, ignored);
}

void add_session_options(CLI::App& command, SessionChoice& choice) {
  const Reader::Program& program = format_with_program().program;
  command.add_option(std::string(program.option), choice.program,
                     fmt::format("The compiled program ({}) of the recordings", program.name));
  command
      .add_option("-s,--session-file", choice.files,
                  fmt::format("A recording ({}); several recordings are the workers of one run", program.recording))
      ->type_size(1)
      ->allow_extra_args(false);
  command.add_option("-d,--session-dir", choice.folder, "A directory of recordings, like a PATH");
  command.add_option("--display-name", choice.display_name,
                     "Name of the run (default: name of the program file or of the folder)");
}

// Links the recording and the program into a new folder. Both
// links have the recording's name, so they belong together by
// name; the reader decides whether their contents belong together.
Result<std::string> Sessions::link_of(const std::string& file, const std::string& cache) {
  fs::path above = cache;
  if (cache.empty()) {
    if (!temporary_) {
      Result<PrivateFolder> made = PrivateFolder::make("session");
      if (!made) return made.error();
      temporary_.emplace(*std::move(made));
    }
    above = temporary_->path();
  }
  const std::string pair = absolute_path(choice_.program) + '\n' + absolute_path(file);
  const std::string folder = (above / kFolder / hex(checksum(pair)) / stem_of(file)).string();
  Result<bool> done = make_folder(folder);
  const fs::path name = fs::path(file).filename(), program = fs::path(choice_.program).extension();
  if (done) done = link_into(folder, stem_of(file).string() + program.string(), choice_.program);
  if (done) done = link_into(folder, name.string(), file);
  if (!done) return done.error();
  return (fs::path(folder) / name).string();
}

// An error is about the file that was named, not about the link to it.
Result<bool> Sessions::add(Engine& engine, const std::string& path, const std::string& named, const std::string& run) {
  const Result<std::size_t> added = engine.add_path(path, run);
  if (added) return true;
  Error error = added.error();
  if (path != named && error.where.starts_with(path)) error.where.replace(0, path.size(), named);
  return error;
}

Result<bool> Sessions::add_to(Engine& engine, const std::string& cache) {
  if (const Result<bool> sound = check_choice(choice_); !sound) return sound;
  const bool with_program = !choice_.program.empty();
  if (with_program && !is_remote(choice_.program)) {
    const Result<FileIdentity> there = find_identity(choice_.program);
    if (!there) return there.error();
  }
  std::string run = choice_.display_name;
  if (run.empty() && with_program) run = fs::path(choice_.program).stem().string();
  for (const std::string& file : choice_.files) {
    std::string path = file;
    if (with_program && !is_remote(choice_.program) && !is_remote(file)) {
      const Result<FileIdentity> there = find_identity(file);
      if (!there) return there.error();
      const Result<std::string> link = link_of(file, cache);
      if (!link) return link.error();
      path = *link;
    }
    const Result<bool> added = add(engine, path, file, run);
    if (!added) return added;
  }
  return choice_.folder.empty() ? true : add(engine, choice_.folder, choice_.folder, choice_.display_name);
}

void Sessions::report_unread_programs(const Catalogue& catalogue, const Answers& answers) const {
  if (choice_.program.empty() || choice_.files.empty()) return;
  for (const CaptureState& capture : catalogue.state()) {
    if (capture.status != LoadStatus::ready) continue;
    const Result<std::string> key = answers.content_key({capture.run, capture.worker, capture.span});
    for (const std::string& file : choice_.files) {
      const std::optional<FileIdentity> alone = identity_of(file);
      if (!key || !alone || size_in_key(*key) != alone->size) continue;
      complain(choice_.program + ": not used: the profile and its name come from the recording alone");
      return;
    }
  }
}

}  // namespace sightline::cli
