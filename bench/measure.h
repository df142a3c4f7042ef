// Shared by the benchmarks of readers. Each figure is measured in a separate process, with its own peak memory; the processes are
// interleaved and the median of the rounds counts.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/input_file.h"
#include "formats/reader.h"

namespace sightline::benches {

inline constexpr int kRounds = 3;
inline constexpr unsigned kThreads = 2;

struct Outcome {
  double seconds = 0;
  double work = 0;  // s of processor time: steadier than `seconds` if other programs use the machine
  std::int64_t events = 0;
  std::int64_t text_bytes = 0;
  std::int64_t peak_bytes = 0;
};

// Runs `work` in a child process; what it measured itself, and its peak memory, come back through a pipe.
inline Outcome measure_inside(const std::function<void(Outcome&)>& work) {
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    Outcome outcome;
    work(outcome);
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds_of = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    outcome.work = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    outcome.peak_bytes = std::int64_t{usage.ru_maxrss} * 1024;
    const bool written = ::write(ends[1], &outcome, sizeof outcome) == static_cast<ssize_t>(sizeof outcome);
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);  // so that a child that dies ends the wait
  Outcome outcome;
  const bool ok = ::read(ends[0], &outcome, sizeof outcome) == static_cast<ssize_t>(sizeof outcome);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  if (!ok) {
    std::fprintf(stderr, "a measured process failed\n");
    std::exit(1);
  }
  return outcome;
}

// The same with the time of all of it.
inline Outcome measure(const std::function<void(Outcome&)>& work) {
  return measure_inside([&](Outcome& outcome) {
    const auto begin = std::chrono::steady_clock::now();
    work(outcome);
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  });
}

inline Outcome median(std::vector<Outcome> all) {
  std::sort(all.begin(), all.end(), [](const Outcome& a, const Outcome& b) { return a.seconds < b.seconds; });
  return all[all.size() / 2];
}

// Decompression (or reading) alone.
inline void only_bytes(const std::string& path, Outcome& outcome) {
  auto source = open_bytes(path);
  std::vector<char> buffer(std::size_t{1} << 20);
  while (true) {
    const auto got = (*source)->read(buffer.data(), buffer.size());
    if (!got || *got == 0) return;
    outcome.text_bytes += static_cast<std::int64_t>(*got);
  }
}

// The reader for files of this name, or for the folder.
inline void whole_reader(const std::string& path, Outcome& outcome) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const bool folder = std::filesystem::is_directory(path);
  const auto known = readers();
  auto reader = std::find_if(known.begin(), known.end(), [&](const Reader& r) {
    if (!folder) return r.claims(name);
    const auto files = r.files_of == nullptr ? Result<std::vector<std::string>>(std::vector<std::string>{}) : r.files_of(path);
    return files.ok() && !files->empty();
  });
  if (reader == known.end()) reader = known.begin();
  ReadProgress progress;
  ReadOptions options;
  options.threads = kThreads;
  options.progress = &progress;
  const auto profile = reader->read(path, options);
  if (!profile.ok()) {
    std::fprintf(stderr, "%s\n", profile.error().to_string().c_str());
    std::exit(1);
  }
  outcome.events = (*profile)->events;
  outcome.text_bytes = progress.text_bytes;
}

}  // namespace sightline::benches
