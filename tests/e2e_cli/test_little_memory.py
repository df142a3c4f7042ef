"""The program with less memory than a file needs: an error or a partial answer that says so, and never an abort."""
import gzip
import http.client
import json
import resource
import subprocess
import time

import ascend_export
import explorer_export
import program
import pytest
from program import PATIENCE_SECONDS, PROGRAM, Server, environment, needs_program, sightline, write_trace

pytestmark = needs_program

MIB = 1 << 20
EVENTS = 400_000


def long_trace(path, events=EVENTS):
    """Some 60 MB of operators, each with different shapes, so that memory is allocated in many ways."""
    event = (
        '{"ph":"X","cat":"cpu_op","name":"op%d","pid":1,"tid":%d,"ts":%d,"dur":1,'
        '"args":{"External id":%d,"Input Dims":[[%d,3]]}}'
    )
    text = ",\n".join(event % (i % 999, i % 7, i, i, i) for i in range(events))
    path.parent.mkdir(parents=True, exist_ok=True)
    data = ('{"schemaVersion":1,"traceEvents":[' + text + "]}").encode()
    path.write_bytes(gzip.compress(data, 1) if path.suffix == ".gz" else data)
    return path


def within(address_space, *arguments, cache={}):
    """The program with a limit on its address space (ulimit -v), in bytes."""
    return subprocess.run(
        [str(PROGRAM), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        env=environment(**cache),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space)),
    )


def least_address_space():
    """The memory with which the program starts and reads a small file; libraries take most of it."""
    for mib in range(100, 4000, 50):
        if within(mib * MIB, "views").returncode == 0:
            return mib
    raise AssertionError("it never starts")


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memory")
    return [long_trace(folder / "plain" / "w.pt.trace.json"), long_trace(folder / "packed" / "w.pt.trace.json.gz")]


def test_too_little_memory_for_a_file_is_an_error(inputs):
    least = least_address_space()
    refused = 0
    for path in inputs:
        for more in (0, 30, 60, 100, 150, 250):
            for threads in ("1", "8"):
                done = within((least + more) * MIB, "report", path, "--view", "overview", "--no-cache", "--threads", threads)
                assert done.returncode in (0, 1), (more, threads, done.returncode, done.stderr)
                assert (done.returncode == 0) == ("not enough memory" not in done.stderr), done.stderr
                refused += done.returncode
    assert refused > 0


def limited_program(folder, mib):
    """A program that runs this one with a limit on its address space."""
    script = folder / f"limited{mib}"
    script.write_text(f'#!/bin/sh\nulimit -v {mib << 10}\nexec "{PROGRAM}" "$@"\n')
    script.chmod(0o755)
    return script


def test_the_server_continues_with_the_other_files(tmp_path, monkeypatch):
    small = write_trace(tmp_path / "small" / "small.pt.trace.json")
    (tmp_path / "both").mkdir()
    (tmp_path / "both" / "small.pt.trace.json").symlink_to(small)
    long_trace(tmp_path / "both" / "large.pt.trace.json", 4 * EVENTS)

    def loaded_state(server, tries):
        """Reading the large file may leave no memory for an answer meanwhile."""
        for left in reversed(range(tries)):
            try:
                return server.loaded_state()
            except http.client.HTTPException:
                if left == 0:
                    raise
                time.sleep(0.1)

    def spans_of(folder, mib, tries=1):
        """The state of the files, and whether the small one's overview could be answered; None when the server does not even start."""
        monkeypatch.setattr(program, "PROGRAM", limited_program(tmp_path, mib))
        try:
            server = Server(folder, "--no-cache", "--port", "0")
        except AssertionError:
            return None
        with server:
            spans = {span["worker"]: span for span in server_spans(loaded_state(server, tries))}
            status, answer = server.json("/api/report?view=overview&worker=small")
            assert status != 200 or spans["small"]["status"] == "ready"
            assert status == 200 or "not enough memory" in json.dumps([answer, spans["small"]])
            return spans, status == 200

    def is_enough(mib):
        try:
            found = spans_of(small.parent, mib)
        except (OSError, http.client.HTTPException):
            return False
        return found is not None and found[1]

    enough = next(mib for mib in range(100, 4000, 25) if is_enough(mib))
    spans, answered = spans_of(tmp_path / "both", enough + 150, tries=100)
    assert answered and spans["small"]["status"] == "ready"
    assert spans["large"]["status"] == "failed"
    assert spans["large"]["error"]["message"] == "not enough memory to read this file"


def server_spans(state):
    return [
        {"worker": worker["name"], **span} for run in state["runs"] for worker in run["workers"] for span in worker["spans"]
    ]


def peak_mib(*arguments):
    """The program's peak memory in MiB, and its output."""
    code = "import resource,subprocess,sys; d=subprocess.run(sys.argv[1:],capture_output=True,text=True); " \
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); print(d.returncode); print(d.stdout+d.stderr)"
    done = subprocess.run(
        ["python3", "-c", code, str(PROGRAM), *map(str, arguments)],
        capture_output=True, text=True, timeout=PATIENCE_SECONDS, env=environment(COLUMNS="400"),
    )
    peak, code, output = done.stdout.split("\n", 2)
    return int(peak) / 1024, int(code), output


def test_reading_stays_within_the_memory_that_is_allowed(inputs, tmp_path):
    idle, _, _ = peak_mib("views")
    for path in inputs:
        peak, code, output = peak_mib("info", path, "--no-cache", "--memory", "40M")
        assert code == 0, output
        assert peak < idle + 80, output
        assert "of memory that --memory allows: the rest of the file is missing" in output
        report = sightline("report", path, "--view", "overview", "--no-cache", "--memory", "40M", COLUMNS="400")
        assert "because it needs more than the 38.147 MiB of memory" in report.stdout, report.stdout
        assert "see --view problems" in report.stderr


