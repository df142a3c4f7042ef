// Arrow arrays over the profile's own memory, with a bitmap of what is known beside it; only text gets indices of its own,
// since a dictionary holds the words of its column and no others. Arrow and Parquet files differ in their writer only. All files
// of a folder are written before the first takes its name.
#include "output/table_files.h"

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/writer.h>
#include <fmt/core.h>
#include <parquet/arrow/writer.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <unordered_map>

#include "base/text.h"
#include "model/shared_tables.h"

namespace sightline::output {

namespace {

constexpr std::int64_t kRowGroup = std::int64_t{1} << 20;
constexpr std::size_t kPiece = std::size_t{1} << 20;

// ---- columns to arrays ----------------------------------------------------------------------------------

using Array = std::shared_ptr<arrow::ArrayData>;
using Buffer = std::shared_ptr<arrow::Buffer>;

template <typename T>
Buffer borrowed(const T* values, std::size_t size) {
  return std::make_shared<arrow::Buffer>(reinterpret_cast<const std::uint8_t*>(values),
                                         static_cast<std::int64_t>(size * sizeof(T)));
}

// One bit per row for which `holds` does.
template <typename Holds>
Buffer bitmap(std::size_t rows, Holds&& holds) {
  std::string bits((rows + 7) / 8, '\0');
  for (std::size_t row = 0; row < rows; ++row) {
    if (holds(row)) bits[row / 8] = static_cast<char>(bits[row / 8] | 1 << row % 8);
  }
  return arrow::Buffer::FromString(std::move(bits));
}

// Where values are known; null when all are.
template <typename T>
Buffer known_bits(const Column<T>& column) {
  const auto unknown = [](T value) { return is_unknown_value(value); };
  if (std::none_of(column.begin(), column.end(), unknown)) return nullptr;
  return bitmap(column.size(), [&](std::size_t row) { return !unknown(column[row]); });
}

template <typename T>
std::shared_ptr<arrow::DataType> number_type() {
  if constexpr (std::is_same_v<T, double>) return arrow::float64();
  if constexpr (std::is_same_v<T, float>) return arrow::float32();
  if constexpr (std::is_same_v<T, std::int64_t>) return arrow::int64();
  if constexpr (std::is_same_v<T, std::int32_t>) return arrow::int32();
  if constexpr (std::is_same_v<T, std::uint32_t>) return arrow::uint32();
  if constexpr (std::is_same_v<T, std::uint16_t>) return arrow::uint16();
}

// The distinct words of a column, numbered in the order in which they come.
class Dictionary {
 public:
  std::int32_t number_of(std::string word) {
    const auto [at, is_new] = numbers_.try_emplace(std::move(word), static_cast<std::int32_t>(order_.size()));
    if (is_new) order_.push_back(&at->first);
    return at->second;
  }
  arrow::Result<Array> array() const {
    arrow::StringBuilder words;
    for (const std::string* word : order_) ARROW_RETURN_NOT_OK(words.Append(*word));
    Array made;
    ARROW_RETURN_NOT_OK(words.FinishInternal(&made));
    return made;
  }

