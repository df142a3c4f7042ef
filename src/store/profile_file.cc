// Profiles to Arrow and back. Arrow lays out and finds the
// buffers. Our own record, with a checksum over itself and one
// for each column, decides whether they contain what was written.
#include "store/profile_file.h"

#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/text.h"
#include "store/content_key.h"
#include "store/source_fingerprint.h"

namespace sightline::store {

namespace {

constexpr char kRecordKey[] = "sightline";
constexpr std::string_view kFactPrefix = "fact.";
constexpr std::string_view kAboutPrefix = "about.";
constexpr std::string_view kDerivedPrefix = "derived.";
constexpr std::string_view kTexts = "strings.text";
constexpr std::string_view kHashes = "strings.hash";
constexpr std::string_view kSlots = "strings.slot";
constexpr std::size_t kPiece = std::size_t{1} << 20;

static_assert(std::endian::native == std::endian::little, "columns are kept as they lie in memory");

// ---- types ----

template <typename T>
std::shared_ptr<arrow::DataType> arrow_type() {
  if constexpr (std::is_same_v<T, double>) return arrow::float64();
  if constexpr (std::is_same_v<T, float>) return arrow::float32();
  if constexpr (std::is_same_v<T, std::int64_t>) return arrow::int64();
  if constexpr (std::is_same_v<T, std::int32_t>) return arrow::int32();
  if constexpr (std::is_same_v<T, std::uint32_t>) return arrow::uint32();
  if constexpr (std::is_same_v<T, std::uint16_t>) return arrow::uint16();
  if constexpr (std::is_same_v<T, std::uint8_t> || std::is_same_v<T, bool>) return arrow::uint8();
  if constexpr (std::is_enum_v<T>) return arrow_type<std::underlying_type_t<T>>();
}

std::shared_ptr<arrow::DataType> list_of(const std::shared_ptr<arrow::DataType>& type) {
  return arrow::large_list(arrow::field("item", type, false));
}

std::string field_name(std::string_view table, std::string_view column) { return std::string(table).append(".").append(column); }

// Calls visit(name of the field, column) for every column of every table.
template <typename P, typename Visit>
void visit_columns(P& profile, Visit&& visit) {
  Profile::visit_tables(profile, [&](auto& table) {
    table.for_each_column([&](const ColumnInfo& info, auto& column) { visit(field_name(table.kName, info.name), column); });
  });
}

// ---- writing ----

// A file that can be left in the middle.
class FileSink final : public arrow::io::OutputStream {
 public:
  FileSink(int fd, const std::atomic<bool>& cancelled) : fd_(fd), cancelled_(cancelled) {}
  arrow::Status Write(const void* data, std::int64_t size) override {
    const char* next = static_cast<const char*>(data);
    while (size > 0) {
      if (cancelled_) return arrow::Status::Cancelled("cancelled");
      const ssize_t n = ::write(fd_, next, std::min(static_cast<std::size_t>(size), kPiece));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return arrow::Status::IOError(std::strerror(errno));
      next += n;
      size -= n;
      position_ += n;
    }
    return arrow::Status::OK();
  }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  arrow::Result<std::int64_t> Tell() const override { return position_; }
  bool closed() const override { return closed_; }

 private:
  int fd_;
  const std::atomic<bool>& cancelled_;
  std::int64_t position_ = 0;
  bool closed_ = false;
};

// Fields and their one row, as they are gathered.
class Batch {
 public:
  Batch(Record record, const std::atomic<bool>& cancelled) : record_(std::move(record)), cancelled_(cancelled) {}

  template <typename T>
  void add(const std::string& name, std::span<const T> values) {
    const auto type = arrow_type<T>();
    note(name, values.size(), sum(std::as_bytes(values)));
    add_list(name,
             arrow::ArrayData::Make(type, static_cast<std::int64_t>(values.size()), {nullptr, wrap(std::as_bytes(values))}, 0));
  }

  void add_texts(const std::string& name, std::span<const std::int64_t> offsets, std::string_view bytes) {
    const auto raw = std::as_bytes(std::span(bytes.data(), bytes.size()));
    note(name, offsets.size() - 1, sum(std::as_bytes(offsets)) ^ std::rotl(sum(raw), 1));
    add_list(name, arrow::ArrayData::Make(arrow::large_binary(), static_cast<std::int64_t>(offsets.size()) - 1,
                                          {nullptr, wrap(std::as_bytes(offsets)), wrap(raw)}, 0));
  }

