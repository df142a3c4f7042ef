// Finds models by UUID and by name, and names the header's fields as the vendor's tool does.
#include "formats/neuron/neff_pairing.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>

#include "base/input_file.h"
#include "formats/binary/proto_message.h"
#include "formats/common/profile_builder.h"
#include "formats/neuron/neff_file.h"
#include "formats/neuron/ntff_header.h"
#include "model/stated_names.h"

namespace sightline::formats::neuron {

namespace {

constexpr std::size_t kMostCandidates = 64;  // models whose headers are read
constexpr std::size_t kMostListed = 200;     // members
constexpr std::size_t kFewestDigits = 6;     // of a program's number; a core's or a rank's is shorter
constexpr std::size_t kHead = 4096;

bool is_neff(std::string_view name) { return name.ends_with(".neff"); }

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The longest run of digits in a name.
std::string number_in(std::string_view name) {
  std::string longest, digits;
  for (const char c : name) {
    if (c >= '0' && c <= '9') {
      digits += c;
    } else {
      digits.clear();
    }
    if (digits.size() > longest.size()) longest = digits;
  }
  return longest.size() < kFewestDigits ? "" : longest;
}

std::string stem_of(std::string_view name) {
  for (const std::string_view end : {".gz", ".ntff", ".neff"}) {
    if (name.ends_with(end)) name.remove_suffix(end.size());
  }
  return std::string(name);
}

// The UUID in a profile's header, whose beginning is enough; "" if there is none.
std::string uuid_of_profile(const std::string& path) {
  const Result<std::string> head = read_head(path, kPrologue + kHead);
  if (!head || head->size() <= kPrologue) return "";
  ProtoSpan root = ProtoSpan::beginning(std::string_view(*head).substr(kPrologue));
  while (root.next()) {
    if (root.field() == 2) return uuid_text(root.bytes());
  }
  return "";
}

Result<NeffHeader> header_of(const std::string& path) {
  Result<std::unique_ptr<ByteSource>> source = open_bytes(path);
  if (!source) return source.error();
  ByteStream in(**source, path, nullptr);
  return read_neff_header(in);
}

// Members of a small document that are numbers or texts: `neff.NAME.KEY`.
void add_document(const std::string& name, const std::string& text, ProfileBuilder& rows) {
  simdjson::dom::parser parser;
  simdjson::dom::object members;
  if (parser.parse(simdjson::padded_string(text)).get(members) != simdjson::SUCCESS) return;
  for (const auto& [key, value] : members) {
    std::string_view words;
    const bool is_text = value.get(words) == simdjson::SUCCESS;
    if (is_text || value.is_number() || value.is_bool())
      rows.add_metadata(fmt::format("neff.{}.{}", name, key), is_text ? std::string(words) : simdjson::minify(value));
  }
}

void add_header(const NeffHeader& header, ProfileBuilder& rows) {
  rows.add_metadata("neff.network_name", header.name);
  rows.add_metadata("neff.uuid", header.uuid);
  rows.add_metadata("neff.hash", header.hash);
  rows.add_metadata("neff.build_version", header.build);
  rows.add_metadata("neff.package_version", std::to_string(header.package_version));
  rows.add_metadata("neff.major_version", std::to_string(header.major));
  rows.add_metadata("neff.minor_version", std::to_string(header.minor));
  rows.add_metadata("neff.header_size", std::to_string(kNeffHeader));
  rows.add_metadata("neff.data_size", std::to_string(header.data_size));
  rows.add_metadata("neff.number_of_logical_neuroncores", std::to_string(header.cores));
  rows.add_metadata("neff.number_of_neuroncores_per_lnc", std::to_string(header.cores_per_logical_core));
  rows.add_metadata("neff.enabled_features", fmt::format("{:#x}", header.features));
}

// The operations that the model requires: a multiplication with an addition is two. Two documents may state them.
void add_model_flops(const std::vector<std::pair<std::string, std::string>>& documents, ProfileBuilder& rows) {
  for (const auto& [name, text] : documents) {
    simdjson::dom::parser parser;
    std::uint64_t products = 0;
    if (parser.parse(simdjson::padded_string(text))["HloMacCount"].get(products) != simdjson::SUCCESS || products >> 62 != 0)
      continue;
    return rows.add_metadata(stated::kCompiledFlops, std::to_string(2 * products));
  }
}

void add_archive(const NeffArchive& archive, ProfileBuilder& rows) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < archive.members.size(); ++i) {
    const auto& [name, size] = archive.members[i];
    bytes += size;
    if (i < kMostListed) rows.add_metadata("neff.member." + name, fmt::format("{} bytes", size));
  }
  rows.add_metadata("neff.members", fmt::format("{} files, {} bytes unpacked", archive.members.size(), bytes));
  for (const auto& [name, text] : archive.documents) add_document(name, text, rows);
  add_model_flops(archive.documents, rows);
}

