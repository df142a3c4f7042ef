// Memory snapshots of PyTorch: the pickle that torch.cuda.memory._dump_snapshot() writes. docs/formats/torch-memory.md.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>

#include "base/sort.h"
#include "formats/common/profile_builder.h"
#include "formats/read_context.h"
#include "formats/registry.h"
#include "formats/torch_memory/history.h"
#include "formats/torch_memory/snapshot.h"

namespace sightline::formats {

namespace {

using namespace torch_memory;  // NOLINT: the parts of this reader

constexpr std::int64_t kFar = std::int64_t{1} << 52;  // µs: a time beyond is damage

bool sniff_snapshot(std::string_view, std::string_view head) {
  const bool is_pickle = head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
  return is_pickle && (head.find("device_traces") != std::string_view::npos || head.find("segments") != std::string_view::npos);
}

// The first time in µs; 0 without any.
std::int64_t first_time(const SnapshotSink& read) {
  std::optional<std::int64_t> first;
  for (const std::int64_t time : read.entries.time) {
    if (time != kUnknown) first = std::min(first.value_or(time), time);
  }
  for (const Annotation& annotation : read.annotations) first = std::min(first.value_or(annotation.time), annotation.time);
  return std::clamp(first.value_or(0), -kFar, kFar);
}

// "ProfilerStep#12" is step 12.
std::optional<std::int64_t> annotated_step(std::string_view name) {
  constexpr std::string_view kStep = "ProfilerStep#";
  const std::size_t at = name.find(kStep);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = name.substr(at + kStep.size());
  std::int64_t number = 0;
  const auto [rest, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return failed == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
}

class AnnotationAdder {
 public:
  AnnotationAdder(ProfileBuilder& out, std::int64_t origin, Time end) : out_(out), origin_(origin), end_(end) {}

  // Starts and ends of one name on one device match like brackets.
  void add(const std::vector<Annotation>& annotations) {
    std::map<std::pair<std::int64_t, StringId>, std::vector<Time>> open;
    for (const Annotation& annotation : annotations) {
      std::vector<Time>& starts = open[{annotation.device, annotation.name}];
      if (annotation.starts) {
        starts.push_back(time_of(annotation));
      } else if (starts.empty()) {
        out_.report(Severity::note, "annotation_incomplete", "an annotation began before the history; it is left out", kUnknown);
      } else {
        add_range(annotation.device, annotation.name, starts.back(), time_of(annotation));
        starts.pop_back();
      }
    }
    for (const auto& [of, starts] : open) {
      for (const Time start : starts) add_range(of.first, of.second, start, end_);
    }
    add_steps();
  }

 private:
  struct Step {
    Time start, end;
    std::int64_t number;
  };

  Time time_of(const Annotation& annotation) const {
    return std::clamp(std::clamp(annotation.time, -kFar, kFar) - origin_, std::int64_t{0}, kFar) * 1000;
  }

  void add_range(std::int64_t device, StringId name, Time start, Time end) {
    end = std::max(start, end);
    const auto number = annotated_step(out_.profile().text(name));
    if (number) steps_.push_back({start, end, *number});
    const std::string lane = device == kUnknown ? "annotations" : "annotations of device " + std::to_string(device);
    out_.add(out_.thread(lane), {start, end - start, name, number ? SliceKind::step : SliceKind::annotation, kUnknown});
  }

  // Every device has the program's annotations; a step counts once.
  void add_steps() {
    sort_up(steps_, &Step::start);
    Steps& to = out_.profile().steps;
    std::unordered_set<std::int64_t> known;
    for (const Step& step : steps_) {
      if (!known.insert(step.number).second) continue;
      const Row row = add_unknown_row(to);
      to.number[row] = step.number;
      to.start[row] = step.start;
      to.duration[row] = step.end - step.start;
    }
  }

  ProfileBuilder& out_;
  std::int64_t origin_;
  Time end_;
  std::vector<Step> steps_;
};

void report_reading(const Unpickler& in, const SnapshotSink& read, ProfileBuilder& out) {
  Profile& profile = out.profile();
  if (in.damage())
    profile.add_problem(Severity::error, "damaged_pickle", say("{}; everything before it was read", *in.damage()), 1,
                        in.damaged_at());
  if (read.incomplete > 0) {
    profile.add_problem(Severity::error, "incomplete_entry",
                        "an entry lacks an address, a size or a time, or is repeated; it was left out", read.incomplete,
                        read.incomplete_at);
  }
  if (read.unknown_actions > 0) {
    profile.add_problem(Severity::note, "unknown_action",
                        "an entry of the history has an action that is not known; no total counts it", read.unknown_actions,
                        kUnknown);
  }
  if (read.deep_stacks > 0) {
    profile.add_problem(Severity::note, "deep_stack", "a stack has more than 1,000 frames; the outermost ones are left out",
                        read.deep_stacks, kUnknown);
  }
  if (read.lost_stacks > 0) {
    profile.add_problem(Severity::warning, "stack_missing", "a stack was left out: the file has more than its size explains",
                        read.lost_stacks, kUnknown);
  }
  if (in.cut_texts() > 0)
    profile.add_problem(Severity::warning, "long_text", "a text is longer than 1 MiB; the rest was left out", in.cut_texts(),
                        kUnknown);
  if (in.large_numbers() > 0) {
    profile.add_problem(Severity::warning, "large_number", "a number does not fit into 64 bits; it is unknown",
                        in.large_numbers(), kUnknown);
  }
}

Result<std::unique_ptr<Profile>> read_snapshot(ReadContext& context) {
  const Result<ByteStream*> in = context.open();
  if (!in) return in.error();
  ProfileBuilder out;
  Profile& profile = out.profile();
  context.stage("reading the snapshot");
  SnapshotSink read(profile, context.progress());
  Unpickler unpickler(**in, profile.strings, read);
  read.read_with(unpickler);
  const Result<PickleValue> root = unpickler.read(context.path());
  if (!root) return root.error();
  if (!read.is_snapshot && !unpickler.damage())
    return Error{ErrorCode::malformed, "this pickle is no memory snapshot: it has neither device_traces nor segments",
                 context.path() + ":0"};
  report_reading(unpickler, read, out);
  context.stage("computing totals");
  profile.events = static_cast<std::int64_t>(read.entries.action.size());
  const std::int64_t origin = first_time(read);
  if (origin > 0 && origin < kFar) profile.origin_unix_ns = origin * 1000;
  add_history(read, origin, out);
  if (!profile.memory_events.time.empty()) profile.span_end = profile.memory_events.time.back();
  AnnotationAdder(out, origin, profile.span_end).add(read.annotations);
  for (const auto& [key, value] : read.settings) out.add_metadata(profile.text(key), profile.text(value));
  std::unique_ptr<Profile> done = out.finish();
  for (Row slice = 0; slice < done->slices.rows(); ++slice) done->span_end = std::max(done->span_end, done->end_of(slice));
  return done;
}

}  // namespace

Reader torch_memory_reader() {
  return {.id = "torch_memory",
          .title = "PyTorch memory snapshot",
          .endings = {".pickle", ".pkl"},
          .sniff_file = sniff_snapshot,
          .read_capture = read_snapshot,
          .words = {.device = "GPU"}};
}

}  // namespace sightline::formats
