"""sightline costs: single calls, tables of calls, a user's own formulas, and what is documented."""
import ast
import json
import subprocess

import pytest
from program import PROGRAM, ROOT, needs_program, sightline, trace, write_trace

pytestmark = needs_program

HEADER = "name\tflops\tbytes_read\tbytes_written\tprecision\tunit\tat_least\tfamily\n"
PRODUCT = ("--shapes", "[[2, 3], [3, 4]]", "--types", "[float, float]")


def test_a_call():
    # 2*2*3*4 operations; (6 + 12) and 8 elements of 4 bytes
    assert sightline("costs", "aten::mm", *PRODUCT).stdout == HEADER + "aten::mm\t48\t72\t32\tfp32\tmatrix\tfalse\tproduct\n"


def test_a_table_of_calls_in_any_notation():
    calls = "aten::mm\t((2, 3), (3, 4))\t('float', 'float')\nmy::own\t((2,),)\t('float',)\naten::mm\n"
    done = subprocess.run([PROGRAM, "costs", "-"], input=calls, capture_output=True, text=True)
    assert done.stdout.splitlines()[1:] == ["aten::mm\t48\t72\t32\tfp32\tmatrix\tfalse\tproduct", "my::own" + "\t" * 7,
                                            "aten::mm" + "\t" * 7]


def test_a_users_formula_comes_first(tmp_path):
    (tmp_path / "my.costs").write_text("# ours\naten::mm | ours | vector | fp4 | >= numel(0) | - | 7\n")
    done = sightline("costs", "aten::mm", *PRODUCT, "--costs", tmp_path / "my.costs")
    assert done.stdout == HEADER + "aten::mm\t6\t\t7\tfp4\tvector\ttrue\tours\n"


@pytest.mark.parametrize("text, cause", [
    ("# ours\na | b | vector | 0 | 1 +| 1 | 1\n", ", line 2: the expression ends where a value is expected"),
    ("a | b | vector | 0 | size | 1 | 1\n", ", line 1: 'size' is no number and no function"),
])
def test_a_wrong_file_is_named(tmp_path, text, cause):
    (tmp_path / "my.costs").write_text(text)
    done = sightline("costs", "aten::mm", "--costs", tmp_path / "my.costs")
    assert (done.returncode, done.stderr) == (1, f"sightline: {tmp_path / 'my.costs'}{cause}\n")


def test_errors():
    assert sightline("costs", "aten::mm", "--costs", "absent.costs").stderr == \
        "sightline: absent.costs: the file of cost formulas cannot be read\n"
    assert sightline("costs", "my::own", *PRODUCT).stderr == "sightline: no formula for 'my::own' fits these arguments\n"
    assert sightline("costs").returncode == 2


def test_every_function_is_documented():
    documented = (ROOT / "docs" / "costs.md").read_text()
    for line in sightline("costs", "--functions").stdout.splitlines():
        name, _, meaning = line.partition("  ")
        assert f"| `{name}` | {meaning} |" in documented


def test_the_table_is_printed():
    assert sightline("costs", "--formulas").stdout == (ROOT / "src" / "analyses" / "costs" / "operators.costs").read_text()


def test_a_program_that_reproduces_an_operator(tmp_path):
    content = trace(operators=3)
    events = [event for event in content["traceEvents"] if event["cat"] == "cpu_op"]
    for event, rows in zip(events, (2, 5, 5)):
        event["args"] = {"Input Dims": [[rows, 3], [3, 4]], "Input type": ["float", "float"], "Input Strides": [[3, 1], [4, 1]],
                         "Concrete Inputs": ["", ""]}
    path = write_trace(tmp_path / "a.pt.trace.json", content)
    done = sightline("reproduce", path, "--operator", "aten::mm")
    assert done.stderr.splitlines()[-1] == \
        "sightline: inputs [[5, 3], [3, 4]] of 2 calls; 1 have other inputs: see --shapes"
    values = {node.targets[0].id: ast.literal_eval(node.value) for node in ast.parse(done.stdout).body
              if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)}
    assert values == {"NAME": "aten::mm", "SHAPES": "[[5, 3], [3, 4]]", "TYPES": '["float", "float"]',
                      "STRIDES": "[[3, 1], [4, 1]]", "INPUTS": '["", ""]', "FLOPS": 120, "BYTES": 188}
    chosen = sightline("reproduce", path, "--operator", "aten::mm", "--shapes", "[[2, 3], [3, 4]]")
    assert 'SHAPES = "[[2, 3], [3, 4]]"' in chosen.stdout
    view = sightline("report", path, "--view", "reproduce", "--param", "name=aten::mm", "--format", "json")
    (code,) = [panel for panel in json.loads(view.stdout)["panels"] if panel["kind"] == "code"]
    assert (code["text"], code["file"]) == (done.stdout, "reproduce.py")  # what the page shows
    text = sightline("report", path, "--view", "reproduce", "--param", "name=aten::mm")
    assert done.stdout in text.stdout


def test_what_cannot_be_reproduced(tmp_path):
    path = write_trace(tmp_path / "a.pt.trace.json")
    assert "the shapes of inputs were not recorded" in sightline("reproduce", path, "--operator", "aten::mm").stderr
    assert "no call of 'my::own' has these inputs" in sightline("reproduce", path, "--operator", "my::own").stderr
    assert "no call of 'my::own' has these inputs" in \
        sightline("report", path, "--view", "reproduce", "--param", "name=my::own").stderr
    view = sightline("report", path, "--view", "reproduce", "--param", "name=aten::mm")
    assert "record with record_shapes=True" in " ".join(view.stdout.split())