// Compilers write a hash as words of 32 bits, each with its last byte first. `hash`: hexadecimal.
std::string with_words_turned(const std::string& hash) {
  std::string turned;
  for (std::size_t word = 0; word + 8 <= hash.size(); word += 8) {
    for (const std::size_t byte : {6, 4, 2, 0}) turned += hash.substr(word + byte, 2);
  }
  return turned;
}

void report(const NeffHeader& header, const NeffArchive& archive, const std::string& path, Profile& profile) {
  const auto note = [&](Severity severity, std::string_view code, const Message& message, std::int64_t at) {
    profile.add_problem(severity, code, path.empty() ? message : say("{}: {}", name_of(path), message), 1, at);
  };
  const auto end = static_cast<std::int64_t>(kNeffHeader + archive.stored);
  const bool whole = archive.stored == header.data_size;
  if (!whole) {
    note(Severity::error, "truncated",
         say("the file ends early: its archive should have {} bytes and has {}", header.data_size, archive.stored), end);
  }
  if (!archive.damage.empty() && whole) note(Severity::error, "damaged_archive", archive.damage, kNeffHeader);
  if (whole && !archive.hash.empty() && archive.hash != header.hash && archive.hash != with_words_turned(header.hash)) {
    note(Severity::error, "wrong_hash",
         say("the archive's hash is {}, the header says {}: the file was changed, or its header means something else",
             archive.hash, header.hash),
         0xac);
  }
  if (!header.reserved_is_zero) {
    note(Severity::note, "unknown_header_bytes", "undocumented bytes of the header are set", 0x22c);
  }
}

// To metadata and problems; returns the header's error.
Result<NeffHeader> add(ByteStream& in, const std::string& path, Profile& profile) {
  Result<NeffHeader> header = read_neff_header(in);
  if (!header) return header;
  const NeffArchive archive = read_neff_archive(in, *header);
  if (in.failed()) return in.error();
  ProfileBuilder rows(profile);
  add_header(*header, rows);
  add_archive(archive, rows);
  report(*header, archive, path, profile);
  return header;
}

}  // namespace

std::string neff_beside(const std::string& path) {
  const std::string name = name_of(path);
  const Result<std::vector<std::string>> files = files_in_folder(name == path ? "." : path.substr(0, path.size() - name.size()));
  if (!files) return "";
  std::vector<std::string> candidates;
  std::copy_if(files->begin(), files->end(), std::back_inserter(candidates), is_neff);
  if (candidates.empty()) return "";
  const std::string number = number_in(name);
  const auto by_name = [&](const auto& fits) {
    const auto at =
        std::find_if(candidates.begin(), candidates.end(), [&](const std::string& one) { return fits(name_of(one)); });
    return at == candidates.end() ? std::string() : *at;
  };
  if (!number.empty()) {
    if (std::string found = by_name([&](const std::string& one) { return number_in(one) == number; }); !found.empty())
      return found;
  }
  const std::string uuid = uuid_of_profile(path);
  for (std::size_t i = 0; i < std::min(candidates.size(), kMostCandidates) && !uuid.empty(); ++i) {
    if (const Result<NeffHeader> header = header_of(candidates[i]); header && header->uuid == uuid) return candidates[i];
  }
  return by_name([&](const std::string& one) { return stem_of(one) == stem_of(name); });
}

void add_neff(const std::string& neff, std::string_view uuid, Profile& profile) {
  const auto note = [&](std::string_view code, const Message& message) {
    profile.add_problem(Severity::warning, code, message, 1, 0);
  };
  const Result<NeffHeader> found = header_of(neff);
  if (!found) return note("unreadable_file", say("{}; the data of the compiled model is missing", found.error().to_string()));
  if (!uuid.empty() && found->uuid != uuid) {
    return note("other_program", say("{} is beside this profile and has its name, but is another program: its UUID is {}, the "
                                     "profile's {}; it is not used",
                                     name_of(neff), found->uuid, uuid));
  }
  Result<std::unique_ptr<ByteSource>> source = open_bytes(neff);
  if (!source) return note("unreadable_file", source.error().to_string());
  ByteStream in(**source, neff, nullptr);
  const Result<NeffHeader> added = add(in, neff, profile);
  if (!added) note("unreadable_file", added.error().to_string());
}

Result<std::unique_ptr<Profile>> read_neff(ByteStream& in) {
  auto profile = std::make_unique<Profile>();
  const Result<NeffHeader> header = add(in, "", *profile);
  if (!header) return header.error();
  profile->add_problem(Severity::warning, "no_profile",
                       "a compiled model: it contains no recording. Record it (neuron-explorer capture, or inspect) and "
                       "open the profile (.ntff); a model beside it is read with it",
                       1, 0);
  return profile;
}

}  // namespace sightline::formats::neuron
