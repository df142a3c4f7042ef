// EventScanner: walks the events of one window of a trace. simdjson's first stage finds the structural characters of the
// window; the scanner steps over them, collects the few members that the tables need as views of the text, and skips
// everything else. It accepts what traces contain beyond JSON: bare NaN and N/A, trailing commas, bad escapes, raw control
// characters, bytes that are not UTF-8. A malformed event is reported and skipped: scanning continues at the next place that
// looks like an event.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <simdjson.h>

namespace sightline::formats::trace_events {

// The members of "args" that become columns.
enum class Arg : std::uint8_t {
  external_id,
  correlation,
  call_stack,
  input_dims,
  input_type,
  input_strides,
  concrete_inputs,
  occupancy,
  blocks_per_sm,
  grid,
  block,
  registers,
  shared_memory,
  device,
  stream,
  bytes,
  module_id,
  device_type,
  device_id,
  address,
  total_allocated,
  total_reserved,
  collective,
  in_elements,
  out_elements,
  group_size,
  group_name,
  group_about,
  group_ranks,
  dtype,
  sequence,
  rank,
  source_rank,
  target_rank,
  name,
  labels,
  sort_index,
  task_type,
  connection,
  element_type,
  element_count,
  warps_per_sm,
  queued,
  copy_kind,
  source_kind,
  target_kind,
  memory_kind,
  graph,
  graph_node,
  wait_stream,
  wait_record,
  host_function,
  kernel_file,
  kernel_hash,
  kernel_arguments,
  kernel,
  count
};
inline constexpr std::size_t kArgCount = static_cast<std::size_t>(Arg::count);
static_assert(kArgCount <= 64, "Event::present has a bit for each");

// The argument of this name, or Arg::count.
Arg arg_named(std::string_view name);

// The members of one event. Texts are raw: without quotes, escapes not resolved; numbers and lists as written.
struct Event {
  std::string_view ph, cat, name, pid, tid, ts, dur, id;
  std::string_view args[kArgCount];
  std::uint64_t present = 0;    // bit per Arg
  std::size_t offset = 0;       // of '{' in the window
  std::size_t args_offset = 0;  // of the args object in the window; 0: none
  std::size_t args_end = 0;
  bool escaped = false;  // it holds a backslash

  static constexpr std::uint64_t bit(Arg arg) { return std::uint64_t{1} << static_cast<unsigned>(arg); }
  bool has(Arg arg) const { return (present & bit(arg)) != 0; }
  std::string_view operator[](Arg arg) const { return args[static_cast<std::size_t>(arg)]; }
};

// A blank of JSON.
constexpr bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

enum class ScanProblem : std::uint8_t { control_character, not_utf8, malformed_event };

// How a window ended: at the end of its last event, inside an event, or at the end of the array of events.
enum class WindowEnd : std::uint8_t { clean, inside_event, array_end };

class EventScanner {
 public:
  EventScanner();
  ~EventScanner();

  // Padding that must be writable beyond the window's text.
  static constexpr std::size_t kPadding = 128;

  // Scans text[0, size), which starts at an event (or at blanks and commas before one). Calls on_event(const Event&) for
  // each event and on_problem(ScanProblem, offset, length) for damage. Changes the text where strings contain control
  // characters.
  template <typename OnEvent, typename OnProblem>
  WindowEnd scan(char* text, std::size_t size, OnEvent&& on_event, OnProblem&& on_problem);

  // After scan: the start of the unfinished event (inside_event), or the place of ']' (array_end).
  std::size_t end_offset() const { return end_offset_; }

 private:
  enum class Step : std::uint8_t { event, end_clean, end_inside, end_array, malformed };

  // A token is the offset of its first character in text_. Two more tokens after the last are the text's end, where a '\0' is.
  using Token = const std::uint32_t*;

  // Tokenizes text[from, size). Fills problems_ with the repairs.
  void tokenize(char* text, std::size_t from, std::size_t size);
  Step next(Event& event);
  // Each of these returns the token after what it read, or null if that is malformed or cut.
  Token scan_object(Token at, Event& event);
  Token scan_args(Token at, Event& event);
  Token skip_nested(Token at);
  Token take_value(Token at, std::string_view* value);
  template <typename Take>
  Token scan_members(Token at, Take&& take);
  Token cut_or_malformed(bool cut) {
    ran_out_ = cut;
    return nullptr;
  }
  void find_backslash(std::size_t from);
  std::size_t resync(std::size_t from) const;
  // Continues at the token at `offset`; false if that place is inside a string according to the tokens.
  bool seek(std::size_t offset);

  struct Found {
    ScanProblem problem;
    std::size_t offset;
  };

  std::unique_ptr<simdjson::internal::dom_parser_implementation> tokens_;
  std::size_t capacity_ = 0;
  char* text_ = nullptr;  // start of the tokenized part
  std::size_t size_ = 0;  // its size
  Token first_ = nullptr, end_ = nullptr;
  Token at_ = nullptr;         // the next event
  bool ran_out_ = false;       // a value was cut by the end of the text
  std::size_t backslash_ = 0;  // the first one in or behind the last event that was scanned; size_ if no backslash follows
  std::size_t end_offset_ = 0;
  std::vector<Found> problems_;
};

template <typename OnEvent, typename OnProblem>
WindowEnd EventScanner::scan(char* text, std::size_t size, OnEvent&& on_event, OnProblem&& on_problem) {
  std::size_t base = 0;
  Event event;
  // The repairs in the text before `end`. After it the quotes were out of step, so those repairs are wrong.
  auto report_before = [&](std::size_t end) {
    for (const Found& found : problems_) {
      if (found.offset < end) on_problem(found.problem, base + found.offset, std::size_t{1});
    }
  };
  tokenize(text, base, size);
  while (true) {
    Step step = next(event);
    for (; step == Step::event; step = next(event)) {
      event.offset += base;
      event.args_offset += base;
      event.args_end += base;
      on_event(event);
    }
    if (step != Step::malformed) {
      report_before(size_);
      end_offset_ = base + event.offset;
      return step == Step::end_clean   ? WindowEnd::clean
             : step == Step::end_array ? WindowEnd::array_end
                                       : WindowEnd::inside_event;
    }
    const std::size_t again = resync(event.offset + 1);
    on_problem(ScanProblem::malformed_event, base + event.offset, again - event.offset);
    if (!seek(again)) {
      report_before(event.offset);
      base += again;
      tokenize(text, base, size);
    }
  }
}

}  // namespace sightline::formats::trace_events