  arrow::Status write(FileSink& sink) const {
    const auto schema = arrow::schema(fields_, arrow::key_value_metadata({kRecordKey}, {record_text(record_)}));
    const auto batch = arrow::RecordBatch::Make(schema, 1, arrays_);
    arrow::ipc::IpcWriteOptions options;
    options.alignment = 64;
    options.use_threads = false;
    ARROW_ASSIGN_OR_RAISE(const auto writer, arrow::ipc::MakeFileWriter(&sink, schema, options));
    ARROW_RETURN_NOT_OK(writer->WriteRecordBatch(*batch));
    return writer->Close();
  }

 private:
  std::uint64_t sum(std::span<const std::byte> bytes) const { return cancelled_ ? 0 : checksum(bytes); }

  void note(const std::string& name, std::size_t rows, std::uint64_t sum_of_bytes) {
    record_.emplace_back("rows." + name, std::to_string(rows));
    record_.emplace_back("checksum." + name, hex(sum_of_bytes));
  }

  std::shared_ptr<arrow::Buffer> wrap(std::span<const std::byte> bytes) const {
    return std::make_shared<arrow::Buffer>(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                           static_cast<std::int64_t>(bytes.size()));
  }

  void add_list(const std::string& name, std::shared_ptr<arrow::ArrayData> values) {
    const auto type = list_of(values->type);
    const std::int64_t bounds[] = {0, values->length};
    auto offsets = arrow::Buffer::FromString(std::string(reinterpret_cast<const char*>(bounds), sizeof bounds));
    auto list = arrow::ArrayData::Make(type, 1, {nullptr, std::move(offsets)}, {std::move(values)}, 0);
    fields_.push_back(arrow::field(name, type, false));
    arrays_.push_back(std::move(list));
  }

  Record record_;
  const std::atomic<bool>& cancelled_;
  arrow::FieldVector fields_;
  std::vector<std::shared_ptr<arrow::ArrayData>> arrays_;
};

std::string text_of(const std::string& fact) { return fact; }
std::string text_of(std::int64_t fact) { return std::to_string(fact); }
std::string text_of(bool fact) { return fact ? "1" : "0"; }

// ---- reading ----

Error foreign(TemplateMessage message) { return {ErrorCode::unsupported, std::move(message), ""}; }
Error damaged(TemplateMessage message) { return {ErrorCode::malformed, std::move(message), ""}; }

bool read_fact(std::string_view text, std::string& fact) {
  fact = text;
  return true;
}
bool read_fact(std::string_view text, std::int64_t& fact) {
  const auto number = whole_number<std::int64_t>(text);
  fact = number.value_or(kUnknown);
  return number.has_value();
}
bool read_fact(std::string_view text, bool& fact) {
  fact = text == "1";
  return text == "1" || text == "0";
}

struct OpenBatch {
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader;
  Record record;
};

Result<OpenBatch> open_batch(const MappedFile& file, const std::string& fingerprint) {
  const auto bytes = file.bytes();
  const auto buffer = std::make_shared<arrow::Buffer>(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                                      static_cast<std::int64_t>(bytes.size()));
  arrow::ipc::IpcReadOptions options;
  options.use_threads = false;
  auto opened = arrow::ipc::RecordBatchFileReader::Open(std::make_shared<arrow::io::BufferReader>(buffer), options);
  if (!opened.ok()) return damaged(Message::verbatim(opened.status().message()));
  OpenBatch batch{.reader = *opened, .record = {}};
  const auto metadata = batch.reader->schema()->metadata();
  const int at = metadata == nullptr ? -1 : metadata->FindKey(kRecordKey);
  if (at < 0) return foreign("no profile");
  std::optional<Record> record = parse_record(metadata->value(at));
  if (!record) return damaged("the record is damaged");
  if (record_value(*record, "fingerprint") != fingerprint) return foreign("written by another version");
  batch.record = *std::move(record);
  return batch;
}

// The values of the one list of field `index`, once name, type and length are those that were written.
class Fields {
 public:
  Fields(std::shared_ptr<const MappedFile> file, const arrow::RecordBatch& batch, const Record& record, Trust trust)
      : file_(std::move(file)), batch_(batch), trust_(trust) {
    for (const auto& [name, value] : record) {
      if (name.starts_with("rows.") || name.starts_with("checksum.")) expected_.emplace_back(name, value);
    }
  }

  // nullopt: not as it was written.
  template <typename T>
  std::optional<std::span<const T>> next(const std::string& name) {
    const arrow::ArrayData* values = find(name, arrow_type<T>());
    if (values == nullptr) return std::nullopt;
    const auto span = buffer_of<T>(*values, 1, static_cast<std::size_t>(values->length));
    if (!span || !matches(std::as_bytes(*span))) return std::nullopt;
    return span;
  }

