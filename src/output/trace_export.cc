// export_trace: lane by lane; a slice's thread is where it nests among those written before.
#include "output/trace_export.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/json_writer.h"
#include "model/nesting.h"
#include "output/slice_args.h"

namespace sightline::output {

namespace {

constexpr std::size_t kFlushed = 1 << 20;
constexpr std::int64_t kFirstOwnThread = 1'000'000'000;  // ids of threads that the file does not have
constexpr std::uint32_t kNotWritten = std::numeric_limits<std::uint32_t>::max();

class Exporter {
 public:
  Exporter(const Timeline& timeline, const std::vector<Counter>& counters, const ExportRequest& request,
           const std::function<bool(std::string_view)>& write)
      : timeline_(timeline), p_(timeline.profile()), counters_(counters), request_(request), write_(write), args_(p_) {}

  void run() {
    text_ = "{\"displayTimeUnit\": \"ns\"";
    if (p_.origin_unix_ns != kUnknown) text_ += fmt::format(", \"baseTimeNanoseconds\": {}", p_.origin_unix_ns);
    if (const std::string properties = device_properties(p_); !properties.empty())
      text_ += ", \"deviceProperties\": " + properties;
    text_ += ", \"traceEvents\": [";
    thread_of_.assign(p_.slices.rows(), kNotWritten);
    write_processes();
    for (const std::uint32_t lane : lanes_of(timeline_, request_)) write_lane(timeline_.lanes()[lane]);
    write_flows();
    for (const Counter& counter : counters_) write_counter(counter);
    text_ += "\n]}\n";
    flush(0);
  }

 private:
  struct Thread {
    std::string ids;  // "pid": ..., "tid": ...
  };

  // An event's beginning; what follows goes to text_, until close().
  void open() { text_ += first_ ? "\n{" : ",\n{"; }
  void close() {
    text_ += '}';
    first_ = false;
    flush(kFlushed);
  }
  void flush(std::size_t least) {
    if (text_.size() < std::max<std::size_t>(1, least)) return;
    stopped_ = stopped_ || !write_(text_);
    text_.clear();
  }

  // As a number where the file's text is one.
  static std::string id_text(std::string_view id) {
    const bool number = !id.empty() && id.size() < 18 && id != "-" &&
                        id.find_first_not_of("0123456789", id.front() == '-' ? 1 : 0) == std::string_view::npos &&
                        (id.size() == 1 || id[id.front() == '-' ? 1 : 0] != '0');
    if (number) return std::string(id);
    std::string quoted;
    append_json_string(quoted, id);
    return quoted;
  }

  std::string pid_of(Row process) const { return process == kNoRow ? "0" : id_text(p_.text(p_.processes.pid[process])); }

  // Microseconds with what is left of ns: 1234567 -> 1234.567.
  static std::string us(Time time) {
    const std::uint64_t size = time < 0 ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
    std::string text = fmt::format("{}{}", time < 0 ? "-" : "", size / 1000);
    if (size % 1000 != 0) text += fmt::format(".{:03}", size % 1000);
    return text;
  }

  void metadata(std::string_view name, const std::string& ids, std::string_view key, std::string_view value) {
    open();
    text_ += fmt::format("\"ph\": \"M\", \"name\": \"{}\", {}, \"args\": {{\"{}\": ", name, ids, key);
    append_json_string(text_, value);
    text_ += '}';
    close();
  }
  void metadata(std::string_view name, const std::string& ids, std::int64_t sort_index) {
    open();
    text_ += fmt::format("\"ph\": \"M\", \"name\": \"{}\", {}, \"args\": {{\"sort_index\": {}}}", name, ids, sort_index);
    close();
  }

  void write_processes() {
    for (Row process = 0; process < p_.processes.rows(); ++process) {
      const std::string ids = fmt::format("\"pid\": {}, \"tid\": 0", pid_of(process));
      if (p_.processes.name[process] != StringId::none)
        metadata("process_name", ids, "name", p_.text(p_.processes.name[process]));
      if (p_.processes.label[process] != StringId::none)
        metadata("process_labels", ids, "labels", p_.text(p_.processes.label[process]));
      if (p_.processes.sort_key[process] != kUnknown) metadata("process_sort_index", ids, p_.processes.sort_key[process]);
    }
  }

