// Opening a cached profile again, as ratios to the floor measured in the same run: reading the bytes of its columns out of
// the page cache. Interleaved; the median of the rounds counts.
//   reopen [FILE]   (default: build/bench/modern_1GB.json, made by bench/make_input.py)
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/loaded_profile.h"
#include "formats/reader.h"
#include "store/content_key.h"
#include "store/mapped_file.h"
#include "store/profile_cache.h"
#include "store/profile_file.h"
#include "tests/support/temporary_folder.h"

namespace sightline::benches {
namespace {

constexpr int kRounds = 9;
const std::atomic<bool> kGoOn{false};

double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

void read_bytes(const std::string& path) {
  std::vector<char> piece(std::size_t{1} << 20);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  while (::read(fd, piece.data(), piece.size()) > 0) {
  }
  ::close(fd);
}

// Every value of every column, once.
std::uint64_t touch(const Profile& profile) {
  std::uint64_t sum = 0;
  Profile::visit_tables(profile, [&](const auto& table) {
    table.for_each_column([&](const ColumnInfo&, const auto& column) {
      for (const auto value : column) sum += value == decltype(value){};
    });
  });
  return sum;
}

int bench(const std::string& source) {
  auto profile = readers()[0].read(source, {});
  const Result<std::string> key = content_key(source, kGoOn);
  const TemporaryFolder folder;
  ProfileCache cache({.folder = folder.path(), .limit_bytes = std::int64_t{1} << 40});
  const auto loaded = profile ? std::make_unique<LoadedProfile>(*std::move(profile)) : nullptr;
  const auto keep = [&] {
    const Derived derived{"", loaded->derive(all_analyses(), true, 0, kGoOn)};
    return cache.keep(*key, *loaded->profile(), {}, source, *identity_of(source), kGoOn, derived).ok();
  };
  if (loaded == nullptr || !key || !keep()) {
    std::fprintf(stderr, "cannot read or keep %s\n", source.c_str());
    return 1;
  }
  const std::string file = folder.path() + "/profiles/" + *key + ".arrow";
  const std::string fingerprint = profile_fingerprint();
  std::vector<double> bytes, ready, verified, touched, kept, computed;
  const Analysis& overview = *find_analysis("overview");
  const Parameters parameters(overview.parameters);
  std::uint64_t sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    bytes.push_back(seconds([&] { read_bytes(file); }));
    ready.push_back(seconds([&] { sum += cache.open(source, kGoOn)->profile->slices.rows(); }));
    verified.push_back(seconds([&] { sum += open_profile_file(MappedFile::open(file), fingerprint, Trust::nothing).ok(); }));
    touched.push_back(seconds([&] { sum += touch(*cache.open(source, kGoOn)->profile); }));
    const auto first_overview = [&](bool with_kept) {
      CachedProfile cached = *cache.open(source, kGoOn);
      LoadedProfile opened(std::move(cached.profile), with_kept ? std::move(cached.derived.sections) : Sections{});
      sum += opened.answer(overview, parameters)->tables.size();
      sum += opened.timeline(0)->lanes().size();
    };
    kept.push_back(seconds([&] { first_overview(true); }));
    computed.push_back(seconds([&] { first_overview(false); }));
  }
  const double floor = median(bytes);
  std::printf("%s: %.0f MB of columns\n", source.c_str(), static_cast<double>(std::filesystem::file_size(file)) / 1e6);
  const auto line = [&](const char* what, double s) { std::printf("  %-36s %7.1f ms  ratio %5.2f\n", what, s * 1e3, s / floor); };
  line("columns' bytes from the page cache", floor);
  line("profile ready", median(ready));
  line("profile ready, checksums compared", median(verified));
  line("profile ready, every value read", median(touched));
  line("first overview and timeline, kept", median(kept));
  line("the same computed", median(computed));
  return sum == 42 ? 1 : 0;
}

}  // namespace
}  // namespace sightline::benches

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "build/bench/modern_1GB.json";
  if (std::filesystem::exists(path)) return sightline::benches::bench(path);
  std::printf("%s is absent: make it with `python3 bench/make_input.py`\n", path.c_str());
}
