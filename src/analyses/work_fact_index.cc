// work_facts is in the order of slices: a slice's facts are a range of rows.
#include "analyses/work_fact_index.h"

#include <algorithm>
#include <limits>

namespace sightline::analyses {

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

double number_of(const Profile& profile, Row slice, const FactName& name) {
  const Row row = find(profile, slice, name);
  return row == kNoRow ? std::numeric_limits<double>::quiet_NaN() : profile.work_facts.number[row];
}

std::string_view text_of(const Profile& profile, Row slice, const FactName& name) {
  const Row row = find(profile, slice, name);
  return row == kNoRow ? std::string_view{} : profile.text(profile.work_facts.text[row]);
}

}  // namespace sightline::analyses