@pytest.mark.parametrize("name", ["communication.json", "communication_matrix.json", "profiler_metadata.json"])
def test_a_document_that_is_read_whole_is_bounded(tmp_path, name):
    """40 MB allow documents of 40 / 24 = 1.7 MB; this one has 4 MB, and with more memory it is read."""
    folder = tmp_path / "node_1_ascend_pt"
    ascend_export.Run(step=(3, 0, 100_000), operators=[ascend_export.Operator("mm", 10_000, 50_000)], tasks=[]).write_text(folder)
    output = folder if name.startswith("profiler") else folder / "ASCEND_PROFILER_OUTPUT"
    (output / name).write_text(json.dumps({f"step{i}": {} for i in range(300_000)}))
    few = sightline("report", folder, "--view", "problems", "--no-cache", "--memory", "40M", "--format", "csv")
    assert few.returncode == 0, few.stderr
    told = [line for line in few.stdout.splitlines() if f"{name}: the file is not read" in line]
    assert len(told) == 1 and "is not read: it holds more than 1.7 MB of JSON" in told[0], few.stdout
    ample = sightline("report", folder, "--view", "problems", "--no-cache", "--memory", "4G", "--format", "csv")
    assert ample.returncode == 0 and "is not read" not in ample.stdout, ample.stdout


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    """A folder of Parquet tables, of which one has 200,000 rows, each with a different text."""
    folder = tmp_path_factory.mktemp("explorer")
    rows = [{"id": i, "start_ts": 10 * i, "end_ts": 10 * i + 9, "engine": "Tensor", "opcode": "MATMUL", "operands": f"operands of the instruction {i}"}
            for i in range(200_000)]
    explorer_export.write(folder, {"Instruction": rows}, row_group=1 << 20)
    return folder


def test_parquet_with_too_little_memory_is_an_error(parquet):
    least = least_address_space()
    refused = 0
    for more in (0, 30, 60, 100, 150, 250):
        done = within((least + more) * MIB, "report", parquet, "--view", "device_summary", "--no-cache")
        assert done.returncode in (0, 1), (more, done.returncode, done.stderr)
        assert (done.returncode == 0) == ("not enough memory" not in done.stderr), done.stderr
        refused += done.returncode
    assert refused > 0


def test_parquet_stays_within_the_memory_that_is_allowed(parquet):
    idle, _, _ = peak_mib("views")
    peak, code, output = peak_mib("info", parquet, "--no-cache", "--memory", "60M")
    assert code == 0 and peak < idle + 150, output
    size = sum(file.stat().st_size for file in parquet.iterdir())
    assert "reading stopped at " in output and f" of {size / MIB:.3f} MiB, because it needs more than the 57.220 MiB" in output, output


def test_tables_that_cannot_be_written_leave_nothing_there(parquet, tmp_path):
    cache = {"SIGHTLINE_CACHE_DIR": str(tmp_path / "cache")}
    assert sightline("ingest", parquet, **cache).returncode == 0
    least = least_address_space()
    refused = 0
    for form in ("parquet", "arrow"):
        for more in range(0, 400, 25):
            out = tmp_path / f"{form}{more}"
            done = within((least + more) * MIB, "export", parquet, "--format", form, "--output", out, cache=cache)
            assert done.returncode in (0, 1), (form, more, done.returncode, done.stderr)
            assert (done.returncode == 0) == ("not enough memory" not in done.stderr), done.stderr
            assert done.returncode == 0 or not out.exists() or not list(out.iterdir())
            refused += "to write the table" in done.stderr
    assert refused > 0


def test_a_file_that_was_read_in_part_is_not_cached(inputs, tmp_path):
    cache = {"SIGHTLINE_CACHE_DIR": str(tmp_path / "cache")}
    partial = sightline("ingest", inputs[0], "--memory", "40M", **cache)
    assert partial.returncode == 1
    assert "not kept in the cache" in partial.stderr
    whole = sightline("info", inputs[0], "--format", "json", **cache)
    assert server_spans(json.loads(whole.stdout))[0]["events"] == EVENTS


def test_a_string_of_a_gigabyte_does_not_need_a_gigabyte(tmp_path):
    idle, _, _ = peak_mib("views")
    path = tmp_path / "bomb.pt.trace.json.gz"
    block = gzip.compress(b"x" * (10 << 20), 9)
    parts = ('{"schemaVersion":1,%s"traceEvents":[', '{"ph":"X","name":"%s","ts":1,"dur":1},', '{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]%s}')
    for place in range(3):
        with path.open("wb") as file:
            for i, part in enumerate(parts):
                before, _, after = part.partition("%s")
                if i != place:
                    text = "" if i != 1 else "short"
                    file.write(gzip.compress((before + text + after).encode()))
                    continue
                quote = ("\"long\":\"", "", ",\"long\":\"")[i], ("\",", "", "\"")[i]
                file.write(gzip.compress((before + quote[0]).encode()))
                for _ in range(40):
                    file.write(block)
                file.write(gzip.compress((quote[1] + after).encode()))
        peak, code, output = peak_mib("report", path, "--view", "problems", "--no-cache", "--threads", "4")
        assert code == 0, output
        assert peak < idle + 250, (place, peak)
        assert "longer than 16 MiB" in output, output
