// parse_events: workers take windows from a cutter one at a time and scan them in parallel.
#include "formats/trace_events/parse_events.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "base/parallel.h"

namespace sightline::formats::trace_events {

// ---- windows ----

namespace {

constexpr std::size_t kFirstWindow = std::size_t{1} << 16;  // enough for most files of a test, or of one step

}  // namespace

void Buffer::reserve(std::size_t size, std::size_t keep) {
  if (size + EventScanner::kPadding <= capacity_) return;
  const std::size_t capacity = size + EventScanner::kPadding;
  auto grown = std::make_unique_for_overwrite<char[]>(capacity);
  if (keep != 0) std::memcpy(grown.get(), data_.get(), keep);
  data_ = std::move(grown);
  capacity_ = capacity;
}

std::size_t last_event_start(const char* text, std::size_t size) {
  for (std::size_t i = size; i-- > 1;) {
    if (text[i] != '{') continue;
    std::size_t before = i;
    while (before > 0 && is_blank(text[before - 1])) --before;
    if (before == 0 || text[before - 1] != ',') continue;
    --before;
    while (before > 0 && is_blank(text[before - 1])) --before;
    if (before == 0 || text[before - 1] != '}') continue;
    std::size_t after = i + 1;
    while (after < size && is_blank(text[after])) ++after;
    if (after < size && text[after] == '"') return i;
  }
  return 0;
}

Result<bool> WindowCutter::next(Window& window) {
  if (ended_ && carry_.empty()) return false;
  const std::size_t wanted = index_ == 0 ? std::min(window_bytes_, kFirstWindow) : window_bytes_;
  std::size_t target = std::max(wanted, carry_.size() + 1);
  window.text.reserve(target, 0);
  if (!carry_.empty()) std::memcpy(window.text.data(), carry_.data(), carry_.size());
  std::size_t size = carry_.size();
  carry_.clear();
  std::size_t cut = 0;
  while (true) {
    if (!ended_) {
      Result<std::size_t> got = source_.read(window.text.data() + size, target - size);
      if (!got) return got.error();
      ended_ = *got < target - size;
      size += *got;
    }
    if (ended_) {
      cut = size;
      break;
    }
    cut = last_event_start(window.text.data(), size);
    if (cut == 0 && size >= kLongestEvent) cut = size;
    if (cut != 0) break;
    target = std::min(2 * target, std::max(kLongestEvent, target + 1));
    window.text.reserve(target, size);
  }
  carry_.assign(window.text.data() + cut, size - cut);
  window.size = cut;
  window.offset = offset_;
  window.index = index_++;
  window.last = ended_ && carry_.empty();
  offset_ += static_cast<std::int64_t>(cut);
  return true;
}

// ---- all windows ----

namespace {

constexpr std::size_t kWindowBytes = std::size_t{1} << 20;
constexpr std::int64_t kBytesOfWorker = std::int64_t{1} << 16;  // of a file: for less, a thread is not worth starting

// A scanned window, kept until the window before it is known to have ended cleanly.
struct Piece {
  Window window;
  EventBatch batch;
  WindowEnd end = WindowEnd::clean;
  std::size_t end_offset = 0;
};

class Parser {
 public:
  Parser(WindowCutter& cutter, ByteSource& source, RootMembers& members, bool in_object, ReadProgress* progress, unsigned workers)
      : cutter_(cutter), source_(source), members_(members), in_object_(in_object), progress_(progress) {
    for (unsigned w = 0; w < workers; ++w) builders_.push_back(std::make_unique<BatchBuilder>(w));
  }

  // An exception here ends the other workers as well, because the pieces of this one would be missing.
  void run(unsigned worker) {
    try {
      work(*builders_[worker]);
    } catch (...) {
      const std::lock_guard lock(source_mutex_);
      stop_ = true;
      throw;
    }
  }
  Result<ParsedEvents> finish() {
    if (error_) return *error_;
    if (progress_ != nullptr && progress_->cancelled) return Error{ErrorCode::cancelled, "cancelled", ""};
    while (!pieces_.empty()) accept(pieces_.begin()->second, !parsed_.array_closed && !skipping_);  // reading was stopped
    if (suffix_) {
      parsed_.long_members = suffix_->skipped();
      parsed_.first_long_member = suffix_->first_skipped();
    }
    for (auto& builder : builders_) {
      parsed_.strings.push_back(std::move(builder->strings()));
      parsed_.tracks.push_back(builder->tracks());
    }
    return std::move(parsed_);
  }

 private:
  void work(BatchBuilder& builder) {
    while (std::optional<Window> window = take()) {
      Piece piece;
      piece.window = std::move(*window);
      scan(builder, piece);
      add(std::move(piece), builder);
    }
  }

  static void scan(BatchBuilder& builder, Piece& piece) {
    piece.batch = builder.build(piece.window.text.data(), piece.window.size, piece.window.offset, piece.end, piece.end_offset);
  }

  std::optional<Window> take() {
    const std::lock_guard lock(source_mutex_);
    if (stop_ || (progress_ != nullptr && progress_->is_over())) return std::nullopt;
    Window window;
    {
      const std::lock_guard order(order_mutex_);
      if (!free_.empty()) {
        window.text = std::move(free_.back());
        free_.pop_back();
      }
    }
    Result<bool> more = cutter_.next(window);
    if (!more) {
      error_ = more.error();
      stop_ = true;
      return std::nullopt;
    }
    if (!*more) {
      stop_ = true;
      return std::nullopt;
    }
    if (progress_ != nullptr) {
      progress_->bytes_done = source_.file_position();
      progress_->text_bytes = window.offset + static_cast<std::int64_t>(window.size);
    }
    return window;
  }

