// Files are packed in pieces.
#include "capture/result_files.h"

#include <filesystem>

#include "base/gzip.h"
#include "base/input_file.h"
#include "base/output_file.h"

namespace sightline::capture {

Result<bool> make_result_folder(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error{ErrorCode::unreadable, say("cannot create the folder: {}", failed.message()), folder};
  Result<OutputFile> tried = OutputFile::create((std::filesystem::path(folder) / ".sightline").string());  // gone with the object
  if (!tried) return tried.error();
  return true;
}

namespace {

constexpr std::size_t kPiece = std::size_t{16} << 20;
constexpr std::string_view kGzip = "\x1f\x8b";

}  // namespace

Result<bool> store_packed(const std::string& from, const std::string& to) {
  const Result<std::unique_ptr<RawFile>> file = open_raw(from);
  if (!file) return file.error();
  Result<OutputFile> out = OutputFile::create(to);
  if (!out) return out.error();
  std::string piece(kPiece, '\0');
  bool packed = false;
  for (bool first = true;; first = false) {
    const Result<std::size_t> got = (*file)->read(piece.data(), piece.size());
    if (!got) return got.error();
    const std::string_view bytes(piece.data(), *got);
    if (first) packed = bytes.starts_with(kGzip);
    if (*got > 0 && !out->write(packed ? std::string(bytes) : gzip_pack(bytes))) break;
    if (*got < piece.size()) break;
  }
  return out->finish();
}

}  // namespace sightline::capture