  // The thread of a lane's pile: the lane's own for the first pile of its ranges.
  std::uint32_t add_thread(const DrawnLane& lane, std::size_t pile) {
    const bool own = pile != 0 || lane.part == LanePart::python;
    const std::string tid =
        own ? std::to_string(kFirstOwnThread + own_threads_++) : id_text(p_.text(p_.lanes.track[lane.source]));
    const std::string ids = fmt::format("\"pid\": {}, \"tid\": {}", pid_of(p_.lanes.process[lane.source]), tid);
    std::string name(p_.text(p_.lanes.name[lane.source]));
    if (name.empty() && own) name = p_.text(p_.lanes.track[lane.source]);
    if (lane.part == LanePart::python) name += " (Python)";
    if (pile != 0) name += " (overlapping)";
    if (!name.empty()) metadata("thread_name", ids, "name", name);
    metadata("thread_sort_index", ids, static_cast<std::int64_t>(threads_.size()));
    threads_.push_back({ids});
    return static_cast<std::uint32_t>(threads_.size() - 1);
  }

  void write_lane(const DrawnLane& lane) {
    Nester nester;
    std::vector<std::uint32_t> threads;  // by pile
    for (const Row slice : slices_touching(timeline_, lane, request_.range)) {
      if (stopped_) return;
      const std::size_t pile = nester.add(p_.slices.start[slice], p_.end_of(slice), slice).pile;
      while (pile >= threads.size()) threads.push_back(add_thread(lane, threads.size()));
      thread_of_[slice] = threads[pile];
      open();
      text_ += fmt::format("\"ph\": \"X\", \"cat\": \"{}\", \"name\": ", args_.category(slice));
      append_json_string(text_, p_.text(p_.slices.name[slice]));
      text_ += fmt::format(", {}, \"ts\": {}, \"dur\": {}", threads_[threads[pile]].ids, us(p_.slices.start[slice]),
                           us(p_.slices.duration[slice]));
      args_.append(text_, slice);
      close();
    }
  }

  void write_flow(std::string_view name, std::int64_t id, Row from, Row to) {
    if (stopped_ || thread_of_[from] == kNotWritten || thread_of_[to] == kNotWritten) return;
    for (const bool begins : {true, false}) {
      const Row slice = begins ? from : to;
      open();
      text_ += fmt::format("\"ph\": \"{}\", \"cat\": \"{}\", \"name\": \"{}\", \"id\": {}, {}, \"ts\": {}", begins ? 's' : 'f',
                           name, name, id, threads_[thread_of_[slice]].ids, us(p_.slices.start[slice]));
      if (!begins) text_ += ", \"bp\": \"e\"";
      close();
    }
  }

  void write_flows() {
    for (std::size_t work = 0; work < p_.device_work.rows(); ++work) {
      const Row launch = p_.device_work.launch[work];
      if (launch == kNoRow) continue;
      write_flow("ac2g", static_cast<std::int64_t>(work) + 1, p_.launches.slice[launch], p_.device_work.slice[work]);
    }
    for (std::size_t flow = 0; flow < p_.flows.rows(); ++flow) {
      const bool pair = p_.flows.kind[flow] == FlowKind::forward_backward;
      write_flow(pair ? "fwdbwd" : "flow", static_cast<std::int64_t>(flow) + 1, p_.flows.from[flow], p_.flows.to[flow]);
    }
  }

  // One track per series: viewers stack the members of one event. The value that held when the range began comes first.
  void write_counter(const Counter& counter) {
    for (const CounterSeries& series : counter.series) {
      const std::string name = counter.series.size() == 1 ? counter.title : say("{} {}", counter.title, series.title);
      auto at = static_cast<std::size_t>(std::upper_bound(series.time.begin(), series.time.end(), request_.range.start) -
                                         series.time.begin());
      if (at > 0) --at;
      for (; at < series.time.size() && series.time[at] < request_.range.end && !stopped_; ++at) {
        if (std::isnan(series.value[at])) continue;
        open();
        text_ += "\"ph\": \"C\", \"name\": ";
        append_json_string(text_, name);
        text_ += fmt::format(", \"pid\": {}, \"ts\": {}, \"args\": {{", pid_of(counter.process),
                             us(std::max(series.time[at], request_.range.start)));
        append_json_string(text_, series.title);
        text_ += fmt::format(": {}}}", series.value[at]);
        close();
      }
    }
  }

  const Timeline& timeline_;
  const Profile& p_;
  const std::vector<Counter>& counters_;
  const ExportRequest& request_;
  const std::function<bool(std::string_view)>& write_;
  SliceArgs args_;
  std::string text_;
  bool first_ = true;
  bool stopped_ = false;
  std::vector<Thread> threads_;
  std::int64_t own_threads_ = 0;
  std::vector<std::uint32_t> thread_of_;  // by slice
};

}  // namespace

void export_trace(const Timeline& timeline, const std::vector<Counter>& counters, const ExportRequest& request,
                  const std::function<bool(std::string_view)>& write) {
  Exporter(timeline, counters, request, write).run();
}

}  // namespace sightline::output
