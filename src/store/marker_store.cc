// Marker sets as files. The name of a set may contain any character.
// In the name of its file, ASCII characters other than letters and
// digits are %XX, so the name is shorter than 255 bytes.
#include "store/marker_store.h"

#include <simdjson.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/json_writer.h"
#include "base/sort.h"
#include "base/text.h"
#include "store/file_io.h"

namespace sightline::store {

namespace {

// [{"time": 1, "name": "..."}, ...]
std::string markers_json(const std::vector<Marker>& markers) {
  std::string out;
  JsonWriter json(out);
  json.begin_array();
  for (const Marker& marker : markers) {
    json.begin_object().member("time", marker.time).member("name", std::string_view(marker.name)).end_object();
  }
  json.end_array();
  return out;
}

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".json";
constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

Error wrong(TemplateMessage message) { return {ErrorCode::invalid_argument, std::move(message), ""}; }

bool is_plain(char c) { return (c & 0x80) != 0 || kPlain.find(c) != std::string_view::npos; }

std::string file_name_of(std::string_view set) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string name;
  for (const char c : set) {
    if (is_plain(c)) {
      name += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      name += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return name.append(kExtension);
}

// The set whose file has this name; empty when it is not the file of a set.
std::string set_of(std::string_view file_name) {
  if (!file_name.ends_with(kExtension)) return {};
  file_name.remove_suffix(kExtension.size());
  std::string set;
  for (std::size_t i = 0; i < file_name.size(); ++i) {
    if (file_name[i] != '%') {
      set += file_name[i];
      continue;
    }
    const auto digit = [&](std::size_t at) {
      const char c = at < file_name.size() ? file_name[at] : 'x';
      return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    };
    if (digit(i + 1) < 0 || digit(i + 2) < 0) return {};
    set += static_cast<char>(digit(i + 1) * 16 + digit(i + 2));
    i += 2;
  }
  return set;
}

// The number of characters of UTF-8 text: of bytes that begin one.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

Message misfit(const std::string& text, std::size_t most, const char* what) {
  if (!simdjson::validate_utf8(text.data(), text.size())) return say("{} is not UTF-8", what);
  if (characters(text) > most) return say("{} has more than {} characters", what, most);
  return {};
}

}  // namespace

std::string MarkerStore::file_of(const std::string& key, const std::string& set) const {
  return folder_ + "/" + key + "/" + file_name_of(set);
}

std::vector<std::string> MarkerStore::sets(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  if (!saved()) {
    const auto known = in_memory_.find(key);
    if (known == in_memory_.end()) return names;
    for (const auto& [name, markers] : known->second) names.push_back(name);
    return names;
  }
  std::error_code failed;
  for (fs::directory_iterator entry(folder_ + "/" + key, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::string set = set_of(entry->path().filename().string());
    if (!set.empty() && misfit(set, kLongestSetName, "").empty()) names.push_back(std::move(set));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<Marker>> MarkerStore::read(const std::string& key, const std::string& set) const {
  const std::lock_guard lock(mutex_);
  if (!saved()) {
    const auto known = in_memory_.find(key);
    if (known == in_memory_.end()) return std::vector<Marker>{};
    const auto found = known->second.find(set);
    return found == known->second.end() ? std::vector<Marker>{} : found->second;
  }
  const std::string path = file_of(key, set);
  const std::optional<std::string> text = read_small_file(path, kMostBytes);
  if (!text) {
    std::error_code failed;
    if (!fs::exists(path, failed)) return std::vector<Marker>{};
    return Error{ErrorCode::unreadable, "cannot read the markers", path};
  }
  Result<std::vector<Marker>> markers = parse_markers(*text);
  if (!markers) return Error{ErrorCode::malformed, say("not a set of markers: {}", markers.error().message), path};
  return markers;
}

Result<bool> MarkerStore::write(const std::string& key, const std::string& set, std::vector<Marker> markers) {
  if (set.empty()) return wrong("a set of markers needs a name");
  if (const Message what = misfit(set, kLongestSetName, "the name of the set"); !what.empty()) return wrong(what);
  if (markers.size() > kMostMarkers) return wrong(say("more than {} markers", kMostMarkers));
  for (const Marker& marker : markers) {
    if (const Message what = misfit(marker.name, kLongestName, "the name of a marker"); !what.empty()) return wrong(what);
  }
  const std::vector<std::string> known = sets(key);
  if (known.size() >= kMostSets && !std::binary_search(known.begin(), known.end(), set)) {
    return wrong(say("more than {} sets of markers", kMostSets));
  }
  sort_up(markers, &Marker::time);
  const std::lock_guard lock(mutex_);
  if (!saved()) {
    in_memory_[key][set] = std::move(markers);
    return true;
  }
  const Result<bool> made = make_folder(folder_ + "/" + key);
  if (!made) return made;
  return replace_file(file_of(key, set), "{\"markers\":" + markers_json(markers) + "}\n");
}

Result<bool> MarkerStore::remove(const std::string& key, const std::string& set) {
  const std::lock_guard lock(mutex_);
  if (!saved()) {
    in_memory_[key].erase(set);
    return true;
  }
  std::error_code failed;
  fs::remove(file_of(key, set), failed);
  if (failed) return Error{ErrorCode::unreadable, say("cannot remove the markers: {}", failed.message()), file_of(key, set)};
  return true;
}

Result<std::vector<Marker>> parse_markers(std::string_view json) {
  const simdjson::padded_string text(json);
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::array list;
  if (parser.parse(text).get(root) != simdjson::SUCCESS) return wrong("the body is not JSON");
  if (root["markers"].get(list) != simdjson::SUCCESS) return wrong("expected {\"markers\": [...]}");
  std::vector<Marker> markers;
  for (const simdjson::dom::element item : list) {
    std::string_view name;
    Marker marker;
    const bool whole = item["time"].get(marker.time) == simdjson::SUCCESS;
    if (!whole || marker.time < -kMostExactReal || marker.time > kMostExactReal)
      return wrong("a marker's time is an integer of ns, at most 2^53");
    if (item["name"].get(name) != simdjson::SUCCESS) return wrong("a marker's name is a text");
    marker.name = name;
    markers.push_back(std::move(marker));
  }
  return markers;
}

}  // namespace sightline::store
