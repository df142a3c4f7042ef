// Names of a database by number, and its kernels, read on another thread.
#include "formats/ascend/database_kernels.h"

#include <array>
#include <cmath>

#include "base/parallel.h"

namespace sightline::formats::ascend {

// ---- strings ----

namespace {

constexpr std::int64_t kMostSparse = 8;  // places of the array for one text

}  // namespace

void DatabaseStrings::read(Database& database) {
  std::int64_t rows = 0;
  database.each("STRING_IDS", {"id", "value"}, [&](const Database::Row& row) {
    const std::int64_t number = row.integer(0);
    const std::string_view text = row.text(1);
    if (text.empty()) return;  // the same as none
    const StringId id = texts_.intern(text);
    if (number < 0 || number > ++rows * kMostSparse) {
      other_.emplace(number, id);
      return;
    }
    const auto place = static_cast<std::size_t>(number);
    if (place >= by_number_.size()) by_number_.resize(place + 1, StringId::none);
    if (by_number_[place] == StringId::none) by_number_[place] = id;  // if a number has two texts, the first counts
  });
}

std::optional<std::size_t> DatabaseStrings::place(const Database::Row& row, int column) const {
  const std::optional<std::int64_t> number = row.number(column);
  if (!number || *number == kUnknown) return std::nullopt;
  if (*number >= 0 && static_cast<std::size_t>(*number) < by_number_.size()) {
    const StringId id = by_number_[static_cast<std::size_t>(*number)];
    if (id != StringId::none) return static_cast<std::size_t>(id);
  }
  const auto found = other_.find(*number);
  return found == other_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found->second));
}

std::string_view DatabaseStrings::of(const Database::Row& row, int column) const {
  if (!row.number(column)) return row.text(column);
  const std::optional<std::size_t> found = place(row, column);
  return found ? texts_.view(static_cast<StringId>(*found)) : std::string_view{};
}

// ---- kernels ----
// Reads two tables, one after the other, on another thread.

namespace {

// Columns of COMPUTE_TASK_INFO, and the titles that the text export gives them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kTextFacts = {{{"hf32Eligible", "HF32 Eligible"},
                                                                                      {"opState", "OP State"},
                                                                                      {"inputShapes", "Input Shapes"},
                                                                                      {"inputDataTypes", "Input Data Types"},
                                                                                      {"inputFormats", "Input Formats"},
                                                                                      {"outputShapes", "Output Shapes"},
                                                                                      {"outputDataTypes", "Output Data Types"},
                                                                                      {"outputFormats", "Output Formats"}}};
constexpr int kFirstText = 6;  // column of the query below

std::string_view as_it_is(std::string_view text) { return text; }

}  // namespace

DatabaseKernels::DatabaseKernels(const std::string& path, const DatabaseStrings& strings, const ReadOptions& options)
    : strings_(strings) {
  Result<Database> opened = Database::open(path, options.progress);
  if (!opened) {
    error_ = opened.error();
  } else {
    db_.emplace(*std::move(opened));
  }
  const auto begin = [&](auto work) {
    return options.threads == 1 ? std::async(std::launch::deferred, work) : begin_beside(work);
  };
  kernels_are_read_ = begin([this] { read_kernels(); }).share();
  all_is_read_ = begin([this, before = kernels_are_read_] {
    before.get();
    read_counters();
  });
}

void DatabaseKernels::read_kernels() {
  if (!db_) return;
  std::vector<std::string_view> columns = {"globalTaskId",           "name", "opType", "taskType", "blockNum|blockDim",
                                           "mixBlockNum|mixBlockDim"};
  std::vector<StringId> titles;
  for (const auto& [column, title] : kTextFacts) {
    columns.push_back(column);
    titles.push_back(names_.intern(title));
  }
  const StringId mixed = names_.intern("Mix Block Dim");
  SpelledStrings texts(strings_);
  std::vector<std::optional<KernelFact>> known(strings_.size());  // a text as a fact
  std::vector<bool> looked_up(strings_.size(), false);
  db_->each("COMPUTE_TASK_INFO", columns, [&](const Database::Row& row) {
    const auto kernel = static_cast<Row>(kernels_.size());
    const auto text = [&](int column) { return texts.of(row, column, names_, as_it_is); };
    kernels_.push_back({texts.name(row, 1, names_, as_it_is), text(2), text(3), row.integer(4)});
    by_task_.add(row.integer(0), kernel);
    const std::int64_t mix = row.integer(5);
    if (mix != kUnknown) facts_.push_back(KernelFact::of_number(kernel, mixed, static_cast<double>(mix)));
    for (std::size_t i = 0; i < titles.size(); ++i) {
      const int column = kFirstText + static_cast<int>(i);
      const auto fact = [&] { return fact_of(kernel, titles[i], strings_.of(row, column), names_); };
      const std::optional<std::size_t> place = strings_.place(row, column);
      if (!place) {
        add(kernel, titles[i], fact());
        continue;
      }
      if (!looked_up[*place]) known[*place] = fact();
      looked_up[*place] = true;
      add(kernel, titles[i], known[*place]);
    }
  });
  by_task_.settle();
  tasks_ = by_task_.ids();
  unnamed_ = texts.unknown();
}

void DatabaseKernels::add(Row kernel, StringId title, std::optional<KernelFact> fact) {
  if (fact) facts_.push_back({kernel, title, fact->bits});
}

void DatabaseKernels::read_counters() {
  if (!db_) return;
  // Times are ns, as everywhere in a database; the text export writes "(us)".
  const auto titled = [](std::string_view name) { return std::string(name) + (name.ends_with("_time") ? "(ns)" : ""); };
  SpelledStrings titles(strings_);
  IdTable<Row>::Place place;
  db_->each("TASK_PMU_INFO", {"globalTaskId", "name", "value"}, [&](const Database::Row& row) {
    const double value = row.real(2);
    const Row* kernel = std::isfinite(value) ? by_task_.last(row.integer(0), place) : nullptr;
    if (kernel != nullptr) counters_.push_back(KernelFact::of_number(*kernel, titles.of(row, 1, counter_names_, titled), value));
  });
}

Row DatabaseKernels::find(std::int64_t task, IdTable<Row>::Place& place) const {
  const Row* kernel = by_task_.last(task, place);
  return kernel == nullptr ? kNoRow : *kernel;
}

void DatabaseKernels::add_facts(const std::vector<Row>& slices, KernelFacts& facts, StringPool& strings) {
  all_is_read_.get();
  by_task_ = {};
  kernels_ = {};
  facts.add(std::move(facts_), slices, strings.merge(names_));
  facts.add(std::move(counters_), slices, strings.merge(counter_names_));
}

void DatabaseKernels::report(Profile& profile) const {
  if (error_) profile.add_problem(Severity::error, "damaged_database", error_->to_string(), 1, 0);
  if (db_) db_->report(profile);
}

}  // namespace sightline::formats::ascend
