"""Views written in SQL, through subcommands, routes and the page file; and errors in their files."""
import csv
import io
import json
import re

import pytest

from program import ROOT, Server, needs_program, sightline, trace, write_trace

pytestmark = needs_program
EXAMPLES = re.findall(r"```sql\n(.*?)```", (ROOT / "docs" / "sql-views.md").read_text(), re.S)
SAMPLE = sorted(ROOT.glob("samples/ddp_cuda/*rank0*.json.gz"))[0]

LONG = """-- id: long_ops
-- title: Long operators
-- group: where_time_went
-- parameter: least integer 1 "Shortest, ns"
-- needs: ops
-- panel: breakdown label=name value=total_ns title="Time in long operators"
-- panel: table
-- column: calls unit=count title="Calls" doc="How often"
SELECT name, count(*) AS calls, sum(duration) AS total_ns
FROM ops
WHERE duration >= $least
GROUP BY name
"""


@pytest.fixture
def folder(tmp_path):
    views = tmp_path / "views"
    views.mkdir()
    (views / "long_ops.sql").write_text(LONG)
    return views


@pytest.fixture
def file(tmp_path):
    return write_trace(tmp_path / "worker0.pt.trace.json", trace())  # three operators of 10 us


def report(file, view, *more, code=0, **changes):
    done = sightline("report", file, "--view", view, *more, **changes)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_every_format(folder, file):
    views = ["--views", folder]
    assert list(csv.reader(io.StringIO(report(file, "long_ops", *views, "--format", "csv")))) == [
        ["name", "calls", "total_ns (ns)"],
        ["aten::mm", "3", "30000"],
    ]
    text = report(file, "long_ops", *views)
    assert text.startswith("Long operators - 1 row") and "aten::mm" in text and "30.000" in text
    assert "aten::mm" in report(file, "long_ops", *views, "--format", "markdown")
    answer = json.loads(report(file, "long_ops", *views, "--format", "json"))
    assert answer["title"] == "Long operators" and answer["scope"] == "1 row"
    assert [panel["kind"] for panel in answer["panels"]] == ["breakdown", "table"]
    assert [p["key"] for p in answer["parameters"]] == ["least"]


def test_parameters_are_values(folder, file):
    def rows(least, code=0):
        return report(file, "long_ops", "--views", folder, "--param", f"least={least}", "--format", "csv", code=code)

    assert rows(10_000).count("\n") == 2
    assert rows(10_001).count("\n") == 1
    assert "'least' must be a whole number, not '1 OR true'" in rows("1 OR true", code=2)
    assert "'long_ops' has no parameter 'most'; it takes least" in report(
        file, "long_ops", "--views", folder, "--param", "most=1", code=2
    )


def test_the_users_own_folder(folder, file, tmp_path):
    config = tmp_path / "config"
    (config / "sightline").mkdir(parents=True)
    folder.rename(config / "sightline" / "views")
    assert "aten::mm" in report(file, "long_ops", XDG_CONFIG_HOME=str(config))
    assert "long_ops\n  Long operators (Where did time go)." in sightline("views", XDG_CONFIG_HOME=str(config)).stdout
    assert "no view 'long_ops'" in report(file, "long_ops", code=2)


def test_faults_name_file_and_line(folder, file):
    (folder / "a_typo.sql").write_text("-- id: a_typo\n-- titel: A\nSELECT 1")
    (folder / "b_table.sql").write_text("-- id: b_table\n-- title: B\nSELECT name\nFROM kernel")
    (folder / "c_value.sql").write_text("-- id: c_value\n-- title: C\nSELECT $least")
    (folder / "kernels.sql").write_text("-- id: kernels\n-- title: Mine\nSELECT 1 AS one")
    expected = {
        "a_typo": f"{folder}/a_typo.sql, line 2: unknown header line 'titel'",
        "b_table": f"{folder}/b_table.sql, line 4, column 6: ",
        "c_value": f"{folder}/c_value.sql, line 3, column 8: unknown parameter '$least'; none is declared",
        "kernels_2": f"{folder}/kernels.sql: a view 'kernels'",
    }
    listed = sightline("views", "--views", folder)
    assert listed.returncode == 0 and len(listed.stderr.splitlines()) == len(expected)
    for view, fault in expected.items():
        assert f"sightline: {fault}" in listed.stderr
        assert f"\n{view}\n" in listed.stdout
        assert fault in report(file, view, "--views", folder, code=1 if view in ("a_typo", "kernels_2") else 2)
    report(file, "long_ops", "--views", folder)
    with Server("--views", folder, file) as server:
        state = server.loaded_state()
        views = state["runs"][0]["workers"][0]["spans"][0]["views"]
        assert views["long_ops"] is None
        for view, fault in expected.items():
            assert fault in views[view]
            status, answer = server.json(f"/api/report?view={view}")
            assert status >= 400 and fault in json.dumps(answer, ensure_ascii=False), answer
        assert server.json("/api/report?view=long_ops")[0] == 200


