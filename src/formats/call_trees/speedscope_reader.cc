// Speedscope's files: shared frames, and profiles of samples or of events that open and close frames.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "formats/call_trees/call_stacks.h"
#include "formats/call_trees/json_file.h"
#include "formats/common/decimal.h"
#include "formats/registry.h"

namespace sightline::formats {

namespace call_trees {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// How many ns a unit is; none: it is no time.
std::optional<double> ns_of(std::string_view unit) {
  if (unit == "nanoseconds") return 1;
  if (unit == "microseconds") return 1e3;
  if (unit == "milliseconds") return 1e6;
  if (unit == "seconds") return 1e9;
  return std::nullopt;
}

std::optional<Time> ns_at(double value, double scale) {
  const double ns = value * scale;
  if (!(std::abs(ns) < static_cast<double>(kFarthestNs))) return std::nullopt;
  return std::llround(ns);
}

class SpeedscopeReading {
 public:
  SpeedscopeReading(ProfileBuilder& out, ReadProgress* progress, std::size_t text)
      : out_(out), progress_(progress), text_(text), weighted_(out) {}

  bool read(object root) {
    object shared;
    array frames, profiles;
    if (root["shared"].get_object().get(shared) != SUCCESS || shared["frames"].get_array().get(frames) != SUCCESS) return false;
    if (root["profiles"].get_array().get(profiles) != SUCCESS) return false;
    for (const element frame : frames) add_frame(frame);
    std::size_t number = 0;
    for (const element each : profiles) {
      if (progress_ != nullptr && progress_->is_over()) break;
      object profile;
      if (each.get_object().get(profile) == SUCCESS) read_profile(profile, ++number);
    }
    return true;
  }

 private:
  void add_frame(element frame) {
    object about;
    const bool named = frame.get_object().get(about) == SUCCESS;
    frames_.push_back(out_.text(named ? to_utf8(text_of(about, "name")) : "(unnamed)"));
    const std::string file = named ? to_utf8(text_of(about, "file")) : std::string();
    const std::int64_t line = named ? integer_of(about, "line", kUnknown) : kUnknown;
    stack_frames_.push_back(weighted_.frame({frames_.back(), file.empty() ? StringId::none : out_.text(file), line}));
  }

  void read_profile(object profile, std::size_t number) {
    std::string name(text_of(profile, "name"));
    if (name.empty()) name = std::to_string(number);
    const std::optional<double> scale = ns_of(text_of(profile, "unit"));
    const bool is_evented = text_of(profile, "type") == "evented";
    if (!scale && is_evented) {
      out_.report(Severity::warning, "no_times", "a profile has events without times; it is not shown", kUnknown);
      return;
    }
    if (!scale) return read_weights(profile, to_utf8(name));
    CallTree tree;
    ProfileBuilder::Lane& lane = out_.thread(to_utf8(name));
    if (is_evented) {
      read_events(profile, *scale, tree, lane);
    } else {
      read_samples(profile, *scale, tree, lane);
    }
  }

  // Calls take(frame) for each frame of a stack, outermost first.
  template <typename Take>
  void each_frame(element stack, const Take& take) {
    array frames;
    if (stack.get_array().get(frames) != SUCCESS) return;
    for (const element each : frames) {
      std::uint64_t frame = 0;
      if (each.get_uint64().get(frame) == SUCCESS && frame < frames_.size()) {
        take(frame);
      } else {
        out_.report(Severity::error, "unknown_frame", "a stack has a frame that the file does not list; it was left out",
                    kUnknown);
      }
    }
  }

  Node node_of(element stack, CallTree& tree) {
    Node node = kRoot;
    each_frame(stack, [&](std::uint64_t frame) { node = tree.child(node, frames_[frame]); });
    return node;
  }

  // Samples whose weights are no times.
  void read_weights(object profile, const std::string& name) {
    const std::string_view unit = text_of(profile, "unit");
    const std::string counts = unit == "none" ? std::string() : to_utf8(unit);
    const std::vector<element> samples = list_of(profile, "samples"), weights = list_of(profile, "weights");
    std::vector<Row> frames;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      double weight = -1;
      if (i >= weights.size() || weights[i].get_double().get(weight) != SUCCESS || !(weight >= 0) || !std::isfinite(weight)) {
        report_missing_weight();
        continue;
      }
      frames.clear();
      each_frame(samples[i], [&](std::uint64_t frame) { frames.push_back(stack_frames_[frame]); });
      if (frames.empty()) frames.push_back(weighted_.frame({out_.text(kNoStack), StringId::none, kUnknown}));
      weighted_.add(name, frames, weight, counts, text_);
    }
  }

