"""A device's timeline as JSON, read back: for the vendor's recordings, and for the JSON that the vendor's tool makes of them,
every slice, counter, dependency, fact and cost is the same as before.
"""
import json
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import program_report  # noqa: E402

SAMPLES = HERE.parents[2] / "shared" / "samples" / "neuron" / "inf2_matmul"
FILES = sorted([*SAMPLES.glob("*.ntff"), *SAMPLES.glob("*.json.gz")])
pytestmark = [
    pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}"),
    pytest.mark.skipif(not FILES, reason=f"no samples in {SAMPLES}"),
]
SLICE = "s.start, s.duration, s.name"
QUESTIONS = {
    "slices": f"""SELECT {SLICE}, s.kind, s.depth, l.name, l.kind, l.device, p.name, w.bytes, w.core, w.core_type, w.type FROM slices s
                  JOIN lanes l ON l.id = s.lane JOIN processes p ON p.id = l.process LEFT JOIN device_work w ON w.slice = s.id""",
    "counters": "SELECT p.name, l.name, c.time, c.value FROM counters c JOIN lanes l ON l.id = c.lane JOIN processes p ON p.id = l.process",
    "dependencies": """SELECT s.start, s.name, t.start, t.name FROM flows f JOIN slices s ON s.id = f."from" JOIN slices t ON t.id = f."to" """,
    "costs": f"SELECT {SLICE}, c.flops, c.bytes, c.bytes_read, c.bytes_written FROM work_costs c JOIN slices s ON s.id = c.slice",
    "memory": "SELECT component, allocated FROM memory_usage",
    "tensors": "SELECT name, use, shape, format, bytes, loads, loaded_bytes FROM tensors",
    "operators": f"""SELECT {SLICE}, o.name, o.framework_operator FROM program_work w JOIN slices s ON s.id = w.slice
                     JOIN program_operators o ON o.id = w.program_operator""",
}
FACTS = f"""SELECT {SLICE}, f.name, f.number, f.text FROM work_facts f JOIN slices s ON s.id = f.slice
            WHERE f.number IS NOT NULL OR f.text <> ''"""  # the JSON has no fact for an empty text


def answer(path, sql):
    command = [program_report.PROGRAM, "query", path, sql, "--format", "json", "--limit", "0", "--no-cache"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return sorted(zip(*(column["values"] for column in json.loads(done.stdout)["columns"])), key=repr)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_it_is_read_back_unchanged(file, tmp_path):
    again = tmp_path / "again.json"
    command = [program_report.PROGRAM, "export", file, "--format", "json", "--output", again, "--no-cache"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for what, sql in QUESTIONS.items():
        before = answer(file, sql)
        assert answer(again, sql) == before, what
        assert before or what in ("tensors", "operators"), what
    warnings = "SELECT code, message FROM problems WHERE code = 'vendor_warning'"
    if file.name.endswith(".json.gz"):
        assert answer(again, warnings) == answer(file, warnings) != []
    before, after = set(answer(file, FACTS)), set(answer(again, FACTS))
    assert len(before) > 500 and before <= after
    if file.name.endswith(".json.gz"):
        assert after == before
