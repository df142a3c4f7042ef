// Arrow's reader over our files, and cells of every type that it finds.
#include "formats/tables/parquet_rows.h"

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>

#include <algorithm>
#include <exception>
#include <map>
#include <numeric>

#include "base/input_file.h"

namespace sightline::formats {

namespace {

constexpr std::int64_t kBatchRows = 16 * 1024;
constexpr std::int64_t kMostBatchBytes = std::int64_t{48} << 20;

// Our file with Arrow's interface. One thread at a time.
class ArrowFile final : public arrow::io::RandomAccessFile {
 public:
  explicit ArrowFile(std::unique_ptr<RawFile> file) : file_(std::move(file)) {}
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<std::int64_t> Tell() const override { return file_->position(); }
  arrow::Result<std::int64_t> GetSize() override { return file_->size(); }
  arrow::Status Seek(std::int64_t position) override {
    const bool inside = position >= 0 && position <= file_->size();
    return inside && file_->seek(position) ? arrow::Status::OK() : arrow::Status::IOError("no such place: ", position);
  }
  arrow::Result<std::int64_t> Read(std::int64_t size, void* to) override {
    if (size < 0) return arrow::Status::Invalid("a negative size");
    Result<std::size_t> got = file_->read(static_cast<char*>(to), static_cast<std::size_t>(size));
    if (!got) return arrow::Status::IOError(got.error().message);
    return static_cast<std::int64_t>(*got);
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t size) override {
    // No more than there is: a damaged file may state any size.
    size = std::min(size, std::max<std::int64_t>(0, file_->size() - file_->position()));
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(size));
    ARROW_ASSIGN_OR_RAISE(const std::int64_t got, Read(size, buffer->mutable_data()));
    ARROW_RETURN_NOT_OK(buffer->Resize(got));
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }

 private:
  std::unique_ptr<RawFile> file_;
  bool closed_ = false;
};

// Memory for the values of a batch, which has a limit: a text that the file has once takes its size in each row.
class BatchMemory final : public arrow::MemoryPool {
 public:
  bool was_full() const { return was_full_; }
  void forget_full() { was_full_ = false; }

  arrow::Status Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) override {
    ARROW_RETURN_NOT_OK(check_room(size));
    ARROW_RETURN_NOT_OK(of_->Allocate(size, alignment, out));
    held_ += size;
    return arrow::Status::OK();
  }
  arrow::Status Reallocate(std::int64_t old_size, std::int64_t size, std::int64_t alignment, std::uint8_t** at) override {
    ARROW_RETURN_NOT_OK(check_room(size - old_size));
    ARROW_RETURN_NOT_OK(of_->Reallocate(old_size, size, alignment, at));
    held_ += size - old_size;
    return arrow::Status::OK();
  }
  void Free(std::uint8_t* memory, std::int64_t size, std::int64_t alignment) override {
    of_->Free(memory, size, alignment);
    held_ -= size;
  }
  std::int64_t bytes_allocated() const override { return held_; }
  std::int64_t total_bytes_allocated() const override { return of_->total_bytes_allocated(); }
  std::int64_t num_allocations() const override { return of_->num_allocations(); }
  std::string backend_name() const override { return of_->backend_name(); }

 private:
  arrow::Status check_room(std::int64_t more) {
    if (more <= kMostBatchBytes - held_) return arrow::Status::OK();
    was_full_ = true;
    return arrow::Status::OutOfMemory("the limit of a batch");
  }

  arrow::MemoryPool* of_ = arrow::default_memory_pool();
  std::int64_t held_ = 0;
  bool was_full_ = false;
};

template <typename Type>
auto value(const arrow::Array& array, std::int64_t row) {
  return static_cast<const typename arrow::TypeTraits<Type>::ArrayType&>(array).Value(row);
}

template <typename Type>
std::string view(const arrow::Array& array, std::int64_t row) {
  return std::string(static_cast<const typename arrow::TypeTraits<Type>::ArrayType&>(array).GetView(row));
}

ParquetCell cell_of(const arrow::Array& array, std::int64_t row);

std::string text_of_cell(const ParquetCell& cell) {
  switch (cell.kind) {
    case ParquetCell::Kind::none: return "null";
    case ParquetCell::Kind::integer: return std::to_string(cell.integer);
    case ParquetCell::Kind::real: {
      std::string text = std::to_string(cell.real);
      return text;
    }
    case ParquetCell::Kind::text: return cell.text;
  }
  return "";
}

template <typename List>
ParquetCell list_of(const arrow::Array& array, std::int64_t row) {
  const auto& list = static_cast<const List&>(array);
  std::string text = "[";
  for (auto i = list.value_offset(row); i < list.value_offset(row + 1); ++i) {
    if (text.size() > 1) text += ", ";
    text += text_of_cell(cell_of(*list.values(), i));
  }
  return {.kind = ParquetCell::Kind::text, .text = text + "]"};
}

