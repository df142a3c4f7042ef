"""Pipeline parallelism: four stages whose schedule is GPipe by hand, and the tokens of experts in Distributed."""
import csv
import io

import pytest

from pipeline_job import HOST_STEP, STAGES, Trace, interleaved_job, job, written
from program import needs_program, sightline

pytestmark = needs_program


def report(path, table, *more, view="pipeline"):
    ended = sightline("report", path, "--view", view, "--format", "csv", "--table", table, *more)
    assert ended.returncode == 0, ended.stderr
    rows = csv.DictReader(io.StringIO(ended.stdout))
    return [{key.split(" (")[0]: value for key, value in row.items()} for row in rows]


def numbers(row, *keys):
    return [float(row[key]) for key in keys]


@pytest.mark.parametrize("in_pairs", [False, True], ids=["one group", "groups of two"])
def test_the_bubbles_of_gpipe_are_those_computed_by_hand(tmp_path, in_pairs):
    path = written(tmp_path, job(in_pairs=in_pairs))
    (pipeline,) = report(path, "pipelines", "--param", "step=2")
    # From the first forward to the last backward of stage 0: (3 + 4) * 10 + (3 + 4) * 20 = 210 us. Each stage is busy for
    # 4 * (10 + 20) = 120 us, so 90 of 210 are bubble: (4 - 1) / (4 + 4 - 1) = 3/7, the ideal.
    assert numbers(pipeline, "stages", "stages_here", "steps", "micro_batches", "chunks") == [4, 4, 1, 4, 1]
    assert numbers(pipeline, "span", "bubble", "ideal", "above", "balance") == pytest.approx([210e3, 3 / 7, 3 / 7, 0, 1])
    stages = report(path, "stages", "--param", "step=2")
    assert [row["worker"] for row in stages] == ["rank0", "rank1", "rank2", "rank3"]
    # Stage s works from s * 10 to 210 - s * 20: inside of that it waits for all but 120.
    assert [numbers(row, "forward", "backward", "inside", "outside", "bubble") for row in stages] == [
        pytest.approx([40e3, 80e3, 90e3 - s * 30e3, s * 30e3, 3 / 7]) for s in range(STAGES)]


def test_an_uneven_stage_is_told_from_the_others(tmp_path):
    path = written(tmp_path, job())
    (pipeline,) = report(path, "pipelines", "--param", "step=1")
    # (3 + 2) * 10 + (3 + 2) * 20 = 150 us, busy for 60, stage 1 for 56: bubbles of 90, 94, 90 and 90. Work: 60 against a mean of 59.
    assert numbers(pipeline, "micro_batches", "span", "bubble", "ideal", "balance") == pytest.approx(
        [2, 150e3, 364 / 4 / 150, 3 / 5, 60 / 59])
    assert [numbers(row, "times_mean")[0] for row in report(path, "stages", "--param", "step=1")] == pytest.approx(
        [60 / 59, 56 / 59, 60 / 59, 60 / 59])
    by_step = report(path, "stage_steps")
    assert [(row["stage"], row["step"]) for row in by_step] == [(str(s), step) for s in range(STAGES) for step in "12"]
    # The steps have different numbers of micro-batches, so there is no number of both.
    (both,) = report(path, "pipelines")
    assert both["micro_batches"] == "" and numbers(both, "ideal")[0] == pytest.approx((3 / 5 + 3 / 7) / 2)


def test_micro_batches_that_cannot_be_counted_are_unknown(tmp_path):
    traces = job()
    traces[1].communicate("send", "5", list(range(STAGES)), HOST_STEP + 300, 2, **{"Process Group Description": "pp"})
    path = written(tmp_path, traces)
    (pipeline,) = report(path, "pipelines", "--param", "step=2")
    assert pipeline["micro_batches"] == "" and pipeline["ideal"] == "" and float(pipeline["bubble"]) > 0
    said = sightline("report", path, "--view", "pipeline").stdout
    assert "that fit no schedule" in " ".join(said.split())


def test_the_bubble_of_interleaved_stages_is_that_computed_by_hand(tmp_path):
    path = written(tmp_path, interleaved_job())
    (pipeline,) = report(path, "pipelines")
    # Two parts of the model on each of 4 ranks, 4 micro-batches: rank 0 sends 4 + 4 activations (its second part as well) and 4
    # gradients, 12; rank 1 sends 8 and 8, 16. So m = 16 - 12 = 4 and v = 16 / (2 * 4) = 2. Forward takes 5 us and backward 10.
    # Rank 0: (8 - 1 + 4) * (5 + 10) = 165 us from first to last, busy for 8 * 15 = 120. Bubble: 45 / 165 = 3 / 11, the ideal
    # (4 - 1) / (2 * 4 + 4 - 1).
    assert numbers(pipeline, "stages", "micro_batches", "chunks") == [4, 4, 2]
    assert numbers(pipeline, "span", "bubble", "ideal", "above") == pytest.approx([165e3, 3 / 11, 3 / 11, 0], abs=1e-9)


def test_two_interleaved_ranks_do_not_tell_their_schedule(tmp_path):
    # Each rank sends (2 * 2 - 1) * 2 = 6 times, as with 6 micro-batches that are not interleaved. But the last rank sends
    # activations before its first backward work.
    path = written(tmp_path, interleaved_job(stages=2, micro_batches=2))
    (pipeline,) = report(path, "pipelines")
    assert (pipeline["micro_batches"], pipeline["chunks"], pipeline["ideal"]) == ("", "", "")
    said = " ".join(sightline("report", path, "--view", "pipeline").stdout.split())
    assert "interleaved on two ranks" in said


def test_without_all_stages_the_bubble_is_unknown(tmp_path):
    path = written(tmp_path, job()[:3])
    (pipeline,) = report(path, "pipelines", "--param", "step=1")
    assert (pipeline["stages"], pipeline["stages_here"], pipeline["bubble"], pipeline["micro_batches"]) == ("4", "3", "", "")


def test_transfers_of_another_purpose_are_no_pipeline(tmp_path):
    traces = [Trace(rank, 2) for rank in range(2)]
    for rank, trace in enumerate(traces):
        trace.step(1)
        trace.kernel("gemm", "aten::mm", HOST_STEP + 10, 10)
        trace.communicate("send" if rank == 0 else "recv", "7", [0, 1], HOST_STEP + 30, 5, **{"Process Group Description": "cp"})
    ended = sightline("report", written(tmp_path, traces), "--view", "pipeline")
    assert ended.returncode != 0 and "no two ranks of this span pass activations" in ended.stderr


def test_the_bytes_of_experts_show_who_gets_most_tokens(tmp_path):
    traces = [Trace(rank, 2) for rank in range(2)]
    for rank, trace in enumerate(traces):
        trace.step(1)
        trace.kernel("gemm", "aten::mm", HOST_STEP + 10, 10 + 20 * rank)
        # Rank 1 receives 300 floats and rank 0 100: 1,200 and 400 bytes.
        trace.communicate("all_to_allv", "9", [0, 1], HOST_STEP + 50 + rank, 30 - rank, **{
            "Process Group Description": "ep", "Seq": 1, "Out msg nelems": 100 + 200 * rank})
    (experts,) = report(written(tmp_path, traces), "experts", view="distributed")
    assert experts["received_worker"] == "rank1"
    assert numbers(experts, "workers", "calls", "received_mean", "received_most", "received_balance") == [2, 2, 800, 1200, 1.5]
    assert numbers(experts, "moving_mean", "computing_balance") == [29.5e3, 1.5]
