"""The program on traces that anyone can read: every text of tests/fixtures, in several spellings, gives the oracle's numbers;
with every kind of damage, the readable part is shown, with a row in the Problems view, or one clear line names file, byte and
cause.
"""
import pathlib
import re
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import agreement  # noqa: E402
import program_report  # noqa: E402
from exact_cells import exact_cells  # noqa: E402
from program_report import PROGRAM, ROOT  # noqa: E402

FIXTURES = sorted((ROOT / "tests" / "fixtures").glob("*.trace"))
SPELLINGS = {"kineto": [], "minified": ["--set", "layout=minified"], "indented, members after": ["--set", "layout=indented", "--set", "members=after"]}
GEN_TRACE = ROOT / "tools" / "gen_trace"
DAMAGES = subprocess.run([GEN_TRACE, "--damage", "list"], capture_output=True, text=True, check=True).stdout.split()
# Nothing to show: the program refuses these, and gives the reason.
REFUSED = {"empty", "no-events", "not-json"}
# Nothing is lost or changed by these: the file loads without a message.
HARMLESS = {"deep", "double-comma", "duplicate-duration", "gzip-members", "na-argument", "nan-argument",
            "surrogate", "trailing-comma"}

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"no program at {PROGRAM}: build it, or set SIGHTLINE")


def make(text, file, *options):
    subprocess.run([GEN_TRACE, text, file, *options], check=True)
    return file


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("text", FIXTURES, ids=lambda path: path.stem)
def test_program_gives_the_oracles_numbers(text, spelling, tmp_path):
    file = make(text, tmp_path / "trace.json", *SPELLINGS[spelling])
    oracle = exact_cells(agreement.kineto_oracle.analyse(agreement.read_trace(file), agreement.fault_list.OURS))
    program = exact_cells(program_report.figures(file))
    wrong = [f"{cell}: oracle {oracle.get(cell, agreement.ABSENT)}, program {program.get(cell, agreement.ABSENT)}"
             for cell in sorted(oracle.keys() | program.keys(), key=str)
             if not agreement.same(oracle.get(cell, agreement.ABSENT), program.get(cell, agreement.ABSENT), relative=1e-6)]
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_reported_and_loses_no_more_than_it_must(damage, tmp_path):
    text = ROOT / "tests" / "fixtures" / "self_total.trace"
    name = "trace.json.gz" if damage.startswith("gzip") else "trace.json"
    file = make(text, tmp_path / name, "--damage", damage)
    done = subprocess.run([PROGRAM, "report", file, "--view", "problems", "--format", "json"], capture_output=True, text=True)
    if damage in REFUSED:
        assert done.returncode == 1
        assert re.search(rf"{name}:\d+: .+", done.stderr), done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
        return
    assert done.returncode == 0, done.stderr
    problems = program_report.json.loads(done.stdout)["tables"]["problems"]
    assert (problems["rows"] == 0) == (damage in HARMLESS), problems
    for column in problems["columns"]:
        if column["key"] == "count":
            assert all(count >= 1 for count in column["values"])
    operators = program_report.report(file, "operators")["tables"]["operators"]
    whole = program_report.report(make(text, tmp_path / "whole.json"), "operators")["tables"]["operators"]
    if "cut" not in damage and damage != "no-end":
        assert operators["rows"] >= whole["rows"] - 1