 private:
  std::unordered_map<std::string, std::int32_t> numbers_;
  std::vector<const std::string*> order_;
};

// `Index` numbers the words. Each distinct value is looked at once.
template <typename Index, typename T, typename Word>
arrow::Result<Array> words_array(const Column<T>& column, std::size_t values, Word&& word) {
  Dictionary dictionary;
  std::vector<std::int32_t> number(values, -1);  // by value
  std::vector<Index> indices(column.size());
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (is_unknown_value(column[row])) continue;
    std::int32_t& known = number[static_cast<std::size_t>(column[row])];
    if (known < 0) known = dictionary.number_of(word(column[row]));
    indices[row] = static_cast<Index>(known);
  }
  const auto index = arrow::CTypeTraits<Index>::type_singleton();
  auto array = arrow::ArrayData::Make(arrow::dictionary(index, arrow::utf8()), static_cast<std::int64_t>(column.size()),
                                      {known_bits(column), arrow::Buffer::FromVector(std::move(indices))});
  ARROW_ASSIGN_OR_RAISE(array->dictionary, dictionary.array());
  return array;
}

template <typename T>
arrow::Result<Array> array_of(const Profile& profile, const Column<T>& column) {
  const auto rows = static_cast<std::int64_t>(column.size());
  if constexpr (std::is_same_v<T, StringId>) {
    return words_array<std::int32_t>(column, profile.strings.size(), [&](T id) { return to_utf8(profile.text(id)); });
  } else if constexpr (std::is_enum_v<T>) {
    return words_array<std::int8_t>(column, 256, [](T value) { return std::string(word_of(value)); });
  } else if constexpr (std::is_same_v<T, bool>) {
    return arrow::ArrayData::Make(arrow::boolean(), rows,
                                  {nullptr, bitmap(column.size(), [&](auto row) { return column[row]; })});
  } else {
    return arrow::ArrayData::Make(number_type<T>(), rows, {known_bits(column), borrowed(column.data(), column.size())});
  }
}

// ---- the schema -----------------------------------------------------------------------------------------

std::string fact_text(const std::string& fact) { return to_utf8(fact); }
std::string fact_text(std::int64_t fact) { return fact == kUnknown ? "" : std::to_string(fact); }
std::string fact_text(bool fact) { return fact ? "true" : "false"; }

std::shared_ptr<arrow::KeyValueMetadata> table_metadata(const Profile& profile, std::string_view name, const std::string& doc) {
  auto metadata = arrow::key_value_metadata({"table", "doc"}, {std::string(name), doc});
  Profile::visit_facts(profile, [&](std::string_view fact_name, const auto& fact) {
    std::string text = fact_text(fact);
    if (!text.empty()) metadata->Append(std::string(fact_name), std::move(text));
  });
  return metadata;
}

std::shared_ptr<arrow::Field> field_of(const ColumnInfo& column, const std::shared_ptr<arrow::DataType>& type, bool nullable) {
  auto metadata = arrow::key_value_metadata({"unit", "doc"}, {std::string(unit_name(column.unit)), std::string(column.doc)});
  if (column.reference) metadata->Append("row_of", std::string(row_of(column)));
  return arrow::field(std::string(column.name), type, nullable, std::move(metadata));
}

// The columns of a table while they are gathered.
struct Batch {
  arrow::FieldVector fields;
  std::vector<Array> arrays;
  arrow::Status failed;

  void add(const ColumnInfo& info, arrow::Result<Array> array) {
    if (!array.ok()) {
      failed = array.status();
      return;
    }
    fields.push_back(field_of(info, (*array)->type, true));
    arrays.push_back(*std::move(array));
  }
};

// A column of any type, for functions that are compiled once and not for each table.
struct AnyColumn {
  ColumnInfo info;
  const void* column;
  void (*add_array)(const Profile&, const AnyColumn&, Batch&);
  void (*append_csv)(const Profile&, const void* column, std::size_t row, std::string& out);
};

struct AnyTable {
  std::string_view name;
  std::string doc;
  std::size_t rows = 0;
  std::vector<AnyColumn> columns;
};

arrow::Result<std::shared_ptr<arrow::RecordBatch>> batch_of(const Profile& profile, const AnyTable& table) {
  std::vector<std::uint32_t> ids(table.rows);
  std::iota(ids.begin(), ids.end(), 0u);
  const auto rows = static_cast<std::int64_t>(ids.size());
  Batch batch;
  batch.fields.push_back(field_of(kRowNumber, arrow::uint32(), false));
  batch.arrays.push_back(arrow::ArrayData::Make(arrow::uint32(), rows, {nullptr, arrow::Buffer::FromVector(std::move(ids))}));
  for (const AnyColumn& column : table.columns) column.add_array(profile, column, batch);
  ARROW_RETURN_NOT_OK(batch.failed);
  return arrow::RecordBatch::Make(arrow::schema(batch.fields, table_metadata(profile, table.name, table.doc)), rows,
                                  std::move(batch.arrays));
}

// ---- files ----------------------------------------------------------------------------------------------

class Sink final : public arrow::io::OutputStream {
 public:
  explicit Sink(OutputFile& to) : to_(to) {}
  arrow::Status Write(const void* data, std::int64_t size) override {
    const bool written = to_.write({static_cast<const char*>(data), static_cast<std::size_t>(size)});
    return written ? arrow::Status::OK() : arrow::Status::IOError("");
  }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  arrow::Result<std::int64_t> Tell() const override { return to_.size(); }
  bool closed() const override { return closed_; }