  // Takes pieces that are next in order; `builder` scans again what a wrong cut separated.
  void add(Piece piece, BatchBuilder& builder) {
    const std::lock_guard lock(order_mutex_);
    pieces_.emplace(piece.window.index, std::move(piece));
    while (true) {
      const auto at = pieces_.find(next_);
      if (at == pieces_.end()) return;
      Piece& current = at->second;
      if (parsed_.array_closed) {
        read_suffix({current.window.text.data(), current.window.size}, current.window.offset);
        accept(current, false);
        continue;
      }
      if (skipping_ && !skip_on(current, builder)) {
        accept(current, false);
        continue;
      }
      if (current.end == WindowEnd::array_end) {
        parsed_.array_closed = true;
        stop_reading_events(current);
        accept(current, true);
        continue;
      }
      const std::size_t left = current.window.size - current.end_offset;
      if (current.end == WindowEnd::inside_event && !current.window.last && left < kLongestEvent) {
        const auto after = pieces_.find(next_ + 1);
        if (after == pieces_.end()) return;
        join(current, after->second, builder);
      } else if (current.end == WindowEnd::inside_event) {
        const EventProblem what = left < kLongestEvent ? EventProblem::truncated : EventProblem::long_event;
        current.batch.problems[what].add(current.window.offset + static_cast<std::int64_t>(current.end_offset));
        if (what == EventProblem::long_event) {
          skipping_.emplace();
          skipping_->feed({current.window.text.data() + current.end_offset, left});
        }
      }
      accept(current, true);
    }
  }

  void stop_reading_events(const Piece& current) {
    const std::size_t from = current.end_offset + 1;
    const std::int64_t offset = current.window.offset + static_cast<std::int64_t>(from);
    parsed_.root_ended = !in_object_;
    suffix_.emplace(members_, offset);
    read_suffix({current.window.text.data() + from, current.window.size - from}, offset);
  }

  // Members of the root object, and whether anything follows it.
  void read_suffix(std::string_view text, std::int64_t offset) {
    if (parsed_.root_ended) return look_behind(text, offset);
    if (suffix_done_) return;
    const RootScan scan = suffix_->add(text);
    parsed_.root_ended = scan == RootScan::ended;
    suffix_done_ = scan != RootScan::need_more;
    const std::int64_t end = suffix_->offset();
    if (parsed_.root_ended) look_behind(std::string_view(suffix_->take_rest()).substr(1), end + 1);
  }

  void look_behind(std::string_view text, std::int64_t offset) {
    const std::size_t more = text.find_first_not_of(" \t\r\n");
    if (parsed_.more_offset == kUnknown && more != std::string_view::npos)
      parsed_.more_offset = offset + static_cast<std::int64_t>(more);
  }

  // Skips the rest of an event that is too long; true if `current` has more text after it, which is then scanned again.
  bool skip_on(Piece& current, BatchBuilder& builder) {
    Window& window = current.window;
    const std::size_t skipped = skipping_->feed({window.text.data(), window.size});
    if (!skipping_->ended()) return false;
    skipping_.reset();
    std::memmove(window.text.data(), window.text.data() + skipped, window.size - skipped);
    window.size -= skipped;
    window.offset += static_cast<std::int64_t>(skipped);
    scan(builder, current);
    return true;
  }

  // Scans `next` again, with the text of `current`'s unfinished event before it.
  static void join(Piece& current, Piece& next, BatchBuilder& builder) {
    const std::size_t left = current.window.size - current.end_offset;
    Buffer text;
    text.reserve(left + next.window.size, 0);
    std::memcpy(text.data(), current.window.text.data() + current.end_offset, left);
    std::memcpy(text.data() + left, next.window.text.data(), next.window.size);
    next.window.text = std::move(text);
    next.window.size += left;
    next.window.offset -= static_cast<std::int64_t>(left);
    scan(builder, next);
  }

  // Keeps the batch of pieces_[next_] and goes on to the one after it.
  void accept(Piece& piece, bool keep) {
    if (progress_ != nullptr && keep) progress_->events += piece.batch.events;
    parsed_.end_offset = piece.window.offset + static_cast<std::int64_t>(piece.window.size);
    if (keep) parsed_.batches.push_back(std::move(piece.batch));
    free_.push_back(std::move(piece.window.text));
    pieces_.erase(next_++);
  }

  WindowCutter& cutter_;
  ByteSource& source_;
  RootMembers& members_;
  bool in_object_;
  ReadProgress* progress_;
  std::vector<std::unique_ptr<BatchBuilder>> builders_;
  std::mutex source_mutex_;
  bool stop_ = false;           // guarded by source_mutex_
  std::optional<Error> error_;  // guarded by source_mutex_
  std::mutex order_mutex_;
  std::map<std::size_t, Piece> pieces_;
  std::size_t next_ = 0;
  std::vector<Buffer> free_;
  std::optional<ValueEnd> skipping_;  // an event that is too long
  std::optional<RootText> suffix_;    // after the array
  bool suffix_done_ = false;
  ParsedEvents parsed_;
};

}  // namespace

Result<ParsedEvents> parse_events(ByteSource& source, Beginning beginning, RootMembers& members, const ReadOptions& options) {
  const unsigned threads = options.threads == 0 ? default_threads() : options.threads;
  const auto workers = static_cast<unsigned>(std::min<std::int64_t>(threads, 1 + source.file_size() / kBytesOfWorker));
  WindowCutter cutter(source, std::move(beginning.text), beginning.offset,
                      options.window_bytes == 0 ? kWindowBytes : options.window_bytes);
  Parser parser(cutter, source, members, beginning.in_object, options.progress, workers);
  parallel_for(workers, workers, [&](std::size_t w) { parser.run(static_cast<unsigned>(w)); });
  return parser.finish();
}

}  // namespace sightline::formats::trace_events
