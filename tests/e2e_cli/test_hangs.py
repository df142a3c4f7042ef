"""Flight recorders through the command line: files of all ranks, as pickles and as JSON, written here."""
import gzip
import json
import pickle

import pytest
from program import needs_program, sightline

from flight_records import call, dump, job

pytestmark = needs_program

def write(folder, dumps, form="pickle", name="nccl_trace_rank_%d"):
    folder.mkdir(exist_ok=True)
    for rank, one in dumps.items():
        file = folder / (name % rank)
        if form == "pickle":
            file.write_bytes(pickle.dumps(one, 2))
        elif form == "gzip":
            file.with_name(file.name + ".gz").write_bytes(gzip.compress(pickle.dumps(one, 4)))
        else:
            file.with_name(file.name + ".json").write_text(json.dumps(one))
    return folder


def report(path, view="hangs"):
    done = sightline("report", path, "--view", view, "--format", "json", "--no-cache")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def rows(path, key, *columns, view="hangs"):
    table = {column["key"]: column["values"] for column in report(path, view)["tables"][key]["columns"]}
    return list(zip(*(table[column] for column in columns)))


def problems(path):
    return {row[0] for row in rows(path, "problems", "code", view="problems")}


@pytest.mark.parametrize("form", ["pickle", "gzip", "json"])
def test_a_folder_is_one_job(tmp_path, form):
    folder = write(tmp_path / "dumps", job(), form)
    assert rows(folder, "groups", "group", "size", "files", "all_ended", "stuck", "operation", "absent", "waiting") == [
        ("default_pg (0)", 3, 3, 1, 2, "all_gather", "1", "0, 2")]
    assert rows(folder, "ranks", "rank", "state", "called", "ended") == [
        (0, "called, not started", 2, 1), (1, "never called it", 1, 1), (2, "called, not started", 2, 1)]
    causes = next(panel for panel in report(folder)["panels"] if panel["id"] == "causes")["items"]
    assert [one["id"] for one in causes] == ["absent_ranks"] and causes[0]["where"] == "train.py(12): step"
    assert problems(folder) == set()


def test_records_are_tables_for_statements(tmp_path):
    folder = write(tmp_path / "dumps", job())
    done = sightline("query", folder, "SELECT rank, count(*) FROM collective_records GROUP BY rank ORDER BY rank", "--format", "csv",
                     "--no-cache")
    assert done.stdout.splitlines()[1:] == ["0,2", "1,1", "2,2"], done.stderr


def test_ranks_without_a_file_are_not_blamed(tmp_path):
    dumps = job()
    del dumps[1]
    folder = write(tmp_path / "dumps", dumps)
    assert rows(folder, "groups", "files", "absent", "no_file") == [(2, None, "1")]
    notes = [note["text"] for note in report(folder)["notes"]]
    assert any("2 of 3 ranks have a file here" in note for note in notes), notes


def test_records_that_were_replaced_are_counted(tmp_path):
    dumps = job()
    dumps[0]["entries"] = [call(40, 2, "nccl:all_gather")]
    folder = write(tmp_path / "dumps", dumps)
    facts = next(panel for panel in report(folder)["panels"] if panel["id"] == "summary")["facts"]
    assert {fact["label"]: fact["value"] for fact in facts}["Records that were replaced"] == 40
    assert rows(folder, "groups", "absent", "waiting") == [("1", "0, 2")]  # what was replaced is not missing


