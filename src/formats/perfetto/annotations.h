// The annotations of a slice as the arguments of a JSON trace: nested values as JSON text.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/perfetto/sequence.h"

namespace sightline::formats::perfetto {

// Calls take(key, value) for a value's text: that of a JSON value, but a string has no quotes. The text is valid during the call.
class AnnotationReader {
 public:
  explicit AnnotationReader(const Sequence& sequence) : sequence_(sequence) {}

  // A DebugAnnotation. `known_keys` keeps what was found for keys that are written out; `text` is memory that is reused.
  const Key& key(ProtoSpan annotation, std::unordered_map<std::string, Key>& known_keys);
  // False: it has no value.
  bool value(ProtoSpan annotation, std::string& text);
  // Whether a value lacks the end of a long text.
  bool was_cut() const { return was_cut_; }

 private:
  std::string_view key_text(ProtoSpan annotation) const;
  bool write(ProtoSpan annotation, std::string& text, int depth);
  void append_named(std::string& text, std::string_view named);
  bool write_nested(ProtoSpan value, std::string& text, int depth) const;

  const Sequence& sequence_;
  std::string unknown_;
  bool was_cut_ = false;
};

// Text of the arguments of one event, in memory that is reused.
class ArgumentTexts {
 public:
  void clear() {
    event_.present = 0;
    hint_ = Hint::none;
    fwdbwd_.clear();
  }
  // The text for the value of this argument, to be filled.
  std::string& text(trace_events::Arg arg);

  trace_events::Event& event() { return event_; }
  Hint hint() const { return hint_; }
  void add_hint(Hint hint) { hint_ = std::max(hint_, hint); }
  std::vector<std::uint64_t>& forward_backward() { return fwdbwd_; }  // flows that are pairs of forward and backward operators
  // Makes the texts those of the event. REQUIRES: all are filled.
  void finish();

 private:
  trace_events::Event event_;
  std::array<std::string, trace_events::kArgCount> texts_;
  Hint hint_ = Hint::none;
  std::vector<std::uint64_t> fwdbwd_;
};

}  // namespace sightline::formats::perfetto