  std::optional<std::pair<std::span<const std::int64_t>, std::span<const char>>> next_texts(const std::string& name) {
    const arrow::ArrayData* values = find(name, arrow::large_binary());
    if (values == nullptr || values->buffers.size() != 3) return std::nullopt;
    const auto offsets = buffer_of<std::int64_t>(*values, 1, static_cast<std::size_t>(values->length) + 1);
    if (!offsets || offsets->back() < 0) return std::nullopt;
    const auto bytes = buffer_of<char>(*values, 2, static_cast<std::size_t>(offsets->back()));
    if (!bytes) return std::nullopt;
    const auto sum = [&] { return checksum(std::as_bytes(*offsets)) ^ std::rotl(checksum(std::as_bytes(*bytes)), 1); };
    if (trust_ == Trust::nothing && hex(sum()) != sum_) return std::nullopt;
    return std::pair(*offsets, *bytes);
  }

  // Empty after the last one.
  std::string next_name() const { return next_ < batch_.num_columns() ? batch_.schema()->field(next_)->name() : std::string(); }

  bool at_end() const { return next_ == batch_.num_columns() && noted_ == expected_.size(); }

  template <typename T>
  bool borrow(const std::string& name, Column<T>& column) {
    const auto values = next<T>(name);
    if (values) column = Column<T>::borrowed(*values, file_);
    return values.has_value();
  }

 private:
  // Columns come in the order of their declaration, each with its two entries in the record.
  const arrow::ArrayData* find(const std::string& name, const std::shared_ptr<arrow::DataType>& type) {
    if (next_ >= batch_.num_columns() || noted_ + 2 > expected_.size()) return nullptr;
    const arrow::Field& field = *batch_.schema()->field(next_);
    const auto& list = batch_.column_data(next_++);
    const auto& [rows_name, rows] = expected_[noted_++];
    const auto& [sum_name, sum] = expected_[noted_++];
    sum_ = sum;
    if (field.name() != name || !field.type()->Equals(list_of(type)) || rows_name != "rows." + name ||
        sum_name != "checksum." + name || list->child_data.size() != 1) {
      return nullptr;
    }
    const arrow::ArrayData& values = *list->child_data[0];
    return values.offset == 0 && values.length >= 0 && std::to_string(values.length) == rows ? &values : nullptr;
  }

  // The first `count` values of a buffer.
  template <typename T>
  std::optional<std::span<const T>> buffer_of(const arrow::ArrayData& values, std::size_t index, std::size_t count) const {
    if (count == 0) return std::span<const T>();
    if (index >= values.buffers.size() || values.buffers[index] == nullptr) return std::nullopt;
    const arrow::Buffer& buffer = *values.buffers[index];
    const bool fits = static_cast<std::size_t>(buffer.size()) / sizeof(T) >= count && buffer.address() % alignof(T) == 0;
    if (!fits) return std::nullopt;
    return std::span<const T>(reinterpret_cast<const T*>(buffer.data()), count);
  }

  bool matches(std::span<const std::byte> bytes) const { return trust_ == Trust::unchanged || hex(checksum(bytes)) == sum_; }

