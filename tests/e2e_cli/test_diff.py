"""sightline diff: two profiles side by side, limits that fail, and limits that cannot be checked."""
import csv
import io
import json

import pytest

from program import needs_program, sightline, write_trace

pytestmark = needs_program


def run_of(mm=10, steps=2, kernel=8, memory=None):
    """Steps of 100 us: a data loader of 20, a mm of `mm` us that launches a kernel of `kernel` us (None: no device)."""
    events = []
    for i in range(steps):
        at = 100 * i
        here = {"pid": 1, "tid": 1, "ph": "X"}
        events.append({**here, "cat": "user_annotation", "name": f"ProfilerStep#{i}", "ts": at, "dur": 100})
        events.append({**here, "cat": "user_annotation", "name": "enumerate(DataLoader)#_It.__next__", "ts": at, "dur": 20})
        events.append({**here, "cat": "cpu_op", "name": "aten::mm", "ts": at + 30, "dur": mm, "args": {"External id": i + 1}})
        if kernel is not None:
            args = {"External id": i + 1, "correlation": i + 1}
            events.append({**here, "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": at + 31, "dur": 2, "args": args})
            events.append({**here, "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": at + 34, "dur": kernel,
                           "args": {**args, "device": 0, "stream": 7}})
    if memory:
        events.append({"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5, "s": "t",
                       "args": {"Device Type": 1, "Device Id": 0, "Bytes": memory, "Addr": 1, "Total Allocated": memory, "Total Reserved": memory}})
    return {"schemaVersion": 1, "traceEvents": events}


@pytest.fixture
def pair(tmp_path):
    before = write_trace(tmp_path / "before" / "w.pt.trace.json", run_of(memory=1000))
    after = write_trace(tmp_path / "after" / "w.pt.trace.json", run_of(mm=12, kernel=12, memory=3000))
    return before, after


def diff(*arguments):
    return sightline("diff", *arguments, "--no-cache")


def rows(report, table):
    columns = report["tables"][table]["columns"]
    return [dict(zip((c["key"] for c in columns), values)) for values in zip(*(c["values"] for c in columns))]


def test_the_report_says_what_is_compared_and_how_it_differs(pair):
    done = diff(*pair, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert [place["run"] for place in report["profiles"]] == ["before", "after"]
    (mm,) = [row for row in rows(report, "operators") if row["name"] == "aten::mm"]
    assert (mm["baseline_host_total"], mm["compared_host_total"], mm["change_host_total"]) == (20000, 24000, 4000)
    assert mm["change_host_total_share"] == pytest.approx(0.2)
    assert [(row["baseline_total"], row["change_total"]) for row in rows(report, "kernels")] == [(16000, 8000)]
    assert report["trail"] == [{"title": "Whole run", "parameters": {"node": ""}}]


def test_text_and_markdown_are_for_people(pair):
    text = diff(*pair).stdout
    assert text.splitlines()[1:3] == ["baseline: before > w > default", "compared: after > w > default"]
    assert "+20.0" in text and "aten::mm" in text
    markdown = diff(*pair, "--format", "markdown").stdout
    assert markdown.startswith("# Diff\n") and "| aten::mm |" in markdown and "- compared: after" in markdown


def test_one_table_and_a_part_of_it(pair):
    done = diff(*pair, "--param", "node=0", "--table", "parts", "--format", "csv")
    parts = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(row["kind"], row["change_time (ns)"]) for row in parts] == [("data loading", "0"), ("call", "2000")]


@pytest.mark.parametrize("limit, code", [
    ("operator:aten::mm>10%", 3), ("operator:aten::mm>20%", 0), ("operator:aten::mm>3us", 3), ("operator:aten::mm>4us", 0),
    ("operator_device:aten::mm>49%", 3), ("operator_calls:aten::mm>0", 0), ("kernel:gemm>50%", 0), ("kernel:gemm>7.9us", 3),
    ("kernel_calls:gemm>0", 0), ("step_time>0%", 0), ("step_kernel>10%", 3), ("device_time>10%", 3), ("host_time>10%", 0),
    ("step_communication>5%", 0), ("step_memset>0ns", 0), ("kernels>0", 0), ("peak_memory>1KiB", 3), ("peak_memory > 2 KB", 0), ("peak_memory:GPU0>199%", 3),
])
def test_limits(pair, limit, code):
    done = diff(*pair, "--fail-on", limit)
    assert done.returncode == code, done.stderr
    verdict = ": exceeded: " if code else ": kept: "
    assert f"{limit}{verdict}" in done.stdout.replace("\n", " ")
    assert (f"sightline: {limit}: exceeded: from " in done.stderr) == (code == 3)


def test_one_limit_of_several_is_enough(pair):
    done = diff(*pair, "--fail-on", "step_time>5%", "--fail-on", "kernel:gemm>5%", "--format", "json")
    assert done.returncode == 3
    assert done.stderr == "sightline: kernel:gemm>5%: exceeded: from 16.000 µs to 24.000 µs, +50.0%\n"
    assert [note["level"] for note in json.loads(done.stdout)["notes"]][:2] == ["info", "warning"]


