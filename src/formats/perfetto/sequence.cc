// Interned data, defaults, and the names of arguments.
#include "formats/perfetto/sequence.h"

#include <utility>

#include "base/text.h"
#include "formats/perfetto/fields.h"

namespace sightline::formats::perfetto {

using trace_events::Arg;

namespace {

// Names that differ from those in a JSON trace.
constexpr std::pair<std::string_view, Arg> kOtherNames[] = {
    {"corr_id", Arg::correlation},
    {"copy_bytes", Arg::bytes},
    {"group_segment_size", Arg::shared_memory},
    {"registers_per_thread", Arg::registers},
    {"shared_mem_dynamic", Arg::shared_memory},
    {"device id", Arg::device},
    {"stream id", Arg::stream},
};

constexpr std::pair<std::string_view, Hint> kHints[] = {
    {"cbid", Hint::runtime}, {"cuda_sync_kind", Hint::sync},   {"Python id", Hint::python}, {"Python module id", Hint::python},
    {"Ev Idx", Hint::op},    {"Record function id", Hint::op},
};

struct Entry {
  std::uint64_t id = 0;
  std::string name;
};

Entry entry_of(ProtoSpan message, unsigned better_name = 0) {
  Entry entry;
  bool is_better = false;
  while (message.next()) {
    if (message.field() == interned_field::kId) entry.id = message.unsigned_integer();
    const bool better = better_name != 0 && message.field() == better_name;
    if (better || (message.field() == interned_field::kName && !is_better)) entry.name = to_utf8(message.bytes());
    is_better |= better;
  }
  return entry;
}

}  // namespace

Key key_named(std::string_view name) {
  Key key{to_utf8(name), trace_events::arg_named(name), Hint::none};
  for (const auto& [other, arg] : kOtherNames) {
    if (name == other) key.arg = arg;
  }
  for (const auto& [other, hint] : kHints) {
    if (name == other) key.hint = hint;
  }
  return key;
}

void read_counter_names(ProtoSpan descriptor, CounterDescriptor& to) {
  while (descriptor.next()) {
    if (descriptor.field() != counters_field::kSpecifications) continue;
    Entry counter = entry_of(descriptor.message());
    to.names[counter.id] = std::move(counter.name);
  }
}

void Sequence::clear() {
  default_track = default_clock = 0;
  reference_us = 0;
  extra_tracks.clear();
  extra_real_tracks.clear();
  categories.clear();
  names.clear();
  texts.clear();
  specifications.clear();
  kernels.clear();
  keys.clear();
  argument_names.clear();
  counters.clear();
}

void Sequence::read_interned(ProtoSpan data) {
  const auto put = [&](Numbered<std::string>& to, unsigned better_name = 0) {
    Entry entry = entry_of(data.message(), better_name);
    to.put(entry.id, std::move(entry.name));
  };
  const auto put_key = [&](Numbered<Key>& to) {
    const Entry entry = entry_of(data.message());
    to.put(entry.id, key_named(entry.name));
  };
  while (data.next()) {
    switch (data.field()) {
      case interned_field::kCategories: put(categories); break;
      case interned_field::kNames: put(names); break;
      case interned_field::kTexts: put(texts); break;
      case interned_field::kSpecifications: put(specifications); break;
      case interned_field::kKernels: put(kernels, interned_field::kDemangled); break;
      case interned_field::kKeys: put_key(keys); break;
      case interned_field::kArgumentNames: put_key(argument_names); break;
      case interned_field::kCounterDescriptors: {
        std::uint64_t id = 0;
        CounterDescriptor made;
        for (ProtoSpan entry = data.message(); entry.next();) {
          if (entry.field() == interned_field::kId) id = entry.unsigned_integer();
          if (entry.field() == interned_field::kDescriptor) read_counter_names(entry.message(), made);
          if (entry.field() == interned_field::kGpu) made.gpu = entry.integer();
        }
        counters.put(id, std::move(made));
        break;
      }
      default: break;
    }
  }
}

void Sequence::read_defaults(ProtoSpan defaults) {
  default_track = default_clock = 0;
  extra_tracks.clear();
  extra_real_tracks.clear();
  while (defaults.next()) {
    if (defaults.field() == defaults_field::kClock) default_clock = defaults.unsigned_integer();
    if (defaults.field() != defaults_field::kTrackEvent) continue;
    for (ProtoSpan event = defaults.message(); event.next();) {
      const auto add_to = [&](std::vector<std::uint64_t>& all) {
        event.integers([&](std::int64_t id) { all.push_back(static_cast<std::uint64_t>(id)); });
      };
      if (event.field() == event_field::kTrack) default_track = event.unsigned_integer();
      if (event.field() == event_field::kExtraTracks) add_to(extra_tracks);
      if (event.field() == event_field::kExtraRealTracks) add_to(extra_real_tracks);
    }
  }
}

}  // namespace sightline::formats::perfetto
