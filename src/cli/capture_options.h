// The options of every `sightline capture`, and the steps of a
// capture: Ctrl-C stops it, a line on stderr shows its progress, and
// the recorded files are read, cached, named and, on request, opened.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "cli/command.h"

namespace sightline::cli {

struct CaptureChoice {
  std::string duration = "2s";
  std::string at;     // empty: as soon as possible
  std::string limit;  // empty: the driver's own
  bool open = false;
  bool by_file = false;  // opens the files, not all of their folder
  CaptureOptions options;
};

// --duration, --at and the next.
void add_capture_options(CLI::App& command, CaptureChoice& choice);

void add_start_option(CLI::App& command, CaptureChoice& choice);

// --out, --timeout and --open.
void add_result_options(CLI::App& command, CaptureChoice& choice);

// --iterations, --shapes, --stacks, --memory and --flops, for drivers that support them.
void add_content_options(CLI::App& command, CaptureChoice& choice);

// Each of these options is an error with its reason.
void refuse_options(CLI::App& command, const RefusedOptions& refused);

// A time such as 500ms, 2s, 2 (seconds) or 1m.
Result<Milliseconds> parse_duration(const std::string& text);

// A moment in ms since 1970: +10s from now, seconds since 1970, or 2026-01-31T10:00:00 of the local clock, of UTC with a Z at the
// end.
Result<std::int64_t> parse_moment(const std::string& text);

using Driver = std::function<Result<Captured>(const CaptureOptions&, const CaptureWatch&)>;

// Runs a driver to its end. Returns the exit code.
int run_capture(CaptureChoice choice, const Driver& driver);

// Runs work that Ctrl-C can stop, and shows its progress.
void run_watched(const std::function<void(const CaptureWatch&)>& work);

}  // namespace sightline::cli
