// A derived slice reaches from the first to the last of consecutive pieces of work that say the same, in one execution of a
// module. An execution is told by the range of the host around the one that launched: the same module run twice is two slices.
#include "readers/xplane/derived_lanes.h"

#include <fmt/core.h>

#include <algorithm>

namespace sightline::xplane {

namespace {

// One piece of work on a stream, with what it says.
struct Piece {
  Time start, end;
  std::int64_t source;
  Row program_operator, owner, execution;
};

// Consecutive pieces of one name become one slice.
class Run {
 public:
  // The key is what must be equal for a piece to be part of the slice before it; a key without a name begins no slice.
  void add(const Piece& piece, StringId name, const std::vector<Row>& key) {
    if (open_ && key == key_) {
      NewSlice& last = slices_.back();
      last.duration = std::max(last.duration, piece.end - last.start);
      return;
    }
    key_ = key;
    open_ = name != StringId::none;
    if (open_) slices_.push_back({piece.start, piece.end - piece.start, name, SliceKind::device_annotation, piece.source});
  }
  void stop() { open_ = false; }
  const std::vector<NewSlice>& slices() const { return slices_; }

 private:
  bool open_ = false;
  std::vector<Row> key_;
  std::vector<NewSlice> slices_;
};

// The levels of a path "jit(f)/while/dot_general": each is a run of its own, which ends when one above it does.
class Scopes {
 public:
  explicit Scopes(StringPool& strings) : strings_(strings) {}

  void add(const Piece& piece, std::string_view path) {
    const std::size_t leaf = path.rfind('/');
    std::string_view above = leaf == std::string_view::npos ? "" : path.substr(0, leaf);
    std::size_t level = 0;
    std::vector<Row> key{piece.execution};
    while (!above.empty()) {
      const std::string_view part = above.substr(0, above.find('/'));
      above.remove_prefix(std::min(above.size(), part.size() + 1));
      const StringId name = strings_.intern(part);
      key.push_back(static_cast<Row>(name));
      if (level == levels_.size()) levels_.emplace_back();
      levels_[level++].add(piece, name, key);
    }
    for (; level < levels_.size(); ++level) levels_[level].stop();
  }

  // Outer ones first, so that equal ones nest in that order.
  std::vector<NewSlice> slices() const {
    std::vector<NewSlice> all;
    for (const Run& level : levels_) all.insert(all.end(), level.slices().begin(), level.slices().end());
    return all;
  }

 private:
  StringPool& strings_;
  std::vector<Run> levels_;
};

class Derived {
 public:
  explicit Derived(Builder& builder) : b_(builder), p_(builder.profile) {}

  void run() {
    std::map<Row, std::vector<Piece>> streams;  // by main lane
    std::map<std::int64_t, std::size_t> streams_of_device;
    const DeviceWork& work = p_.device_work;
    std::size_t at = 0;
    for (std::size_t i = 0; i < p_.program_work.rows(); ++i) {
      const Row slice = p_.program_work.slice[i];
      while (at < work.rows() && work.slice[at] < slice) ++at;
      if (at == work.rows()) break;
      if (work.slice[at] != slice) continue;
      std::vector<Piece>& pieces = streams[p_.main_lane(p_.slices.lane[slice])];
      if (pieces.empty()) ++streams_of_device[work.device[at]];
      pieces.push_back({p_.slices.start[slice], p_.end_of(slice), p_.slices.source[slice], p_.program_work.program_operator[i],
                        work.owner[at], execution_of(work.owner[at])});
    }
    for (auto& [lane, pieces] : streams) {
      std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& x, const Piece& y) { return x.start < y.start; });
      add_lanes(lane, pieces, streams_of_device[p_.lanes.device[lane]] > 1);
    }
  }

 private:
  // The range around the one that launched; that one itself when nothing is around it.
  Row execution_of(Row owner) const {
    if (owner == kNoRow || p_.slices.kind[owner] != SliceKind::op) return owner;
    return p_.slices.parent[owner] == kNoRow ? owner : p_.slices.parent[owner];
  }

  void add_lanes(Row stream, const std::vector<Piece>& pieces, bool several) {
    const ProgramOperators& operators = p_.program_operators;
    Run modules, hlo, framework, source;
    Scopes scopes(p_.strings);
    for (const Piece& piece : pieces) {
      const Row row = piece.program_operator;
      const auto key = [&](StringId name) { return std::vector<Row>{piece.execution, static_cast<Row>(name)}; };
      modules.add(piece, operators.program[row], key(operators.program_id[row]));
      hlo.add(piece, operators.name[row], {piece.execution, row, piece.owner});
      // "jit(f)/dot_general:" names the operator's type behind the colon, where it has one.
      std::string path(p_.text(operators.framework_operator[row]));
      if (path.ends_with(':')) path.pop_back();
      scopes.add(piece, path);
      const StringId whole = p_.strings.intern(path);
      framework.add(piece, p_.strings.intern(path.substr(path.rfind('/') + 1)), key(whole));
      source.add(piece, operators.source[row], key(operators.source[row]));
    }
    // The units of a TPU have lanes for modules and operators of their own.
    const bool own = p_.lanes.kind[stream] == LaneKind::engine;
    const std::string of = several ? fmt::format(" - {}", p_.text(p_.lanes.name[stream])) : "";
    if (!own) add_lane(stream, "XLA Modules" + of, modules.slices());
    if (!own) add_lane(stream, "XLA Ops" + of, hlo.slices());
    add_lane(stream, "Framework Name Scope" + of, scopes.slices());
    add_lane(stream, "Framework Ops" + of, framework.slices());
    add_lane(stream, "Source code" + of, source.slices());
  }

  void add_lane(Row stream, const std::string& name, const std::vector<NewSlice>& slices) {
    if (slices.empty()) return;
    const std::string track = fmt::format("derived {} {}", p_.text(p_.lanes.track[stream]), name);
    b_.lanes.add_lane({LaneKind::other, p_.lanes.process[stream], p_.lanes.device[stream], track, name}, slices,
                      [](std::size_t, Row) {});
  }

  Builder& b_;
  Profile& p_;
};

}  // namespace

void add_derived_lanes(Builder& builder) { Derived(builder).run(); }

}  // namespace sightline::xplane