 private:
  OutputFile& to_;
  bool closed_ = false;
};

arrow::Status write_arrow(const arrow::RecordBatch& batch, Sink& sink) {
  arrow::ipc::IpcWriteOptions options;
  options.alignment = 64;
  ARROW_ASSIGN_OR_RAISE(const auto writer, arrow::ipc::MakeFileWriter(&sink, batch.schema(), options));
  ARROW_RETURN_NOT_OK(writer->WriteRecordBatch(batch));
  return writer->Close();
}

arrow::Status write_parquet(const std::shared_ptr<arrow::RecordBatch>& batch, const std::shared_ptr<Sink>& sink) {
  const std::string id(kRowNumber.name);
  const auto properties = parquet::WriterProperties::Builder()
                              .compression(parquet::Compression::ZSTD)
                              ->max_row_group_length(kRowGroup)
                              ->disable_dictionary(id)
                              ->encoding(id, parquet::Encoding::DELTA_BINARY_PACKED)
                              ->created_by("sightline " SIGHTLINE_VERSION)
                              ->build();
  const auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
  ARROW_ASSIGN_OR_RAISE(const auto table, arrow::Table::FromRecordBatches({batch}));
  return parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), sink, kRowGroup, properties, arrow_properties);
}

template <typename T>
void append_value(std::string& out, const Profile& profile, T value) {
  if (is_unknown_value(value)) return;
  if constexpr (std::is_same_v<T, StringId>) {
    append_csv_text(out, to_utf8(profile.text(value)));
  } else if constexpr (std::is_enum_v<T>) {
    out += word_of(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
  } else {
    append_csv_number(out, value);
  }
}

void write_csv(const Profile& profile, const AnyTable& table, OutputFile& to) {
  std::string out(kRowNumber.name);
  for (const AnyColumn& column : table.columns) out.append(",").append(column.info.name);
  out += '\n';
  for (std::size_t row = 0; row < table.rows; ++row) {
    append_csv_number(out, row);
    for (const AnyColumn& column : table.columns) {
      out += ',';
      column.append_csv(profile, column.column, row, out);
    }
    out += '\n';
    if (out.size() < kPiece) continue;
    if (!to.write(out)) return;
    out.clear();
  }
  to.write(out);
}

template <typename T>
AnyColumn any_column(const ColumnInfo& info, const Column<T>& column) {
  const auto add_array = [](const Profile& profile, const AnyColumn& any, Batch& batch) {
    batch.add(any.info, array_of(profile, *static_cast<const Column<T>*>(any.column)));
  };
  const auto append_csv = [](const Profile& profile, const void* values, std::size_t row, std::string& out) {
    append_value(out, profile, T{(*static_cast<const Column<T>*>(values))[row]});
  };
  return {info, &column, add_array, append_csv};
}

template <typename Table>
AnyTable any_table(const Table& table) {
  AnyTable any{Table::kName, table_doc(table), table.rows(), {}};
  table.for_each_column([&](const ColumnInfo& info, const auto& column) { any.columns.push_back(any_column(info, column)); });
  return any;
}

arrow::Status write_as(const Profile& profile, const AnyTable& table, TableFormat format, OutputFile& to) {
  if (format == TableFormat::csv) {
    write_csv(profile, table, to);
    return arrow::Status::OK();
  }
  ARROW_ASSIGN_OR_RAISE(const auto batch, batch_of(profile, table));
  const auto sink = std::make_shared<Sink>(to);
  return format == TableFormat::arrow ? write_arrow(*batch, *sink) : write_parquet(batch, sink);
}

}  // namespace

