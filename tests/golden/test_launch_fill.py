"""Occupancy, blocks and warps per multiprocessor: the program computes the same values as traces contain.

For each trace with these three members, the test reads a copy without them: the computed values must equal the trace's. If the
trace has an occupancy of 0 for a kernel with more shared memory than a block gets by default, there is nothing to compare: the
program must say so, and compute a value.
"""
import gzip
import json
import math
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import program_report  # noqa: E402

SHARED = program_report.ROOT.parent / "shared" / "samples" / "pytorch"
FILES = sorted((program_report.ROOT / "samples").glob("*_cuda/*.trace.json.gz")) + sorted(SHARED.glob("*/*.json.gz"))
FILL = ("blocks per SM", "warps per SM", "est. achieved occupancy %")
KERNELS = """SELECT w.blocks_per_core, w.warps_per_core, w.occupancy, w.fill_source, w.shared_bytes, d.shared_per_block
             FROM device_work w JOIN slices s ON s.id = w.slice JOIN devices d ON d.ordinal = w.device
             WHERE s.kind IN ('kernel', 'collective') ORDER BY w.slice"""

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="the program is not built")


def document_of(file):
    document = json.loads(gzip.open(file).read())
    return document if isinstance(document, dict) else {"traceEvents": document}


def without_fill(document, folder):
    for event in document["traceEvents"]:
        for member in FILL:
            (event.get("args") or {}).pop(member, None)
    path = folder / "stripped.pt.trace.json"
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.name[:24]}")
def test_computed_values_equal_the_traces(file, tmp_path):
    document = document_of(file)
    stated_members = sum(FILL[0] in (event.get("args") or {}) for event in document["traceEvents"])
    if not document.get("deviceProperties") or not stated_members:
        pytest.skip("the trace states none, or not of which device")
    stated = program_report.query(file, KERNELS)
    computed = program_report.query(without_fill(document, tmp_path), KERNELS)
    assert len(stated) == len(computed) == stated_members
    for (blocks, warps, occupancy, source, shared, usual), ours in zip(stated, computed):
        assert ours[0] == pytest.approx(blocks, rel=2e-5, abs=1e-6) and ours[1] == pytest.approx(warps, rel=2e-5, abs=1e-6)
        assert ours[3] == "computed"
        if source == "computed_for_zero":
            assert shared > usual and occupancy > 0 and ours[2] == occupancy
        else:  # whole percent: newer writers round, older ones cut
            assert source == "file" and occupancy in (math.floor(ours[2]), math.floor(ours[2] + 0.5))


def test_the_launching_call_shows_whether_a_grid_counts_blocks_or_threads(tmp_path):
    """AMD: 20 blocks of 256 threads on 10 compute units, once as blocks and once as threads: 2 blocks and 8 wavefronts of 64 each."""
    events = []
    for number, (call, grid) in enumerate((("hipLaunchKernel", 20), ("hipExtModuleLaunchKernel", 20 * 256)), start=1):
        events += [{"ph": "X", "cat": "cuda_runtime", "name": call, "pid": 1, "tid": 1, "ts": 10 * number, "dur": 1,
                    "args": {"correlation": number}},
                   {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10 * number + 2, "dur": 5,
                    "args": {"device": 0, "correlation": number, "grid": [grid, 1, 1], "block": [256, 1, 1]}}]
    device = {"id": 0, "name": "MI", "numSms": 10, "warpSize": 64, "computeMajor": 9, "computeMinor": 4, "maxThreadsPerMultiprocessor": 2048}
    path = tmp_path / "amd.pt.trace.json"
    path.write_text(json.dumps({"deviceProperties": [device], "traceEvents": events}))
    assert [row[:4] for row in program_report.query(path, KERNELS)] == [(2, 8, None, "computed")] * 2
    note = " ".join(note["text"] for note in program_report.report(path, "kernels")["notes"])
    assert "For 2 kernels blocks and warps per core are computed here" in note
