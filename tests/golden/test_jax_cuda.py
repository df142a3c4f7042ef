"""The committed recording of JAX on a GPU: the operations of a step from the model's shapes, by hand, and the program's figures.

A layer of samples/programs/train_jax.py, for 8 x 128 vectors of 256: query, key and value 2 x 1024 x 256 x 256 each, the two products
of attention 2 x 8 x 128 x 128 x 256 each, up and down 2 x 1024 x 256 x 1024 each: 1,610,612,736 operations. The backward pass
does each product twice, for both its factors. There are four layers and four steps.
"""
import pathlib

from program_report import query, report, rows

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "samples" / "jax_cuda"
LAYER = 3 * 2 * 1024 * 256 * 256 + 2 * 2 * 8 * 128 * 128 * 256 + 2 * 2 * 1024 * 256 * 1024
STEPS = LAYERS = 4


def test_matrix_products_are_those_of_the_model():
    flops = sum(row.flops or 0 for row in rows(report(FOLDER, "program_operators"), "program_operators"))
    assert flops == LAYER * 3 * LAYERS * STEPS


def test_kernels_of_replayed_buffers_have_operators():
    operators = list(rows(report(FOLDER, "program_operators"), "program_operators"))
    total = sum(row.time for row in operators)
    assert sum(row.time for row in operators if row.name.startswith("command_buffer")) < 0.3 * total
    assert sum(row.time for row in operators if row.source and row.source.startswith("/sightline/samples/programs/train_jax.py:")) > 0.4 * total


def test_steps_and_device():
    overview = report(FOLDER, "overview")
    assert [row.step for row in rows(overview, "steps")] == [0, 1, 2, 3]
    assert [row.name for row in rows(overview, "devices")] == ["NVIDIA H100 80GB HBM3"]


# XProf 2.24.2, overview page, `stepTimeMs`: from the first to the last device work that was launched in the step.
XPROF_STEPS = [1709270, 1259057, 1250224, 3314122]


def test_device_time_of_steps_is_that_of_xprof():
    spans = query(FOLDER, """SELECT t.number, max(s.start + s.duration) - min(s.start) FROM device_work w JOIN slices s ON w.slice = s.id
        JOIN launches l ON w.launch = l.id JOIN slices h ON l.slice = h.id
        JOIN steps t ON h.start >= t.start AND h.start + h.duration <= t.start + t.duration GROUP BY 1 ORDER BY 1""")
    assert spans == list(enumerate(XPROF_STEPS))


def test_operators_read_operands_of_their_own_program():
    assert query(FOLDER, """SELECT count(*) FROM program_inputs i JOIN program_operators a ON i.program_operator = a.id
        JOIN program_operators b ON i.input = b.id WHERE a.program_id <> b.program_id""") == [(0,)]
    operands = query(FOLDER, """SELECT a.opcode, count(DISTINCT a.id), count(*) FROM program_inputs i
        JOIN program_operators a ON i.program_operator = a.id WHERE a.opcode IN ('dot', 'tanh', 'add') GROUP BY 1""")
    of = {opcode: (operators, reads) for opcode, operators, reads in operands}
    assert {opcode: reads / operators for opcode, (operators, reads) in of.items()} == {"add": 2, "dot": 2, "tanh": 1}


def test_the_graph_is_around_the_operator_of_the_most_time():
    graph = report(FOLDER, "program_graph")
    boxes = list(rows(graph, "graph_operators"))
    operators = sorted(rows(report(FOLDER, "program_operators"), "program_operators"), key=lambda row: -row.time)
    linked = {name for (name,) in query(FOLDER, "SELECT DISTINCT name FROM program_operators o JOIN program_inputs i ON i.program_operator = o.id")}
    assert boxes[0].name == next(row.name for row in operators if row.name in linked)
    assert {box.distance for box in boxes} == {0, 1, 2}
    names = {box.name for box in boxes}
    assert all(arrow.input in names and arrow.reader in names for arrow in rows(graph, "graph_arrows"))
