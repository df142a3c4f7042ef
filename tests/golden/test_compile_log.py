"""The log of the framework's compiler, as tlparse unpacks it into a folder beside a trace: what was compiled, why and for how long."""
import gzip
import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import program_report  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="the program is not built")

# Frame 0 is compiled twice.
TEXT = """
thread 1:
  100-140 "Torch-Compiled Region: 0/0" [ext=1], 110-115 aten::mm [ext=2], 111-112 cudaLaunchKernel [ext=2 corr=1]
  200-210 "Torch-Compiled Region: 0/1" [ext=4]
  220-240 "Torch-Compiled Region: 0/1" [ext=5]
stream 7: 120-130 gemm [corr=1]
"""
REASON = "0/0: tensor 'x' size mismatch at index 0. expected 4, actual 8"
ID = {"frame_id": 0, "attempt": 0}
FORWARD = {"co_name": "forward", "co_filename": "/src/model.py", "co_firstlineno": 12, "graph_op_count": 5, "guard_count": 9,
           "entire_frame_compile_time_s": 0.25, "backend_compile_time_s": 0.2, "inductor_compile_time_s": 0.1, "restart_reasons": []}
BACKWARD = {"inductor_compile_time_s": 0.05, "code_gen_time_s": None}
# A later version of the compiler counts in us.
AGAIN = {"co_name": "forward", "co_filename": "/src/model.py", "co_firstlineno": 12, "duration_us": 40_000,
         "entire_frame_compile_time_s": 0.04, "inductor_cumulative_compile_time_us": 30_000, "triton_compile_time_us": 10_000,
         "restart_reasons": ["graph break in a.py"], "fail_type": None}
ENTRIES = [{"dynamo_start": {"stack": []}, "frame_compile_id": 0, **ID},
           {"compilation_metrics": FORWARD, "frame_compile_id": 0, **ID},
           {"bwd_compilation_metrics": BACKWARD, "frame_compile_id": 0, **ID},
           {"compilation_metrics": AGAIN, "frame_compile_id": 1, "frame_id": 0, "attempt": 1}]


def artifact(url, number):
    return {"url": url, "name": url.split("/")[-1], "number": number, "suffix": "", "readable_url": None}


DIRECTORY = {"[0/0]": {"artifacts": [artifact("-_0_0_0/inductor_output_code_3.txt", 3)]},
             "[0/1]": {"artifacts": [artifact("-_0_1_0/recompile_reasons_4.json", 4), artifact("https://example.org/graph", 5)]},
             "unknown": {"artifacts": [artifact("dump_file/a.html", 6)]}}


def recording(folder, text=TEXT, directory=DIRECTORY, entries=ENTRIES, log="tl_out", name="run.pt.trace.json"):
    (folder / log / "-_0_1_0").mkdir(parents=True)
    (folder / log / "compile_directory.json").write_text(json.dumps(directory) if isinstance(directory, dict) else directory)
    (folder / log / "raw.jsonl").write_text("".join((e if isinstance(e, str) else json.dumps(e)) + "\n" for e in entries))
    (folder / log / "-_0_1_0" / "recompile_reasons_4.json").write_text(json.dumps([REASON]))
    path = folder / name
    command = [sys.executable, str(program_report.ROOT / "tools" / "gen_trace"), "-", str(path)]
    subprocess.run(command, input=text, text=True, check=True)
    return path


def compilations(path):
    return list(program_report.rows(program_report.report(path, "compiled_code"), "compilations"))


def problems(path):
    rows = program_report.query(path, "SELECT code, count, message FROM problems ORDER BY id")
    return [row for row in rows if row[0].startswith("compile_log")]


@pytest.fixture(scope="module", params=["tl_out", "tlparse"])
def path(request, tmp_path_factory):
    return recording(tmp_path_factory.mktemp("log"), log=request.param)


