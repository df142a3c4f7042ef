#include "fleet/lake_layout.h"

#include <fmt/core.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/text.h"
#include "fleet/lake_tables.h"

namespace sightline::fleet {

namespace {

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

std::string folder_of(std::string_view table, const std::string& capture) {
  return fmt::format("data/{}/capture={}", table, capture);
}

}  // namespace

Result<Shard> parse_shard(const std::string& text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto number = whole_number<std::int64_t>(text.substr(0, slash));
  const auto of = slash == text.size() ? std::nullopt : whole_number<std::int64_t>(text.substr(slash + 1));
  if (number && of && *number >= 0 && *number < *of && *of <= kMostShards) return Shard{*number, *of};
  return Error{ErrorCode::invalid_argument,
               say("'{}' is not a shard: write K/N, the number K from 0 to N-1 and how many shards there are", text), ""};
}

std::string capture_id(std::string_view name) {
  std::string id(name);
  std::replace_if(
      id.begin(), id.end(), [](char c) { return !is_safe(c); }, '_');
  while (id.starts_with('.')) id.erase(0, 1);
  return id.empty() ? "capture" : id;
}

Result<bool> check_capture_id(const std::string& id) {
  if (!id.empty() && id.front() != '.' && std::all_of(id.begin(), id.end(), is_safe)) return true;
  return Error{ErrorCode::invalid_argument,
               say("'{}' cannot name a capture: use letters, digits, '.', '_' and '-', and no '.' at the beginning", id), ""};
}

std::string new_attempt() {
  std::uint32_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) random = static_cast<std::uint32_t>(::getpid());
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("{:012x}-{:08x}", std::chrono::duration_cast<std::chrono::milliseconds>(now).count(), random);
}

std::string shard_file(std::string_view table, const std::string& capture, std::int64_t shard, const std::string& attempt) {
  return fmt::format("{}/shard={:05}/{}.parquet", folder_of(table, capture), shard, attempt);
}

std::string reduced_file(std::string_view table, const std::string& capture, const std::string& attempt) {
  return fmt::format("{}/reduced/{}.parquet", folder_of(table, capture), attempt);
}

std::string manifest_file(const std::string& capture, std::int64_t shard, const std::string& attempt) {
  return fmt::format("{}/{:05}.{}.json", manifests_of(capture), shard, attempt);
}

std::string path_inside(const std::string& lake, const std::string& path) {
  return path.starts_with(lake) ? path.substr(lake.size() + (lake.ends_with('/') ? 0 : 1)) : path;
}

std::string plan_file(const std::string& capture) { return manifests_of(capture) + "/PLAN.json"; }
std::string committed_file(const std::string& capture) { return manifests_of(capture) + "/COMMITTED.json"; }
std::string manifests_of(const std::string& capture) { return "manifests/capture=" + capture; }

std::string profile_file(const std::string& capture, std::int64_t rank, const std::string& attempt) {
  return fmt::format("profiles/capture={}/rank={:05}/{}.arrow", capture, rank, attempt);
}

std::vector<std::string> folders_of(const std::string& capture) {
  std::vector<std::string> folders;
  for (const std::string& table : lake_table_names()) folders.push_back(folder_of(table, capture));
  return folders;
}

}  // namespace sightline::fleet
