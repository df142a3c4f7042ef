// The facts of device work (work_facts: attributes that only some devices report): found by slice and name, and as columns of
// tables, one column per name.
#include "analyses/facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "analyses/columns.h"

namespace sightline::analyses {

// ---- facts by slice and name ----

namespace {

Row find(const Profile& profile, Row slice, const FactName& name) {
  const WorkFacts& facts = profile.work_facts;
  if (!name.is_known()) return kNoRow;
  const auto first = std::lower_bound(facts.slice.begin(), facts.slice.end(), slice) - facts.slice.begin();
  for (auto i = static_cast<std::size_t>(first); i < facts.rows() && facts.slice[i] == slice; ++i) {
    if (name.is(facts.name[i])) return static_cast<Row>(i);
  }
  return kNoRow;
}

}  // namespace

FactName::FactName(const Profile& profile, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const StringId id = profile.strings.find(name);
    if (id != StringId::none) ids_.push_back(id);
  }
}

bool FactName::is(StringId id) const { return std::find(ids_.begin(), ids_.end(), id) != ids_.end(); }

double fact_number(const Profile& profile, Row slice, const FactName& name) {
  const Row row = find(profile, slice, name);
  return row == kNoRow ? kUnknownNumber : profile.work_facts.number[row];
}

StringId text_id_of(const Profile& profile, Row slice, const FactName& name) {
  const Row row = find(profile, slice, name);
  return row == kNoRow ? StringId::none : profile.work_facts.text[row];
}

std::string_view text_of(const Profile& profile, Row slice, const FactName& name) {
  const StringId text = text_id_of(profile, slice, name);
  return text == StringId::none ? std::string_view{} : profile.text(text);
}

// ---- columns of facts ----

namespace {

struct UnitWord {
  std::string_view word;
  Unit unit;
  double scale;
};

// KB and MB are 2^10 and 2^20 bytes, as of memory; of rates, GB is 10^9.
constexpr std::array<UnitWord, 14> kTitleUnits{{{"ns", Unit::ns, 1},
                                                {"us", Unit::ns, 1e3},
                                                {"ms", Unit::ns, 1e6},
                                                {"s", Unit::ns, 1e9},
                                                {"B", Unit::bytes, 1},
                                                {"Byte", Unit::bytes, 1},
                                                {"KB", Unit::bytes, 1024},
                                                {"MB", Unit::bytes, 1 << 20},
                                                {"GB", Unit::bytes, 1 << 30},
                                                {"KB/s", Unit::bytes_per_second, 1e3},
                                                {"MB/s", Unit::bytes_per_second, 1e6},
                                                {"GB/s", Unit::bytes_per_second, 1e9},
                                                {"%", Unit::percent, 1},
                                                {"cycles", Unit::count, 1}}};

bool ends_in_any(std::string_view text, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return text.ends_with(end); });
}

std::string mean_formula(const FactColumn& fact) {
  return fact.weighted() ? "sum(value x duration) / sum(duration), over calls that have a value"
                         : "sum(value) / number of values, over calls that have one";
}

}  // namespace

FactColumn fact_column(std::string_view title) {
  FactColumn fact;
  fact.title = title;
  const std::size_t open = title.rfind('(');
  if (open != std::string_view::npos && open > 0 && title.ends_with(')')) {
    const std::string_view word = title.substr(open + 1, title.size() - open - 2);
    const auto known =
        std::find_if(kTitleUnits.begin(), kTitleUnits.end(), [&](const UnitWord& unit) { return unit.word == word; });
    if (known != kTitleUnits.end()) {
      fact.unit = known->unit;
      fact.scale = known->scale;
      fact.measure = true;
      fact.title = title.substr(0, open);
      while (fact.title.ends_with(' ')) fact.title.pop_back();
      return fact;
    }
  }
  if (ends_in_any(title, {"transfer_rate"})) {
    fact.unit = Unit::bytes_per_second;
  } else if (ends_in_any(title, {"_ratio", "_rate", " Rate", " rate", " rate (derived)"})) {
    fact.unit = Unit::share;
    fact.measure = true;
  } else if (ends_in_any(title, {"_cycles", "_fops", "_hit", "_miss_allocate"})) {
    fact.unit = Unit::count;
    fact.measure = true;
  } else if (ends_in_any(title, {"_bytes", "transfer_size", "read_size", "write_size"})) {
    fact.unit = Unit::bytes;
  } else if (ends_in_any(title, {"_ns", "_wait_time", "_active_time", "_instruction_time"})) {
    fact.unit = Unit::ns;
  } else if (title == "flops") {
    fact.unit = Unit::flops;
  } else if (ends_in_any(title, {" ID", " Id", " id", "_id", "_ID"})) {
    fact.unit = Unit::id;
  }
  return fact;
}

