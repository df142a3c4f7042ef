// Proves that the Arrow the build found compiles, links and runs: a table written as Arrow IPC and as
// Parquet reads back equal. To be replaced by the tests of the column cache.
#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>

namespace {

std::shared_ptr<arrow::Table> example_table() {
  arrow::Int64Builder starts;
  arrow::StringBuilder names;
  EXPECT_TRUE(starts.AppendValues({0, 10, 20}).ok());
  EXPECT_TRUE(names.AppendValues({"gemm", "relu", "copy"}).ok());
  auto schema = arrow::schema({arrow::field("start", arrow::int64()), arrow::field("name", arrow::utf8())});
  return arrow::Table::Make(schema, {starts.Finish().ValueOrDie(), names.Finish().ValueOrDie()});
}

TEST(ArrowSmoke, IpcRoundTrip) {
  auto table = example_table();
  auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
  auto writer = arrow::ipc::MakeFileWriter(sink, table->schema()).ValueOrDie();
  ASSERT_TRUE(writer->WriteTable(*table).ok());
  ASSERT_TRUE(writer->Close().ok());
  auto bytes = sink->Finish().ValueOrDie();
  auto reader = arrow::ipc::RecordBatchFileReader::Open(std::make_shared<arrow::io::BufferReader>(bytes)).ValueOrDie();
  EXPECT_TRUE(reader->ToTable().ValueOrDie()->Equals(*table));
}

TEST(ArrowSmoke, ParquetRoundTrip) {
  auto table = example_table();
  auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
  ASSERT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), sink).ok());
  auto file = std::make_shared<arrow::io::BufferReader>(sink->Finish().ValueOrDie());
  auto reader = parquet::arrow::OpenFile(file, arrow::default_memory_pool()).ValueOrDie();
  std::shared_ptr<arrow::Table> read;
  ASSERT_TRUE(reader->ReadTable(&read).ok());
  EXPECT_TRUE(read->Equals(*table));
}

}  // namespace