  void report_missing_weight() {
    out_.report(Severity::error, "missing_weight", "a sample has no weight; it was left out", kUnknown);
  }

  // A sample holds for its weight, and the next one follows it.
  void read_samples(object profile, double scale, CallTree& tree, ProfileBuilder::Lane& lane) {
    const std::vector<element> samples = list_of(profile, "samples"), weights = list_of(profile, "weights");
    samples_ |= !samples.empty();
    StackTimeline timeline(out_, tree, lane, progress_);
    double now = number_of(profile, "startValue", 0);
    Time last = 0;
    for (std::size_t i = 0; i < samples.size() && !timeline.is_over(); ++i) {
      double of_sample = -1;
      if (i < weights.size() && weights[i].get_double().get(of_sample) != SUCCESS) of_sample = -1;
      const std::optional<Time> time = ns_at(now, scale);
      if (!(of_sample >= 0) || !time) {
        report_missing_weight();
        continue;
      }
      last = *time;
      timeline.set(node_of(samples[i], tree), last);
      now += of_sample;
    }
    const std::optional<Time> end = ns_at(now, scale);
    if (!end)
      out_.report(Severity::error, "impossible_weight", "the weights of samples are too large; the last sample has no length",
                  kUnknown);
    timeline.end(end.value_or(last));
  }

  void read_events(object profile, double scale, CallTree& tree, ProfileBuilder::Lane& lane) {
    StackTimeline timeline(out_, tree, lane, progress_);
    Node now = kRoot;
    Time since = ns_at(number_of(profile, "startValue", 0), scale).value_or(0);
    for (const element each : list_of(profile, "events")) {
      if (timeline.is_over()) return timeline.end(since);
      object event;
      const bool is_event = each.get_object().get(event) == SUCCESS;
      const std::optional<Time> time = is_event ? ns_at(number_of(event, "at", NAN), scale) : std::nullopt;
      const std::int64_t frame = is_event ? integer_of(event, "frame", -1) : -1;
      const bool known = frame >= 0 && static_cast<std::size_t>(frame) < frames_.size();
      const bool opens = is_event && text_of(event, "type") == "O";
      const bool closes = known && now != kRoot && tree.name(now) == frames_[static_cast<std::size_t>(frame)];
      if (!time || *time < since || !known || (!opens && !closes)) {
        out_.report(Severity::error, "malformed_event",
                    "an event is out of order, or closes a frame that is not open; it was left out", kUnknown);
        continue;
      }
      since = *time;
      now = opens ? tree.child(now, frames_[static_cast<std::size_t>(frame)]) : tree.parent(now);
      timeline.set(now, since);
    }
    if (now != kRoot) {
      out_.report(Severity::warning, "unfinished_slice", "a frame is not closed; it is shown until the end of its profile",
                  kUnknown);
    }
    timeline.end(std::max(since, ns_at(number_of(profile, "endValue", 0), scale).value_or(since)));
  }

 public:
  bool has_samples() const { return samples_; }

 private:
  ProfileBuilder& out_;
  ReadProgress* progress_;  // may be null
  std::size_t text_;        // bytes of the file
  WeightedStackList weighted_;
  std::vector<StringId> frames_;   // names
  std::vector<Row> stack_frames_;  // the same of weighted_
  bool samples_ = false;
};

// Writers may give their files any name.
bool is_speedscope(std::string_view, std::string_view head) {
  return head.find("speedscope.app/file-format-schema.json") != head.npos;
}

Result<std::unique_ptr<Profile>> read_speedscope(ReadContext& context) {
  JsonFile file;
  const Result<bool> loaded = file.load(context);
  if (!loaded) return loaded.error();
  object root;
  if (const auto failed = file.parse().get_object().get(root)) return file.error(failed);
  ProfileBuilder out;
  SpeedscopeReading reading(out, context.progress(), file.text().size());
  if (!reading.read(root))
    return Error{ErrorCode::malformed, "the file has no `shared.frames` and `profiles`", context.path() + ":0"};
  std::unique_ptr<Profile> profile = out.finish();
  if (reading.has_samples()) note_samples(*profile);
  return profile;
}

}  // namespace
}  // namespace call_trees

Reader speedscope_reader() {
  return {.id = "speedscope",
          .title = "Speedscope profile",
          .endings = {".speedscope.json", ".speedscope"},
          .sniff_file = call_trees::is_speedscope,
          .read_capture = call_trees::read_speedscope};
}

}  // namespace sightline::formats
