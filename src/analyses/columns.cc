// Columns of reports, declared in one line each.
#include "analyses/columns.h"

namespace sightline::analyses {

namespace {

ReportColumn plain(std::string_view key, MessageArgument title, Unit unit, CellType type, Message doc) {
  ReportColumn column;
  column.key = key;
  column.title = title.message();
  column.unit = unit;
  column.type = type;
  column.doc = std::move(doc);
  return column;
}

// Whether the values of a metric sum to that of all rows: an amount whose formula is a sum, or a number of things.
bool is_sum(Unit unit, const Message& formula) {
  const bool is_amount = unit == Unit::ns || unit == Unit::bytes || unit == Unit::count || unit == Unit::flops;
  const bool is_sum = formula.starts_with("sum") || formula.starts_with("number of ");
  return is_amount && is_sum && formula.find(" / ") == std::string::npos;
}

}  // namespace

Message MetricDoc::text() const {
  const Message what = meaning.message(), how = formula.message(), from = source.message(), other = differs.message();
  const auto headed = [](const Message& line, Message whole) { return line.empty() ? Message() : whole; };
  Message lines = listed_messages("\n", {what, headed(how, say("Formula: {}", how)), headed(from, say("Source: {}", from)),
                                         headed(other, say("Differs: {}", other))});
  // Plain texts become one text, which the page splits into lines again. A text with values must remain a message.
  const auto is_plain = [](const Message& line) { return line.kind() == Message::Kind::text; };
  const bool plain = is_plain(what) && is_plain(how) && is_plain(from) && is_plain(other);
  return plain ? Message(std::string(lines)) : lines;
}

bool is_ever_positive(const ReportTable& table, std::string_view key) {
  const ReportColumn* column = table.find(key);
  for (std::size_t row = 0; column != nullptr && row < table.rows(); ++row) {
    if (number_of(column->values[row]) > 0) return true;
  }
  return false;
}

ReportColumn text_column(std::string_view key, MessageArgument title, MessageArgument doc) {
  return plain(key, title, Unit::none, CellType::text, doc.message());
}

ReportColumn words_column(std::string_view key, MessageArgument title, MessageArgument doc) {
  ReportColumn column = text_column(key, title, doc);
  column.words = kAllRows;
  return column;
}

ReportColumn code_column(std::string_view key, MessageArgument title, MessageArgument doc) {
  ReportColumn column = text_column(key, title, doc);
  column.code = true;
  return column;
}

ReportColumn label_column(std::string_view key, MessageArgument title, MessageArgument doc) {
  ReportColumn column = code_column(key, title, doc);
  column.role = ColumnRole::label;
  return column;
}

ReportColumn flag_column(std::string_view key, MessageArgument title, const MetricDoc& doc) {
  return plain(key, title, Unit::none, CellType::flag, doc.text());
}

ReportColumn integer_column(std::string_view key, MessageArgument title, Unit unit, const MetricDoc& doc) {
  return plain(key, title, unit, CellType::integer, doc.text()).with_sums(is_sum(unit, doc.formula.message()));
}

ReportColumn real_column(std::string_view key, MessageArgument title, Unit unit, const MetricDoc& doc) {
  return plain(key, title, unit, CellType::real, doc.text()).with_sums(is_sum(unit, doc.formula.message()));
}

ReportColumn own_name_column() {
  return flag_column("own_name", "Own name", {"Whether its name comes from Sightline, not from the trace.", "", ""}).hide();
}

ReportColumn longest_slice_column(const char* of_what) {
  const Message meaning = say("Where the timeline shows the longest {}.", of_what);
  ReportColumn column =
      integer_column("longest_slice", "Longest on the timeline", Unit::id, {meaning, "", "row of slices; on ties, the first"});
  column.hidden = true;
  return column;
}

ReportColumn moment_column() {
  return code_column("moment", "Window", "Start and end of what the timeline shows around it").hide();
}

std::vector<RowLink> timeline_links() {
  return {{"Longest on the timeline", "timeline", {{"slice", "$longest_slice"}}},
          {"Search on the timeline", "timeline", {{"search", "$name"}}}};
}

}  // namespace sightline::analyses
