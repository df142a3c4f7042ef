// The answers come from the routes themselves, so the page finds in the file what the server would answer. They are stored as
// base64 of gzip, which has no character with a meaning in HTML.
#include "server/page_file.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/gzip.h"
#include "base/json_writer.h"
#include "output/state_json.h"
#include "output/tiles.h"
#include "server/routes.h"
#include "server/web_assets.h"

namespace sightline::server {

namespace {

constexpr std::string_view kPage = "single/index.html";
constexpr std::string_view kPlace = "@answers@";
constexpr std::size_t kMostReport = std::size_t{8} << 20;  // of a choice's report; larger ones need the server
constexpr std::size_t kMostLevel = std::size_t{40} << 20;  // of the timeline's finest level, about 10 MB once packed
constexpr std::size_t kMostDetails = 50;                   // rows of a table whose own view is in the file
constexpr Time kOverviewPixels = 2048;
constexpr int kLevelStep = 8;

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < left ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= left ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

class Recorder {
 public:
  explicit Recorder(const Engine& engine) : engine_(engine) {}

  // The answer of the route; empty when it refuses.
  std::string fetch(std::string_view route, const ParameterTexts& parameters) const {
    const Request request{.path = "/api/" + std::string(route),
                          .query = "",
                          .parameters = parameters,
                          .host = "localhost",
                          .origin = "",
                          .cookie = "",
                          .authorization = "",
                          .accept_encoding = "",
                          .if_none_match = ""};
    const Response response = answer(engine_, {.host = "localhost", .token = ""}, request);
    return response.status == 200 ? *response.body : std::string();
  }

  // Keeps the answer of the route, and returns it; empty when it refuses, or when the answer is longer than `most`.
  std::string_view record(std::string_view route, const ParameterTexts& parameters, std::size_t most = std::string::npos) {
    std::string body = fetch(route, parameters);
    if (body.empty() || body.size() > most) return {};
    return add(route, parameters, std::move(body));
  }

  std::string_view add(std::string_view route, const ParameterTexts& parameters, std::string body) {
    const auto [at, is_new] = offsets_.try_emplace(std::move(body), bytes_);
    if (is_new) {
      bodies_.push_back(&at->first);
      bytes_ += at->first.size();
    }
    index_.push_back({std::string(route), parameters, at->second, at->first.size()});
    return at->first;
  }

  // A little-endian length, the index as JSON of that length, the bodies.
  std::string packed() const {
    std::string index;
    JsonWriter json(index);
    json.begin_array();
    for (const Entry& entry : index_) {
      json.begin_object().member("route", entry.route).key("parameters").begin_object();
      for (const auto& [key, value] : entry.parameters) json.member(key, value);
      json.end_object().member("offset", static_cast<std::int64_t>(entry.offset));
      json.member("size", static_cast<std::int64_t>(entry.size)).end_object();
    }
    json.end_array();
    std::string all;
    for (int shift = 0; shift < 32; shift += 8) all += static_cast<char>(index.size() >> shift & 0xFF);
    all += index;
    for (const std::string* body : bodies_) all += *body;
    return gzip_pack(all);
  }

 private:
  struct Entry {
    std::string route;
    ParameterTexts parameters;
    std::size_t offset, size;
  };