ParquetCell integer_cell(std::int64_t value) { return {.kind = ParquetCell::Kind::integer, .integer = value, .text = {}}; }
ParquetCell real_cell(double value) {
  return {.kind = value == value ? ParquetCell::Kind::real : ParquetCell::Kind::none, .real = value, .text = {}};
}
ParquetCell text_cell(std::string text) { return {.kind = ParquetCell::Kind::text, .text = std::move(text)}; }

// A cell of a whole number; kUnknown for any other.
std::int64_t integer_of(const arrow::Array& array, std::int64_t row) {
  if (array.IsNull(row)) return kUnknown;
  using arrow::Type;
  switch (array.type_id()) {
    case Type::INT64: return value<arrow::Int64Type>(array, row);
    case Type::INT32: return value<arrow::Int32Type>(array, row);
    case Type::UINT32: return value<arrow::UInt32Type>(array, row);
    case Type::UINT64: return static_cast<std::int64_t>(value<arrow::UInt64Type>(array, row));
    case Type::INT16: return value<arrow::Int16Type>(array, row);
    case Type::UINT16: return value<arrow::UInt16Type>(array, row);
    case Type::INT8: return value<arrow::Int8Type>(array, row);
    case Type::UINT8: return value<arrow::UInt8Type>(array, row);
    case Type::BOOL: return value<arrow::BooleanType>(array, row) ? 1 : 0;
    case Type::DICTIONARY: {
      const auto& words = static_cast<const arrow::DictionaryArray&>(array);
      return integer_of(*words.dictionary(), words.GetValueIndex(row));
    }
    default: return kUnknown;
  }
}

// A cell of a text; empty for any other.
std::string_view text_of_array(const arrow::Array& array, std::int64_t row) {
  if (array.IsNull(row)) return {};
  using arrow::Type;
  switch (array.type_id()) {
    case Type::STRING: return static_cast<const arrow::StringArray&>(array).GetView(row);
    case Type::LARGE_STRING: return static_cast<const arrow::LargeStringArray&>(array).GetView(row);
    case Type::BINARY: return static_cast<const arrow::BinaryArray&>(array).GetView(row);
    case Type::DICTIONARY: {
      const auto& words = static_cast<const arrow::DictionaryArray&>(array);
      return text_of_array(*words.dictionary(), words.GetValueIndex(row));
    }
    default: return {};
  }
}

ParquetCell cell_of(const arrow::Array& array, std::int64_t row) {
  if (array.IsNull(row)) return {};
  using arrow::Type;
  switch (array.type_id()) {
    case Type::BOOL: return text_cell(value<arrow::BooleanType>(array, row) ? "true" : "false");
    case Type::INT8: return integer_cell(value<arrow::Int8Type>(array, row));
    case Type::INT16: return integer_cell(value<arrow::Int16Type>(array, row));
    case Type::INT32: return integer_cell(value<arrow::Int32Type>(array, row));
    case Type::INT64: return integer_cell(value<arrow::Int64Type>(array, row));
    case Type::UINT8: return integer_cell(value<arrow::UInt8Type>(array, row));
    case Type::UINT16: return integer_cell(value<arrow::UInt16Type>(array, row));
    case Type::UINT32: return integer_cell(value<arrow::UInt32Type>(array, row));
    case Type::UINT64: {
      const std::uint64_t number = value<arrow::UInt64Type>(array, row);
      return number >> 63 == 0 ? integer_cell(static_cast<std::int64_t>(number)) : text_cell(std::to_string(number));
    }
    case Type::FLOAT: return real_cell(static_cast<double>(value<arrow::FloatType>(array, row)));
    case Type::DOUBLE: return real_cell(value<arrow::DoubleType>(array, row));
    case Type::TIMESTAMP: return integer_cell(static_cast<const arrow::TimestampArray&>(array).Value(row));
    case Type::STRING: return text_cell(view<arrow::StringType>(array, row));
    case Type::LARGE_STRING: return text_cell(view<arrow::LargeStringType>(array, row));
    case Type::BINARY: return text_cell(view<arrow::BinaryType>(array, row));
    case Type::LIST: return list_of<arrow::ListArray>(array, row);
    case Type::LARGE_LIST: return list_of<arrow::LargeListArray>(array, row);
    case Type::DICTIONARY: {
      const auto& words = static_cast<const arrow::DictionaryArray&>(array);
      return cell_of(*words.dictionary(), words.GetValueIndex(row));
    }
    default: {
      const auto scalar = array.GetScalar(row);
      return text_cell(scalar.ok() ? (*scalar)->ToString() : "");
    }
  }
}

}  // namespace

