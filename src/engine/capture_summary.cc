// Facts of a loaded profile. Only what is known is listed.
#include "engine/capture_summary.h"

#include <algorithm>

#include "model/unit.h"

namespace sightline::engine {

namespace {

std::string count_text(std::size_t count) { return number_alone(static_cast<double>(count), Unit::count); }

// "NVIDIA H100 x 8", with each name once.
std::string device_names(const Profile& profile) {
  std::vector<std::pair<StringId, int>> names;
  for (const StringId name : profile.devices.name) {
    const auto known = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == name; });
    if (known == names.end()) {
      names.emplace_back(name, 1);
    } else {
      ++known->second;
    }
  }
  std::string text;
  for (const auto& [name, count] : names) {
    if (name == StringId::none) continue;
    text.append(text.empty() ? "" : ", ").append(profile.text(name));
    if (count > 1) text += " x " + std::to_string(count);
  }
  return text;
}

std::vector<CaptureFact> facts_of(const Profile& profile) {
  std::vector<CaptureFact> facts;
  const auto add = [&](std::string label, std::string text) {
    if (!text.empty()) facts.push_back({std::move(label), std::move(text)});
  };
  add("events", count_text(static_cast<std::size_t>(profile.events)));
  add("length", number_alone(static_cast<double>(profile.span_end - profile.span_start), Unit::ns));
  if (profile.steps.rows() > 0) add("steps", count_text(profile.steps.rows()));
  add("devices", device_names(profile));
  if (profile.rank != kUnknown) {
    std::string rank = std::to_string(profile.rank);
    if (profile.world_size != kUnknown) rank += " of " + std::to_string(profile.world_size);
    add("rank", std::move(rank));
  }
  return facts;
}

}  // namespace

std::string caution_of(const Profile& profile) {
  for (std::size_t row = 0; row < profile.problems.rows(); ++row) {
    const std::string_view code = profile.text(profile.problems.code[row]);
    if (code == "simulated" || code == kMemoryLimit) return std::string(profile.text(profile.problems.message[row]));
  }
  return "";
}

CaptureSummary summarise(const Profile& profile, std::span<const Analysis> analyses) {
  CaptureSummary summary{.facts = facts_of(profile), .problems = 0, .caution = caution_of(profile), .views = {}};
  for (const Severity severity : profile.problems.severity) summary.problems += severity != Severity::note;
  for (const Analysis& analysis : analyses) {
    if (analysis.group == ViewGroup::none) continue;
    summary.views.emplace_back(analysis.id, analysis.unavailable ? analysis.unavailable(profile) : std::optional<Message>());
  }
  return summary;
}

}  // namespace sightline::engine
