// TarMembers: the names and sizes of what lies in a tar file (ustar, with GNU's long names and pax headers), whose bytes come
// piece by piece, and the text of a few small members. Nothing else is kept, so that memory is bounded whatever the file says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sightline::formats::neuron {

class TarMembers {
 public:
  // The next bytes; false when no more are wanted: the archive has ended, or is damaged.
  bool add(const char* bytes, std::size_t size);

  bool ended() const { return ended_; }
  const std::string& damage() const { return damage_; }  // empty: none

  std::vector<std::pair<std::string, std::uint64_t>> take_members() { return std::move(members_); }
  std::vector<std::pair<std::string, std::string>> take_documents() { return std::move(documents_); }

 private:
  static constexpr std::size_t kBlock = 512;

  void take_header();
  void end_member();
  void fail(std::string why);

  std::string block_;       // of the present header, as far as it has come
  std::uint64_t left_ = 0;  // bytes of the present member that have not come, and then of its padding
  std::uint64_t padding_ = 0;
  std::uint64_t position_ = 0;  // of the next byte that is not looked at yet
  int empty_blocks_ = 0;        // two end the archive
  enum class Keep : std::uint8_t { nothing, document, long_name, attributes } keep_ = Keep::nothing;
  std::string kept_, name_, next_name_;
  bool ended_ = false;
  std::string damage_;
  std::vector<std::pair<std::string, std::uint64_t>> members_;
  std::vector<std::pair<std::string, std::string>> documents_;
};

}  // namespace sightline::formats::neuron
