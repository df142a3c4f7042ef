// Grammars (a number is N, a list of sums is sqNskNsqsqNsqskN):
//   vLLM        execute_N_context_N(SUMS)_generation_N(SUMS), and without sums execute_context_N(N)_generation_N(N)
//   SGLang      step[EXTEND|DECODE|MIXED|IDLE bs=N toks=N c=N g=N c_sq=N ... g_sk=N]
//   ATOM        prefill[bs=N tok=N ...] and decode[bs=N/N tok=N p=N d=N sqsq=N sqsk=N sk=N]
//   diffusion   execute_diffusion_N_WxH
#include "formats/common/serving_steps.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <vector>

#include "model/serving.h"

namespace sightline::formats {

// ---- names ----

namespace {

// Reads a text from left to right; after the first mismatch, it has failed.
class Scan {
 public:
  explicit Scan(std::string_view text) : rest_(text) {}

  Scan& literal(std::string_view wanted) {
    if (rest_.starts_with(wanted)) {
      rest_.remove_prefix(wanted.size());
    } else {
      failed_ = true;
    }
    return *this;
  }

  Scan& number(std::int64_t& value) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0) {
      failed_ = true;
      value = kUnknown;
    } else {
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    }
    return *this;
  }

  Scan& sums(ServingStep::Part& part) {
    literal("(sq").number(part.sq).literal("sk").number(part.sk).literal("sqsq").number(part.sqsq);
    literal("sqsk").number(part.sqsk).literal(")");
    part.tokens = part.sq;
    return *this;
  }

  bool ok() const { return !failed_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

// Unknown if a part is.
std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t both = 0;
  const bool known = a != kUnknown && b != kUnknown && !__builtin_add_overflow(a, b, &both);
  return known ? both : kUnknown;
}

ServingPhase phase_of(std::int64_t prefill, std::int64_t decode) {
  if (prefill > 0) return decode > 0 ? ServingPhase::mixed : ServingPhase::prefill;
  return decode > 0 ? ServingPhase::decode : ServingPhase::idle;
}

ServingStep with_totals(ServingStep step) {
  step.phase = phase_of(step.prefill.requests, step.decode.requests);
  step.requests = sum(step.prefill.requests, step.decode.requests);
  step.tokens = sum(step.prefill.tokens, step.decode.tokens);
  return step;
}

std::optional<ServingStep> parse_execute(std::string_view name) {
  ServingStep step;
  std::int64_t tokens = kUnknown;
  Scan detailed(name);
  detailed.literal("execute_").number(tokens).literal("_context_").number(step.prefill.requests).sums(step.prefill);
  detailed.literal("_generation_").number(step.decode.requests).sums(step.decode);
  step.detailed = detailed.ok();
  if (detailed.ok()) return with_totals(step);
  step = {};
  Scan plain(name);
  plain.literal("execute_context_").number(step.prefill.requests).literal("(").number(step.prefill.tokens);
  plain.literal(")_generation_").number(step.decode.requests).literal("(").number(step.decode.tokens).literal(")");
  if (plain.ok()) return with_totals(step);
  return std::nullopt;
}

std::optional<ServingStep> parse_diffusion(std::string_view name) {
  ServingStep step{.phase = ServingPhase::image};
  std::int64_t width = 0, height = 0;
  Scan scan(name);
  scan.literal("execute_diffusion_").number(step.requests).literal("_");
  step.image_size = scan.rest();
  scan.number(width).literal("x").number(height);
  step.image_size = step.image_size.substr(0, step.image_size.size() - scan.rest().size());
  if (!scan.ok()) return std::nullopt;
  return step;
}

// "key=N" among words that blanks separate. Of "N/M", N is the number and M the other one.
class Fields {
 public:
  explicit Fields(std::string_view text) : text_(text) {}

  std::int64_t operator[](std::string_view key) const { return of(key, false); }
  std::int64_t padded(std::string_view key) const { return of(key, true); }

 private:
  std::int64_t of(std::string_view key, bool other) const {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find(' ', at), text_.size());
      const std::string_view word = text_.substr(at, end - at);
      if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=') {
        std::int64_t first = kUnknown, second = kUnknown;
        Scan scan(word.substr(key.size() + 1));
        scan.number(first);
        if (other) scan.literal("/").number(second);
        return other ? second : first;
      }
      at = end + 1;
    }
    return kUnknown;
  }

  std::string_view text_;
};

