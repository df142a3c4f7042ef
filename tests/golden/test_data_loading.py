"""The committed recording with a DataLoader: each wait for a batch is in a step, on the thread that runs the steps."""
import pathlib

from program_report import query, report, rows

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "samples" / "conv"


def test_the_steps_wait_for_their_batches():
    body = report(FOLDER, "data_loading")
    (stage,) = rows(body, "stages")
    assert (stage.name, stage.thread, stage.calls) == ("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "runs the steps", 6)
    steps = list(rows(body, "steps"))
    assert [step.step for step in steps] == [2, 3, 4, 5, 6, 7]
    assert [(stage.total,)] == query(FOLDER, "SELECT sum(duration) FROM slices WHERE kind = 'data_loading'")
    assert sum(step.waited for step in steps) == stage.total
    # Recorded without devices: whether one was idle is unknown.
    assert {step.idle for step in steps} == {None}