struct ParquetRows::Impl {
  std::string path;
  std::int64_t file_bytes = 0;
  BatchMemory memory;  // outlives all that it holds
  std::int64_t batch_rows = kBatchRows;
  std::unique_ptr<parquet::arrow::FileReader> reader;
  std::vector<std::string> columns;
  std::map<std::string, std::size_t, std::less<>> place;  // of columns
  std::shared_ptr<arrow::RecordBatch> batch;
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  std::int64_t row = 0;  // of the batch
  bool is_selected = false;
  std::vector<int> wanted;              // selected columns of the file, ascending
  std::vector<std::ptrdiff_t> sources;  // by selected column: its place in `wanted`, or -1

  // The columns of the batch as cells number them.
  void place_arrays() {
    if (!is_selected) {
      arrays = batch->columns();
      return;
    }
    arrays.assign(sources.size(), nullptr);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (sources[i] >= 0 && sources[i] < batch->num_columns()) arrays[i] = batch->column(static_cast<int>(sources[i]));
    }
  }

  // Why Arrow failed; running out of memory is not damage.
  Error error(const arrow::Status& status) const {
    if (status.IsOutOfMemory() && memory.was_full()) return error("a row takes more than 48 MiB");
    if (status.IsOutOfMemory()) throw std::bad_alloc();
    return error(status.message());
  }

  Error error(const std::string& why) const {
    const std::string first = why.substr(0, why.find('\n'));
    return {ErrorCode::malformed, say("not a readable Parquet file: {}", first), path};
  }

  arrow::Status take_batch(std::int64_t skip, const std::function<bool()>& take, bool& going) {
    ARROW_RETURN_NOT_OK(batch->ValidateFull());  // indices and lengths come from the file
    place_arrays();
    for (row = skip; row < batch->num_rows() && going; ++row) going = take();
    return arrow::Status::OK();
  }

  // Rows of a group, whose first one is row `at` of the file, from row `first` on. Afterwards `first` is the row to begin with
  // next.
  arrow::Status read_group(int group, std::int64_t at, std::int64_t& first, const std::function<bool()>& take, bool& going) {
    reader->set_batch_size(batch_rows);
    ARROW_ASSIGN_OR_RAISE(const auto batches,
                          is_selected ? reader->GetRecordBatchReader({group}, wanted) : reader->GetRecordBatchReader({group}));
    while (going) {
      batch.reset();
      arrays.clear();
      ARROW_RETURN_NOT_OK(batches->ReadNext(&batch));
      if (batch == nullptr) break;
      const std::int64_t skip = std::clamp<std::int64_t>(first - at, 0, batch->num_rows());
      at += batch->num_rows();
      ARROW_RETURN_NOT_OK(take_batch(skip, take, going));
      first = std::max(first, at);
    }
    return arrow::Status::OK();
  }

  // Batches that take too much memory become smaller, for the rest of the file.
  arrow::Status for_each(std::int64_t first, const std::function<bool()>& take) {
    bool going = true;
    std::int64_t at = 0;
    for (int group = 0; group < reader->num_row_groups() && going; ++group) {
      const std::int64_t size = reader->parquet_reader()->metadata()->RowGroup(group)->num_rows();
      arrow::Status done = at + size <= first ? arrow::Status::OK() : read_group(group, at, first, take, going);
      while (done.IsOutOfMemory() && memory.was_full() && batch_rows > 1) {
        batch_rows = std::max<std::int64_t>(1, batch_rows / 4);
        memory.forget_full();
        done = read_group(group, at, first, take, going);
      }
      ARROW_RETURN_NOT_OK(done);
      at += size;
    }
    return arrow::Status::OK();
  }
};

