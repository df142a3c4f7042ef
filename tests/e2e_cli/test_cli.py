"""The command line as a user sees it: output, one line per error, exit codes 0, 1 and 2."""
import csv
import io
import json
import os
import pty
import subprocess

import pytest

from program import PROGRAM, environment, needs_program, sightline, trace, write_trace

pytestmark = needs_program


@pytest.fixture
def run(tmp_path):
    """A run of two workers: rank2 with two spans, rank10 with one."""
    write_trace(tmp_path / "job" / "rank10.7.pt.trace.json.gz", trace(5))
    write_trace(tmp_path / "job" / "rank2.1000.pt.trace.json", trace(4))
    write_trace(tmp_path / "job" / "rank2.999.pt.trace.json.gz", trace(3))
    return tmp_path / "job"


def operator_calls(*arguments):
    done = sightline("report", *arguments, "--view", "operators", "--format", "csv")
    assert done.returncode == 0, done.stderr
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    return int(rows["aten::mm"]["calls"])


def test_report_answers_for_the_selected_profile(run):
    assert operator_calls(run) == 3
    assert operator_calls(run, "--worker", "rank2", "--span", "2") == 4
    assert operator_calls(run, "--run", "job", "--worker", "rank10") == 5


def test_an_ambiguous_selection_names_the_profile_used(run):
    done = sightline("report", run, "--view", "operators", "--worker", "rank2")
    assert done.stderr == "sightline: of 2 profiles, this is --run 'job' --worker 'rank2' --span '1'\n"
    assert sightline("report", run, "--view", "operators", "--worker", "rank10").stderr == ""


