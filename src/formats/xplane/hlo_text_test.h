// Compiled programs written as text, for tests: one instruction a line, in a computation.
//
//   computation 1                                     its instructions follow; the first one is the entry
//   left = f32[64,96] parameter()
//   dot.1 = f32[64,128] dot(left, right) contract=1 op="jit(f)/dot" at="f.py:3"
//   fusion.1 = f32[8] fusion(left) calls=2 kind=kLoop
//   loop = f32[8] while(left) calls=3,4               its body, then its condition
//   conv = bf16[1,8,4] custom-call(image, kernel) target="__cudnn$convForward" output_feature=2
//   send.1 = f32[8] send(left) channel=1 _xla_host_transfer_rendezvous="r"     attributes of the front end begin with _
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/proto_writer.h"

namespace sightline::formats::xplane {

class HloText {
 public:
  explicit HloText(const std::string& name, const std::string& text) {
    module_.bytes(1, name);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) continue;
      if (line.starts_with("computation ")) {
        end();
        number_ = std::stoull(line.substr(12));
        if (!entered_) module_.integer(6, number_);
        entered_ = true;
      } else {
        instruction(line);
      }
    }
    end();
    ProtoWriter schedule;
    for (const auto& [computation, order] : schedule_) {
      ProtoWriter sequence, entry;
      for (const std::uint64_t id : order) sequence.integer(1, id);
      entry.integer(1, computation);
      entry.message(2, sequence);
      schedule.message(1, entry);
    }
    module_.message(7, schedule);
  }

  // A value and where it is stored: an instruction makes it, in an allocation whose use is 5 (parameter), 7 (output), 12
  // (constant) or 0.
  void buffer(std::uint64_t id, const std::string& made_by, std::uint64_t bytes, std::uint64_t allocation, std::uint64_t offset,
              unsigned use) {
    ProtoWriter place, value, assigned, of;
    place.integer(4, ids_.at(made_by));
    value.integer(1, id);
    value.integer(2, bytes);
    value.message(3, place);
    buffers_.message(1, value);
    assigned.integer(1, id);
    assigned.integer(2, offset);
    assigned.integer(3, bytes);
    of.integer(1, allocation);
    of.message(9, assigned);
    if (use != 0) of.integer(use, 1);
    buffers_.message(3, of);
  }

  // Kind 0: its lifetime begins, 1: it ends.
  void heap(std::uint64_t kind, std::uint64_t id) {
    ProtoWriter event;
    if (kind != 0) event.integer(1, kind);
    event.integer(2, id);
    heap_.message(1, event);
  }

  // What follows belongs to another heap.
  void next_heap() {
    buffers_.message(4, heap_);
    heap_.clear();
  }

  std::string proto() const {
    ProtoWriter buffers = buffers_, all;
    buffers.message(4, heap_);
    all.message(1, module_);
    all.message(3, buffers);
    return all.data();
  }

 private:
  static ProtoWriter shape(const std::string& text) {
    const std::map<std::string, std::uint64_t> kTypes{{"pred", 1}, {"s32", 4}, {"u8", 6}, {"f32", 11}, {"bf16", 16}};
    ProtoWriter shape;
    const std::size_t open = text.find('[');
    shape.integer(2, kTypes.at(text.substr(0, open)));
    std::string packed;
    std::istringstream sizes(text.substr(open + 1, text.size() - open - 2));
    for (std::string size; std::getline(sizes, size, ',');) shape.integer(3, std::stoull(size));
    return shape;
  }

  void instruction(const std::string& line) {
    const std::size_t equals = line.find(" = "), open = line.find('(', equals), close = line.find(')', open);
    const std::size_t space = line.find(' ', equals + 3);
    const std::string name = line.substr(0, equals);
    ProtoWriter written;
    written.bytes(1, name);
    written.bytes(2, line.substr(space + 1, open - space - 1));
    written.message(3, shape(line.substr(equals + 3, space - equals - 3)));
    const std::uint64_t id = ids_.try_emplace(name, ids_.size() + 1).first->second;
    written.integer(35, id);
    std::istringstream operands(line.substr(open + 1, close - open - 1));
    for (std::string operand; std::getline(operands, operand, ',');)
      written.integer(36, ids_.at(operand.substr(operand.find_first_not_of(' '))));
    std::istringstream words(line.substr(close + 1));
    ProtoWriter metadata;
    for (std::string word; words >> word;) {
      const std::string key = word.substr(0, word.find('='));
      std::string value = word.substr(word.find('=') + 1);
      if (value[0] == '"') value = value.substr(1, value.size() - 2);
      ProtoWriter inner;
      if (key == "op") metadata.bytes(2, value);
      if (key == "at") metadata.bytes(3, value.substr(0, value.find(':')));
      if (key == "at") metadata.integer(4, std::stoull(value.substr(value.find(':') + 1)));
      if (key == "kind") written.bytes(11, value);
      if (key == "target") written.bytes(28, value);
      if (key == "calls") {
        std::istringstream calls(value);
        for (std::string called; std::getline(calls, called, ',');) written.integer(38, std::stoull(called));
      }
      if (key == "config") written.bytes(43, value);
      if (key == "channel") written.integer(26, std::stoull(value));
      if (key.starts_with("_")) written.message(68, attribute(key, value));
      if (key == "output_feature") inner.integer(4, std::stoull(value));
      if (key == "output_feature") written.message(16, inner);
      if (key == "contract") inner.integer(1, std::stoull(value));
      if (key == "contract") written.message(30, inner);
    }
    written.message(7, metadata);
    computation_.message(2, written);
    schedule_[number_].push_back(id);
  }

  static ProtoWriter attribute(const std::string& key, const std::string& value) {
    ProtoWriter entry, attributes;
    entry.bytes(1, key);
    entry.bytes(2, value);
    attributes.message(1, entry);
    return attributes;
  }

  void end() {
    if (number_ == 0) return;
    computation_.integer(5, number_);
    module_.message(3, computation_);
    computation_.clear();
  }

  ProtoWriter module_, computation_, buffers_, heap_;
  std::uint64_t number_ = 0;
  bool entered_ = false;
  std::map<std::string, std::uint64_t> ids_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> schedule_;
};

}  // namespace sightline::formats::xplane