ParquetRows::ParquetRows(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ParquetRows::ParquetRows(ParquetRows&&) noexcept = default;
ParquetRows& ParquetRows::operator=(ParquetRows&&) noexcept = default;
ParquetRows::~ParquetRows() = default;

Result<ParquetRows> ParquetRows::open(const std::string& path) {
  Result<std::unique_ptr<RawFile>> file = open_raw(path);
  if (!file) return file.error();
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->file_bytes = (*file)->size();
  try {
    parquet::arrow::FileReaderBuilder builder;
    const arrow::Status opened = builder.Open(std::make_shared<ArrowFile>(*std::move(file)));
    if (!opened.ok()) return impl->error(opened);
    parquet::ArrowReaderProperties properties(false);  // no threads of its own
    properties.set_batch_size(kBatchRows);
    properties.set_pre_buffer(false);  // Arrow's pool hangs at exit if one of its threads could not start
    const arrow::Status built = builder.memory_pool(&impl->memory)->properties(properties)->Build(&impl->reader);
    if (!built.ok()) return impl->error(built);
    std::shared_ptr<arrow::Schema> schema;
    const arrow::Status known = impl->reader->GetSchema(&schema);
    if (!known.ok()) return impl->error(known);
    impl->columns = schema->field_names();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const parquet::ParquetStatusException& failed) {
    return impl->error(failed.status());
  } catch (const std::exception& failed) {
    return impl->error(failed.what());
  }
  for (std::size_t i = 0; i < impl->columns.size(); ++i) impl->place.try_emplace(impl->columns[i], i);
  return ParquetRows(std::move(impl));
}

const std::vector<std::string>& ParquetRows::columns() const { return impl_->columns; }

std::int64_t ParquetRows::rows() const { return impl_->reader->parquet_reader()->metadata()->num_rows(); }

std::int64_t ParquetRows::file_bytes() const { return impl_->file_bytes; }

Result<bool> ParquetRows::for_each(std::int64_t first, const std::function<bool()>& take) {
  try {
    const arrow::Status done = impl_->for_each(first, take);
    if (!done.ok()) return impl_->error(done);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const parquet::ParquetStatusException& failed) {
    return impl_->error(failed.status());
  } catch (const std::exception& failed) {
    return impl_->error(failed.what());
  }
  return true;
}

void ParquetRows::select(std::span<const std::string_view> columns) {
  // Numbers of leaves are those of columns only if no column has parts.
  const bool flat = impl_->reader->parquet_reader()->metadata()->num_columns() == static_cast<int>(impl_->columns.size());
  const auto found = [&](std::string_view name) {
    for (; !name.empty(); name.remove_prefix(std::min(name.size(), name.find('|')) + (name.find('|') != name.npos ? 1 : 0))) {
      const auto at = impl_->place.find(name.substr(0, name.find('|')));
      if (at != impl_->place.end()) return static_cast<int>(at->second);
    }
    return -1;
  };
  std::vector<int> places;
  for (const std::string_view column : columns) places.push_back(found(column));
  impl_->wanted.clear();
  for (int place = 0; place < static_cast<int>(impl_->columns.size()); ++place) {
    if (!flat || std::find(places.begin(), places.end(), place) != places.end()) impl_->wanted.push_back(place);
  }
  if (!flat) {
    impl_->wanted.resize(static_cast<std::size_t>(impl_->reader->parquet_reader()->metadata()->num_columns()));
    std::iota(impl_->wanted.begin(), impl_->wanted.end(), 0);
  }
  impl_->sources.clear();
  for (const int place : places) {
    const auto at = std::lower_bound(impl_->wanted.begin(), impl_->wanted.end(), place);
    impl_->sources.push_back(place < 0 ? -1 : at - impl_->wanted.begin());
  }
  impl_->is_selected = true;
}

std::int64_t ParquetRows::integer_at(std::size_t column) const {
  const auto& array = impl_->arrays[column];
  return array == nullptr ? kUnknown : integer_of(*array, impl_->row);
}

double ParquetRows::real_at(std::size_t column) const {
  const ParquetCell found = cell(column);
  return found.kind == ParquetCell::Kind::integer ? static_cast<double>(found.integer) : found.real;
}

std::string_view ParquetRows::text_at(std::size_t column) const {
  const auto& array = impl_->arrays[column];
  return array == nullptr ? std::string_view{} : text_of_array(*array, impl_->row);
}

bool ParquetRows::is_text_at(std::size_t column) const { return text_at(column).data() != nullptr; }

ParquetCell ParquetRows::cell(std::size_t column) const {
  return column < impl_->arrays.size() && impl_->arrays[column] != nullptr ? cell_of(*impl_->arrays[column], impl_->row)
                                                                           : ParquetCell{};
}

std::int64_t ParquetRows::integer(std::string_view column) const {
  const auto at = impl_->place.find(column);
  const ParquetCell found = at == impl_->place.end() ? ParquetCell{} : cell(at->second);
  return found.kind == ParquetCell::Kind::integer ? found.integer : kUnknown;
}

double ParquetRows::real(std::string_view column) const {
  const auto at = impl_->place.find(column);
  const ParquetCell found = at == impl_->place.end() ? ParquetCell{} : cell(at->second);
  return found.kind == ParquetCell::Kind::integer ? static_cast<double>(found.integer) : found.real;
}

std::string ParquetRows::text(std::string_view column) const {
  const auto at = impl_->place.find(column);
  const ParquetCell found = at == impl_->place.end() ? ParquetCell{} : cell(at->second);
  return found.kind == ParquetCell::Kind::none ? "" : text_of_cell(found);
}

}  // namespace sightline::formats