def test_csv_is_exact_and_in_base_units(run):
    done = sightline("report", run, "--view", "operators", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    (total,) = [key for key in rows[0] if key.startswith("host_total") and key.endswith("(ns)")]
    assert [row[total] for row in rows if row["name"] == "aten::mm"] == ["30000"]


def test_all_formats(run):
    arguments = ("report", run, "--view", "operators")
    report = json.loads(sightline(*arguments, "--format", "json").stdout)
    assert report["view"] == "operators" and report["panels"] and report["tables"]
    key = next(iter(report["tables"]))
    table = json.loads(sightline(*arguments, "--format", "json", "--table", key).stdout)
    assert table == report["tables"][key]
    assert "aten::mm" in sightline(*arguments).stdout
    markdown = sightline(*arguments, "--format", "markdown").stdout
    assert markdown.startswith("# ") and "| aten::mm |" in markdown


def test_parameters(run):
    done = sightline("report", run, "--view", "operators", "--param", "search=nothing-like-it", "--format", "json")
    report = json.loads(done.stdout)
    assert {p["key"]: p["value"] for p in report["parameters"]}["search"] == "nothing-like-it"
    assert all(table["rows"] == 0 for table in report["tables"].values() if "name" in [c["key"] for c in table["columns"]])


@pytest.mark.parametrize(
    "arguments, code, message",
    [
        (["--view", "operators", "--run", "x"], 1, "no run 'x'; available: job"),
        (["--view", "operators", "--worker", "x"], 1, "no worker 'x'; available: rank2, rank10"),
        (["--view", "operators", "--worker", "rank2", "--span", "3"], 1, "no span '3'; available: 1, 2"),
        (["--view", "operators", "--table", "x"], 1, "no table 'x' in view operators; available: operators"),
        (["--view", "x"], 2, "no view 'x'; available: overview, operators"),
        (["--view", "kernals"], 2, "no view 'kernals': did you mean kernels?"),
        (["--view", "operators", "--param", "x=1"], 2, "'operators' has no parameter 'x'"),
        (["--view", "operators", "--param", "group_by=x"], 2, "'group_by' must be one of name, shape"),
        (["--view", "operators", "--param", "group_by"], 2, "--param takes key=value, not 'group_by'"),
        (["--view", "operators", "--format", "xml"], 2, "--format: xml not in"),
        (["--view", "operators", "--nonsense"], 2, "--nonsense"),
        ([], 2, "--view is required"),
    ],
)
def test_errors_are_one_line_and_list_the_valid_choices(run, arguments, code, message):
    done = sightline("report", run, *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    lines = [line for line in done.stderr.splitlines() if not line.startswith("sightline: of 3 profiles, this is ")]
    assert len(lines) == 1 and message in lines[0] and lines[0].startswith("sightline: ")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("report", "--view", "overview", "--format", "csv"), "CSV holds one table, so name one; view overview has: steps, average"),
        (("report", "--view", "distributed", "--format", "csv"), "CSV holds one table, so name one; view distributed has: "),
        (("report", "--view", "nothing"), "no view 'nothing'; available: overview"),
        (("report", "--view", "operators", "--param", "group=x"), "'operators' has no parameter 'group'"),
        (("diff", "--format", "csv"), "CSV holds one table, so name one; view diff has: step_time"),
        (("diff", "--fail-on", "step_time>5parsecs"), "no unit 'parsecs'"),
        (("export", "--start", "5", "--end", "5"), "a window needs start < end"),
        (("export", "--format", "perfetto", "--lanes", "1,x"), "lanes takes numbers separated by commas, not 'x'"),
        (("export", "--format", "csv", "--tables", "slices,nothing", "--output", "out"), "nothing"),
        (("report", "--view", "operators", "--table", "steps"), "no table 'steps' in view operators; available: operators"),
        (("report", "--view", "metadata", "--table", "x"), "no table 'x' in view metadata; available: metadata, processes, devices"),
        (("report", "--view", "timeline", "--table", "x"), "no table 'x' in view timeline; available: none"),
        (("report", "--view", "operators", "--rows", "-3"), "--rows"),
        (("diff", "--table", "x"), "no table 'x' in view diff; available: step_time, sums, counts, memory"),
        (("diff", "--rows", "-3"), "--rows"),
        (("diff", "--fail-on", "speed>5%"), "no metric 'speed'; available: step_time, step_kernel"),
        (("diff", "--fail-on", "step_nothing>5%"), "no metric 'step_nothing'"),
        (("diff", "--fail-on", "peak_memory:GPU0>5ms"), "peak_memory:GPU0 is in bytes, or takes %"),
        (("diff", "--fail-on", "kernel:gemm>5"), "kernel:gemm is in ns, or takes %"),
        (("export", "--output", "nowhere/out.json"), "nowhere/out.json: cannot be written"),
        (("export", "--output", "."), ".: cannot be written"),
        (("export", "--format", "arrow", "--output", "nowhere/out"), "nowhere/out: cannot create the folder"),
        (("export", "--format", "arrow", "--output", __file__), "is a file, not a folder"),
        (("export", "--format", "influxdb", "--db-endpoint", "ftp://host"), "ftp://host: an endpoint is http://HOST:PORT"),
        (("view", "--port-file", "nowhere/port"), "nowhere/port: cannot be written"),
        (("view", "--output-format", "json", "--output-file", "nowhere/x.json"), "nowhere/x.json: cannot be written"),
        (("view", "--output-format", "parquet", "--output-file", "nowhere/x"), "nowhere/x: cannot create the folder"),
        (("view", "--output-format", "db", "--db-endpoint", "host"), "host: an endpoint is http://HOST:PORT"),
        (("losses", "--table", "nothing"), "no table 'nothing' in view losses; available: logs, losses, differences"),
    ],
)
def test_wrong_options_are_refused_before_reading(tmp_path, arguments, message):
    """The path does not exist, so the program did not look for it before the refusal."""
    command, *options = arguments
    done = sightline(command, tmp_path / "absent.pt.trace.json", *options)
    assert done.returncode in (1, 2) and message in done.stderr, done.stderr
    assert "absent" not in done.stderr


@pytest.mark.parametrize("sql, message", [
    ("select * from nowhere", "line 1, column 15"), ("selec * from slices", "line 1, column 1"),
    ("select nothing from slices", "line 1, column"), ("select", "SELECT clause without selection list"), ("", "write a SELECT"),
    ("-- nothing", "write a SELECT"), ("create table t(a integer)", "this is not a SELECT"), ("select ?", "parameters (?) have no value here"),
    ("select count(*), name from slices", "must appear in the GROUP BY clause")])
