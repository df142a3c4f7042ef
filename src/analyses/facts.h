// The facts of device work (work_facts: attributes that only some devices report): found by slice and name, and as columns of
// tables, one column per name.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

// ---- facts by slice and name ----
// Formats have used several names for one fact: the first name that a slice has is used.

// The names of one fact, looked up once per profile.
class FactName {
 public:
  FactName(const Profile& profile, std::initializer_list<std::string_view> names);

  bool is_known() const { return !ids_.empty(); }  // whether the profile holds any of them
  bool is(StringId id) const;

 private:
  std::vector<StringId> ids_;
};

// NaN, and an empty text, when the slice has no such fact.
double fact_number(const Profile& profile, Row slice, const FactName& name);
std::string_view text_of(const Profile& profile, Row slice, const FactName& name);
StringId text_id_of(const Profile& profile, Row slice, const FactName& name);  // none, too

// ---- columns of facts ----
// The profile has the names. The name tells the kind of figure, its title and its values: "(us)" is a time, "_ratio" a share.

struct FactColumn {
  StringId name = StringId::none;  // of work_facts
  std::string title;               // without its unit
  Unit unit = Unit::none;
  double scale = 1;      // from the file's unit to ours: 1000 for us
  bool text = false;     // some value is not a number
  bool whole = true;     // all numbers are whole
  bool measure = false;  // a measurement, for which a mean is meaningful; else a property or an id
  // In a mean, a share or a rate is weighted by the length of the kernel; figures that add up (times, bytes, cycles) count once
  // per kernel.
  bool weighted() const {
    return unit == Unit::share || unit == Unit::percent || unit == Unit::bytes_per_second || unit == Unit::none;
  }
};

// The kind of figure that a title announces; names, text, whole and measure as far as the title shows them.
FactColumn fact_column(std::string_view title);

// All of the facts of a profile's device work, in the order of the file.
class Facts {
 public:
  explicit Facts(const Profile& profile);

  const std::vector<FactColumn>& columns() const { return columns_; }

  // Calls visit(column number, row of work_facts) for each fact of the device work.
  template <typename Visit>
  void visit(Row work, Visit&& visit) const {
    for (Row fact = first_[work]; fact < facts_.rows() && facts_.slice[fact] == work_.slice[work]; ++fact) {
      visit(column_of_[static_cast<std::uint32_t>(facts_.name[fact])], fact);
    }
  }

 private:
  const WorkFacts& facts_;
  const DeviceWork& work_;
  std::vector<FactColumn> columns_;
  std::vector<Row> first_;                // by row of device_work: where its facts begin
  std::vector<std::uint32_t> column_of_;  // by string id
};

// A readable title of a figure that one vendor's profiler names; empty for other names. registry.cc asks the vendors.
std::string vendor_title(std::string_view name);

// "aic_mac_time(us)" -> "aic_mac_time_us": a key of a report's column.
std::string fact_key(std::string_view title);

// A column for the values of single kernels.
ReportColumn value_column(const FactColumn& fact);

// A column for the mean over the kernels of a row.
ReportColumn mean_column(const FactColumn& fact);

}  // namespace sightline::analyses
