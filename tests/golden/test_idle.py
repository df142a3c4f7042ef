"""Idle time by cause: the causes sum to the idle time, which a union of all device work in Python gives as well."""
import gzip
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import program_report  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="the program is not built")

SAMPLES = program_report.ROOT.parent / "shared" / "samples"
RECORDED = ["pytorch/b200_eager", "pytorch/h100_qwen", "pytorch/h100_bert_small", "pytorch/resnet50_num_workers_0",
            "pytorch/resnet50_num_workers_4", "pytorch/vllm_piecewise_graph_execution", "pytorch/hta_triton",
            "pytorch/hta_mtia_inference", "pytorch/hta_amd_mi250", "pytorch/mi300_resnet_act_checkpoint", "pytorch/hta_nccl"]
WORK = """SELECT w.device, s.start, s.start + s.duration FROM device_work w JOIN slices s ON s.id = w.slice
          ORDER BY w.device, s.start"""


def union(windows):
    joined = []
    for start, end in sorted(windows):
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return joined


def busy(work, windows):
    """ns in which some of the work runs inside the windows."""
    return sum(max(0, min(end, until) - max(start, begin)) for start, end in union(work) for begin, until in windows
               if start < until and end > begin)


def idle_by_hand(path):
    windows = union((row.start, row.start + row.total) for row in program_report.rows(program_report.report(path, "overview"), "steps"))
    devices = {}
    for device, start, end in program_report.query(path, WORK):
        devices.setdefault(device, []).append((start, end))
    length = sum(end - start for start, end in windows)
    return sum(length - busy(work, windows) for work in devices.values())


def total(body, table):
    return sum(row.time for row in program_report.rows(body, table))


@pytest.mark.parametrize("sample", RECORDED)
def test_causes_sum_to_the_idle_time(sample):
    if not (SAMPLES / sample).exists():
        pytest.skip("../shared is not beside the checkout")
    body = program_report.report(SAMPLES / sample, "idle")
    by_hand = idle_by_hand(SAMPLES / sample)
    assert by_hand > 0
    assert [total(body, table) for table in ("causes", "culprits", "lengths")] == [by_hand] * 3


EVERY = sorted(path for pattern in ("pytorch/*/*.json.gz", "tracelens/*/*.json.gz", "tracelens/*/*/*.json.gz", "xplane/*.xplane.pb", "ascend/*/*/*_ascend_pt", "neuron/*/*")
               for path in SAMPLES.glob(pattern))


@pytest.mark.parametrize("sample", EVERY or [pytest.param(None, marks=pytest.mark.skip(reason=f"no samples at {SAMPLES}"))],
                         ids=lambda path: "/".join(path.parts[-2:]) if path else "")
def test_all_tables_of_every_sample_have_one_sum(sample):
    """The idle time that the facts state, the causes, the culprits and the lengths are equal to the nanosecond."""
    done = subprocess.run([program_report.PROGRAM, "report", sample, "--view", "idle", "--format", "json"], capture_output=True, text=True)
    if done.returncode != 0:
        assert "no device activity was recorded" in done.stderr, done.stderr
        pytest.skip(done.stderr.strip())
    body = json.loads(done.stdout)
    facts = {fact["label"]: fact.get("value") for panel in body["panels"] if panel["kind"] == "facts" for fact in panel["facts"]}
    sums = [total(body, table) for table in ("causes", "culprits", "lengths")]
    assert sums[0] == sums[1] == sums[2] == facts["Idle time"] + (facts.get("Not known") or 0)


