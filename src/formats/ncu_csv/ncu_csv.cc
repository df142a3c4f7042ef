// Both pages of Nsight Compute's CSV: `raw` has a row per kernel and a column per metric, `details` a row per metric.
#include "formats/ncu_csv/ncu_csv.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>

#include "base/sort.h"
#include "base/text.h"
#include "formats/common/decimal.h"
#include "formats/trace_events/assemble.h"

namespace sightline::formats {

namespace ncu_csv {

std::string plain_name(std::string_view name) {
  if (name.starts_with("void ")) name.remove_prefix(5);
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] != '(' || depth > 0 || i == 0) continue;
    if (name.substr(i).starts_with("(anonymous namespace)")) {
      i += std::string_view("(anonymous namespace)").size() - 1;
      continue;
    }
    name = name.substr(0, i);
    break;
  }
  return std::string(name);
}

std::string plain_size(std::string_view size) {
  std::string plain = "[";
  int numbers = 0;
  std::string number;
  for (const char c : std::string(size) + ",") {
    if (c >= '0' && c <= '9') number += c;
    if (c != ',' && c != ')') continue;
    if (number.empty()) continue;
    if (numbers++ > 0) plain += ", ";
    plain += number;
    number.clear();
  }
  return numbers == 3 ? plain + "]" : std::string();
}

namespace {

constexpr std::size_t kHeadBytes = 64 * 1024, kMostMetrics = 5000;

struct Measured {
  std::string name, grid, block;                       // sizes are empty if the row has none
  std::vector<std::pair<StringId, StringId>> metrics;  // title, value
};

class Columns {
 public:
  explicit Columns(const std::vector<std::string>& header) : header_(header) {
    for (std::size_t i = 0; i < header.size(); ++i) at_.emplace(header[i], i);
  }
  bool is_ncu() const { return has("ID") && has("Kernel Name") && (has("Metric Name") || has("Grid Size")); }
  bool is_details() const { return has("Metric Name") && has("Metric Value"); }
  bool has(const std::string& name) const { return at_.contains(name); }
  std::string_view of(const std::vector<std::string>& cells, const std::string& name) const {
    const auto found = at_.find(name);
    return found != at_.end() && found->second < cells.size() ? std::string_view(cells[found->second]) : std::string_view();
  }
  // Columns after those that say what the kernel is.
  bool is_metric(std::size_t column) const {
    static constexpr std::string_view kAbout[] = {"ID",
                                                  "Process ID",
                                                  "Process Name",
                                                  "Host Name",
                                                  "Kernel Name",
                                                  "Kernel Time",
                                                  "Context",
                                                  "Stream",
                                                  "Block Size",
                                                  "Grid Size",
                                                  "Device",
                                                  "CC",
                                                  "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"};
    return std::find(std::begin(kAbout), std::end(kAbout), header_[column]) == std::end(kAbout);
  }
  const std::vector<std::string>& header() const { return header_; }

