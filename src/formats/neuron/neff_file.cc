// Reads the blocks of a tar file and the header of a model; the archive is a stream that is hashed, unpacked and walked at
// once.
#include "formats/neuron/neff_file.h"

#include <fmt/core.h>
#include <openssl/evp.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>

namespace sightline::formats::neuron {

// ---- members of a tar file ----

namespace {

constexpr std::size_t kMostMembers = 100'000;
constexpr std::uint64_t kLongestName = 64 * 1024;
constexpr std::uint64_t kLongestDocument = std::uint64_t{1} << 20;
constexpr std::array<std::string_view, 4> kDocuments{"info.json", "hlo_metrics.json", "hlo_stats.json", "metrics.json"};

// A number in octal digits, between blanks; or, with the highest bit of the field, in binary.
std::optional<std::uint64_t> number_of(std::string_view field) {
  std::uint64_t value = 0;
  if (!field.empty() && (static_cast<unsigned char>(field[0]) & 0x80) != 0) {
    for (const char byte : field.substr(field.size() - 8)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }
  const std::size_t first = field.find_first_not_of(' ');
  if (first == std::string_view::npos || field[first] == '\0') return 0;
  const std::string_view digits = field.substr(first, field.find_first_of(std::string_view(" \0", 2), first) - first);
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 8);
  if (failed != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::string_view text_of(std::string_view field) { return field.substr(0, field.find('\0')); }

// The sum of a header's bytes, with blanks in the place of the sum itself.
std::uint64_t sum_of(std::string_view block) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < block.size(); ++i) sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(block[i]);
  return sum;
}

// The member `path` of pax attributes: lines of "LENGTH KEY=VALUE".
std::string path_of(std::string_view attributes) {
  for (std::size_t at = attributes.find(" path="); at != std::string_view::npos; at = attributes.find(" path=", at + 1)) {
    const std::size_t end = attributes.find('\n', at);
    if (end != std::string_view::npos) return std::string(attributes.substr(at + 6, end - at - 6));
  }
  return "";
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

bool TarMembers::add(const char* bytes, std::size_t size) {
  while (size > 0 && !ended_ && damage_.empty()) {
    std::size_t now = 0;
    if (left_ > 0) {
      now = static_cast<std::size_t>(std::min<std::uint64_t>(left_, size));
      if (keep_ != Keep::nothing) kept_.append(bytes, now);
      left_ -= now;
      if (left_ == 0) end_member();
    } else if (padding_ > 0) {
      now = static_cast<std::size_t>(std::min<std::uint64_t>(padding_, size));
      padding_ -= now;
    } else {
      now = std::min(size, kBlock - block_.size());
      block_.append(bytes, now);
    }
    position_ += now;
    if (block_.size() == kBlock) {
      take_header();
      block_.clear();
    }
    bytes += now;
    size -= now;
  }
  return !ended_ && damage_.empty();
}

void TarMembers::fail(const char* why) { damage_ = say("{} (byte {} of the unpacked archive)", why, position_ - kBlock); }

void TarMembers::take_header() {
  const std::string_view block = block_;
  if (block.find_first_not_of('\0') == std::string_view::npos) {
    ended_ = ++empty_blocks_ == 2;
    return;
  }
  empty_blocks_ = 0;
  const std::optional<std::uint64_t> size = number_of(block.substr(124, 12)), sum = number_of(block.substr(148, 8));
  if (!sum || *sum != sum_of(block)) return fail("a header whose checksum is wrong");
  if (!size || *size >> 48 != 0) return fail("a member whose size is not a number");
  if (members_.size() == kMostMembers) return fail("more than 100,000 members");
  const char kind = block[156];
  name_ = text_of(block.substr(0, 100));
  const std::string_view prefix = text_of(block.substr(345, 155));
  if (block.substr(257, 6) == std::string_view("ustar\0", 6) && !prefix.empty()) name_ = std::string(prefix) + "/" + name_;
  left_ = *size;
  padding_ = (kBlock - *size % kBlock) % kBlock;
  kept_.clear();
  keep_ = kind == 'L' ? Keep::long_name : kind == 'x' ? Keep::attributes : Keep::nothing;
  if (keep_ != Keep::nothing) {
    if (*size > kLongestName) fail("a name of more than 64 KiB");
    if (*size == 0) keep_ = Keep::nothing;
    return;
  }
  if (!next_name_.empty()) name_ = std::exchange(next_name_, "");
  const bool file = kind == '0' || kind == '\0' || kind == '7';
  if (!file) return;  // folders, links and the archive's own records
  members_.emplace_back(name_, *size);
  const bool wanted = std::find(kDocuments.begin(), kDocuments.end(), base_name(name_)) != kDocuments.end();
  if (wanted && *size > 0 && *size <= kLongestDocument) keep_ = Keep::document;
}

void TarMembers::end_member() {
  switch (keep_) {
    case Keep::nothing: break;
    case Keep::document: documents_.emplace_back(name_, std::move(kept_)); break;
    case Keep::long_name: next_name_ = std::string(text_of(kept_)); break;
    case Keep::attributes: next_name_ = path_of(kept_); break;
  }
  kept_.clear();
  keep_ = Keep::nothing;
}

// ---- the compiled model ----
// The header's fields by their places.

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kKnownFeatures = (std::uint64_t{1} << 27) - 1;
constexpr std::uint64_t kNewerFeatures = ((std::uint64_t{1} << 63) - 1) & ~kKnownFeatures;  // the highest bit has no meaning
constexpr std::size_t kReserved = 0x22c;
constexpr std::size_t kPiece = 64 * 1024;
constexpr std::uint64_t kMostUnpacked = std::uint64_t{16} << 30;  // no model is larger, but an archive made to exhaust us is

template <typename T>
T number_at(const char* header, std::size_t at) {
  T value;
  std::memcpy(&value, header + at, sizeof value);
  return value;
}

std::string hexadecimal(const void* bytes, std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += fmt::format("{:02x}", static_cast<const unsigned char*>(bytes)[i]);
  return text;
}

class HeaderReading {
 public:
  HeaderReading(ByteStream& in, const char* bytes) : in_(in), bytes_(bytes) {}

  NeffHeader read() {
    NeffHeader header;
    header.package_version = number<std::uint64_t>(0x000);
    expect(header.package_version == 1 || header.package_version == 2, 0x000,
           say("package version {} of a compiled model is not known (1 and 2 are)", header.package_version), true);
    const auto size = number<std::uint64_t>(0x008);
    expect(size == kNeffHeader, 0x008, say("a header of {} bytes: that of a compiled model has 1024", size));
    header.data_size = number<std::uint64_t>(0x010);
    expect(header.data_size >> 48 == 0, 0x010, say("an archive cannot have {} bytes", header.data_size));
    header.major = number<std::uint64_t>(0x018);
    header.minor = number<std::uint64_t>(0x020);
    expect(header.major <= 2, 0x018, say("version {}.{} of a compiled model is not known", header.major, header.minor), true);
    header.build = text(0x028, 128);
    const auto packed = number<std::uint32_t>(0x0a8);
    expect(packed == (header.package_version == 2 ? 1u : 0u), 0x0a8,
           packed == 0 ? say("the header calls the archive plain, but a package of version {} is not", header.package_version)
                       : say("the header calls the archive packed, but a package of version {} is not", header.package_version));
    header.hash = hexadecimal(bytes_ + 0x0ac, header.package_version == 2 ? 16 : 32);
    header.uuid = hexadecimal(bytes_ + 0x0cc, 16);
    header.name = text(0x0dc, 256);
    header.cores = number<std::uint32_t>(0x1dc);
    header.features = number<std::uint64_t>(0x220);
    expect((header.features & kNewerFeatures) == 0, 0x220, "made by a newer compiler: it uses unknown features", true);
    header.cores_per_logical_core = number<std::uint32_t>(0x228);
    expect(header.cores_per_logical_core <= 64, 0x228,
           say("{} physical cores cannot make up a logical core", header.cores_per_logical_core));
    header.reserved_is_zero = std::all_of(bytes_ + kReserved, bytes_ + kNeffHeader, [](char byte) { return byte == 0; });
    return header;
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  template <typename T>
  T number(std::size_t at) const {
    return number_at<T>(bytes_, at);
  }

  // Text that ends with a 0, or fills its field.
  std::string text(std::size_t at, std::size_t size) {
    const char* end = std::find(bytes_ + at, bytes_ + at + size, '\0');
    const char* odd = std::find_if(bytes_ + at, end, [](char byte) { return static_cast<unsigned char>(byte) < 0x20; });
    expect(odd == end, static_cast<std::size_t>(odd - bytes_), "a text in the header contains an invalid character");
    return {bytes_ + at, end};
  }

  void expect(bool holds, std::size_t at, TemplateMessage message, bool unsupported = false) {
    if (holds || error_) return;
    in_.fail(std::move(message));
    error_ = in_.error();
    if (unsupported) error_->code = ErrorCode::unsupported;
    error_->where.replace(error_->where.rfind(':') + 1, std::string::npos, std::to_string(at));
  }

  ByteStream& in_;
  const char* bytes_;
  std::optional<Error> error_;
};

// A hash by OpenSSL's name; null if a policy of the machine forbids it.
class Hash {
 public:
  explicit Hash(const EVP_MD* kind) : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    works_ = context_ != nullptr && EVP_DigestInit_ex(context_.get(), kind, nullptr) == 1;
  }
  void add(const char* bytes, std::size_t size) { works_ = works_ && EVP_DigestUpdate(context_.get(), bytes, size) == 1; }
  std::string finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
    unsigned size = 0;
    if (!works_ || EVP_DigestFinal_ex(context_.get(), bytes.data(), &size) != 1) return "";
    return hexadecimal(bytes.data(), size);
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
  bool works_ = false;
};

// Takes packed bytes and passes unpacked ones to `take`, which returns false when it wants no more.
class Unpacking {
 public:
  Unpacking() { usable_ = inflateInit2(&stream_, 15 + 16) == Z_OK; }
  ~Unpacking() { inflateEnd(&stream_); }
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  template <typename Take>
  void add(char* bytes, std::size_t size, std::uint64_t at, const Take& take) {
    stream_.next_in = reinterpret_cast<Bytef*>(bytes);
    stream_.avail_in = static_cast<uInt>(size);
    while (stream_.avail_in > 0 && usable_ && !ended_) {
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      const int code = inflate(&stream_, Z_NO_FLUSH);
      const std::size_t made = out_.size() - stream_.avail_out;
      unpacked_ += made;
      ended_ = code == Z_STREAM_END;
      if (code != Z_OK && !ended_) {
        damage_ = say("the packed archive is damaged before byte {}", at + size - stream_.avail_in);
        usable_ = false;
      } else if (unpacked_ > kMostUnpacked) {
        damage_ = say("the archive unpacks to more than {} GiB", kMostUnpacked >> 30);
        usable_ = false;
      }
      if (!take(out_.data(), made)) usable_ = false;
    }
  }
  bool ended() const { return ended_; }
  const Message& damage() const { return damage_; }

 private:
  z_stream stream_{};
  std::vector<char> out_ = std::vector<char>(kPiece);
  std::uint64_t unpacked_ = 0;
  bool usable_ = false, ended_ = false;
  Message damage_;
};

}  // namespace

Result<NeffHeader> read_neff_header(ByteStream& in) {
  char bytes[kNeffHeader];
  if (in.take(bytes, kNeffHeader) < kNeffHeader && !in.failed()) in.fail("the file ends inside the header of 1024 bytes");
  if (in.failed()) return in.error();
  HeaderReading reading(in, bytes);
  NeffHeader header = reading.read();
  if (reading.error()) return *reading.error();
  return header;
}

bool looks_like_neff(std::string_view head) {
  if (head.size() < 0x10) return false;
  const auto version = number_at<std::uint64_t>(head.data(), 0);
  return (version == 1 || version == 2) && number_at<std::uint64_t>(head.data(), 8) == kNeffHeader;
}

NeffArchive read_neff_archive(ByteStream& in, const NeffHeader& header) {
  NeffArchive archive;
  TarMembers members;
  const auto take = [&](const char* bytes, std::size_t size) { return members.add(bytes, size); };
  const bool packed = header.package_version == 2;
  Hash hash(packed ? EVP_md5() : EVP_sha256());
  Unpacking unpacking;
  std::vector<char> piece(kPiece);
  while (archive.stored < header.data_size) {
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(header.data_size - archive.stored, kPiece));
    const auto at = static_cast<std::uint64_t>(in.position());
    const std::size_t got = in.take(piece.data(), want);
    hash.add(piece.data(), got);
    archive.stored += got;
    if (packed) {
      unpacking.add(piece.data(), got, at, take);
    } else {
      take(piece.data(), got);
    }
    if (got < want) break;
  }
  archive.hash = hash.finish();
  archive.damage = !members.damage().empty() ? members.damage() : unpacking.damage();
  if (archive.damage.empty() && ((packed && !unpacking.ended()) || !members.ended()))
    archive.damage = "the archive ends before its last member";
  archive.members = members.take_members();
  archive.documents = members.take_documents();
  return archive;
}

}  // namespace sightline::formats::neuron