def test_the_host_is_to_blame_for_what_it_does_between_two_launches(tmp_path):
    """A batch takes 5,000 us to load while the device has nothing to do: 4,990 from the end of its work to the next operator."""
    trace = tmp_path / "a.pt.trace.json"
    events = [("X", "user_annotation", "ProfilerStep#1", 1, 0, 10000), ("X", "cuda_runtime", "cudaLaunchKernel", 1, 0, 5, 1),
              ("X", "user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 1, 10, 5000),
              ("X", "cuda_runtime", "cudaLaunchKernel", 1, 5010, 5, 2), ("X", "kernel", "a", 7, 5, 15, 1), ("X", "kernel", "b", 7, 5015, 4985, 2)]
    lines = []
    for _, category, name, thread, start, duration, *correlation in events:
        args = {"correlation": correlation[0], "device": 0, "stream": 7} if correlation else {}
        lines.append({"ph": "X", "cat": category, "name": name, "pid": 0 if category == "kernel" else 100, "tid": thread, "ts": start,
                      "dur": duration, "args": args})
    trace.write_text(json.dumps({"traceEvents": lines}))
    body = program_report.report(trace, "idle")
    causes = {row.cause: row.time for row in program_report.rows(body, "causes")}
    assert causes == {"Data loading": 4_990_000, "Launching call": 5_000 + 5_000}
    culprit = next(program_report.rows(body, "culprits"))
    assert culprit.name.startswith("enumerate(DataLoader)") and culprit.cause == "Data loading"
    # The gap before a is 5 us, that before b 4,995 us. The parameters may leave out either, or both.
    for parameters, gaps in (({"least": "5001"}, 1), ({"least": "4995001"}, 0), ({"device": "0"}, 2), ({"step": "1"}, 2), ({"step": "1", "least": "5001"}, 1)):
        chosen = program_report.report(trace, "idle", **parameters)
        assert [sum(row.gaps for row in program_report.rows(chosen, "lengths")), total(chosen, "causes"), total(chosen, "culprits")] == \
            [gaps, (0, 4_995_000, 5_000_000)[gaps], (0, 4_995_000, 5_000_000)[gaps]], parameters


@pytest.mark.parametrize("sample", RECORDED)
def test_steps_devices_and_lengths_are_parts_of_the_whole(sample):
    if not (SAMPLES / sample).exists():
        pytest.skip("../shared is not beside the checkout")
    body = program_report.report(SAMPLES / sample, "idle")
    steps = [choice["value"] for parameter in body["parameters"] if parameter["key"] == "step" for choice in parameter["choices"]
             if choice["value"] and "cut off" not in choice["title"]]
    devices = {str(device) for device, _, _ in program_report.query(SAMPLES / sample, WORK)}
    for key, values in (("step", steps), ("device", devices)):
        parts = [program_report.report(SAMPLES / sample, "idle", **{key: value}) for value in values]
        for table in ("causes", "culprits", "lengths"):
            assert not values or sum(total(part, table) for part in parts) == total(body, table), (key, table)
    by_length = [row.time for row in program_report.rows(body, "lengths")]
    for least in (1, 1000, 10**12):
        chosen = program_report.report(SAMPLES / sample, "idle", least=str(least))
        assert total(chosen, "causes") == total(chosen, "culprits") == total(chosen, "lengths") <= sum(by_length)


HTA = {"pytorch/hta_df_index_resolver": ("df_index_resolver", 0), "pytorch/hta_nccl": ("nccl_data", 2), "pytorch/hta_amd_mi250": ("amd", 2),
       "pytorch/hta_trace_diff_control": ("control", 0)}


@pytest.mark.parametrize("sample", HTA)
def test_waits_of_streams_are_those_of_holistic_trace_analysis(sample):
    """Equal where the trace has whole microseconds. Else Holistic Trace Analysis rounds each start and duration down to them, which
    changes a gap by up to 2 us and the category of a gap near a border."""
    reference = program_report.ROOT.parent / "shared" / "golden" / "hta" / "hta_refs.json.gz"
    if not reference.exists():
        pytest.skip("../shared is not beside the checkout")
    name, rounding = HTA[sample]
    times, counts = json.loads(gzip.decompress(reference.read_bytes()))[name]["idle_time_breakdown"]
    theirs = {(row["stream"], row["idle_category"].removesuffix("_wait")): (row["idle_time"], count["count"])
              for row, count in zip(times, counts) if count["count"]}
    ours = {(int(row.stream), row.waited_for): row for row in program_report.rows(program_report.report(SAMPLES / sample, "stream_waits"), "stream_waits")}
    assert ours.keys() == theirs.keys()
    for key, (time, count) in theirs.items():
        assert ours[key].gaps == pytest.approx(count, abs=0 if rounding == 0 else 4)
        assert ours[key].time_ns / 1000 == pytest.approx(time, abs=rounding * count)


def test_the_beginning_of_a_recording_in_the_middle_of_a_step_is_not_known():
    """The first copy begins 149 ms after its launch, and everything launched meanwhile follows it without a gap: the device finished
    the step before, which is not recorded. So 0.5 ms are idle."""
    sample = SAMPLES / "pytorch" / "vllm_piecewise_graph_execution"
    if not sample.exists():
        pytest.skip("../shared is not beside the checkout")
    body = program_report.report(sample, "idle")
    causes = {row.cause: row.time for row in program_report.rows(body, "causes")}
    assert 148_900_000 < causes["Work before the recording"] < 149_100_000
    assert "Launch latency" not in causes
    by_cause = [sum(getattr(row, key) or 0 for row in program_report.rows(body, "lengths")) for key in
                sorted({key for row in program_report.rows(body, "lengths") for key in vars(row) if key.startswith("cause_")})]
    assert sorted(time for time in by_cause if time > 0) == sorted(causes.values())