 private:
  std::vector<std::string> header_;
  std::unordered_map<std::string, std::size_t> at_;
};

std::string title_of(std::string_view metric, std::string_view unit) {
  return unit.empty() ? std::string(metric) : std::string(metric) + " [" + std::string(unit) + "]";
}

// The measured kernels in the order of their ids, and lines of other forms.
struct Table {
  std::vector<Measured> kernels;
  StringPool texts;  // of their metrics
  std::int64_t malformed = 0, first_malformed = kUnknown;
};

class TableReading {
 public:
  void read(ByteStream& in, const ReadContext& context) {
    std::string line;
    for (std::int64_t at = 0; !context.is_cancelled() && in.line(line, kLongestLine); at = in.position()) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.empty() || line.starts_with("==")) continue;  // what the tool says while it runs
      std::vector<std::string> cells = csv_cells(line);
      if (!columns_) {
        if (Columns columns(cells); columns.is_ncu()) columns_.emplace(std::move(columns));
        continue;
      }
      if (cells.size() != columns_->header().size()) {
        if (table_.malformed++ == 0) table_.first_malformed = at;
        continue;
      }
      columns_->is_details() ? add_metric(cells) : add_kernel(cells);
    }
  }
  Table take() { return std::move(table_); }

 private:
  Measured& kernel_of(const std::vector<std::string>& cells) {
    const std::string id(columns_->of(cells, "ID"));
    if (table_.kernels.empty() || id != last_id_) {
      table_.kernels.push_back({plain_name(columns_->of(cells, "Kernel Name")),
                                plain_size(columns_->of(cells, "Grid Size")),
                                plain_size(columns_->of(cells, "Block Size")),
                                {}});
    }
    last_id_ = id;
    return table_.kernels.back();
  }

  void add_metric(const std::vector<std::string>& cells) {
    Measured& kernel = kernel_of(cells);
    const std::string title = title_of(columns_->of(cells, "Metric Name"), columns_->of(cells, "Metric Unit"));
    if (!columns_->of(cells, "Metric Name").empty() && kernel.metrics.size() < kMostMetrics)
      add(kernel, title, columns_->of(cells, "Metric Value"));
  }

  // The second line has the units.
  void add_kernel(const std::vector<std::string>& cells) {
    if (columns_->of(cells, "ID").empty()) {
      units_ = cells;
      return;
    }
    Measured& kernel = kernel_of(cells);
    for (std::size_t i = 0; i < cells.size() && kernel.metrics.size() < kMostMetrics; ++i) {
      if (columns_->is_metric(i) && !cells[i].empty())
        add(kernel, title_of(columns_->header()[i], i < units_.size() ? units_[i] : ""), cells[i]);
    }
  }

  void add(Measured& kernel, std::string_view title, std::string_view value) {
    kernel.metrics.emplace_back(table_.texts.intern(title), table_.texts.intern(value));
  }

  std::optional<Columns> columns_;
  std::vector<std::string> units_;
  std::string last_id_;
  Table table_;
};