def test_a_missing_folder(file, tmp_path):
    done = sightline("report", file, "--view", "kernels", "--views", tmp_path / "nowhere")
    assert done.returncode == 1 and "cannot read the folder of views" in done.stderr and done.stderr.count("\n") == 1


def test_tables_that_a_view_needs(folder, file):
    (folder / "plain.sql").write_text("-- id: plain\n-- title: Plain\n-- needs: memory_events\nSELECT 1 AS one")
    (folder / "why.sql").write_text('-- id: why\n-- title: Why\n-- needs: memory_events "no memory was recorded"\nSELECT 1 AS one')
    assert "Plain: this profile has no rows in the table memory_events" in report(file, "plain", "--views", folder, code=1)
    assert "Why: no memory was recorded" in report(file, "why", "--views", folder, code=1)


def test_over_http(folder, file):
    with Server("--views", folder, file) as server:
        state = server.loaded_state()
        view = next(view for view in state["views"] if view["id"] == "long_ops")
        assert view["title"] == "Long operators" and view["group"] == "Where did time go" and view["parameters"] == ["least"]
        status, answer = server.json("/api/report?view=long_ops&least=1")
        assert status == 200 and answer["tables"]["long_ops"]["rows"] == 1
        assert server.json("/api/report?view=long_ops&least=x")[0] == 400
        spans = state["runs"][0]["workers"][0]["spans"][0]["views"]
        assert spans["gaps"] == "no device activity was recorded"


def test_without_duckdb(folder, file, tmp_path):
    gone = {"SIGHTLINE_DUCKDB": str(tmp_path / "libduckdb.so")}
    assert "SQL needs the library DuckDB" in report(file, "long_ops", "--views", folder, code=1, **gone)
    for view in ("problems", "metadata", "overview"):
        report(file, view, "--views", folder, **gone)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: re.search(r"-- id: (\w+)", text)[1])
def test_examples_of_the_docs(example, tmp_path):
    (tmp_path / "example.sql").write_text(example)
    listed = sightline("views", "--views", tmp_path)
    assert listed.returncode == 0 and listed.stderr == ""
    view = re.search(r"-- id: (\w+)", example)[1]
    rows = list(csv.DictReader(io.StringIO(report(SAMPLE, view, "--views", tmp_path, "--format", "csv"))))
    assert rows and all(any(row.values()) for row in rows)


def test_there_are_three_examples():
    assert len(EXAMPLES) == 3


@pytest.mark.parametrize("view", ["gaps", "stream_waits", "launch_delays", "copies"])
def test_built_in_views(view):
    answer = list(csv.DictReader(io.StringIO(report(SAMPLE, view, "--format", "csv"))))
    assert answer


# Each kernel of 20 us on stream 7: the first from 100 us, launched at 50; the next from 400, launched at 390. So the gap lasts
# from 120 to 400 us, and the delays are 50 and 10 us, 30 on average.
def test_gaps_and_delays_by_hand(tmp_path):
    content = trace()
    for number, (launched, start) in enumerate([(50, 100), (390, 400)]):
        content["traceEvents"] += [
            {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": launched, "dur": 1,
             "args": {"correlation": number + 1}},
            {"ph": "X", "cat": "kernel", "name": f"gemm", "pid": 0, "tid": 7, "ts": start, "dur": 20,
             "args": {"device": 0, "stream": 7, "correlation": number + 1}},
        ]
    file = write_trace(tmp_path / "gap.pt.trace.json", content)
    (gap,) = csv.DictReader(io.StringIO(report(file, "gaps", "--format", "csv")))
    assert gap["gap_ns (ns)"] == "280000" and gap["before"] == gap["after"] == "gemm"
    assert report(file, "gaps", "--param", "least=280001", "--format", "csv").count("\n") == 1
    (wait,) = csv.DictReader(io.StringIO(report(file, "stream_waits", "--format", "csv")))
    assert (wait["waited_for"], wait["gaps"], wait["time_ns (ns)"]) == ("host", "1", "280000")
    (delay,) = csv.DictReader(io.StringIO(report(file, "launch_delays", "--format", "csv")))
    assert (delay["calls"], delay["mean_ns (ns)"], delay["most_ns (ns)"]) == ("2", "30000", "50000")
