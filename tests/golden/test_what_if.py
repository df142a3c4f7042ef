"""The replay of the dependency graph without any change gives every recorded time, and the critical path of every step is exactly as
long as the step: on all samples of all formats, and on every trace of tests/fixtures and samples/, through the program."""
import json
import subprocess

import pytest
from program_report import PROGRAM, ROOT, rows

SHARED = ROOT.parent / "shared" / "samples"
GEN_TRACE = ROOT / "tools" / "gen_trace"
FIXTURES = sorted((ROOT / "tests" / "fixtures").glob("*.trace"))
OWN = sorted(path for path in (ROOT / "samples").rglob("*") if path.is_file() and path.name.endswith((".trace.json.gz", ".xplane.pb", ".tsv")))
PATTERNS = ("pytorch/*/*.json.gz", "tracelens/*/*.json.gz", "tracelens/*/*/*.json.gz", "xplane/*.xplane.pb", "ascend/*/*/*_ascend_pt", "neuron/*/*")
SAMPLES = sorted(path for pattern in PATTERNS for path in SHARED.glob(pattern))

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no program at {PROGRAM}: build it, or set SIGHTLINE")


def report(file, view="what_if", *options):
    """The view's report; None, with the program's reason, if the profile cannot have it."""
    done = subprocess.run([PROGRAM, "report", file, "--view", view, "--format", "json", *options], capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr
    return json.loads(done.stdout), ""


def facts(body):
    panel = next(panel for panel in body["panels"] if panel["id"] == "facts")
    return {fact["label"]: fact.get("value") for fact in panel["facts"]}


def check_identity(file):
    body, reason = report(file)
    if body is None:
        assert "no device work and no operators" in reason, reason
        pytest.skip(reason.strip())
    found = facts(body)
    assert found["Moved by at most"] == 0
    assert found["Replayed step"] == found["Recorded step"]
    assert found["Nodes"] > 0
    path = facts(report(file, "critical_path")[0])
    assert path["On the path"] == path["Step"] == found["Recorded step"]


@pytest.mark.parametrize("text", FIXTURES, ids=lambda path: path.stem)
def test_nothing_moves_in_fixtures(text, tmp_path):
    file = tmp_path / "trace.json"
    subprocess.run([GEN_TRACE, text, file], check=True)
    check_identity(file)


@pytest.mark.parametrize("file", OWN, ids=lambda path: path.name)
def test_nothing_moves_in_our_samples(file):
    check_identity(file)


@pytest.mark.parametrize("file", SAMPLES or [pytest.param(None, marks=pytest.mark.skip(reason=f"no samples at {SHARED}"))],
                         ids=lambda path: "/".join(path.parts[-2:]) if path else "")
def test_nothing_moves_in_samples(file):
    check_identity(file)


# In this eager run, 712 of 929 pieces of device work wait for the host. So faster kernels win nothing, and a host that is twice as
# fast half of the step. An independent prototype gives 711 of 929, 0.0 % and 49.7 % of the whole recording.
@pytest.mark.skipif(not SHARED.exists(), reason=f"no samples at {SHARED}")
def test_a_run_bound_by_the_host():
    file = SHARED / "pytorch" / "b200_eager" / "b200_eager_trace.json.gz"
    body, _ = report(file)
    assert facts(body)["Bound by the host"] == 712 and facts(body)["Bound by the stream"] == 217
    assert max(row.free for row in rows(body, "gains") if row.kind != "host") < 0.001
    faster, _ = report(file, "what_if", "--param", "change=host*0.5")
    prediction = {fact["label"]: fact.get("value") for fact in faster["panels"][0]["facts"]}
    assert 0.49 < prediction["Gain"] < 0.51


def test_products_are_also_called_gemm_and_matmul():
    file = ROOT / "samples" / "gpt_cuda"
    answers = []
    for name in ("product", "gemm", "matmul"):
        body, reason = report(next(file.glob("*.trace.json.gz")), "what_if", "--param", f"change=category:{name}*0.5")
        assert body is not None, reason
        answers.append(next(panel for panel in body["panels"] if panel["id"] == "facts")["facts"])
        assert next(iter(rows(body, "changes"))).works > 0
    assert answers[0] == answers[1] == answers[2]


def predicted(path, change):
    done = subprocess.run([PROGRAM, "what-if", path, change, "--format", "json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {fact["label"]: fact.get("value") for fact in json.loads(done.stdout)["panels"][0]["facts"]}


# The calls of a thread are recorded under another process, with the number of the thread. The kernel ends at 120 us, the wait 10 us
# later, and the step 110 us after that.
def test_a_thread_that_is_recorded_in_two_layers(tmp_path):
    text = """
process 100: python
thread 77 "main": 0-1000 ProfilerStep#1, 100-900 aten::item
process 200: runtime
thread 77 "main": 110-115 cudaLaunchKernel [corr=1], 120-890 cudaStreamSynchronize
stream 7: 120-880 gemm [corr=1]
"""
    file = tmp_path / "layers.pt.trace.json"
    subprocess.run([GEN_TRACE, "-", file], input=text, text=True, check=True)
    assert predicted(file, "kernel:gemm free")["Predicted step"] == 240_000


# The host waits 92 ms for four all-reduces, and the wait ends 3 ms after the last of them.
@pytest.mark.skipif(not SHARED.exists(), reason=f"no samples at {SHARED}")
def test_hidden_collectives_that_the_host_waits_for():
    folder = SHARED / "ascend" / "msinsight_text_level1" / "level1" / "ubuntu_rank0_1736408883_ascend_pt"
    assert 0.15 < predicted(folder, "category:communication hidden")["Gain"] < 0.25


# What Holistic Trace Analysis 0.5.0 counts on its critical path, us (bench/critical_path_hta.py): device work, the delays between two
# pieces of it, and how many delays there are; None: another path (docs/what-if.md).
HTA_PATHS = {"pytorch/h100_qwen": ("6", None, 1678.825, 1120), "tracelens/mi300": ("6", 28015.889, 53.653, 972)}


@pytest.mark.parametrize("sample", HTA_PATHS)
def test_the_device_part_of_a_path_is_that_of_holistic_trace_analysis(sample):
    if not SHARED.exists():
        pytest.skip(f"no samples at {SHARED}")
    step, work, delays, count = HTA_PATHS[sample]
    body, _ = report(next((SHARED / sample).glob("*.json.gz")), "critical_path", "--param", f"step={step}")
    found = {row.kind: row for row in rows(body, "classes")}
    assert found["Between device work"].time == pytest.approx(delays * 1000, abs=1)
    assert found["Between device work"].pieces == count
    assert work is None or found["Kernels"].time == pytest.approx(work * 1000, abs=1)


# Both paths are as long, but Holistic Trace Analysis knows no waits for another stream that the file does not state: it has 11,957 us between
# kernels, where two all-reduces of 6,678 and 9,209 us run.
def test_a_wait_for_another_stream_that_the_file_does_not_state():
    file = SHARED / "pytorch" / "mi300_resnet_act_checkpoint" / "mi300_resnet_act_checkpoint.json.gz"
    if not file.exists():
        pytest.skip(f"no samples at {SHARED}")
    body, _ = report(file, "critical_path", "--param", "step=16")
    assert facts(body)["Step"] == pytest.approx(18_982_927, abs=2)
    assert next(row.time for row in rows(body, "classes") if row.kind == "Collectives") > 6_678_000 + 9_208_000


def test_factors_that_are_too_large_together_are_refused(tmp_path):
    file = tmp_path / "trace.json"
    subprocess.run([GEN_TRACE, FIXTURES[0], file], check=True)
    change = "; ".join(["host*1000"] * 6)
    body, reason = report(file, "what_if", "--param", f"change={change}")
    assert body is None and "the factors are too large" in reason
    assert report(file, "what_if", "--param", "change=host*1000; host*1000")[0] is not None


def test_a_name_with_quotes_is_no_change(tmp_path):
    events = [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 1000}]
    for i, name in enumerate(('gemm";host*0;"', "gemm")):
        events += [{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10 + 20 * i, "dur": 10, "args": {"correlation": i + 1}},
                   {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": 100 + 200 * i, "dur": 100,
                    "args": {"correlation": i + 1, "device": 0, "stream": 7}}]
    file = tmp_path / "names.pt.trace.json"
    file.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    changes = {row.name: row.change for row in rows(report(file)[0], "gains") if row.kind == "kernel"}
    assert changes == {'gemm";host*0;"': None, "gemm": 'kernel:"gemm"*0.5'}