// "1,234.5" -> 1234.5.
std::optional<double> parse_value(std::string text) {
  std::erase(text, ',');
  const auto number = parse_real(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

constexpr auto kAnySize = static_cast<StringId>(0xFFFFFFFF);

// Kernels of one plain name in the order of time.
struct Named {
  std::vector<Row> rows;
  // Places in `rows` by grid and block: StringId::none is a size that the trace lacks; each kernel is also of kAnySize.
  std::map<std::pair<StringId, StringId>, std::vector<std::size_t>> by_size;
};

std::unordered_map<std::string, Named> kernels_by_name(const Profile& p) {
  std::unordered_map<std::string, Named> all;
  std::unordered_map<StringId, std::string> plain;
  for (Row work = 0; work < p.device_work.rows(); ++work) {
    const Row slice = p.device_work.slice[work];
    if (p.slices.kind[slice] != SliceKind::kernel && p.slices.kind[slice] != SliceKind::collective) continue;
    const auto [at, is_new] = plain.try_emplace(p.slices.name[slice]);
    if (is_new) at->second = plain_name(p.text(p.slices.name[slice]));
    all[at->second].rows.push_back(work);
  }
  for (auto& [name, of] : all) {
    sort_up(of.rows, [&](Row each) { return p.slices.start[p.device_work.slice[each]]; });
    for (std::size_t i = 0; i < of.rows.size(); ++i) {
      for (const StringId grid : {p.device_work.grid[of.rows[i]], kAnySize}) {
        for (const StringId block : {p.device_work.block[of.rows[i]], kAnySize}) of.by_size[{grid, block}].push_back(i);
      }
    }
  }
  return all;
}

// The kernels of a name that a launch size fits, one after another.
class Fitting {
 public:
  Fitting(const Named& of, std::span<const StringId> grids, std::span<const StringId> blocks) {
    for (const StringId grid : grids) {
      for (const StringId block : blocks) {
        const auto found = of.by_size.find({grid, block});
        if (found != of.by_size.end()) left_.emplace_back(found->second);
      }
    }
  }
  // Its place in the rows of the name; none is left: nullopt.
  std::optional<std::size_t> next() {
    std::span<const std::size_t>* first = nullptr;
    for (auto& list : left_) {
      if (!list.empty() && (first == nullptr || list.front() < first->front())) first = &list;
    }
    if (first == nullptr) return std::nullopt;
    const std::size_t place = first->front();
    *first = first->subspan(1);
    return place;
  }

 private:
  std::vector<std::span<const std::size_t>> left_;
};

// The sizes in the trace that this one fits.
std::vector<StringId> fitting_sizes(const std::string& size, const Profile& p) {
  if (size.empty()) return {kAnySize};
  const StringId same = p.strings.find(size);
  return same == StringId::none ? std::vector{StringId::none} : std::vector{same, StringId::none};
}

// Joins the rows to kernels: the nth row of a name and launch size is the nth kernel of that name and size.
void join(const Table& table, const std::string& file, Profile& p) {
  const auto kernels = kernels_by_name(p);
  std::unordered_map<std::string, Fitting> fitting;  // by name and sizes
  std::vector<trace_events::SliceFact> facts;
  std::int64_t missing = 0, beyond = 0;
  for (const Measured& measured : table.kernels) {
    const auto named = kernels.find(measured.name);
    if (named == kernels.end()) {
      ++missing;
      continue;
    }
    const std::string key = measured.name + "\n" + measured.grid + "\n" + measured.block;
    auto fits = fitting.find(key);
    if (fits == fitting.end()) {
      const Fitting all(named->second, fitting_sizes(measured.grid, p), fitting_sizes(measured.block, p));
      fits = fitting.emplace(key, all).first;
    }
    const auto place = fits->second.next();
    if (!place) {
      ++beyond;
      continue;
    }
    const Row slice = p.device_work.slice[named->second.rows[*place]];
    for (const auto& [title, value_id] : measured.metrics) {
      const std::string value(table.texts.view(value_id));
      const auto number = parse_value(value);
      facts.push_back({slice, p.strings.intern(to_utf8(table.texts.view(title))),
                       number.value_or(static_cast<double>(kUnknownReal)),
                       number ? StringId::none : p.strings.intern(to_utf8(value))});
    }
  }
  trace_events::put_facts(std::move(facts), p);
  const std::int64_t all = static_cast<std::int64_t>(table.kernels.size());
  p.add_problem(missing + beyond == 0 ? Severity::note : Severity::warning, "ncu_joined",
                say("{}: {} of {} measured kernels are joined to kernels of the trace by name, launch size and order; {} have a "
                    "name that the trace lacks, {} have no kernel left",
                    file, all - missing - beyond, all, missing, beyond),
                1, kUnknown);
}

bool is_ncu_file(const std::string& path) {
  const Result<std::string> head = read_head(path, kHeadBytes);
  if (!head) return false;
  for (const std::string_view line : split_line(*head, '\n')) {
    if (line.find("Kernel Name") != line.npos) return Columns(csv_cells(line)).is_ncu();
  }
  return false;
}

}  // namespace
}  // namespace ncu_csv

std::vector<std::string> ncu_files(const TablesBeside& tables) {
  std::vector<std::string> found;
  std::copy_if(tables.files.begin(), tables.files.end(), std::back_inserter(found), ncu_csv::is_ncu_file);
  return found;
}

void read_ncu_files(const ReadContext& context, const TablesBeside& tables, Profile& profile) {
  if (profile.device_work.rows() == 0) return;
  for (const std::string& path : ncu_files(tables)) {
    context.stage("reading measured kernels");
    const std::string name = std::filesystem::path(path).filename().string();
    ncu_csv::TableReading reading;
    const std::optional<Message> damage = read_beside(context, path, [&](ByteStream& in) { reading.read(in, context); });
    if (damage) {
      profile.add_problem(Severity::error, "measured_kernels_not_read", say("{}: {}; what is before it was read", name, *damage),
                          1, kUnknown);
    }
    const ncu_csv::Table table = reading.take();
    if (table.malformed != 0) {
      profile.add_problem(Severity::warning, "malformed_line",
                          say("{}: lines with more or fewer cells than the header were skipped", name), table.malformed,
                          table.first_malformed);
    }
    ncu_csv::join(table, name, profile);
  }
}

}  // namespace sightline::formats