@pytest.mark.parametrize("limit, message", [
    ("step_time", "METRIC> is missing"), (">5%", "METRIC> is missing"), ("step_time>", "the number is missing"),
    ("step_time>nan", "the number is missing"), ("step_time>-5%", "it is negative"), ("step_time>5 parsec", "no unit 'parsec'"),
    ("speed>5%", "no metric 'speed'; available: step_time, "), ("step_time>5MiB", "is in ns, or takes %"),
    ("kernels>5ms", "is in count, or takes %"), ("operator:aten::nn>5%", "neither profile has one with this name"),
])
def test_a_wrong_limit_is_wrong_usage(pair, limit, message):
    done = diff(*pair, "--fail-on", limit)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr and done.stderr.count("\n") == 1


def test_an_unknown_metric_does_not_pass(tmp_path):
    before = write_trace(tmp_path / "a" / "w.pt.trace.json", run_of())
    after = write_trace(tmp_path / "b" / "w.pt.trace.json", run_of(kernel=None, memory=5))
    for limit in ("device_time>5%", "kernel:gemm>5%", "peak_memory>5%"):
        done = diff(before, after, "--fail-on", limit)
        assert (done.returncode, done.stdout) == (1, ""), limit
        assert f"limit '{limit}': unknown in the " in done.stderr


def test_memory_that_neither_has_is_reported(tmp_path):
    without = write_trace(tmp_path / "w.pt.trace.json", run_of())
    for metric in ("peak_memory", "peak_memory:GPU0"):
        done = diff(without, without, "--fail-on", f"{metric}>5%")
        assert done.returncode == 2
        assert f"{metric}: neither profile was recorded with memory events" in done.stderr


def test_sums_of_different_numbers_of_steps_do_not_compare(tmp_path):
    before = write_trace(tmp_path / "a" / "w.pt.trace.json", run_of(steps=2))
    after = write_trace(tmp_path / "b" / "w.pt.trace.json", run_of(steps=3))
    done = diff(before, after, "--fail-on", "kernel:gemm>500%")
    assert done.returncode == 1 and "different numbers of steps" in done.stderr
    done = diff(before, after, "--fail-on", "step_time>5%")
    assert done.returncode == 0 and "The baseline has 2 steps, the compared profile 3 steps" in done.stdout.replace("\n", " ")
    assert diff(before, after, "--fail-on", "steps>0").returncode == 3


def test_which_profiles_of_folders(tmp_path):
    for run in ("a", "b"):
        for rank in range(2):
            write_trace(tmp_path / run / f"rank{rank}.pt.trace.json", run_of(mm=10 + 10 * rank + (run == "b")))

    def changes(*arguments):
        done = diff(*arguments, "--format", "json", "--table", "operators")
        assert done.returncode == 0, done.stderr
        (mm,) = [row for row in rows({"tables": {"operators": json.loads(done.stdout)}}, "operators") if row["name"] == "aten::mm"]
        return mm["change_host_total"], done.stderr

    change, said = changes(tmp_path / "a", tmp_path / "b")
    assert change == 2000 and said.count("of 2 profiles, this is run ") == 2
    assert changes(tmp_path / "a", tmp_path / "b", "--worker", "rank1")[0] == 2000  # the worker of the same name
    assert changes(tmp_path / "a", tmp_path / "b", "--worker", "rank1", "--other-worker", "rank0")[0] == -18000
    assert changes(tmp_path / "a" / "rank1.pt.trace.json", tmp_path / "a" / "rank0.pt.trace.json") == (-20000, "")
    assert changes(tmp_path, "--run", "a", "--other-run", "b")[0] == 2000
    assert changes(tmp_path / "a", tmp_path / "a")[0] == 0
    change, said = changes(tmp_path / "a")  # one folder with two profiles: it says which they are
    assert change == 20000
    assert "a: the baseline is run 'a', worker 'rank0', span 'default', compared with run 'a', worker 'rank1', span" in said
    assert changes(tmp_path / "a", "--worker", "rank1")[0] == -20000
    done = diff(tmp_path)  # four: only the user can choose
    assert (done.returncode, done.stdout) == (2, "")
    assert "a comparison needs two profiles, and this path has 4; choose the other one with --other-run" in done.stderr


def test_errors(tmp_path, pair):
    assert diff(pair[0], tmp_path / "none").returncode == 1
    done = diff(*pair, "--other-worker", "x")
    assert done.returncode == 1 and "no profile with this run, worker and span" in done.stderr
    assert diff(*pair, "--param", "node=9").returncode == 2
    assert diff(*pair, "--param", "nod=9").returncode == 2
    assert diff(pair[0]).returncode == 1  # one profile alone
    assert diff(*pair, pair[0]).returncode == 2
    torn = write_trace(tmp_path / "torn" / "w.pt.trace.json", run_of())
    torn.write_bytes(torn.read_bytes()[:-200])
    done = diff(pair[0], torn)
    assert done.returncode == 0 and "problem" in done.stderr
