// The parts of DuckDB's C API that we use. We declare them, because the
// library comes without a header. The library is loaded at the first query,
// so the program starts quickly, and everything except SQL works without it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sightline::sql::duckdb {

using Index = std::uint64_t;
using Handle = void*;  // any of the library's objects
using State = int;     // 0: done

// The answer of a statement; the first five of the six words are for old versions.
struct ResultHandle {
  std::uint64_t words[6] = {};
};

// A text in a vector. A text of up to 12 bytes is inside; a longer one has its first four bytes inside, followed by its
// address.
struct Text {
  static constexpr std::uint32_t kMostInside = 12;
  static constexpr std::size_t kAddress = 4;
  std::uint32_t size = 0;
  char bytes[kMostInside] = {};
};
static_assert(sizeof(Text) == 16 && sizeof(const char*) == 8);

enum Type : int {
  kBoolean = 1,
  kTinyInt = 2,
  kSmallInt = 3,
  kInteger = 4,
  kBigInt = 5,
  kUTinyInt = 6,
  kUSmallInt = 7,
  kUInteger = 8,
  kUBigInt = 9,
  kFloat = 10,
  kDouble = 11,
  kHugeInt = 16,
  kVarchar = 17,
  kBlob = 18,
};
inline constexpr int kSelect = 1;  // the kind of a statement

struct HugeInt {
  std::uint64_t lower;
  std::int64_t upper;
};

// Of the C data interface of Arrow.
struct ArrowSchema {
  const char* format = nullptr;
  const char* name = nullptr;
  const char* metadata = nullptr;
  std::int64_t flags = 0, n_children = 0;
  ArrowSchema** children = nullptr;
  ArrowSchema* dictionary = nullptr;
  void (*release)(ArrowSchema*) = nullptr;
  void* private_data = nullptr;
};
struct ArrowArray {
  std::int64_t length = 0, null_count = 0, offset = 0, n_buffers = 0, n_children = 0;
  const void** buffers = nullptr;
  ArrowArray** children = nullptr;
  ArrowArray* dictionary = nullptr;
  void (*release)(ArrowArray*) = nullptr;
  void* private_data = nullptr;
};

using Delete = void (*)(void*);
using Replace = void (*)(Handle info, const char* table, void* extra);
using OfInfo = void (*)(Handle info);
using Fill = void (*)(Handle info, Handle chunk);
using Cast = bool (*)(Handle info, Index count, Handle from, Handle to);

