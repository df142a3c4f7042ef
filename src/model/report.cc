// Report: look-ups.
#include "model/report.h"

namespace sightline::model {

ReportColumn&& ReportColumn::with_bar(std::string_view share) && { return bar = share, std::move(*this); }
ReportColumn&& ReportColumn::with_category(std::string_view hue) && { return category = hue, std::move(*this); }
ReportColumn&& ReportColumn::with_unknown(MessageArgument reason) && { return unknown = reason.message(), std::move(*this); }
ReportColumn&& ReportColumn::with_words(std::string_view which) && { return words = which, std::move(*this); }

PanelContent::PanelContent() = default;
PanelContent::PanelContent(const PanelContent&) = default;
PanelContent::PanelContent(PanelContent&&) noexcept = default;
PanelContent& PanelContent::operator=(const PanelContent&) = default;
PanelContent& PanelContent::operator=(PanelContent&&) noexcept = default;
PanelContent::~PanelContent() = default;

const ReportColumn* ReportTable::find(std::string_view column_key) const {
  for (const ReportColumn& column : columns) {
    if (column.key == column_key) return &column;
  }
  return nullptr;
}

const std::string& Panel::table() const {
  static const std::string kNone;
  return std::visit(
      [](const auto& drawn) -> const std::string& {
        if constexpr (requires { drawn.table; }) {
          return drawn.table;
        } else {
          return kNone;
        }
      },
      content);
}

std::vector<std::string> Panel::columns() const {
  std::vector<std::string> keys;
  std::visit(
      [&keys](const auto& drawn) {
        if constexpr (requires { drawn.x; }) keys.push_back(drawn.x);
        if constexpr (requires { drawn.y; }) keys.push_back(drawn.y);
        if constexpr (requires { drawn.series; }) keys.insert(keys.end(), drawn.series.begin(), drawn.series.end());
        if constexpr (requires { drawn.lane; }) keys.insert(keys.end(), {drawn.group, drawn.lane, drawn.start, drawn.length});
        if constexpr (requires { drawn.label; }) keys.push_back(drawn.label);
        if constexpr (requires { drawn.value; }) keys.push_back(drawn.value);
      },
      content);
  std::erase(keys, "");
  return keys;
}

const ReportTable* Report::find_table(std::string_view key) const {
  for (const ReportTable& table : tables) {
    if (table.key == key) return &table;
  }
  return nullptr;
}

}  // namespace sightline::model
