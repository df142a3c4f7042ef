// Columns of reports, declared in one line each.
#include "analyses/columns.h"

namespace sightline {

namespace {

ReportColumn plain(std::string_view key, std::string_view title, Unit unit, CellType type, std::string doc) {
  ReportColumn column;
  column.key = key;
  column.title = title;
  column.unit = unit;
  column.type = type;
  column.doc = std::move(doc);
  return column;
}

}  // namespace

std::string MetricDoc::text() const {
  std::string all(meaning);
  const auto paragraph = [&](std::string_view head, std::string_view body) {
    if (!body.empty()) all.append("\n").append(head).append(" ").append(body);
  };
  paragraph("Formula:", formula);
  paragraph("Source:", source);
  paragraph("Differs:", differs);
  return all;
}

ReportColumn text_column(std::string_view key, std::string_view title, std::string_view doc) {
  return plain(key, title, Unit::none, CellType::text, std::string(doc));
}

ReportColumn words_column(std::string_view key, std::string_view title, std::string_view doc) {
  ReportColumn column = text_column(key, title, doc);
  column.words = kAllRows;
  return column;
}

ReportColumn code_column(std::string_view key, std::string_view title, std::string_view doc) {
  ReportColumn column = text_column(key, title, doc);
  column.code = true;
  return column;
}

ReportColumn label_column(std::string_view key, std::string_view title, std::string_view doc) {
  ReportColumn column = code_column(key, title, doc);
  column.role = ColumnRole::label;
  return column;
}

ReportColumn flag_column(std::string_view key, std::string_view title, const MetricDoc& doc) {
  return plain(key, title, Unit::none, CellType::flag, doc.text());
}

ReportColumn integer_column(std::string_view key, std::string_view title, Unit unit, const MetricDoc& doc) {
  return plain(key, title, unit, CellType::integer, doc.text());
}

ReportColumn real_column(std::string_view key, std::string_view title, Unit unit, const MetricDoc& doc) {
  return plain(key, title, unit, CellType::real, doc.text());
}

void add_own_name_column(std::vector<ReportColumn>& columns, std::string_view named) {
  constexpr std::string_view kKey = "own_name";
  for (ReportColumn& column : columns) {
    if (column.key == named) column.words = kKey;
  }
  columns.push_back(flag_column(kKey, "Own name", {"Whether its name comes from Sightline, not from the trace.", "", ""}));
  columns.back().hidden = true;
}

ReportColumn longest_slice_column(std::string_view of_what) {
  const std::string meaning = "Where the timeline shows the longest " + std::string(of_what) + ".";
  ReportColumn column =
      integer_column("longest_slice", "Longest on the timeline", Unit::id, {meaning, "", "row of slices; the first of equals"});
  column.hidden = true;
  return column;
}

std::vector<RowLink> timeline_links() {
  return {{"Longest on the timeline", "timeline", {{"slice", "$longest_slice"}}},
          {"Search on the timeline", "timeline", {{"search", "$name"}}}};
}

}  // namespace sightline
