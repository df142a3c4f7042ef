"""Operations and bytes of every call that TraceLens reports have the same values here, or differ by what a named reason explains.

TraceLens' reports lie beside the project, with their traces (../shared/samples/tracelens); without them, the test is skipped. Each
reason states what TraceLens has instead, as a formula of the call, and a row that no reason explains fails.
"""
import ast
import csv
import gzip
import json
import math
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from program_report import PROGRAM, ROOT  # noqa: E402

SHARED = ROOT.parent / "shared" / "samples" / "tracelens"
REPORTS = sorted(folder for folder in SHARED.glob("**/*_csvs") if folder.is_dir())

pytestmark = pytest.mark.skipif(not REPORTS, reason="needs ../shared/samples/tracelens, which is not part of the project")

SIZES = {"c10::BFloat16": 2, "c10::Half": 2, "float": 4, "double": 8, "long int": 8, "int": 4, "bool": 1}


class Call:
    """A row of a report, and what this program says of the same call."""

    def __init__(self, row, suffix, annotation):
        self.texts = [row["name"]] + [row[title + suffix] for title in ("Input Dims", "Input type", "Input Strides", "Concrete Inputs")]
        self.texts.append(annotation)
        self.name = row["name"]
        self.dims, self.types, self.strides, self.inputs = (ast.literal_eval(text) for text in self.texts[1:5])
        self.flops = round(float(row["GFLOPS" + suffix]) * 1e9)
        moved = row["Data Moved (MB)" + suffix]
        self.bytes = round(float(moved) * 2**20) if moved else None

    def take(self, line):
        figures = line.split("\t")
        number = [float(text) if text else math.nan for text in figures[1:4]]
        self.our_flops, self.our_bytes, self.at_least = number[0], number[1] + number[2], figures[6] == "true"

    def numel(self, i):
        return math.prod(self.dims[i])

    def size(self, i):
        return SIZES[self.types[i]]

    def numbers(self, i):
        return ast.literal_eval(self.inputs[i])

    def __str__(self):
        return " ".join(self.texts[:5])


def repeated(call):
    """Bytes of elements that a stride of 0 repeats."""
    more = 0
    for i, kind in enumerate(call.types):
        if kind in SIZES and call.dims[i]:
            stored = math.prod(d for d, step in zip(call.dims[i], call.strides[i]) if step)
            more += (call.numel(i) - stored) * SIZES[kind]
    return more if not call.name.endswith("copy_") or 0 not in call.strides[0] else 0


def reduced(call):
    """Elements of a reduction's output."""
    dims = call.numbers(1) if call.inputs[1] else []
    gone = {d % len(call.dims[0]) for d in dims} or set(range(len(call.dims[0])))
    return math.prod(d for i, d in enumerate(call.dims[0]) if i not in gone)


def channels(call, backward):
    """Elements of a normalization's weight."""
    if "layer_norm" in call.name or "rms_norm" in call.name:
        return math.prod(call.numbers(2 if backward else 1))
    return call.dims[0][1]


def forward_norm(call):
    vectors = 1 if "rms_norm" in call.name else 6
    return (2 * call.numel(0) + vectors * channels(call, False)) * call.size(0)


def backward_norm(call):
    mask = call.numbers(-1)
    vectors = {"batch_norm": 4, "group_norm": 1, "rms_norm": 2, "layer_norm": 4 if mask[1] else 1}
    count = next(count for norm, count in vectors.items() if norm in call.name)
    return (3 * call.numel(0) + count * channels(call, True)) * call.size(0)


def both_gradients(call):
    return 2 * (call.numel(0) + call.numel(1) + call.numel(2)) * call.size(0)


NORMS = ("batch_norm", "native_batch_norm", "miopen_batch_norm", "instance_norm", "layer_norm", "native_layer_norm", "group_norm",
         "native_group_norm", "_fused_rms_norm")
BACKWARD_NORMS = ("native_batch_norm_backward", "native_layer_norm_backward", "native_group_norm_backward",
                  "_fused_rms_norm_backward")

