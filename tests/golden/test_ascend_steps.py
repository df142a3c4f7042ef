"""The sums of a step as the overview computes them from slices, against those of the vendor's writer in step_trace_time.csv and
analysis.db, cell by cell.

A database has whole ns, and every cell must be equal. A text has, for differences of two times (Stage and Preparing), epoch
microseconds that went through doubles (0.25 us apart), and for the others durations cut to whole ns: up to 1 ns for each
interval.
"""
import json
import pathlib
import shutil
import sqlite3
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle")]
import ascend_tables as oracle  # noqa: E402
import program_report  # noqa: E402
from tally import Tally  # noqa: E402

SAMPLES = HERE.parents[1].parent / "shared" / "samples" / "ascend"
STATED = {"Computing": "computing", "Communication(Not Overlapped)": "not_overlapped", "Overlapped": "overlapped",
          "Communication": "communication", "Free": "free", "Stage": "stage", "Bubble": "bubble",
          "Communication(Not Overlapped and Exclude Receive)": "exclude_receive", "Preparing": "preparing"}
ROUNDED = {"stage": 251, "preparing": 251}
STRETCHES = 400

pytestmark = [pytest.mark.skipif(not SAMPLES.is_dir(), reason="the shared samples are not here"),
              pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")]


def folders(sample):
    return sorted((SAMPLES / sample).glob("*/*_ascend_pt"))


def copied(to):
    folder = pathlib.Path(shutil.copytree(folders("msinsight_text_level1")[0], to / "w_1_ascend_pt", copy_function=shutil.copyfile))
    for made in (folder, oracle.output(folder)):
        made.chmod(0o755)
    return folder


def sums(folder):
    """The rows, and the panel with their notes: the chart, or with a single row its table."""
    body = program_report.report(folder, "overview")
    panels = {panel["id"]: panel for panel in body["panels"]}
    return list(program_report.rows(body, "step_sums")), panels.get("step_sums") or panels["step_sums_table"]


@pytest.mark.parametrize("folder", folders("msinsight_text_level1"), ids=lambda folder: folder.name)
def test_text(folder):
    tally, (rows, panel) = Tally(), sums(folder)
    ours, stated = {row.step: row for row in rows}, oracle.steps(folder)
    assert set(ours) == set(stated)
    for step, cells in stated.items():
        assert ours[step].source == "both"
        for title, duration in cells.items():
            key = STATED[title]
            tally.compare((step, key), getattr(ours[step], key), duration, ROUNDED.get(key, STRETCHES))
    assert not panel.get("notes")
    tally.finish(f"steps of {folder.name}")


@pytest.mark.parametrize("folder", folders("msinsight_db_level2"), ids=lambda folder: folder.name)
def test_database(folder):
    tally, (rows, panel) = Tally(), sums(folder)
    file = sqlite3.connect(f"file:{oracle.output(folder) / 'analysis.db'}?mode=ro&immutable=1", uri=True)
    file.row_factory = sqlite3.Row
    keys = {"communication_not_overlapped": "not_overlapped", "communication_not_overlapped_and_exclude_receive": "exclude_receive"}
    stated = {row["step"]: row for row in file.execute("SELECT * FROM StepTraceTime")}
    ours = {row.step: row for row in rows}
    assert set(ours) == set(stated) and not panel.get("notes")
    for step, row in stated.items():
        for title in row.keys():
            if title != "step":
                tally.compare((step, title), getattr(ours[step], keys.get(title, title)), round(row[title] * 1000))
    tally.finish(f"steps of {folder.name}")


@pytest.mark.parametrize("folder", folders("msinsight_gpt3_notrace"), ids=lambda folder: folder.name)
def test_without_a_trace_the_files_sums_are_shown(folder):
    """Its table of kernels is truncated, so its kernels of step 2 are a small part of the sums in the file."""
    tally, (rows, panel) = Tally(), sums(folder)
    assert [row.step for row in rows] == ["2", "2 (stated)"] and rows[0].computing < rows[1].computing
    assert "own sums differ from those of its slices" in panel["notes"][0]["text"]
    for title, duration in oracle.steps(folder)["2"].items():
        tally.compare(title, getattr(rows[1], STATED[title]), duration, 0.51)
    assert rows[1].preparing is None
    tally.finish(f"stated steps of {folder.name}")


def test_sums_of_a_table_that_names_the_device(tmp_path):
    """Later releases write Device_id before Step: the device is that of the trace, so the two are compared."""
    folder = copied(tmp_path)
    table = oracle.output(folder) / "step_trace_time.csv"
    head, row = table.read_text().splitlines()[:2]
    table.write_text(f"Device_id,{head}\n0,{row}\n")
    assert [(row.step, row.device, row.source) for row in sums(folder)[0]] == [("50", 0, "both")]


def test_a_run_without_steps_is_one_row(tmp_path):
    """As inference servers write it: an empty Step and no ProfilerStep. Preparing then counts from the first operator."""
    folder = copied(tmp_path)
    stated, = oracle.steps(folder).values()
    trace, table = oracle.output(folder) / "trace_view.json", oracle.output(folder) / "step_trace_time.csv"
    events = [event for event in json.loads(trace.read_text()) if not str(event.get("name")).startswith("ProfilerStep")]
    trace.write_text(json.dumps(events))
    head, row = table.read_text().splitlines()[:2]
    table.write_text(f"{head}\n{row[row.index(','):]}\n")
    kernels = oracle.output(folder) / "kernel_details.csv"
    kernels.write_text("".join(line.split(",", 1)[1] for line in kernels.read_text().splitlines(keepends=True)))  # no Step Id
    rows, panel = sums(folder)
    # Its Preparing is still that of the step, so the two differ.
    assert [row.step for row in rows] == ["all", "all (stated)"]
    assert panel["notes"][0]["text"].startswith("Step all: the file's own sums differ from those of its slices: Preparing")
    for title, duration in stated.items():
        if title != "Preparing":
            assert abs(getattr(rows[0], STATED[title]) - duration) <= STRETCHES, title


def test_steps_from_the_step_ids_of_kernels(tmp_path):
    """The trace marks no steps, each kernel has its Step Id: the sums of the step's device work equal the writer's."""
    folder = copied(tmp_path)
    trace = oracle.output(folder) / "trace_view.json"
    events = [event for event in json.loads(trace.read_text()) if not str(event.get("name")).startswith("ProfilerStep")]
    trace.write_text(json.dumps(events))
    tally, (rows, _) = Tally(), sums(folder)
    (step, stated), = oracle.steps(folder).items()
    ours = next(row for row in rows if row.step == step)
    for title in ("Computing", "Overlapped", "Communication", "Communication(Not Overlapped)", "Bubble"):
        tally.compare((step, title), getattr(ours, STATED[title]), stated[title], STRETCHES)
    tally.finish("a step by its kernels")
