#include "store/outside_profile.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <type_traits>

#include "base/remote/remote_path.h"
#include "base/remote/stored_files.h"
#include "base/text.h"
#include "store/content_key.h"
#include "store/mapped_file.h"
#include "store/profile_file.h"

namespace sightline::store {

namespace {

const std::atomic<bool> kGoOn{false};
constexpr std::int64_t kLongest = std::int64_t{1} << 62;  // the sum of two has a value

// ---- values ----

// The last value of each enumeration. A type that is missing here does not compile.
constexpr SliceKind last_of(SliceKind) { return SliceKind::collective; }
constexpr LaneKind last_of(LaneKind) { return LaneKind::other; }
constexpr OwnerRule last_of(OwnerRule) { return OwnerRule::captured; }
constexpr GraphMatch last_of(GraphMatch) { return GraphMatch::unfinished; }
constexpr CoreType last_of(CoreType) { return CoreType::host; }
constexpr FillSource last_of(FillSource) { return FillSource::unknown_for_zero; }
constexpr CollectiveKind last_of(CollectiveKind) { return CollectiveKind::barrier; }
constexpr ServingPhase last_of(ServingPhase) { return ServingPhase::idle; }
constexpr FlowKind last_of(FlowKind) { return FlowKind::other; }
constexpr Severity last_of(Severity) { return Severity::error; }

bool is_summable(std::int64_t value) { return value == kUnknown || (value > -kLongest && value < kLongest); }

// As bytes: a value that its type does not have must not be read as one.
template <typename T>
bool is_at_most(const Column<T>& column, std::uint8_t last) {
  static_assert(sizeof(T) == 1);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(std::as_bytes(std::span<const T>(column)).data());
  return std::all_of(bytes, bytes + column.size(), [=](std::uint8_t byte) { return byte <= last; });
}

template <typename T>
bool has_values_of_type(const ColumnInfo& info, const Column<T>& column) {
  if constexpr (std::is_same_v<T, bool>) return is_at_most(column, 1);
  if constexpr (std::is_enum_v<T> && !std::is_same_v<T, StringId>)
    return is_at_most(column, static_cast<std::uint8_t>(last_of(T{})));
  if constexpr (std::is_same_v<T, std::int64_t>) {
    if (info.unit == Unit::ns) return std::all_of(column.begin(), column.end(), is_summable);
  }
  return true;
}

bool has_facts_of_type(const Profile& profile) {
  bool sound = true;
  Profile::visit_facts(profile, [&]<typename T>(std::string_view, const T& fact) {
    if constexpr (std::is_same_v<T, std::int64_t>) sound = sound && is_summable(fact);
    if constexpr (std::is_same_v<T, std::string>) sound = sound && to_utf8(fact) == fact;
  });
  return sound;
}

// False: a text occurs twice, or is not UTF-8.
bool build_strings(Profile& profile) {
  StringPool built;
  for (std::size_t i = 1; i < profile.strings.size(); ++i) {
    const std::string_view text = profile.strings.view(static_cast<StringId>(i));
    if (built.intern(text) != static_cast<StringId>(i) || to_utf8(text) != text) return false;
  }
  profile.strings = std::move(built);
  return true;
}

// ---- the copy ----

// In the cache's folder, where the cache removes what programs that were killed leave.
class Copy {
 public:
  explicit Copy(const std::string& folder) : path_(unfinished_name(folder + "/outside")) {}
  ~Copy() { ::unlink(path_.c_str()); }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  Result<bool> make(const std::string& from) const {
    const Result<bool> copied = store_copy(path_, from);
    if (copied) ::chmod(path_.c_str(), 0600);
    return copied;
  }
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

Error at(const Error& error, const std::string& path) { return {error.code, error.message, path}; }

Result<StoredProfile> open_copy(const std::string& copy, const std::string& path) {
  const auto file = MappedFile::open(copy);
  if (file == nullptr) return Error{ErrorCode::unreadable, "the copy of the file cannot be opened", path};
  Result<StoredProfile> stored = open_profile_file(file, profile_fingerprint(), Trust::nothing);
  if (!stored) return at(stored.error(), path);
  if (const std::string fault = fault_of_outside_profile(*stored->profile); !fault.empty())
    return Error{ErrorCode::malformed, Message::verbatim(fault), path};
  return stored;
}

}  // namespace

std::string fault_of_outside_profile(Profile& profile) {
  if (profile.lake_files.rows() != 0) return "it names other files";
  std::string fault;
  Profile::visit_tables(profile, [&](const auto& table) {
    table.for_each_column([&](const ColumnInfo& info, const auto& column) {
      if (fault.empty() && !has_values_of_type(info, column))
        fault = std::string(table.kName) + ": " + std::string(info.name) + " has a value that it cannot have";
    });
  });
  if (!fault.empty()) return fault;
  if (!has_facts_of_type(profile)) return "a fact has a value that it cannot have";
  if (!build_strings(profile)) return "its texts are not as a reader writes them";
  const std::vector<std::string> broken = check_profile(profile, 1);
  return broken.empty() ? "" : broken.front();
}

Result<std::string> keep_outside_profile(ProfileCache& cache, const std::string& path,
                                         const std::function<Result<Record>(const Record&)>& about) {
  const Result<FileIdentity> identity = find_identity(path);
  if (!identity) return identity.error();
  if (std::optional<CachedProfile> known = cache.open(path, kGoOn)) return known->key;
  const std::string folder = cache.folder() + "/profiles";
  if (const Result<bool> made = make_folder(folder); !made) return made.error();
  std::error_code failed;
  const auto room = std::filesystem::space(folder, failed).available;
  const Error too_large{ErrorCode::unavailable, "the file is larger than the cache may be", path};
  if (failed || static_cast<std::uintmax_t>(identity->size) > room / 2) return too_large;
  const Copy copy(folder);
  if (const Result<bool> copied = copy.make(path); !copied) return copied.error();
  const Result<std::string> key = content_key(is_remote(path) ? path : copy.path(), kGoOn);
  if (!key) return key;
  const Result<FileIdentity> now = find_identity(path);
  if (!now || *now != *identity) return Error{ErrorCode::unreadable, "the file changed while it was copied", path};
  const Result<StoredProfile> stored = open_copy(copy.path(), path);
  if (!stored) return stored.error();
  const Result<Record> record = about(stored->about);
  if (!record) return at(record.error(), path);
  const Result<bool> kept = cache.keep(*key, *stored->profile, *record, path, *identity, kGoOn);
  if (!kept) return kept.error();
  return *kept ? key : Result<std::string>(too_large);
}

}  // namespace sightline::store
