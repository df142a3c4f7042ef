// Recording: what the profilers of ROCm record, in whichever of their formats, as events with the tracks that they are on.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/read_context.h"
#include "formats/trace_events/row_events.h"

namespace sightline::formats::rocm {

// A processor of the machine. kUnknown: not stated.
struct Agent {
  bool is_gpu = false;
  std::int64_t ordinal = kUnknown;  // among the GPUs
  std::string name;                 // of the product, else of the architecture
  std::int64_t cores = kUnknown, waves_per_core = kUnknown, wave_size = kUnknown, memory = kUnknown, shared = kUnknown;
  std::int64_t clock_mhz = kUnknown, architecture = kUnknown;  // such as 90402
};

// Reads an agent's properties from an object of JSON; members that it lacks stay as they are.
void take_properties(std::string_view json, Agent& agent);

struct Thread {  // kUnknown: not recorded
  std::int64_t pid, tid;
};

struct Work {
  std::int64_t start, end;
  StringId name;
  Category category;
  std::int64_t device, pid, queue;
  std::int64_t call = kUnknown;                                                                         // what call_id returned
  std::array<std::int64_t, 3> grid{kUnknown, kUnknown, kUnknown}, block{kUnknown, kUnknown, kUnknown};  // threads
  std::int64_t registers = kUnknown, shared = kUnknown, bytes = kUnknown;
  std::string_view queue_name = {};  // empty: the queue has no name
};

using Counters = std::vector<std::pair<StringId, double>>;  // of one piece of work, by name

class Recording {
 public:
  trace_events::RowEvents& events() { return events_; }
  StringId text(std::string_view words) { return events_.text(words); }

  void add_agent(std::int64_t id, const Agent& agent) { agents_[id] = agent; }
  // The number of an agent among the GPUs; kUnknown if it is not one.
  std::int64_t ordinal_of(std::int64_t agent) const;

  // An id of a call that is unique among the processes of the file; kUnknown if the call has none.
  std::int64_t call_id(std::int64_t space, std::int64_t id) const;

  void name_process(std::int64_t pid, std::string_view name);
  void name_thread(Thread thread, std::string_view name);

  // A call of the host.
  void add_call(Thread thread, std::int64_t start, std::int64_t end, StringId name, std::int64_t call);
  // A range or, if it is an instant, a mark of the program; `any_thread`: it may end on another thread.
  void add_range(Thread thread, std::int64_t start, std::int64_t end, std::string_view message, bool any_thread);
  void add_work(const Work& work, const Counters* counters = nullptr);
  void add_sample(std::int64_t device, std::string_view counter, std::int64_t time, double value);
  // An allocation, or a release if `bytes` is negative.
  void add_memory(std::int64_t device, std::int64_t time, std::int64_t address, std::int64_t bytes);

  // The profile of all that was added.
  std::unique_ptr<Profile> finish(const ReadContext& context);

  std::vector<std::pair<std::string, std::string>> metadata;
  std::string host;
  std::int64_t unnamed = 0, lost_times = 0;

 private:
  std::uint32_t thread(Thread thread);
  std::uint32_t queue(const Work& work);
  std::string device(std::int64_t ordinal);
  StringId sizes(const std::array<std::int64_t, 3>& parts);
  void describe_devices(Profile& profile) const;

  trace_events::RowEvents events_;
  std::map<std::int64_t, Agent> agents_;  // by the file's id
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> threads_;
  std::map<std::array<std::int64_t, 3>, std::uint32_t> queues_;    // by device, process and queue
  std::set<std::pair<std::int64_t, std::int64_t>> queue_numbers_;  // (device, queue) that have a track
  std::map<std::array<std::int64_t, 3>, StringId> sizes_;
};

// "Memcpy HtoD (Host -> Device)" for any spelling of the direction, such as MEMORY_COPY_HOST_TO_DEVICE or CopyHostToDevice.
std::string copy_name(std::string_view direction);

// The three formats. An Error names the file and the cause.
Result<std::unique_ptr<Profile>> read_rocpd(ReadContext& context);  // rocprofv3 --output-format rocpd, and rpd
Result<std::unique_ptr<Profile>> read_json(ReadContext& context);   // rocprofv3 --output-format json

}  // namespace sightline::formats::rocm
