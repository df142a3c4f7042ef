// What the packets of one writer have in common: texts that are written once and referred to by number, and defaults.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/binary/proto_message.h"
#include "formats/trace_events/event_scanner.h"

namespace sightline::formats::perfetto {

// Entries by number; most writers count from 1.
template <typename Entry>
class Numbered {
 public:
  void put(std::uint64_t id, Entry entry) {
    ++puts_;
    if (id >= dense_.size() && id > 2 * puts_ + 256) {
      far_[id] = std::move(entry);
      return;
    }
    if (id >= dense_.size()) dense_.resize(id + 1);
    dense_[id] = {true, std::move(entry)};
  }
  // Null if the sequence has no such entry. Valid until the next put.
  const Entry* find(std::uint64_t id) const {
    if (id < dense_.size() && dense_[id].known) return &dense_[id].entry;
    const auto found = far_.find(id);
    return found == far_.end() ? nullptr : &found->second;
  }
  void clear() {
    puts_ = 0;
    dense_.clear();
    far_.clear();
  }

 private:
  struct Slot {
    bool known = false;
    Entry entry{};
  };
  std::uint64_t puts_ = 0;  // a number far beyond their count takes no slot
  std::vector<Slot> dense_;
  std::unordered_map<std::uint64_t, Entry> far_;
};

// What a key of an annotation says about a slice without a category.
enum class Hint : std::uint8_t { none, runtime, sync, python, op };

struct Key {
  std::string name;
  trace_events::Arg arg = trace_events::Arg::count;
  Hint hint = Hint::none;
};

// The key of this name: arguments have several names.
Key key_named(std::string_view name);

struct CounterDescriptor {
  std::int64_t gpu = 0;
  std::unordered_map<std::uint64_t, std::string> names;  // by counter
};

// Adds the names that a GpuCounterDescriptor has.
void read_counter_names(ProtoSpan descriptor, CounterDescriptor& to);

struct Sequence {
  bool is_new = true;     // no packet of it was seen
  bool is_valid = false;  // since its state was cleared, no packet was lost
  std::uint64_t default_track = 0, default_clock = 0;
  std::vector<std::uint64_t> extra_tracks, extra_real_tracks;
  std::int64_t reference_us = 0;  // to which the next time difference is added
  Numbered<std::string> categories, names, texts, specifications, kernels;
  Numbered<Key> keys, argument_names;
  Numbered<CounterDescriptor> counters;

  void clear();
  void read_interned(ProtoSpan data);
  void read_defaults(ProtoSpan defaults);
};

}  // namespace sightline::formats::perfetto