std::int64_t first_known(std::int64_t a, std::int64_t b) { return a != kUnknown ? a : b; }

// The words between the brackets of "name[...]"; nothing: the text is not of this form.
std::optional<std::string_view> bracketed(std::string_view text, std::string_view name) {
  if (!text.starts_with(name) || text.size() <= name.size() || text[name.size()] != '[') return std::nullopt;
  const std::size_t close = text.rfind(']');
  if (close == std::string_view::npos || close < name.size() + 1) return std::nullopt;
  return text.substr(name.size() + 1, close - name.size() - 1);
}

ServingStep::Part part_of(const Fields& fields, char letter) {
  const auto sum_of = [&](std::string_view name) { return fields[std::string{letter, '_'}.append(name)]; };
  ServingStep::Part part;
  part.sq = part.tokens = sum_of("sq");
  part.sk = sum_of("sk");
  part.sqsq = sum_of("sqsq");
  part.sqsk = sum_of("sqsk");
  return part;
}

constexpr ServingStep::Part kNoRequests{.requests = 0, .tokens = 0, .sq = 0, .sk = 0, .sqsq = 0, .sqsk = 0};

// Without speculation, a request gets one token in a step of decode.
std::optional<ServingStep> parse_step(std::string_view name) {
  const auto words = bracketed(name, "step");
  if (!words) return std::nullopt;
  const std::string_view mode = words->substr(0, words->find(' '));
  const Fields fields(*words);
  const std::int64_t batch = fields["bs"];
  ServingStep step{.prefill = part_of(fields, 'c'), .decode = part_of(fields, 'g')};
  step.detailed = step.prefill.sqsk != kUnknown || step.decode.sqsk != kUnknown;
  if (mode == "DECODE") {
    step.prefill = kNoRequests;
    step.decode.requests = batch;
    step.decode.tokens = first_known(step.decode.tokens, first_known(fields["toks"], batch));
  } else if (mode == "EXTEND") {
    step.decode = kNoRequests;
    step.prefill.requests = batch;
    step.prefill.tokens = first_known(step.prefill.tokens, fields["toks"]);
  } else if (mode == "MIXED") {
    step.prefill.requests = fields["c"];
    step.decode.requests = fields["g"];
  } else if (mode == "IDLE") {
    step.prefill = step.decode = kNoRequests;
  } else {
    return std::nullopt;
  }
  step = with_totals(step);
  if (mode == "MIXED") step.phase = ServingPhase::mixed;
  step.requests = first_known(step.requests, batch);
  step.tokens = first_known(step.tokens, fields["toks"]);
  step.padded_batch = fields.padded("bs");
  return step;
}

std::optional<ServingStep> parse_batch(std::string_view name) {
  const auto prefill = bracketed(name, "prefill"), decode = bracketed(name, "decode");
  if (!prefill && !decode) return std::nullopt;
  const Fields fields(prefill ? *prefill : *decode);
  ServingStep::Part part{.requests = fields["bs"], .tokens = fields["tok"], .sq = fields["tok"]};
  if (part.requests == kUnknown) return std::nullopt;
  part.sk = fields["sk"];
  part.sqsq = fields["sqsq"];
  part.sqsk = fields["sqsk"];
  ServingStep step{.prefill = prefill ? part : kNoRequests, .decode = prefill ? kNoRequests : part};
  step = with_totals(step);
  step.detailed = part.sqsk != kUnknown;
  step.padded_batch = fields.padded("bs");
  if (decode && fields["p"] > 0) {  // the sums and tokens are those of all requests
    step.phase = ServingPhase::mixed;
    step.prefill = {.requests = fields["p"]};
    const std::int64_t rest = part.requests - fields["p"];
    step.decode.requests = first_known(fields["d"], rest >= 0 ? rest : kUnknown);
    step.decode.tokens = kUnknown;
  }
  return step;
}

}  // namespace

std::optional<ServingStep> parse_serving_step(std::string_view name) {
  for (const auto parse : {parse_execute, parse_diffusion, parse_step, parse_batch}) {
    if (const auto step = parse(name)) return step;
  }
  return std::nullopt;
}

// ---- rows ----