def test_a_cut_file_gives_what_is_before_the_cut(tmp_path):
    dumps = job()
    folder = write(tmp_path / "dumps", dumps)
    file = folder / "nccl_trace_rank_2"
    whole = file.read_bytes()
    file.write_bytes(whole[:len(whole) * 3 // 4])
    assert "damaged_file" in problems(folder)
    assert rows(folder, "groups", "files")[0] == (3,)


def test_cut_json_gives_its_whole_calls(tmp_path):
    folder = write(tmp_path / "dumps", job(), "json")
    file = folder / "nccl_trace_rank_2.json"
    text = file.read_text()
    file.write_text(text[:text.rindex("process_group")])  # inside its second call
    assert "damaged_file" in problems(folder)
    done = sightline("query", folder, "SELECT count(*) FROM collective_records WHERE rank = 2", "--format", "csv", "--no-cache")
    assert done.stdout.split() == ["count_star()", "1"]


class Runs:
    def __reduce__(self):
        return (print, ("run",))


def test_a_pickle_that_runs_code_is_refused(tmp_path):
    folder = write(tmp_path / "dumps", job())
    (folder / "nccl_trace_rank_1").write_bytes(pickle.dumps(Runs()))
    assert "unreadable_file" in problems(folder)
    assert rows(folder, "groups", "no_file") == [("1",)]
    for rank in (0, 2):
        (folder / ("nccl_trace_rank_%d" % rank)).unlink()
    done = sightline("report", folder, "--view", "hangs", "--no-cache")
    assert done.returncode != 0 and "makes a program run code" in done.stderr


def test_two_files_of_a_rank(tmp_path):
    folder = write(tmp_path / "dumps", job())
    (folder / "old_rank_1").write_bytes(pickle.dumps(dump([], -1)))
    assert "repeated_rank" in problems(folder)
    assert rows(folder, "groups", "files") == [(3,)]


def test_one_file_is_one_rank(tmp_path):
    folder = write(tmp_path / "dumps", job())
    assert rows(folder / "nccl_trace_rank_2", "groups", "files", "waiting", "no_file") == [(1, "2", "0, 1")]


def test_other_recordings_are_not_hidden(tmp_path):
    folder = write(tmp_path / "both", job())
    event = '{"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1,"dur":2}]}'
    (folder / "worker.pt.trace.json").write_text(event)
    (folder / "below").mkdir()
    (folder / "below" / "other.pt.trace.json").write_text(event)
    done = sightline("info", folder, "--no-cache")
    assert [name in done.stdout for name in ("worker", "other", "both")] == [True] * 3, done.stdout + done.stderr


def facts_of(path):
    return {fact["label"]: fact["value"] for panel in report(path)["panels"] if panel["id"] == "summary" for fact in panel["facts"]}


def causes_of(path):
    return next(panel for panel in report(path)["panels"] if panel["id"] == "causes")["items"]


def test_a_file_without_a_rank_in_its_name(tmp_path):
    file = tmp_path / "dump"
    file.write_bytes(pickle.dumps(dump([call(0, 1, state="completed"), call(1, 2, "nccl:all_gather")], 1, "[0, 1]")))
    assert rows(file, "groups", "size", "files", "waiting", "no_file") == [(2, 1, "?", "0, 1")]
    assert facts_of(file)["Ranks of the job"] == 2
    notes = [note["text"] for note in report(file)["notes"]]
    assert any("1 of 2 ranks have a file here" in note for note in notes), notes
    assert any("does not state its rank" in note for note in notes), notes
    (cause,) = causes_of(file)
    assert "It has not ended on a rank whose number is not known." in cause["evidence"] and "-9223372036854775808" not in json.dumps(report(file))


def test_a_rank_without_a_file_may_be_the_cause(tmp_path):
    dumps = job()
    del dumps[1]
    (cause,) = causes_of(write(tmp_path / "dumps", dumps))
    assert cause["id"] == "no_progress" and cause["severity"] == "medium" and "not the cause" not in cause["action"]
    for one in (two := {rank: dump([call(1, 2)], 1, "[0, 2]") for rank in (0, 2)}).values():
        one["pg_config"]["0"]["ranks"] = "[0, 2]"
    (cause,) = causes_of(write(tmp_path / "all", two))
    assert cause["id"] == "no_progress" and cause["severity"] == "high" and "not the cause" in cause["action"]


def test_groups_that_share_a_long_list_of_ranks(tmp_path):
    ranks = "[%s]" % ", ".join(map(str, range(9_000)))
    one = dump([call(0, 1)], 0, ranks)
    one["pg_config"] |= {str(i): {"name": str(i), "desc": "tp", "ranks": ranks} for i in range(1, 200)}
    (tmp_path / "nccl_trace_rank_0").write_bytes(pickle.dumps(one))
    notes = [note["text"] for note in report(tmp_path / "nccl_trace_rank_0")["notes"]]
    assert any("all groups together have too many ranks" in note for note in notes), notes
    sizes = [size for size, in rows(tmp_path / "nccl_trace_rank_0", "groups", "size")]
    assert len(sizes) == 200 and set(sizes) == {9_000, None}