# (reason, names, figure, TraceLens' value as a function of the call; nothing: it is not a function of the call's arguments)
REASONS = [
    ("a copy computes nothing; TraceLens counts an operation an element", ["aten::copy_"], "flops", lambda c: c.numel(0)),
    ("TraceLens reads repeated elements (stride 0) each time, and counts 4 bytes for a scalar", ["aten::copy_", "aten::div", "aten::add"],
     "bytes", lambda c: c.our_bytes + repeated(c) + (4 if "add" in c.name or "div" in c.name else 0) * (c.types[1] == "Scalar")),
    ("a reduction writes what it keeps; TraceLens counts one element", ["aten::sum", "aten::mean"], "bytes",
     lambda c: c.our_bytes - (reduced(c) - 1) * c.size(0)),
    ("a normalization moves the parameters that it is given, and statistics of 4 bytes; TraceLens counts a fixed number of vectors",
     [f"aten::{name}" for name in NORMS], "bytes", forward_norm),
    ("the same of the backward pass", [f"aten::{name}" for name in BACKWARD_NORMS], "bytes", backward_norm),
    ("TraceLens takes the formula of inference for a backward pass", ["aten::miopen_batch_norm_backward"], "flops",
     lambda c: 4 * c.numel(0) + 3 * c.dims[0][1]),
    ("TraceLens takes the formula of inference for a backward pass", ["aten::miopen_batch_norm_backward"], "bytes",
     lambda c: (2 * c.numel(0) + c.dims[0][1]) * c.size(0)),
    ("no gradient of the input is computed (output_mask); TraceLens counts it", ["aten::convolution_backward"], "flops",
     lambda c: 2 * c.our_flops),
    ("no gradient of the input is computed (output_mask); TraceLens counts it", ["aten::convolution_backward"], "bytes",
     lambda c: both_gradients(c)),
    ("TraceLens makes this operator from names of kernels; the recorded one, vllm::moe_forward, states neither weights nor the number of "
     "chosen experts", ["pseudo_op::moe_triton_unfused_up", "pseudo_op::moe_triton_unfused_down"], "flops", None),
    ("as above", ["pseudo_op::moe_triton_unfused_up", "pseudo_op::moe_triton_unfused_down"], "bytes", None),
    ("operations of a compiled kernel are not recorded; TraceLens guesses them from its name",
     ["triton_poi_fused__to_copy_1", "triton_poi_fused_constant_pad_nd_moe_forward_0"], "flops", None),
    ("bytes of a compiled kernel are a lower bound; TraceLens guesses them from its name",
     ["triton_poi_fused__to_copy_1", "triton_poi_fused_constant_pad_nd_moe_forward_0"], "bytes", None),
]


def annotation_of(folder):
    """The annotation of the engine's step in the trace beside a report."""
    for trace in folder.parent.glob("graph_execution.json.gz"):
        events = json.loads(gzip.open(trace).read())["traceEvents"]
        return next(e["name"] for e in events if e.get("cat") == "user_annotation" and e["name"].startswith("execute_"))
    return ""


def calls_of(folder):
    csv.field_size_limit(10**9)
    annotation = annotation_of(folder)
    for path in sorted(folder.glob("*.csv")):
        with open(path) as file:
            for row in csv.DictReader(file):
                suffix = "_first" if "Input Dims_first" in row else ""
                if row.get("GFLOPS" + suffix):
                    yield Call(row, suffix, annotation)


def compute(calls):
    table = "".join("\t".join(call.texts) + "\n" for call in calls)
    done = subprocess.run([str(PROGRAM), "costs", "-"], input=table, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for call, line in zip(calls, done.stdout.splitlines()[1:], strict=True):
        call.take(line)


def reason_for(call, figure, theirs):
    for reason, names, of, value in REASONS:
        if call.name in names and of == figure and (value is None or abs(value(call) - theirs) < 1):
            return reason
    return None


@pytest.mark.parametrize("folder", REPORTS, ids=lambda folder: str(folder.relative_to(SHARED)))
def test_costs_are_those_of_tracelens(folder, record_property):
    calls = list(calls_of(folder))
    assert calls, "no row has a figure"
    compute(calls)
    equal, excused, wrong = 0, {}, []
    for call in calls:
        for figure, theirs, ours in (("flops", call.flops, call.our_flops), ("bytes", call.bytes, call.our_bytes)):
            if theirs is None or abs(theirs - ours) < 1:
                equal += 1
            elif reason := reason_for(call, figure, theirs):
                excused[reason] = excused.get(reason, 0) + 1
            else:
                wrong.append(f"{call}: {figure} {ours}, TraceLens {theirs}")
    record_property("equal", equal)
    record_property("excused", excused)
    assert not wrong, "\n".join(wrong)
