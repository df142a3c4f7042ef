// Profiles of XLA written as text, for tests. Each line is a word and its arguments.
//
//   plane "/device:GPU:0" core_count=10          a plane and its own stats
//   line 13 "Stream #13" @1000                    a line of it: id, name, and where it counts from, in ns
//   event "gemm" 20000+500 correlation_id=1u      an event: start and duration in ps
//   event "gemm" x3+500                           an aggregate: count and total duration in ps
//   about "gemm" display="g" flops=2.0            the metadata of all events of a name
//   error "text", warning "text", host "name"     of the whole file
//
// A value is 3 (int64), 3u (uint64), 0.5, "text", &"text" (a reference to a stat's name) or #0a1b (bytes). Names come after the
// lines that use them, as writers do it.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/proto_writer.h"

namespace sightline::formats::xplane {

class SpaceText {
 public:
  explicit SpaceText(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      words_ = words_of(line);
      if (!words_.empty()) take();
    }
    end_plane();
    for (const auto& [field, value] : fields_) space_.bytes(field, value);
  }

  const std::string& bytes() const { return space_.data(); }

 private:
  // Spaces separate words; quoted text is part of a word, including its quotes.
  static std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (c == ' ' && !quoted) {
        if (!words.back().empty()) words.emplace_back();
      } else {
        words.back() += c;
      }
    }
    if (words.back().empty()) words.pop_back();
    return words;
  }

  static std::string unquoted(const std::string& word) { return word.substr(1, word.size() - 2); }

  void take() {
    const std::string& word = words_[0];
    if (word == "plane") {
      end_plane();
      in_plane_ = true;
      plane_.bytes(2, unquoted(words_[1]));
      for (std::size_t i = 2; i < words_.size(); ++i) plane_stats_.push_back(stat(words_[i]).data());
    } else if (word == "line") {
      end_line();
      in_line_ = true;
      line_.integer(1, static_cast<std::uint64_t>(std::stoll(words_[1])));
      line_.bytes(2, unquoted(words_[2]));
      if (words_.size() > 3) line_.integer(3, static_cast<std::uint64_t>(std::stoll(words_[3].substr(1))));
    } else if (word == "event") {
      ProtoWriter event;
      event.integer(1, id(events_, unquoted(words_[1])));
      const bool sum = words_[2][0] == 'x';
      const std::size_t plus = words_[2].find('+', 1);
      const std::string first = words_[2].substr(sum ? 1 : 0, plus - (sum ? 1 : 0));
      event.integer(sum ? 5 : 2, static_cast<std::uint64_t>(std::stoll(first)));
      event.integer(3, static_cast<std::uint64_t>(std::stoll(words_[2].substr(plus + 1))));
      for (std::size_t i = 3; i < words_.size(); ++i) event.message(4, stat(words_[i]));
      line_.message(4, event);
    } else if (word == "about") {
      ProtoWriter& about = about_[id(events_, unquoted(words_[1]))];
      for (std::size_t i = 2; i < words_.size(); ++i) {
        if (words_[i].starts_with("display=")) {
          about.bytes(4, unquoted(words_[i].substr(8)));
        } else {
          about.message(5, stat(words_[i]));
        }
      }
    } else {
      const std::map<std::string, unsigned> kFields{{"error", 2}, {"warning", 3}, {"host", 4}};
      ASSERT_TRUE(kFields.contains(word)) << "no such word: " << word;
      fields_.emplace_back(kFields.at(word), unquoted(words_[1]));
    }
  }

  // key=value
  ProtoWriter stat(const std::string& word) {
    ProtoWriter stat;
    const std::size_t equals = word.find('=');
    const std::string value = word.substr(equals + 1);
    const std::string key = word.substr(0, equals);
    stat.integer(1, id(stats_, key[0] == '"' ? unquoted(key) : key));
    if (value[0] == '"') {
      stat.bytes(5, unquoted(value));
    } else if (value[0] == '#') {
      std::string bytes;
      for (std::size_t i = 1; i + 1 < value.size(); i += 2)
        bytes += static_cast<char>(std::stoi(value.substr(i, 2), nullptr, 16));
      stat.bytes(6, bytes);
    } else if (value[0] == '&') {
      stat.integer(7, id(stats_, unquoted(value.substr(1))));
    } else if (value.back() == 'u') {
      stat.integer(3, std::stoull(value));
    } else if (value.find('.') != std::string::npos) {
      stat.real(2, std::stod(value));
    } else {
      stat.integer(4, static_cast<std::uint64_t>(std::stoll(value)));
    }
    return stat;
  }

  static std::uint64_t id(std::map<std::string, std::uint64_t>& ids, const std::string& name) {
    return ids.try_emplace(name, ids.size() + 1).first->second;
  }

  void end_line() {
    if (in_line_) plane_.message(3, line_);
    in_line_ = false;
    line_.clear();
  }

  void end_plane() {
    end_line();
    if (!in_plane_) return;
    const auto add_entry = [&](unsigned field, std::uint64_t key, const ProtoWriter& value) {
      ProtoWriter entry;
      entry.integer(1, key);
      entry.message(2, value);
      plane_.message(field, entry);
    };
    for (const auto& [name, key] : events_) {
      ProtoWriter value = about_[key];
      value.bytes(2, name);
      add_entry(4, key, value);
    }
    for (const auto& [name, key] : stats_) {
      ProtoWriter value;
      value.bytes(2, name);
      add_entry(5, key, value);
    }
    for (const std::string& text : plane_stats_) plane_.bytes(6, text);
    space_.message(1, plane_);
    plane_.clear();
    events_.clear();
    stats_.clear();
    about_.clear();
    plane_stats_.clear();
    in_plane_ = false;
  }

  std::vector<std::string> words_;
  ProtoWriter space_, plane_, line_;
  bool in_plane_ = false, in_line_ = false;
  std::map<std::string, std::uint64_t> events_, stats_;
  std::map<std::uint64_t, ProtoWriter> about_;
  std::vector<std::string> plane_stats_;
  std::vector<std::pair<unsigned, std::string>> fields_;
};

}  // namespace sightline::formats::xplane