  const Engine& engine_;
  std::map<std::string, std::size_t> offsets_;  // by body: equal answers are kept once
  std::vector<const std::string*> bodies_;
  std::size_t bytes_ = 0;
  std::vector<Entry> index_;
};

ParameterTexts place_of(const ProfileSelector& profile) {
  return {{"run", profile.run}, {"worker", profile.worker}, {"span", profile.span}};
}

ParameterTexts with(ParameterTexts parameters, const ParameterTexts& more) {
  parameters.insert(parameters.end(), more.begin(), more.end());
  return parameters;
}

// The link's parameters with the texts of the row; nothing if a text is unknown.
std::optional<ParameterTexts> filled(const RowLink& link, const ReportTable& table, std::size_t row) {
  ParameterTexts parameters;
  for (const auto& [key, value] : link.parameters) {
    if (!value.starts_with('$')) {
      if (!value.empty()) parameters.emplace_back(key, value);
      continue;
    }
    const ReportColumn* column = table.find(value.substr(1));
    if (column == nullptr) return std::nullopt;
    const Cell cell = column->values[row];
    const auto* text = std::get_if<std::string>(&cell);
    if (text == nullptr) return std::nullopt;
    parameters.emplace_back(key, *text);
  }
  return parameters;
}

// The views that only rows open, for the first rows of each table.
void record_details(Recorder& recorder, const Answers& answers, const ProfileSelector& profile, const Report& report) {
  const auto is_detail = [&](const std::string& view) {
    return std::any_of(answers.views().begin(), answers.views().end(),
                       [&](const Analysis& each) { return each.id == view && each.group == ViewGroup::none; });
  };
  for (const ReportTable& table : report.tables) {
    for (const RowLink& link : table.row_links) {
      if (!is_detail(link.view)) continue;
      for (std::size_t row = 0; row < std::min(table.rows(), kMostDetails); ++row) {
        const std::optional<ParameterTexts> parameters = filled(link, table, row);
        if (parameters) recorder.record("report", with(with(place_of(profile), {{"view", link.view}}), *parameters), kMostReport);
      }
    }
  }
}

void record_views(Recorder& recorder, const Answers& answers, const ProfileSelector& profile) {
  for (const Analysis& analysis : answers.views()) {
    if (analysis.group == ViewGroup::none || analysis.scope() == Scope::pair || analysis.scope() == Scope::runs) continue;
    const ParameterTexts view = with(place_of(profile), {{"view", std::string(analysis.id)}});
    if (recorder.record("report", view).empty()) continue;
    const Result<Report> report =
        answers.report({.profile = profile, .view = std::string(analysis.id), .parameters = {}, .other = {}});
    if (!report) continue;
    record_details(recorder, answers, profile, *report);
    for (const Parameter& parameter : report->parameters) {
      for (const ParameterChoice& choice : parameter.choices) {
        recorder.record("report", with(view, {{parameter.key, choice.value}}), kMostReport);
      }
      if (parameter.type != ParameterType::flag) continue;
      for (const char* flag : {"true", "false"}) recorder.record("report", with(view, {{parameter.key, flag}}), kMostReport);
    }
  }
}

// "0,1,2".
std::string numbers_below(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + std::to_string(i);
  return text;
}

// The whole extent at finer and finer levels, down to single slices or until the size limit. The page uses the coarsest level
// that is fine enough, so a level is kept only if it is much smaller than the next finer one.
void record_levels(Recorder& recorder, const ProfileSelector& profile, std::string_view route, const ParameterTexts& what,
                   Interval extent) {
  Time pixel = 1;
  while (pixel < (extent.end - extent.start) / kOverviewPixels) pixel *= 2;
  std::vector<std::pair<ParameterTexts, std::string>> levels;
  for (bool finest = false; !finest; pixel = std::max<Time>(1, pixel / kLevelStep)) {
    finest = pixel == 1;
    const ParameterTexts window{
        {"start", std::to_string(extent.start)}, {"end", std::to_string(extent.end)}, {"pixel", std::to_string(pixel)}};
    ParameterTexts parameters = with(with(place_of(profile), what), window);
    std::string body = recorder.fetch(route, parameters);
    if (body.empty() || body.size() > kMostLevel) break;
    levels.emplace_back(std::move(parameters), std::move(body));
  }
  std::size_t finer = std::string::npos;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    if (level->second.size() > finer / 2) continue;
    finer = level->second.size();
    recorder.add(route, level->first, std::move(level->second));
  }
}

void record_timeline(Recorder& recorder, const Answers& answers, const ProfileSelector& profile) {
  const Result<std::shared_ptr<const Timeline>> timeline = answers.timeline(profile);
  if (!timeline || (*timeline)->lanes().empty() || recorder.record("timeline", place_of(profile)).empty()) return;
  Interval extent{(*timeline)->profile().span_start, (*timeline)->profile().span_end};
  for (const DrawnLane& lane : (*timeline)->lanes()) {
    extent.start = std::min(extent.start, lane.start);
    extent.end = std::max(extent.end, lane.end + 1);
  }
  // Marks with a group also serve colours without a group.
  const ParameterTexts lanes{{"lanes", numbers_below((*timeline)->lanes().size())}};
  std::vector<ParameterTexts> tiles;
  for (const auto& [word, group] : {std::pair{"module", MarkGroup::module}, std::pair{"operator", MarkGroup::program_operator},
                                    std::pair{"layer", MarkGroup::layer}}) {
    if (has_mark_group((*timeline)->profile(), group)) tiles.push_back(with(lanes, {{"group", word}}));
  }
  if (tiles.empty()) tiles.push_back(lanes);
  for (const ParameterTexts& each : tiles) record_levels(recorder, profile, "tiles", each, extent);
  const std::size_t counters = counter_charts((*timeline)->profile_pointer())->counters().size();
  if (counters > 0) record_levels(recorder, profile, "counters", {{"counters", numbers_below(counters)}}, extent);
}

const WebAsset* page_asset() {
  for (const WebAsset& asset : web_assets()) {
    if (asset.path == kPage) return &asset;
  }
  return nullptr;
}

}  // namespace

Result<bool> write_page_file(const Engine& engine, const std::vector<ProfileSelector>& profiles,
                             const std::function<bool(std::string_view)>& write) {
  const WebAsset* asset = page_asset();
  if (asset == nullptr) return Error{ErrorCode::unsupported, "the web page is not part of this build", ""};
  Recorder recorder(engine);
  const auto included = [&](const CaptureState& capture) {
    return std::any_of(profiles.begin(), profiles.end(), [&](const ProfileSelector& p) {
      return p.run == capture.run && p.worker == capture.worker && p.span == capture.span;
    });
  };
  recorder.add("state", {}, state_json(engine, SIGHTLINE_VERSION, included));
  for (const ProfileSelector& profile : profiles) {
    record_views(recorder, engine.answers(), profile);
    record_timeline(recorder, engine.answers(), profile);
  }
  const std::string page = gzip_unpack(asset->gzip);
  const std::size_t place = page.rfind(kPlace);
  if (place == std::string::npos) return Error{ErrorCode::unsupported, "the web page of this build cannot store answers", ""};
  const std::string_view before = std::string_view(page).substr(0, place);
  const bool whole =
      write(before) && write(base64(recorder.packed())) && write(std::string_view(page).substr(place + kPlace.size()));
  static_cast<void>(whole);  // the writer reports its errors itself
  return true;
}

}  // namespace sightline::server
