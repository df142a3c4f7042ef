// Tracks, ids and names that all tables of an export share.
#include "formats/nsys/report.h"

#include <fmt/core.h>

#include <algorithm>

namespace sightline::formats::nsys {

using namespace trace_events;

namespace {

constexpr std::int64_t kNoStream = 0xffffffff;  // of work that belongs to a whole context

std::string number(std::int64_t value) { return std::to_string(value); }

}  // namespace

Report::Report(TableSource& tables) : tables_(tables) {
  tables_.each("StringIds", {"id", "value"}, [&](const TableRow& row) { texts_.add(row.integer(0), row.text(1)); });
  gpus_.read(tables_);
}

std::uint32_t Report::thread(std::int64_t global_tid) {
  if (last_thread_.first == global_tid) return last_thread_.second;
  const auto [at, is_new] = threads_.try_emplace(global_tid, 0);
  if (is_new) at->second = events_.host_thread(pid_of(global_tid), tid_of(global_tid));
  last_thread_ = {global_tid, at->second};
  return at->second;
}

std::uint32_t Report::beside_threads(std::int64_t global_tid, const std::string& name) {
  const std::string pid = host_process(pid_of(global_tid));
  events_.name_thread(pid, name, name, kUnknown);
  return events_.track(pid, name, false);
}

std::string Report::process_of_device(std::int64_t ordinal) { return events_.device(ordinal, gpus_.name(ordinal)); }

std::uint32_t Report::stream(std::int64_t pid, std::int64_t device, std::int64_t context, std::int64_t stream) {
  const std::array key{pid, device, context, stream};
  if (last_stream_.first == key) return last_stream_.second;
  const auto [at, is_new] = streams_.try_emplace(key, 0);
  if (is_new) {
    gpus_.use(pid, device);
    context_devices_.try_emplace({pid, context}, device);
    const std::int64_t ordinal = gpus_.ordinal(pid, device);
    const std::string process = process_of_device(ordinal);
    const bool whole = stream == kNoStream || stream == kUnknown;
    std::string tid = whole ? "all streams" : number(stream);
    // Contexts number their streams alike.
    if (!stream_numbers_.emplace(ordinal, stream).second) tid += fmt::format(" of process {}, context {}", pid, context);
    at->second = events_.track(process, tid, true);
    events_.name_thread(process, tid, whole ? tid : "Stream " + tid, whole ? kNoStream : stream);
  }
  last_stream_ = {key, at->second};
  return at->second;
}

std::int64_t Report::device_of_context(std::int64_t pid, std::int64_t context, std::int64_t stated) const {
  const auto found = context_devices_.find({pid, context});
  return found == context_devices_.end() ? stated : found->second;
}

std::int64_t Report::call_id(std::int64_t pid, std::int64_t correlation) {
  if (correlation == kUnknown || correlation <= 0) return kUnknown;
  const std::int64_t space = call_space_.try_emplace(pid, static_cast<std::int64_t>(call_space_.size())).first->second;
  return (correlation & 0xffffffff) + (space << 32);
}

std::int64_t Report::pid_of_work(std::int64_t global_pid) const {
  if (global_pid != kUnknown) return pid_of(global_pid);
  return call_space_.size() == 1 ? call_space_.begin()->first : kUnknown;
}

void name_threads(Report& report) {
  RowEvents& events = report.events();
  report.tables().each("ThreadNames", {"globalTid", "nameId"}, [&](const TableRow& row) {
    const std::int64_t thread = row.integer(0);
    if (report.has_thread(thread)) events.name_host_thread(pid_of(thread), tid_of(thread), report.texts().of(row.integer(1)));
  });
  report.tables().each("PROCESSES", {"globalPid", "pid", "name"}, [&](const TableRow& row) {
    const std::int64_t pid = row.integer(1) == kUnknown ? pid_of(row.integer(0)) : row.integer(1);
    if (pid != kUnknown) events.name_process(host_process(pid), row.text(2), "CPU", pid);
  });
}

}  // namespace sightline::formats::nsys