  std::shared_ptr<const MappedFile> file_;
  const arrow::RecordBatch& batch_;
  Trust trust_;
  std::vector<std::pair<std::string, std::string>> expected_;
  std::size_t noted_ = 0;
  int next_ = 0;
  std::string sum_;
};

// The fields that were not read yet.
bool read_sections(Fields& fields, const std::shared_ptr<const MappedFile>& file, Sections& sections) {
  while (!fields.at_end()) {
    const std::string name = fields.next_name();
    const auto bytes = fields.next<std::uint8_t>(name);
    if (!bytes || !name.starts_with(kDerivedPrefix)) return false;
    sections.push_back({name.substr(kDerivedPrefix.size()), std::as_bytes(*bytes), file});
  }
  return true;
}

bool read_strings(Fields& fields, const std::shared_ptr<const MappedFile>& file, StringPool& strings) {
  const auto texts = fields.next_texts(std::string(kTexts));
  const auto hashes = fields.next<std::uint32_t>(std::string(kHashes));
  const auto slots = fields.next<std::uint32_t>(std::string(kSlots));
  if (!texts || !hashes || !slots) return false;
  std::optional<StringPool> pool =
      StringPool::borrowed({.offsets = texts->first, .bytes = texts->second, .hashes = *hashes, .slots = *slots}, file);
  if (pool) strings = *std::move(pool);
  return pool.has_value();
}

Record about_in(const Record& record) {
  Record about;
  for (const auto& [name, value] : record) {
    if (name.starts_with(kAboutPrefix)) about.emplace_back(name.substr(kAboutPrefix.size()), value);
  }
  return about;
}

bool read_facts(const Record& record, Profile& profile) {
  bool whole = true;
  Profile::visit_facts(profile, [&](std::string_view name, auto& fact) {
    whole = whole && read_fact(record_value(record, std::string(kFactPrefix).append(name)), fact);
  });
  return whole;
}

}  // namespace

std::string profile_fingerprint() {
  std::string declared = source_fingerprint();
  const Profile profile;
  visit_columns(profile, [&](const std::string& name, const auto& column) {
    using Value = typename std::decay_t<decltype(column)>::value_type;
    declared += name + ":" + arrow_type<Value>()->ToString() + ";";
  });
  Profile::visit_facts(profile, [&](std::string_view name, const auto&) { declared.append(name).append(";"); });
  return hex(checksum(declared));
}

std::int64_t profile_file_bytes(const Profile& profile) {
  std::size_t sum = profile.strings.slots().size_bytes();
  for (std::size_t i = 0; i < profile.strings.size(); ++i) sum += 12 + profile.text(static_cast<StringId>(i)).size();
  visit_columns(profile, [&](const std::string&, const auto& column) { sum += column.size() * sizeof(column[0]); });
  return static_cast<std::int64_t>(sum);
}

Result<bool> write_profile_file(int fd, const Profile& profile, const Record& about, const std::string& fingerprint,
                                const std::atomic<bool>& cancelled, const Derived& derived) {
  Record record{{"fingerprint", fingerprint}, {"derived", derived.version}};
  Profile::visit_facts(profile, [&](std::string_view name, const auto& fact) {
    record.emplace_back(std::string(kFactPrefix).append(name), text_of(fact));
  });
  for (const auto& [name, value] : about) record.emplace_back(std::string(kAboutPrefix) + name, value);
  Batch batch(std::move(record), cancelled);
  visit_columns(profile, [&]<typename T>(const std::string& name, const Column<T>& column) {
    batch.add(name, std::span<const T>(column));
  });
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> hashes;
  std::string bytes;
  for (std::size_t i = 0; i < profile.strings.size(); ++i) {
    const auto id = static_cast<StringId>(i);
    bytes += profile.text(id);
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    hashes.push_back(profile.strings.hash(id));
  }
  batch.add_texts(std::string(kTexts), offsets, bytes);
  batch.add(std::string(kHashes), std::span<const std::uint32_t>(hashes));
  batch.add(std::string(kSlots), profile.strings.slots());
  for (const Section& section : derived.sections) {
    const auto* const first = reinterpret_cast<const std::uint8_t*>(section.bytes.data());
    batch.add(std::string(kDerivedPrefix) + section.name, std::span(first, section.bytes.size()));
  }
  FileSink sink(fd, cancelled);
  const arrow::Status written = batch.write(sink);
  if (cancelled) return Error{ErrorCode::cancelled, "cancelled", ""};
  if (!written.ok()) return Error{ErrorCode::unreadable, Message::verbatim(written.message()), ""};
  return true;
}

Result<StoredProfile> open_profile_file(std::shared_ptr<const MappedFile> file, const std::string& fingerprint, Trust trust) {
  Result<OpenBatch> open = open_batch(*file, fingerprint);
  if (!open) return open.error();
  if (open->reader->num_record_batches() != 1) return damaged("not one batch");
  const auto batch = open->reader->ReadRecordBatch(0);
  if (!batch.ok()) return damaged(Message::verbatim(batch.status().message()));
  StoredProfile stored{.profile = std::make_unique<Profile>(), .about = {}, .derived = {}};
  bool whole = (*batch)->num_rows() == 1;
  Fields fields(file, **batch, open->record, trust);
  visit_columns(*stored.profile, [&](const std::string& name, auto& column) { whole = whole && fields.borrow(name, column); });
  whole = whole && read_strings(fields, file, stored.profile->strings) && read_sections(fields, file, stored.derived.sections);
  if (!whole || !read_facts(open->record, *stored.profile)) return damaged("a column is not as it was written");
  stored.about = about_in(open->record);
  stored.derived.version = record_value(open->record, "derived");
  return stored;
}

Result<Record> read_about(const MappedFile& file, const std::string& fingerprint) {
  Result<OpenBatch> open = open_batch(file, fingerprint);
  if (!open) return open.error();
  return about_in(open->record);
}

}  // namespace sightline::store