std::string_view file_ending(TableFormat format) {
  switch (format) {
    case TableFormat::arrow: return "arrow";
    case TableFormat::parquet: return "parquet";
    case TableFormat::csv: break;
  }
  return "csv";
}

std::vector<std::string_view> table_names() {
  std::vector<std::string_view> names;
  const Profile none;
  Profile::visit_tables(none, [&](const auto& table) { names.push_back(table.kName); });
  return names;
}

Result<bool> write_table(const Profile& profile, std::string_view name, TableFormat format, OutputFile& to) {
  arrow::Status status;
  Profile::visit_tables(profile, [&](const auto& table) {
    if (table.kName == name) status = write_as(profile, any_table(table), format, to);
  });
  // What the file itself could not take, it says when it is finished.
  if (status.ok() || status.IsIOError()) return true;
  if (status.IsOutOfMemory()) return Error{ErrorCode::unreadable, say("not enough memory to write the table {}", name), ""};
  return Error{ErrorCode::unreadable, say("table {} cannot be written: {}", name, status.message()), ""};
}

namespace {

Result<bool> make_output_folder(const std::string& folder) {
  std::error_code failed;
  if (std::filesystem::is_directory(folder, failed)) return true;
  std::filesystem::create_directory(folder, failed);
  if (!failed) return true;
  return Error{ErrorCode::unreadable, say("cannot create the folder: {}", failed.message()), folder};
}

}  // namespace

Result<bool> check_output_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  fs::path written = folder;
  if (!written.has_filename()) written = written.parent_path();  // "tables/"
  const bool there = fs::is_directory(written, failed);
  if (!there && fs::exists(written, failed)) return Error{ErrorCode::unreadable, "is a file, not a folder", folder};
  if (!there) written = written.has_parent_path() ? written.parent_path() : ".";
  if (::access(written.c_str(), W_OK | X_OK) == 0) return true;
  const Message reason = std::strerror(errno);
  return Error{ErrorCode::unreadable,
               there ? say("the folder cannot be written: {}", reason) : say("cannot create the folder: {}", reason), folder};
}

Result<std::vector<std::string>> parse_table_names(const std::string& list) {
  const std::vector<std::string_view> known = table_names();
  if (list.empty()) return std::vector<std::string>(known.begin(), known.end());
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string name = list.substr(at, end - at);
    at = end + 1;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::string all;
      for (const std::string_view each : known) all.append(all.empty() ? "" : ", ").append(each);
      return Error{ErrorCode::invalid_argument, say("no table '{}'; available: {}", name, all), ""};
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

Result<std::int64_t> export_tables(const Profile& profile, const std::vector<std::string>& tables, TableFormat format,
                                   const std::string& folder) {
  const Result<bool> made = make_output_folder(folder);
  if (!made) return made.error();
  std::vector<OutputFile> files;
  std::int64_t bytes = 0;
  for (const std::string& table : tables) {
    const auto path = std::filesystem::path(folder) / (table + "." + std::string(file_ending(format)));
    Result<OutputFile> file = OutputFile::create(path.string());
    if (!file) return file.error();
    files.push_back(*std::move(file));
    const Result<bool> written = write_table(profile, table, format, files.back());
    if (!written) return written.error();
    bytes += files.back().size();
    if (files.back().failed()) return files.back().finish().error();
  }
  for (OutputFile& file : files) {
    const Result<bool> finished = file.finish();
    if (!finished) return finished.error();
  }
  return bytes;
}

}  // namespace sightline::output
