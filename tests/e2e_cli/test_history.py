"""sightline history: runs in a row, the change of their level, and the exit code of the last one."""
import csv
import io
import json

import pytest

from program import needs_program, sightline, write_trace

pytestmark = needs_program

DAY = 86_400_000_000_000


def run_of(length, day=None, slower="aten::mm", steps=4):
    """Steps of `length` us; aten::mm and aten::add take 40 us each, `slower` what the step has more than 100."""
    events = []
    for number in range(steps):
        at = number * length
        here = {"ph": "X", "pid": 1, "tid": 1}
        events.append({**here, "cat": "user_annotation", "name": f"ProfilerStep#{number}", "ts": at, "dur": length})
        for place, name in enumerate(("aten::add", "aten::mm")):
            more = length - 100 if name == slower else 0
            events.append({**here, "cat": "cpu_op", "name": name, "ts": at + 5 + 45 * place, "dur": 40 + more})
    made = {"schemaVersion": 1, "traceEvents": events}
    return made if day is None else {**made, "baseTimeNanoseconds": 1_700_000_000_000_000_000 + day * DAY}


def write_runs(folder, lengths, names="{}", days=True, **options):
    for day, length in enumerate(lengths):
        write_trace(folder / names.format(day) / "w.pt.trace.json", run_of(length, day if days else None, **options))
    return folder


def history(*arguments):
    return sightline("history", *arguments, "--no-cache")


def rows(done, table):
    columns = json.loads(done.stdout)["tables"][table]["columns"]
    return [dict(zip([column["key"] for column in columns], values)) for values in zip(*(column["values"] for column in columns))]


def test_a_change_its_size_and_what_changed(tmp_path):
    done = history(write_runs(tmp_path / "runs", [100, 101, 100, 102, 120, 121, 120, 122]), "--format", "json")
    assert done.returncode == 0 and done.stderr == ""
    assert [(row["run"], row["step"], row["steps"]) for row in rows(done, "runs")][:2] == [("0", 100_000, 4), ("1", 101_000, 4)]
    step = rows(done, "trends")[0]
    # Medians of 100, 101, 100, 102 and of 120, 121, 120, 122: from 100.5 to 120.5.
    assert (step["name"], step["at"], step["significant"]) == ("Step", "4", True) and abs(step["size"] - 20 / 100.5) < 1e-9
    assert 0.02 < step["p"] < 0.04  # 2 of 70
    assert [(row["name"], row["change_host_self"]) for row in rows(done, "diff_operators")] == [("aten::mm", 4 * 18_000)]
    assert "From run 4 on, a step is 19.9% longer" in done.stdout


@pytest.mark.parametrize("lengths, limit, code, words", [
    ([100, 110], "5%", 3, "exceeded: a step of the last run takes 110 µs, that of the runs before 100 µs, +10.0%"),
    ([100, 110], "10.5%", 0, "kept"),
    ([100, 90], "0%", 0, "kept"),
    ([100, 300, 104, 108], "5%", 0, "kept"),  # one slow run is no level
    ([100] * 4 + [120] * 5, "5%", 3, "exceeded"),  # a slower level that stays
    ([200] * 4 + [100] * 4 + [110], "5%", 3, "exceeded"),  # the better level counts
])
def test_the_exit_code(tmp_path, lengths, limit, code, words):
    done = history(write_runs(tmp_path / "runs", lengths), "--fail-over", limit)
    assert done.returncode == code, done.stderr
    assert f"--fail-over {limit}: {words}" in " ".join(done.stdout.split())
    assert (f"sightline: --fail-over {limit}: exceeded" in done.stderr) == (code == 3)


def test_one_run_cannot_be_judged(tmp_path):
    runs = write_runs(tmp_path / "runs", [100])
    assert history(runs).returncode == 0
    done = history(runs, "--fail-over", "5%")
    assert done.returncode == 1 and "--fail-over 5%: needs two runs" in done.stderr and done.stdout == ""


@pytest.mark.parametrize("limit", ["5", "-1%", "x%", "nan%", "5 %"])
def test_wrong_limits(tmp_path, limit):
    done = history(tmp_path, f"--fail-over={limit}")
    assert done.returncode == 2 and f"--fail-over takes a share such as 5%, not '{limit}'" in done.stderr


def test_the_order_of_the_runs(tmp_path):
    late = write_trace(tmp_path / "a" / "w.pt.trace.json", run_of(100, 9))
    early = write_trace(tmp_path / "b" / "w.pt.trace.json", run_of(110, 2))
    unknown = write_trace(tmp_path / "c" / "w.pt.trace.json", run_of(120))

    def names(*arguments):
        done = history(*arguments, "--format", "csv", "--table", "runs")
        return [row["run"] for row in csv.DictReader(io.StringIO(done.stdout))]

    assert names(late, early) == ["b", "a"]
    assert names(late, early, "--order", "given") == ["a", "b"]
    assert names(late, early, unknown) == ["a", "b", "c"]
    assert "c does not say when it was recorded" in history(late, early, unknown).stdout
    assert history(late, unknown, "--order", "time").returncode == 1


def test_a_worker_of_each_run_or_every_profile(tmp_path):
    for run in ("r1", "r2"):
        for worker, length in (("w0", 100), ("w1", 200)):
            write_trace(tmp_path / run / f"{worker}.1.pt.trace.json", run_of(length))

    def steps(*arguments):
        return [(row["run"], row["step"]) for row in rows(history(tmp_path, "--format", "json", *arguments), "runs")]

    assert steps() == [("r1", 100_000), ("r2", 100_000)]
    assert steps("--worker", "w1") == [("r1", 200_000), ("r2", 200_000)]
    assert len(steps("--every-profile")) == 4


def test_a_run_that_cannot_be_read_is_left_out(tmp_path):
    write_runs(tmp_path, [100, 100])
    (tmp_path / "2").mkdir()
    (tmp_path / "2" / "w.pt.trace.json").write_text('{"traceEvents": [')
    done = history(tmp_path)
    assert done.returncode == 0 and "2 is left out" in done.stderr and "2 is left out, because it could not be read" in done.stdout
    assert history(tmp_path / "2").returncode == 1
    assert history(tmp_path / "absent").returncode == 1


def test_an_unknown_table(tmp_path):
    done = history(write_runs(tmp_path / "runs", [100, 120]), "--format", "csv", "--table", "nothing")
    assert done.returncode == 1 and "no table 'nothing' in view history; available: runs, trends, operators, diff_step, diff_operators" in done.stderr


def test_the_view_of_the_page_has_the_same_tables_and_links(tmp_path):
    folder = write_runs(tmp_path / "runs", [100, 101, 100, 102, 120, 121, 120, 122])
    view, command = sightline("report", folder, "--view", "history", "--no-cache", "--format", "json"), history(folder, "--format", "json")
    assert view.returncode == 0, view.stderr
    for table in ("runs", "trends", "operators"):
        assert rows(view, table) == rows(command, table), table
    fourth = rows(view, "runs")[4]
    assert (fourth["before_run"], fourth["own_run"], fourth["own_worker"]) == ("3", "4", "w")
    step = rows(view, "trends")[0]
    assert (step["before_run"], step["after_run"]) == ("3", "4")
    assert [row["operator_1"] for row in rows(view, "operators")][:5] == [40_000, 41_000, 40_000, 42_000, 60_000]
    panels = [panel["id"] for panel in json.loads(view.stdout)["panels"]]
    assert panels == ["step", "operators", "runs", "trends"]