Facts::Facts(const Profile& profile) : facts_(profile.work_facts), work_(profile.device_work) {
  std::map<StringId, FactColumn> known;
  std::vector<StringId> order;
  const auto& work_slices = profile.device_work.slice;
  first_.reserve(work_slices.size());
  Row fact = 0;
  for (const Row slice : work_slices) {
    while (fact < facts_.rows() && facts_.slice[fact] < slice) ++fact;  // of slices that are not device work
    first_.push_back(fact);
    std::size_t after = 0;  // a new name comes after the one before it
    for (; fact < facts_.rows() && facts_.slice[fact] == slice; ++fact) {
      const StringId name = facts_.name[fact];
      const auto [at, is_new] = known.try_emplace(name);
      if (is_new) {
        at->second = fact_column(profile.text(name));
        at->second.name = name;
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(after), name);
        ++after;
      } else if (after < order.size() && order[after] == name) {
        ++after;
      } else {
        after = static_cast<std::size_t>(std::find(order.begin(), order.end(), name) - order.begin()) + 1;
      }
      const double number = facts_.number[fact];
      at->second.text |= facts_.text[fact] != StringId::none;
      if (!std::isnan(number) && number != std::floor(number)) at->second.whole = false;
    }
  }
  column_of_.resize(profile.strings.size(), 0);
  for (const StringId name : order) {
    FactColumn column = known[name];
    column.measure = !column.text && column.unit != Unit::id && (column.measure || !column.whole);
    if (column.text) column.unit = Unit::none;
    column_of_[static_cast<std::uint32_t>(name)] = static_cast<std::uint32_t>(columns_.size());
    columns_.push_back(std::move(column));
  }
}

std::string fact_key(std::string_view title) {
  std::string key;
  for (const char c : title) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool capital = c >= 'A' && c <= 'Z';
    if (letter || capital) {
      key += capital ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!key.empty() && key.back() != '_') {
      key += c == '%' ? "percent" : "_";
    }
  }
  while (key.ends_with('_')) key.pop_back();
  return "fact_" + key;
}

// The title, and the name in the file where that is another.
static std::pair<Message, Message> titled(const FactColumn& fact) {
  const std::string title = vendor_title(fact.title);
  const Message source = "the file's table of kernels";
  if (title.empty()) return {Message(fact.title), source};
  return {Message::verbatim(title), say("the file's table of kernels: {}", fact.title)};
}

ReportColumn value_column(const FactColumn& fact) {
  const auto [title, source] = titled(fact);
  const MetricDoc doc{"Value that the profiler states for the kernel.", "none: as stated", source};
  const std::string key = fact_key(fact.title);
  if (fact.text) return code_column(key, title, doc.text());
  ReportColumn column = fact.unit == Unit::ns || (fact.whole && fact.unit != Unit::percent && fact.unit != Unit::share)
                            ? integer_column(key, title, fact.unit, doc)
                            : real_column(key, title, fact.unit, doc);
  if (!fact.measure && fact.unit != Unit::id) column.unit = Unit::none;
  column.unknown = "the profiler states no value for this kernel";
  return column;
}

ReportColumn mean_column(const FactColumn& fact) {
  const auto [title, source] = titled(fact);
  ReportColumn column =
      real_column("mean_" + fact_key(fact.title).substr(5), say("Mean {}", title), fact.unit,
                  {"Value that the profiler states for the calls, on average.", mean_formula(fact), source, kNew});
  column.unknown = "the profiler states no value for these kernels";
  return column;
}

}  // namespace sightline::analyses
