// Functions of extents that a product of dimensions does not give: convolutions and pooling, attention, reductions, routed
// experts.
#include <algorithm>
#include <array>
#include <cmath>

#include "analyses/costs/cost_functions.h"

namespace sightline::analyses {

namespace {

// ---- convolutions and pooling ----

// A value for each of `dims` spatial dimensions: one value counts for all of them. `otherwise`: the call has no such argument.
// Fewer values: they are not recorded.
std::vector<double> spatial(const CallArguments& call, double argument, std::size_t dims, double otherwise) {
  std::vector<double> values = call.at(argument) == nullptr ? std::vector<double>{otherwise} : values_at(call, argument);
  if (values.size() == 1) values.resize(dims, values.front());
  return values;
}

struct Window {
  std::vector<double> kernel, stride, padding, dilation;
};

// Positions of the window over the spatial dimensions of `input`, which follow `first`. NaN: lists of other lengths.
double window_positions(const TensorShape& input, std::size_t first, const Window& window, bool round_up) {
  const std::size_t dims = input.dims.size() - first;
  for (const auto* values : {&window.kernel, &window.stride, &window.padding, &window.dilation}) {
    if (values->size() != dims) return kUnknownNumber;
  }
  double all = 1;
  for (std::size_t k = 0; k < dims; ++k) {
    const double room = input.dims[first + k] + 2 * window.padding[k] - window.dilation[k] * (window.kernel[k] - 1) - 1;
    const double steps = room / window.stride[k];
    all *= (round_up ? std::ceil(steps) : std::floor(steps)) + 1;
  }
  return all;
}

std::vector<double> kernel_of(const TensorShape& weight) { return {weight.dims.begin() + 2, weight.dims.end()}; }

double convolved(const CallArguments& call, std::span<const double> in) {
  const TensorShape *x = tensor_at(call, in[0]), *w = tensor_at(call, in[1]);
  if (x == nullptr || w == nullptr || w->dims.size() < 3) return kUnknownNumber;
  const std::size_t dims = w->dims.size() - 2;
  if (x->dims.size() != dims + 2 && x->dims.size() != dims + 1) return kUnknownNumber;
  const std::size_t first = x->dims.size() - dims;
  const double batch = first == 2 ? x->dims[0] : 1;
  const Window window{kernel_of(*w), spatial(call, in[2], dims, 1), spatial(call, in[3], dims, 0), spatial(call, in[4], dims, 1)};
  return batch * w->dims[0] * window_positions(*x, first, window, false);
}

double deconvolved(const CallArguments& call, std::span<const double> in) {
  const TensorShape *x = tensor_at(call, in[0]), *w = tensor_at(call, in[1]);
  if (x == nullptr || w == nullptr || w->dims.size() < 3 || x->dims.size() != w->dims.size()) return kUnknownNumber;
  const std::size_t dims = w->dims.size() - 2;
  const std::vector<double> kernel = kernel_of(*w), stride = spatial(call, in[2], dims, 1),
                            padding = spatial(call, in[3], dims, 0), dilation = spatial(call, in[4], dims, 1),
                            more = spatial(call, in[5], dims, 0);
  for (const auto* values : {&stride, &padding, &dilation, &more}) {
    if (values->size() != dims) return kUnknownNumber;
  }
  const std::vector<double> groups = values_at(call, in[6]);
  double all = x->dims[0] * w->dims[1] * (groups.size() == 1 ? groups.front() : 1);
  for (std::size_t k = 0; k < dims; ++k)
    all *= (x->dims[k + 2] - 1) * stride[k] - 2 * padding[k] + dilation[k] * (kernel[k] - 1) + more[k] + 1;
  return all;
}

double pooled(const CallArguments& call, std::span<const double> in) {
  const TensorShape* x = tensor_at(call, in[0]);
  const std::vector<double> sides = values_at(call, in[1]);
  if (x == nullptr || sides.empty() || x->dims.size() < std::max<std::size_t>(sides.size(), 3)) return kUnknownNumber;
  const std::size_t dims = std::max<std::size_t>(sides.size(), x->dims.size() == 3 ? 1 : x->dims.size() - 2);
  const std::size_t first = x->dims.size() - dims;
  const std::vector<double> kernel = spatial(call, in[1], dims, 1);
  const CallArgument* stride = call.at(in[2]);
  const bool same_stride = stride != nullptr && stride->value == "[]";  // the default: windows do not overlap
  const Window window{kernel, same_stride ? kernel : spatial(call, in[2], dims, 1), spatial(call, in[3], dims, 0),
                      spatial(call, in[4], dims, 1)};
  double planes = 1;
  for (std::size_t k = 0; k < first; ++k) planes *= x->dims[k];
  const std::vector<double> up = values_at(call, in[5]);
  return planes * window_positions(*x, first, window, up.size() == 1 && up.front() != 0);
}

// ---- attention ----

// Pairs of a query and a key over batches and query heads, from the dimensions of the tokens and heads in `q` and `k`, counted
// from the end. Causal attention between as many queries as keys needs half of them.
double pairs_of(const TensorShape* q, const TensorShape* k, std::size_t tokens, double causal) {
  if (q == nullptr || k == nullptr || q->dims.size() < tokens || k->dims.size() < tokens) return kUnknownNumber;
  const double queries = q->dims[q->dims.size() - tokens], keys = k->dims[k->dims.size() - tokens];
  const double width = q->dims.back();
  const double all = width == 0 ? 0 : elements_of(*q) / width * keys;
  if (std::isnan(causal)) return kUnknownNumber;
  return causal != 0 && queries == keys ? all / 2 : all;
}

double pairs_by_head(const CallArguments& call, std::span<const double> in) {
  return pairs_of(tensor_at(call, in[0]), tensor_at(call, in[1]), 2, in[2]);
}

double pairs_by_token(const CallArguments& call, std::span<const double> in) {
  return pairs_of(tensor_at(call, in[0]), tensor_at(call, in[1]), 3, in[2]);
}

// Sequences of unknown lengths, one after the other: equal lengths have the fewest pairs. If the longest one is known, the others
// are as short as that allows.
double pairs_packed(const CallArguments& call, std::span<const double> in) {
  const TensorShape* bounds = tensor_at(call, in[3]);  // one more than sequences
  if (bounds == nullptr || bounds->dims.size() != 1 || bounds->dims[0] < 2) return kUnknownNumber;
  const TensorShape *q = tensor_at(call, in[0]), *k = tensor_at(call, in[1]);
  const double all = pairs_of(q, k, 3, in[2]), others = bounds->dims[0] - 2;
  if (in.size() < 6 || std::isnan(all) || std::isnan(in[4]) || std::isnan(in[5])) return all / (others + 1);
  const double queries = q->dims[q->dims.size() - 3], keys = k->dims[k->dims.size() - 3];
  const bool possible = in[4] * (others + 1) >= queries && in[4] <= queries && in[5] * (others + 1) >= keys && in[5] <= keys;
  if (others == 0 || !possible || queries * keys == 0) return all / (others + 1);
  return all / (queries * keys) * (in[4] * in[5] + (queries - in[4]) * (keys - in[5]) / others);
}

// ---- reductions ----

// Elements that stay when the dimensions of a list are reduced; without a list, all are.
double kept(const CallArguments& call, std::span<const double> in) {
  const TensorShape* x = tensor_at(call, in[0]);
  if (x == nullptr) return kUnknownNumber;
  std::vector<double> gone = values_at(call, in[1]);
  if (gone.empty()) return 1;
  const double rank = static_cast<double>(x->dims.size());
  double all = 1;
  for (std::size_t k = 0; k < x->dims.size(); ++k) {
    const double here = static_cast<double>(k);
    const bool reduced = std::any_of(gone.begin(), gone.end(), [&](double at) { return at == here || at + rank == here; });
    if (!reduced) all *= x->dims[k];
  }
  return all;
}

// ---- routed experts ----

// Experts that get a token, when each of the tokens goes to `in[1]` of `in[0]` experts at random.
double experts(const CallArguments&, std::span<const double> in) {
  const double all = in[0], chosen = in[1], tokens = in[2];
  if (!(all > 0) || !(chosen <= all)) return kUnknownNumber;
  return all * (1 - std::pow(1 - chosen / all, tokens));
}

constexpr std::array<CostFunction, 8> kShapeFunctions{{
    {"convolved", 5, 5, convolved, "convolved(x, weight, stride, padding, dilation)  elements of a convolution's output"},
    {"deconvolved", 7, 7, deconvolved,
     "deconvolved(x, weight, stride, padding, dilation, output_padding, groups)  of a transposed convolution's output"},
    {"pooled", 6, 6, pooled, "pooled(x, kernel, stride, padding, dilation, ceil_mode)  elements of a pooling's output"},
    {"pairs_by_head", 3, 3, pairs_by_head,
     "pairs_by_head(q, k, causal)  pairs of a query and a key in all heads, tensors [batch, head, token, width]; causal: half"},
    {"pairs_by_token", 3, 3, pairs_by_token, "pairs_by_token(q, k, causal)  the same for tensors [batch, token, head, width]"},
    {"pairs_packed", 4, 6, pairs_packed,
     "pairs_packed(q, k, causal, bounds, longest_q, longest_k)  at least so many, for sequences packed as [token, head, width] "
     "between bounds; the longest sequence may be given"},
    {"kept", 2, 2, kept, "kept(i, d)  elements of argument i without the dimensions in argument d; 1 if it names none"},
    {"experts", 3, 3, experts, "experts(n, k, tokens)  experts of n that get a token, when each token goes to k at random"},
}};

}  // namespace

std::span<const CostFunction> shape_functions() { return kShapeFunctions; }

}  // namespace sightline::analyses
