// Call stacks that were sampled on the host, as frames on a row beside their thread: frames that consecutive samples share are
// one slice. A thread that does not run has no samples, so a frame ends soon after its last one.
#include <fmt/core.h>

#include <algorithm>

#include "formats/nsys/report.h"

namespace sightline::formats::nsys {

using namespace trace_events;

namespace {

constexpr std::int64_t kMostFrames = 256;  // of a stack

struct Frame {
  std::int64_t sample, depth;  // 0 is the innermost
  StringId name;
};

struct Sample {
  std::int64_t thread, time, id;
};

class StackReader {
 public:
  explicit StackReader(Report& report) : report_(report), events_(report.events()) {}

  void run() {
    read_frames();
    if (frames_.empty()) return;
    std::vector<Sample> samples;
    report_.tables().each("COMPOSITE_EVENTS", {"globalTid", "start", "id"}, [&](const TableRow& row) {
      if (row.integer(0) != kUnknown && is_time(row.integer(1)))
        samples.push_back({row.integer(0), row.integer(1), row.integer(2)});
    });
    std::stable_sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) {
      return a.thread != b.thread ? a.thread < b.thread : a.time < b.time;
    });
    for (std::size_t first = 0; first < samples.size();) {
      std::size_t last = first;
      while (last < samples.size() && samples[last].thread == samples[first].thread) ++last;
      add_thread({samples.data() + first, last - first});
      first = last;
    }
  }

 private:
  void read_frames() {
    SpelledTexts names(report_.texts(), events_.strings(), [](std::string_view text) { return text; });
    report_.tables().each("SAMPLING_CALLCHAINS", {"id", "stackDepth", "symbol"}, [&](const TableRow& row) {
      if (row.integer(1) >= 0 && row.integer(1) < kMostFrames) {
        frames_.push_back({row.integer(0), row.integer(1), names(row.integer(2))});
      }
    });
    const auto before = [](const Frame& a, const Frame& b) {
      return a.sample != b.sample ? a.sample < b.sample : a.depth > b.depth;
    };
    if (!std::is_sorted(frames_.begin(), frames_.end(), before)) std::stable_sort(frames_.begin(), frames_.end(), before);
  }

  // The frames of a sample, outermost first.
  std::span<const Frame> stack_of(std::int64_t sample) const {
    const auto [first, last] = std::equal_range(frames_.begin(), frames_.end(), Frame{sample, 0, StringId::none},
                                                [](const Frame& a, const Frame& b) { return a.sample < b.sample; });
    return {first, last};
  }

  // Twice the usual time between two samples.
  static std::int64_t longest_gap(std::span<const Sample> samples) {
    std::vector<std::int64_t> gaps;
    for (std::size_t i = 1; i < samples.size(); ++i) gaps.push_back(samples[i].time - samples[i - 1].time);
    if (gaps.empty()) return 0;
    std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2), gaps.end());
    return 2 * gaps[gaps.size() / 2];
  }

  void add_thread(std::span<const Sample> samples) {
    const std::int64_t thread = samples.front().thread, longest = longest_gap(samples);
    const std::uint32_t on = report_.beside_threads(thread, fmt::format("Samples of thread {}", tid_of(thread)));
    std::vector<std::pair<StringId, std::int64_t>> open;  // names and starts, outermost first
    const auto close = [&](std::size_t keep, std::int64_t end) {
      for (; open.size() > keep; open.pop_back()) events_.add(open.back().second, end, open.back().first, on, Category::unknown);
    };
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::span<const Frame> stack = stack_of(samples[i].id);
      std::size_t shared = 0;
      while (shared < open.size() && shared < stack.size() && open[shared].first == stack[shared].name) ++shared;
      close(shared, samples[i].time);
      for (; shared < stack.size(); ++shared) open.emplace_back(stack[shared].name, samples[i].time);
      const std::int64_t next = i + 1 < samples.size() ? samples[i + 1].time : samples[i].time + longest / 2;
      if (next - samples[i].time > longest || i + 1 == samples.size()) close(0, std::min(next, samples[i].time + longest / 2));
    }
  }

  Report& report_;
  RowEvents& events_;
  std::vector<Frame> frames_;  // by sample, outermost first
};

}  // namespace

void read_samples(Report& report) { StackReader(report).run(); }

}  // namespace sightline::formats::nsys
