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
    ("a | b | vector | 0 | size | 1 | 1\n", ", line 1: 'size' is neither a number nor a function"),
])
def test_a_wrong_file_is_named(tmp_path, text, cause):
    (tmp_path / "my.costs").write_text(text)
    done = sightline("costs", "aten::mm", "--costs", tmp_path / "my.costs")
    assert (done.returncode, done.stderr) == (1, f"sightline: {tmp_path / 'my.costs'}{cause}\n")


@pytest.mark.parametrize("name, shapes, types, inputs, flops, read, written", [
    # 2 x 8 rows x 512 x 64 columns; operands 4096 + 32768 bytes, scales 4 x (8 + 64); 8 x 64 elements of 2 bytes.
    ("fbgemm::f8f8bf16_rowwise", [[8, 512], [64, 512], [8], [64], [], []],
     ["c10::Float8_e4m3fn", "c10::Float8_e4m3fn", "float", "float", "", "Scalar"], ["", "", "", "", "", "True"],
     524288, 37152, 1024),
    # 3 matrices; 2 x 8 rows x 512 x 64 columns.
    ("mslk::bf16bf16bf16_grouped_stacked", [[8, 512], [3, 64, 512], [3]], ["c10::BFloat16", "c10::BFloat16", "long int"],
     ["", "", ""], 524288, 2 * (4096 + 98304) + 24, 1024),
    # LSTM of one layer: weights 4 x 6 x 5 and 4 x 6 x 6, biases 2 x 4 x 6: 312 elements. 7 x 2 tokens of 5: 14 x (2 x 312 - 48).
    ("aten::_cudnn_rnn", [[7, 2, 5], [[24, 5], [24, 6], [24], [24]], [], [], [1, 2, 6], [1, 2, 6], [], [], [], [], [], [], [], [], []],
     ["float", "TensorList", "Scalar", "", "float", "float", "Scalar", "Scalar", "Scalar", "Scalar", "Scalar", "Scalar", "Scalar",
      "Scalar", "ScalarList"],
     ["", "", "4", "", "", "", "2", "6", "0", "1", "False", "0.", "True", "False", "[]"], 8064, 280 + 312 * 4, 14 * 6 * 4),
])
def test_products_of_libraries(name, shapes, types, inputs, flops, read, written):
    table = "\t".join([name, json.dumps(shapes), json.dumps(types), "[]", json.dumps(inputs), ""]) + "\n"
    done = subprocess.run([PROGRAM, "costs", "-"], input=table, capture_output=True, text=True)
    line = done.stdout.splitlines()[1].split("\t")
    assert [float(figure) for figure in line[1:4]] == [flops, read, written]
    assert line[6] == ("true" if name == "aten::_cudnn_rnn" else "false")


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