def test_sql_is_refused_before_reading(tmp_path, sql, message):
    done = sightline("query", tmp_path / "absent.pt.trace.json", sql)
    assert done.returncode == 2 and message in done.stderr and "absent" not in done.stderr, done.stderr


def test_limits_of_a_query_and_the_lack_of_its_library_are_refused_before_reading(tmp_path):
    absent = tmp_path / "absent.pt.trace.json"
    for option, value in (("--seconds", "-1"), ("--seconds", "nan"), ("--limit", "-1")):
        done = sightline("query", absent, "select 1", option, value)
        assert done.returncode == 2 and option in done.stderr and "absent" not in done.stderr, done.stderr
    done = sightline("query", absent, "select 1", SIGHTLINE_DUCKDB="/nowhere/libduckdb.so")
    assert done.returncode == 1 and "SQL needs the library DuckDB" in done.stderr and "absent" not in done.stderr


def test_a_log_that_was_not_given_is_refused_before_reading(tmp_path):
    done = sightline("losses", tmp_path / "absent.log", tmp_path / "absent.log", "--compared", "3")
    assert done.returncode == 2 and "numbered 1 to 2" in done.stderr and "absent" not in done.stderr


def test_deep_metadata_before_the_events_is_read(tmp_path):
    path = tmp_path / "deep.json"
    event = json.dumps(trace(1)["traceEvents"])
    path.write_text('{"deep": ' + "[" * 1_000_000 + "]" * 1_000_000 + ', "traceEvents": ' + event + "}")
    done = sightline("report", path, "--view", "operators", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert "aten::mm" in done.stdout


def test_a_token_that_no_address_can_carry_is_wrong_usage(run):
    done = sightline("view", run, "--token", "a;b")
    assert done.returncode == 2 and "a token is made of letters, digits" in done.stderr


def test_no_command_is_wrong_usage():
    assert sightline("nonsense").returncode == 2


def test_a_missing_path_fails_and_names_it(tmp_path):
    done = sightline("report", tmp_path / "nope", "--view", "overview")
    assert done.returncode == 1
    assert done.stderr == f"sightline: {tmp_path}/nope: no such file or directory\n"


def test_a_directory_without_profiles_says_what_was_looked_for(tmp_path):
    (tmp_path / "notes.txt").write_text("x")
    done = sightline("info", tmp_path)
    assert done.returncode == 1
    assert "no profile found in 1 files of 1 directories (looked for: PyTorch" in done.stderr


def test_a_failed_file_names_file_byte_and_cause(tmp_path):
    path = tmp_path / "w.pt.trace.json"
    path.write_text('["this is a list", 1, 2]')
    done = sightline("report", path, "--view", "overview")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith(f"sightline: {path}:") and done.stderr.count("\n") == 1


def test_a_damaged_file_is_answered_with_a_warning(tmp_path):
    path = tmp_path / "w.pt.trace.json"
    path.write_text(json.dumps(trace(50))[:-200])
    done = sightline("report", path, "--view", "operators")
    assert done.returncode == 0 and "aten::mm" in done.stdout
    assert "problem" in done.stderr and "see --view problems" in done.stderr
    problems = sightline("report", path, "--view", "problems")
    assert problems.returncode == 0 and problems.stderr == ""


def test_a_failed_file_does_not_stop_the_others(run):
    (run / "rank3.pt.trace.json").write_text("no trace")
    done = sightline("info", run)
    assert done.returncode == 1
    for worker in ("rank2", "rank3", "rank10"):
        assert worker in done.stdout
    assert done.stdout.count(" ready ") == 3 and done.stdout.count(" failed ") == 2  # in both tables


def test_info(run):
    done = sightline("info", run, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(r["run"], r["worker"], r["span"], r["status"], r["events"]) for r in rows] == [
        ("job", "rank2", "1", "ready", "4"),
        ("job", "rank2", "2", "ready", "5"),
        ("job", "rank10", "1", "ready", "6"),
    ]
    state = json.loads(sightline("info", run, "--format", "json").stdout)
    assert [worker["name"] for worker in state["runs"][0]["workers"]] == ["rank2", "rank10"]


def test_the_same_worker_and_time_twice_keeps_both(tmp_path):
    write_trace(tmp_path / "w.5.pt.trace.json", trace(1))
    write_trace(tmp_path / "w.5.pt.trace.json.gz", trace(2))
    done = sightline("info", tmp_path, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(r["span"], r["events"]) for r in rows] == [("1", "2"), ("1 (2)", "3")]
    assert "is shown as span 1 (2)" in done.stderr


def test_the_format_follows_from_the_content(tmp_path):
    path = write_trace(tmp_path / "anything.txt")
    assert operator_calls(path) == 3
    path = write_trace(tmp_path / "plain" / "trace.json")
    assert operator_calls(path.parent) == 3


def test_views_help_version_metrics():
    views = sightline("views").stdout
    assert "overview\n" in views and "--param group_by=name|shape (default name)" in views
    assert sightline("--version").stdout.startswith("sightline ")
    help_text = sightline("--help")
    assert help_text.returncode == 0
    for command in ("view", "report", "info", "views", "metrics"):
        assert command in help_text.stdout
        assert sightline(command, "--help").returncode == 0
    assert sightline("metrics").stdout.startswith("# Metrics")


def test_output_piped_to_a_reader_that_leaves(run):
    write_trace(run / "big.pt.trace.json", {"traceEvents": [e for i in range(3000) for e in trace(1, f"op{i}")["traceEvents"]]})
    command = f"'{PROGRAM}' report '{run}' --worker big --view operators --format json | head -c 10"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, env=environment())
    assert done.stderr == "" and len(done.stdout) == 10


