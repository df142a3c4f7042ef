// Header fields by their places; the archive as a stream that is hashed, unpacked and walked at once.
#include "formats/neuron/neff_file.h"

#include <fmt/core.h>
#include <openssl/evp.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include "formats/neuron/tar_members.h"

namespace sightline::formats::neuron {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kKnownFeatures = (std::uint64_t{1} << 27) - 1;
constexpr std::uint64_t kNewerFeatures = ((std::uint64_t{1} << 63) - 1) & ~kKnownFeatures;  // the highest bit means nothing
constexpr std::size_t kReserved = 0x22c;
constexpr std::size_t kPiece = 64 * 1024;
constexpr std::uint64_t kMostUnpacked = std::uint64_t{16} << 30;  // a model is smaller; an archive made to exhaust us is not

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
           fmt::format("package version {} of a compiled model is not known (1 and 2 are)", header.package_version), true);
    const auto size = number<std::uint64_t>(0x008);
    expect(size == kNeffHeader, 0x008, fmt::format("a header of {} bytes: that of a compiled model has 1024", size));
    header.data_size = number<std::uint64_t>(0x010);
    expect(header.data_size >> 48 == 0, 0x010, fmt::format("an archive cannot have {} bytes", header.data_size));
    header.major = number<std::uint64_t>(0x018);
    header.minor = number<std::uint64_t>(0x020);
    expect(header.major <= 2, 0x018, fmt::format("version {}.{} of a compiled model is not known", header.major, header.minor),
           true);
    header.build = text(0x028, 128);
    const auto packed = number<std::uint32_t>(0x0a8);
    expect(packed == (header.package_version == 2 ? 1u : 0u), 0x0a8,
           fmt::format("the header calls the archive {}, but a package of version {} is not", packed == 0 ? "plain" : "packed",
                       header.package_version));
    header.hash = hexadecimal(bytes_ + 0x0ac, header.package_version == 2 ? 16 : 32);
    header.uuid = hexadecimal(bytes_ + 0x0cc, 16);
    header.name = text(0x0dc, 256);
    header.cores = number<std::uint32_t>(0x1dc);
    header.features = number<std::uint64_t>(0x220);
    expect((header.features & kNewerFeatures) == 0, 0x220, "made by a newer compiler: it uses unknown features", true);
    header.cores_per_logical_core = number<std::uint32_t>(0x228);
    expect(header.cores_per_logical_core <= 64, 0x228,
           fmt::format("{} physical cores cannot make up a logical core", header.cores_per_logical_core));
    header.reserved_is_zero = std::all_of(bytes_ + kReserved, bytes_ + kNeffHeader, [](char byte) { return byte == 0; });
    return header;
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  template <typename T>
  T number(std::size_t at) const {
    return number_at<T>(bytes_, at);
  }

  // Text that ends with a 0, or fills its place.
  std::string text(std::size_t at, std::size_t size) {
    const char* end = std::find(bytes_ + at, bytes_ + at + size, '\0');
    const char* odd = std::find_if(bytes_ + at, end, [](char byte) { return static_cast<unsigned char>(byte) < 0x20; });
    expect(odd == end, static_cast<std::size_t>(odd - bytes_), "a text in the header contains an invalid character");
    return {bytes_ + at, end};
  }

  void expect(bool holds, std::size_t at, std::string message, bool unsupported = false) {
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

// A hash by the name that OpenSSL gives it; none where a policy of the machine forbids it.
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

// Packed bytes in, unpacked ones to `take`, which returns false when it wants no more.
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
        damage_ = fmt::format("the packed archive is damaged before byte {}", at + size - stream_.avail_in);
        usable_ = false;
      } else if (unpacked_ > kMostUnpacked) {
        damage_ = fmt::format("the archive unpacks to more than {} GiB", kMostUnpacked >> 30);
        usable_ = false;
      }
      if (!take(out_.data(), made)) usable_ = false;
    }
  }
  bool ended() const { return ended_; }
  const std::string& damage() const { return damage_; }

 private:
  z_stream stream_{};
  std::vector<char> out_ = std::vector<char>(kPiece);
  std::uint64_t unpacked_ = 0;
  bool usable_ = false, ended_ = false;
  std::string damage_;
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
