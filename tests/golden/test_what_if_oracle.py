"""The program's predicted step is that of a slow replay in Python (tests/oracle/what_if.py), to the nanosecond, for several changes."""
import collections
import pathlib
import subprocess
import sys

import pytest
from program_report import PROGRAM, ROOT, report

sys.path.insert(0, str(ROOT / "tests" / "oracle"))
from kineto_trace import read_trace  # noqa: E402
from what_if import Recording  # noqa: E402

SHARED = ROOT.parent / "shared" / "samples"
LARGEST = 1_200_000  # bytes compressed: the oracle is slow
OWN = sorted((ROOT / "samples").glob("*/*.pt.trace.json.gz"))
SAMPLES = sorted(path for path in SHARED.glob("pytorch/*/*.json.gz") if path.stat().st_size < LARGEST)
FIXTURES = sorted((ROOT / "tests" / "fixtures").glob("*.trace"))

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no program at {PROGRAM}: build it, or set SIGHTLINE")


def predicted(file, change):
    sheet = next(panel for panel in report(file, "what_if", change=change, top="0")["panels"] if panel["id"] == "prediction")
    return next(fact["value"] for fact in sheet["facts"] if fact["label"] == "Predicted step")


def check(file):
    trace = read_trace(file)
    if not any("ProfilerStep#" in str(event.get("name")) for event in trace.document["traceEvents"]):
        pytest.skip("no recorded steps: the oracle knows no others")
    recording = Recording(trace)
    times = collections.Counter()
    for work in recording.works:
        times[work.name] += work.end - work.start
    changes = [("host*1", {}), ("host*0.5", {"host": 0.5}), ("host*0", {"host": 0}), ("host*3", {"host": 3})]
    if times:
        changes += [("no-sync", {"no_sync": True}), ("one-graph", {"one_graph": True}), ("no-sync\none-graph", {"no_sync": True, "one_graph": True})]
    for name, _ in times.most_common(3):
        changes += [(f'kernel:"{name}"*{factor}', {"kernels": {name: factor}}) for factor in (0, 0.5, 4)]
    if len(times) > 1:
        first, second = (name for name, _ in times.most_common(2))
        changes.append((f'kernel:"{first}"*0.1; kernel:"{second}"*0; host*0.7', {"kernels": {first: 0.1, second: 0}, "host": 0.7}))
    for change, meaning in changes:
        assert abs(predicted(file, change) - recording.step(**meaning)) < 1e-3, change


@pytest.mark.parametrize("text", FIXTURES, ids=lambda path: path.stem)
def test_fixtures(text, tmp_path):
    file = tmp_path / "trace.json"
    subprocess.run([ROOT / "tools" / "gen_trace", text, file], check=True)
    check(file)


@pytest.mark.parametrize("file", OWN, ids=lambda path: path.name.split(".")[0])
def test_our_samples(file):
    check(file)


@pytest.mark.parametrize("file", SAMPLES or [pytest.param(None, marks=pytest.mark.skip(reason=f"no samples at {SHARED}"))],
                         ids=lambda path: pathlib.Path(path).parent.name if path else "")
def test_samples(file):
    check(file)
