// Named ranges of the program (NVTX): those of a thread are on the thread, around the calls that they make; those that may end
// on another thread have a row of their own.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "formats/common/range_text.h"
#include "formats/nsys/report.h"

namespace sightline::formats::nsys {

using namespace trace_events;

namespace {

// Event types. In old exports a range is two events; later ones keep that only for a range whose other end was not recorded.
enum class Type : std::uint8_t { other, category, mark, push, pop, start, end, thread, push_pop, start_end, domain };

Type type_of(std::int64_t number) {
  switch (number) {
    case 33:
    case 64: return Type::category;
    case 34:
    case 65: return Type::mark;
    case 35:
    case 66: return Type::push;
    case 36:
    case 67: return Type::pop;
    case 37:
    case 68: return Type::start;
    case 38:
    case 69: return Type::end;
    case 39:
    case 72: return Type::thread;
    case kUnknown:  // an export without types has whole ranges only
    case 59:
    case 70: return Type::push_pop;
    case 60:
    case 71: return Type::start_end;
    case 75: return Type::domain;
    default: return Type::other;
  }
}

class RangeReader {
 public:
  explicit RangeReader(Report& report) : report_(report), events_(report.events()) {}

  void run() {
    report_.tables().each("NVTX_EVENTS",
                          {"start", "end", "eventType", "globalTid", "text", "textId", "domainId", "category", "jsonText",
                           "jsonTextId", "uint64Value|int64Value"},
                          [&](const TableRow& row) { take(row); });
    for (const Unfinished& range : unfinished_) {
      add(range.row, std::max(range.row.start, events_.last_end() == kUnknown ? range.row.start : events_.last_end()),
          range.text);
    }
    report_.unfinished_ranges = static_cast<std::int64_t>(unfinished_.size());
    for (const auto& [id, name] : categories_) {
      report_.domain_names[events_.text(category_placeholder(id.first, id.second))] = events_.text(name);
    }
  }

 private:
  struct RangeRow {
    Type type;
    std::int64_t start, thread, domain, category, payload;
    StringId json;
  };
  struct Unfinished {
    RangeRow row;
    std::string text;
  };

  static std::string domain_placeholder(std::int64_t domain) { return fmt::format("domain {}", domain); }
  static std::string category_placeholder(std::int64_t domain, std::int64_t category) {
    return domain == 0 ? fmt::format("category {}", category) : fmt::format("category {} of domain {}", category, domain);
  }

  void take(const TableRow& row) {
    const Type type = type_of(row.integer(2));
    std::string_view text = row.text(4);
    if (text.empty() && row.integer(5) != kUnknown) text = report_.texts().of(row.integer(5));
    const std::int64_t thread = row.integer(3);
    const std::int64_t domain = row.integer(6) == kUnknown ? 0 : row.integer(6);
    switch (type) {
      case Type::other: return;
      case Type::category: categories_[{domain, row.integer(7)}] = text; return;
      case Type::domain: report_.domain_names[events_.text(domain_placeholder(domain))] = events_.text(text); return;
      case Type::thread: return name_thread(thread, text);
      case Type::pop:
      case Type::end: ++report_.orphan_ends; return;
      default: break;
    }
    RangeRow range{type, row.integer(0), thread, domain, row.integer(7), row.integer(10), StringId::none};
    std::string_view json = row.text(8);
    if (json.empty() && row.integer(9) != kUnknown) json = report_.texts().of(row.integer(9));
    if (!json.empty()) range.json = events_.text(json);
    const std::int64_t end = type == Type::mark ? range.start : row.integer(1);
    if (end != kUnknown || !is_time(range.start)) return add(range, end, text);
    unfinished_.push_back({range, std::string(text)});
  }

  void name_thread(std::int64_t thread, std::string_view text) {
    if (report_.has_thread(thread)) events_.name_host_thread(pid_of(thread), tid_of(thread), text);
  }

  std::uint32_t track_of(const RangeRow& range) {
    const bool of_thread = range.type == Type::push_pop || range.type == Type::push || range.type == Type::mark;
    if (of_thread) return report_.thread(range.thread);
    const std::array key{pid_of(range.thread), range.domain};
    const auto [at, is_new] = beside_.try_emplace(key, 0);
    if (is_new) {
      at->second = report_.beside_threads(
          range.thread, range.domain == 0 ? "NVTX ranges" : fmt::format("NVTX ranges of domain {}", range.domain));
    }
    return at->second;
  }

  void add(const RangeRow& range, std::int64_t end, std::string_view text) {
    const std::optional<OperatorText> of_operator = operator_text(text);
    const std::string_view module = module_text(text);
    const std::string_view shown = of_operator ? of_operator->name : module.empty() ? text : module;
    const Category category = of_operator ? Category::op : Category::annotation;
    const auto slice =
        events_.add(range.start, end, events_.text(shown.empty() ? "(unnamed)" : shown), track_of(range), category);
    if (!slice) return;
    if (of_operator) add_operator(*slice, range, *of_operator);
    add_facts(*slice, range);
  }

  void add_operator(std::uint32_t slice, const RangeRow& range, const OperatorText& text) {
    RawHost host(slice, kUnknown, Category::op);
    if (!text.shapes.empty()) host.shapes = events_.text(text.shapes);
    events_.batch().hosts.push_back(host);
    if (text.sequence == kUnknown || text.sequence < 0 || text.sequence > kFarthestSequence) return;
    const bool backward = text.name.starts_with("autograd::") || text.name.find("Backward") != std::string_view::npos;
    const std::int64_t id = (pid_of(range.thread) << 32) + text.sequence;
    events_.batch().flow_ends.push_back({range.start, id, track_of(range), FlowChannel::forward_backward, !backward});
  }

  void add_facts(std::uint32_t slice, const RangeRow& range) {
    const auto add_text = [&](std::string_view name, StringId text) {
      events_.batch().facts.push_back({slice, events_.text(name), kUnknownReal, text});
    };
    if (range.domain != 0) add_text(kDomainFact, events_.text(domain_placeholder(range.domain)));
    const bool has_category = range.category != kUnknown && range.category != 0;
    if (has_category) add_text("Category", events_.text(category_placeholder(range.domain, range.category)));
    if (range.json != StringId::none) add_text("Payload", range.json);
    if (range.payload == kUnknown) return;
    events_.batch().facts.push_back({slice, events_.text("Payload"), static_cast<double>(range.payload), StringId::none});
  }

  static constexpr std::int64_t kFarthestSequence = 0x7fffffff;

  Report& report_;
  RowEvents& events_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> categories_;  // by domain and number
  std::map<std::array<std::int64_t, 2>, std::uint32_t> beside_;              // by process and domain
  std::vector<Unfinished> unfinished_;
};

}  // namespace

void read_ranges(Report& report) { RangeReader(report).run(); }

}  // namespace sightline::formats::nsys