def test_a_compilation_has_its_function_its_reason_and_the_calls_of_its_region(path):
    first, again = compilations(path)
    assert (first.region, first.function, first.place) == ("0/0", "forward", "/src/model.py(12): forward")
    assert (first.reason, again.reason, again.restarts) == (None, REASON, "graph break in a.py")
    assert (first.calls, first.host, first.device) == (1, 40_000, 10_000)
    assert (again.calls, again.host, again.device) == (2, 30_000, 0)
    assert (first.operators, first.guards, again.guards) == (5, 9, None)


def test_times_are_sums_of_forward_and_backward_pass(path):
    """Inductor took 0.1 s in the forward pass and 0.05 s in the backward pass; without a time there is none."""
    first, again = compilations(path)
    assert (first.total, first.backend, first.inductor, first.triton) == (250_000_000, 200_000_000, 150_000_000, None)
    assert (again.total, again.inductor, again.triton) == (40_000_000, 30_000_000, 10_000_000)


def test_the_files_of_a_compilation_have_paths(path):
    files = list(program_report.rows(program_report.report(path, "compiled_code"), "artifacts"))
    folder = next(path.parent.glob("tl*"))
    assert [(f.region, f.name, f.path) for f in files] == [
        ("0/0", "inductor_output_code_3.txt", f"{folder}/-_0_0_0/inductor_output_code_3.txt"),
        ("0/1", "recompile_reasons_4.json", f"{folder}/-_0_1_0/recompile_reasons_4.json"),
        ("0/1", "graph", "https://example.org/graph")]
    assert problems(path) == []


def test_of_several_ranks_the_folder_of_the_rank_in_the_name_is_read(tmp_path):
    path = recording(tmp_path, log="tl_out/rank_3", name="rank3.pt.trace.json")
    recording(tmp_path, directory={}, entries=[], log="tl_out/rank_4", name="rank4.pt.trace.json")
    assert len(compilations(path)) == 2


def test_a_log_alone_is_enough(tmp_path):
    path = recording(tmp_path)
    (tmp_path / "tl_out" / "compile_directory.json").unlink()
    assert [row.region for row in compilations(path)] == ["0/0", "0/1"]


@pytest.mark.parametrize("changes, expected", [
    ({"directory": "[]"}, ("compile_log_unreadable", 1, "the compiler's log compile_directory.json cannot be read: it is not a JSON object")),
    ({"entries": [*ENTRIES, '{"compilation_metrics": ']},
     ("compile_log_malformed", 1, "entries of the compiler's log beside the file are not JSON; they were skipped")),
    ({"text": TEXT + "thread 2: 0-1 \"Torch-Compiled Region: 5/0\"\n"},
     ("compile_log_lacks_regions", 1,
      "compiled regions are not in the compiler's log beside the file; it may be the log of another run")),
])
def test_what_cannot_be_read_or_does_not_fit_is_a_problem(tmp_path, changes, expected):
    assert problems(recording(tmp_path, **changes)) == [expected]


def test_a_compressed_log_that_is_cut_is_a_problem(tmp_path):
    path = recording(tmp_path, entries=[*ENTRIES, *(f"x{at}" for at in range(1000))])
    log = tmp_path / "tl_out" / "raw.jsonl"
    log.write_bytes(gzip.compress(log.read_bytes())[:-500])
    told = program_report.query(path, "SELECT message FROM problems WHERE code = 'damaged_compression'")
    assert len(told) == 1 and told[0][0].startswith("raw.jsonl: ") and len(compilations(path)) == 2


def test_a_file_of_reasons_outside_of_the_folder_is_not_read(tmp_path):
    (tmp_path / "recompile_reasons_1.json").write_text(json.dumps(["secret"]))
    directory = {"[0/0]": {"artifacts": [artifact("../recompile_reasons_1.json", 1)]}}
    first, _ = compilations(recording(tmp_path, directory=directory))
    assert first.reason is None