def on_terminal(*arguments, columns=80, **changes):
    """The program's output on a terminal of that width."""
    main, child = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = environment(TERM="xterm", **changes)
    with subprocess.Popen([str(PROGRAM), *map(str, arguments)], stdout=child, stderr=subprocess.DEVNULL, env=env) as process:
        os.close(child)
        text = b""
        try:
            while piece := os.read(main, 65536):
                text += piece
        except OSError:  # the other end of the terminal is closed
            pass
        process.wait(timeout=60)
    os.close(main)
    return text.decode().replace("\r\n", "\n")


def test_text_fits_the_terminal(run):
    for columns in (60, 100):
        text = on_terminal("report", run, "--view", "operators", columns=columns, NO_COLOR="1")
        lines = text.splitlines()
        assert lines and max(map(len, lines)) <= columns


def test_colour_only_on_terminals_that_want_it(run):
    arguments = ("report", run, "--view", "overview")
    assert "\x1b[1m" in on_terminal(*arguments)
    assert "\x1b" not in on_terminal(*arguments, NO_COLOR="1")
    assert "\x1b" not in sightline(*arguments).stdout


def test_names_from_a_file_cannot_drive_the_terminal(tmp_path):
    path = write_trace(tmp_path / "w.pt.trace.json", trace(1, "evil\x1b[2Jname"))
    text = sightline("report", path, "--view", "operators").stdout
    assert "evil" in text and "\x1b" not in text


def test_a_length_of_years_is_a_problem(tmp_path):
    """A slice may begin at a Unix time, but it does not last for years: views add lengths."""
    events = [{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1.7e15 + 10 * i, "dur": dur, "args": {"device": 0, "stream": 7}}
              for i, dur in enumerate([5, 2.9e15, 2.9e15, 2.9e15, 2.9e15, 2.9e15])]
    file = write_trace(tmp_path / "years.pt.trace.json", {"schemaVersion": 1, "traceEvents": events})
    rows = lambda sql: list(csv.reader(io.StringIO(sightline("query", file, sql, "--format", "csv", "--no-cache").stdout)))[1:]
    assert rows("SELECT sum(duration), count(*) FROM slices") == [["5000", "6"]]
    assert rows("SELECT code, count FROM problems WHERE code = 'long_duration'") == [["long_duration", "5"]]