// F(result, name without duckdb_, parameters)
#define SIGHTLINE_DUCKDB(F)                                                \
  F(State, create_config, (Handle*))                                       \
  F(State, set_config, (Handle, const char*, const char*))                 \
  F(void, destroy_config, (Handle*))                                       \
  F(State, open_ext, (const char*, Handle*, Handle, char**))               \
  F(void, close, (Handle*))                                                \
  F(State, connect, (Handle, Handle*))                                     \
  F(void, disconnect, (Handle*))                                           \
  F(void, free, (void*))                                                   \
  F(State, query, (Handle, const char*, ResultHandle*))                    \
  F(void, destroy_result, (ResultHandle*))                                 \
  F(const char*, result_error, (ResultHandle*))                            \
  F(Index, extract_statements, (Handle, const char*, Handle*))             \
  F(const char*, extract_statements_error, (Handle))                       \
  F(State, prepare_extracted_statement, (Handle, Handle, Index, Handle*))  \
  F(void, destroy_extracted, (Handle*))                                    \
  F(State, prepare, (Handle, const char*, Handle*))                        \
  F(const char*, prepare_error, (Handle))                                  \
  F(Index, nparams, (Handle))                                              \
  F(int, prepared_statement_type, (Handle))                                \
  F(Index, prepared_statement_column_count, (Handle))                      \
  F(const char*, prepared_statement_column_name, (Handle, Index))          \
  F(Handle, prepared_statement_column_logical_type, (Handle, Index))       \
  F(void, destroy_prepare, (Handle*))                                      \
  F(State, pending_prepared_streaming, (Handle, Handle*))                  \
  F(const char*, pending_error, (Handle))                                  \
  F(State, execute_pending, (Handle, ResultHandle*))                       \
  F(void, destroy_pending, (Handle*))                                      \
  F(Handle, fetch_chunk, (ResultHandle))                                   \
  F(Handle, create_logical_type, (int))                                    \
  F(int, get_type_id, (Handle))                                            \
  F(char*, logical_type_get_alias, (Handle))                               \
  F(void, logical_type_set_alias, (Handle, const char*))                   \
  F(void, destroy_logical_type, (Handle*))                                 \
  F(Handle, create_varchar, (const char*))                                 \
  F(char*, get_varchar, (Handle))                                          \
  F(void, destroy_value, (Handle*))                                        \
  F(void, add_replacement_scan, (Handle, Replace, void*, Delete))          \
  F(void, replacement_scan_set_function_name, (Handle, const char*))       \
  F(void, replacement_scan_add_parameter, (Handle, Handle))                \
  F(Handle, create_table_function, ())                                     \
  F(void, destroy_table_function, (Handle*))                               \
  F(void, table_function_set_name, (Handle, const char*))                  \
  F(void, table_function_add_parameter, (Handle, Handle))                  \
  F(void, table_function_set_extra_info, (Handle, void*, Delete))          \
  F(void, table_function_set_bind, (Handle, OfInfo))                       \
  F(void, table_function_set_init, (Handle, OfInfo))                       \
  F(void, table_function_set_local_init, (Handle, OfInfo))                 \
  F(void, table_function_set_function, (Handle, Fill))                     \
  F(void, table_function_supports_projection_pushdown, (Handle, bool))     \
  F(State, register_table_function, (Handle, Handle))                      \
  F(Handle, create_cast_function, ())                                      \
  F(void, cast_function_set_source_type, (Handle, Handle))                 \
  F(void, cast_function_set_target_type, (Handle, Handle))                 \
  F(void, cast_function_set_implicit_cast_cost, (Handle, std::int64_t))    \
  F(void, cast_function_set_function, (Handle, Cast))                      \
  F(State, register_cast_function, (Handle, Handle))                       \
  F(void, destroy_cast_function, (Handle*))                                \
  F(void*, bind_get_extra_info, (Handle))                                  \
  F(Handle, bind_get_parameter, (Handle, Index))                           \
  F(void, bind_add_result_column, (Handle, const char*, Handle))           \
  F(void, bind_set_bind_data, (Handle, void*, Delete))                     \
  F(void, bind_set_cardinality, (Handle, Index, bool))                     \
  F(void, bind_set_error, (Handle, const char*))                           \
  F(void*, init_get_extra_info, (Handle))                                  \
  F(void*, init_get_bind_data, (Handle))                                   \
  F(void, init_set_init_data, (Handle, void*, Delete))                     \
  F(Index, init_get_column_count, (Handle))                                \
  F(Index, init_get_column_index, (Handle, Index))                         \
  F(void, init_set_max_threads, (Handle, Index))                           \
  F(void, init_set_error, (Handle, const char*))                           \
  F(void*, function_get_extra_info, (Handle))                              \
  F(void*, function_get_bind_data, (Handle))                               \
  F(void*, function_get_init_data, (Handle))                               \
  F(void*, function_get_local_init_data, (Handle))                         \
  F(void, function_set_error, (Handle, const char*))                       \
  F(Index, data_chunk_get_size, (Handle))                                  \
  F(void, data_chunk_set_size, (Handle, Index))                            \
  F(Handle, data_chunk_get_vector, (Handle, Index))                        \
  F(void, destroy_data_chunk, (Handle*))                                   \
  F(void*, vector_get_data, (Handle))                                      \
  F(std::uint64_t*, vector_get_validity, (Handle))                         \
  F(void, vector_ensure_validity_writable, (Handle))                       \
  F(void, vector_reference_vector, (Handle, Handle))                       \
  F(Index, vector_size, ())                                                \
  F(Handle, schema_from_arrow, (Handle, ArrowSchema*, Handle*))            \
  F(void, destroy_arrow_converted_schema, (Handle*))                       \
  F(Handle, data_chunk_from_arrow, (Handle, ArrowArray*, Handle, Handle*)) \
  F(bool, error_data_has_error, (Handle))                                  \
  F(const char*, error_data_message, (Handle))                             \
  F(void, destroy_error_data, (Handle*))

// An object of the library, destroyed with this one.
class Owned {
 public:
  explicit Owned(void (*destroy)(Handle*)) : destroy_(destroy) {}
  Owned(Handle handle, void (*destroy)(Handle*)) : handle_(handle), destroy_(destroy) {}
  Owned(const Owned&) = delete;
  ~Owned() {
    if (handle_ != nullptr) destroy_(&handle_);
  }
  Handle* out() { return &handle_; }
  operator Handle() const { return handle_; }

 private:
  Handle handle_ = nullptr;
  void (*destroy_)(Handle*);
};

// The library's functions.
struct Library {
#define SIGHTLINE_DUCKDB_MEMBER(result, name, parameters) result(*name) parameters = nullptr;
  SIGHTLINE_DUCKDB(SIGHTLINE_DUCKDB_MEMBER)
#undef SIGHTLINE_DUCKDB_MEMBER
};

// The library, loaded once: the file that SIGHTLINE_DUCKDB names, else the one installed with the program, or that of the
// system.
// unsupported: it was not found, or lacks a function.
Result<const Library*> library();

// A text as a literal of SQL.
std::string quoted(std::string_view text);

// What an error says, in one line; the library reports it as JSON.
std::string error_text(std::string_view reported);

}  // namespace sightline::sql::duckdb