namespace {

struct Found {
  Row slice;
  ServingStep step;  // its texts are gone once another is interned
};

StringId image_size(Profile& p, Row slice) {
  const auto step = parse_serving_step(p.text(p.slices.name[slice]));
  const std::string text(step ? step->image_size : std::string_view{});
  return text.empty() ? StringId::none : p.strings.intern(text);
}

// The ranges, by slice; only those that state the sums, if some do.
std::vector<Found> find_steps(const Profile& p) {
  std::vector<Found> found;
  std::unordered_map<StringId, std::optional<ServingStep>> known;
  bool any_detailed = false;
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    if (p.slices.kind[slice] != SliceKind::annotation) continue;
    const StringId name = p.slices.name[slice];
    const auto [at, is_new] = known.try_emplace(name);
    if (is_new) at->second = parse_serving_step(p.text(name));
    if (!at->second) continue;
    found.push_back({slice, *at->second});
    any_detailed |= at->second->detailed;
  }
  if (any_detailed) std::erase_if(found, [](const Found& each) { return !each.step.detailed; });
  return found;
}

void add_row(Profile& p, const Found& found) {
  const ServingStep& from = found.step;
  ServingSteps& to = p.serving_steps;
  to.slice.push_back(found.slice);
  to.phase.push_back(from.phase);
  to.requests.push_back(from.requests);
  to.tokens.push_back(from.tokens);
  to.padded_batch.push_back(from.padded_batch);
  to.image_size.push_back(from.phase == ServingPhase::image ? image_size(p, found.slice) : StringId::none);
  to.prefill_requests.push_back(from.prefill.requests);
  to.prefill_tokens.push_back(from.prefill.tokens);
  to.decode_requests.push_back(from.decode.requests);
  to.decode_tokens.push_back(from.decode.tokens);
  to.prefill_sq.push_back(from.prefill.sq);
  to.prefill_sk.push_back(from.prefill.sk);
  to.prefill_sqsq.push_back(from.prefill.sqsq);
  to.prefill_sqsk.push_back(from.prefill.sqsk);
  to.decode_sq.push_back(from.decode.sq);
  to.decode_sk.push_back(from.decode.sk);
  to.decode_sqsq.push_back(from.decode.sqsq);
  to.decode_sqsk.push_back(from.decode.sqsk);
  to.guessed.push_back(false);
}

// "gpu_model_runner.py(1234): execute_model": the function in which an engine runs its model once.
bool runs_model(std::string_view name) {
  constexpr std::string_view kFunctions[] = {": execute_model", ": forward_batch_generation"};
  return std::any_of(std::begin(kFunctions), std::end(kFunctions),
                     [&](std::string_view function) { return name.ends_with(function); });
}

// Outermost calls of that function.
std::vector<Row> find_model_calls(const Profile& p) {
  std::unordered_map<StringId, bool> known;
  const auto runs = [&](Row slice) {
    const auto [at, is_new] = known.try_emplace(p.slices.name[slice]);
    if (is_new) at->second = runs_model(p.text(p.slices.name[slice]));
    return at->second;
  };
  std::vector<Row> calls;
  for (Row slice = 0; slice < p.slices.rows(); ++slice) {
    if (p.slices.kind[slice] != SliceKind::python || !runs(slice)) continue;
    Row around = p.slices.parent[slice];
    while (around != kNoRow && !runs(around)) around = p.slices.parent[around];
    if (around == kNoRow) calls.push_back(slice);
  }
  return calls;
}

// Without names of steps, they are guessed, and nothing but their times is known.
void guess_steps(Profile& p) {
  constexpr std::size_t kFewest = 3;
  const std::vector<Row> calls = find_model_calls(p);
  if (calls.size() < kFewest) return;
  for (const Row slice : calls) {
    const Row row = add_unknown_row(p.serving_steps);
    p.serving_steps.slice[row] = slice;
    p.serving_steps.guessed[row] = true;
  }
}

void make_steps(Profile& p) {
  if (p.serving_steps.rows() == 0 || p.steps.rows() > 0) return;
  for (const Row row : main_serving_steps(p)) {
    const Row slice = p.serving_steps.slice[row];
    p.slices.kind[slice] = SliceKind::step;
    p.steps.number.push_back(static_cast<std::int64_t>(p.steps.rows()));
    p.steps.start.push_back(p.slices.start[slice]);
    p.steps.duration.push_back(p.slices.duration[slice]);
    p.steps.slice.push_back(slice);
  }
}

}  // namespace

void add_serving_steps(Profile& profile) {
  for (const Found& found : find_steps(profile)) add_row(profile, found);
  if (profile.serving_steps.rows() == 0 && profile.steps.rows() == 0) return guess_steps(profile);
  make_steps(profile);
}

}  // namespace sightline::formats
