"""The verdict and the first advice for the shared recordings: what docs/verdicts.md says of each."""
import pathlib

import pytest

from program_report import report

SHARED = pathlib.Path(__file__).resolve().parents[2].parent / "shared" / "samples"
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared samples are not here")

# The file or folder, what bounds the step, and the first advice.
VERDICTS = (
    ("pytorch/resnet50_num_workers_0", "data loading", "data_loading"),
    ("pytorch/resnet50_num_workers_4", "kernels on the GPU", "mixed_precision"),
    ("pytorch/b200_eager", "launches", "launch_bound"),
    ("pytorch/h100_bert_small", "launches", "launch_bound"),
    ("pytorch/h100_qwen", "kernels on the GPU", "beyond_matrix_units"),
    ("pytorch/mi300_resnet_act_checkpoint", "communication", "exposed_communication"),
    ("pytorch/vllm_piecewise_graph_execution", "kernels on the GPU", "unexplained_idle"),
    ("pytorch/hta_two_ranks", "not known", "exposed_communication"),
    ("pytorch/hta_nccl", "launches", "launch_bound"),
    ("pytorch/hta_df_index_resolver", "launches", "launch_bound"),
    ("pytorch/hta_trace_diff_control", "kernels on the GPU", "beyond_matrix_units"),
    ("pytorch/hta_amd_mi250", "the host", "host_gaps"),
    ("pytorch/hta_cpu_gloo", "communication", "exposed_communication"),
    ("pytorch/hta_triton", "not known", "silent_gap"),
    ("pytorch/hta_mtia_inference", "kernels on the MTIA", None),
    ("ascend/msinsight_text_level1", "communication", "exposed_communication"),
    ("ascend/msinsight_db_level2", "communication", "exposed_communication"),
    ("ascend/msinsight_gpt3_notrace", "not known", "unexplained_idle"),
    ("neuron/inf2_matmul/profile_128x128x136.ntff", "not known", "low_utilization"),
    ("xplane/tpu_inference_2.xplane.pb", "kernels on the TPU", None),
)


def verdict(path):
    """What the strip says, by item; the ids of the advice in order; the sentence without advice."""
    panels = {panel["id"]: panel for panel in report(SHARED / path, "overview")["panels"]}
    assert next(iter(panels)) == "verdict"
    items = {item["id"]: item for item in panels["verdict"]["items"]}
    return items, panels["advice"]["items"], panels["advice"].get("empty")


@pytest.mark.parametrize("path, bound, first", VERDICTS)
def test_verdict(path, bound, first):
    items, advice, empty = verdict(path)
    assert items["bound"]["value"] == bound
    assert (advice[0]["id"] if advice else None) == first
    if not advice:
        assert "Largest item: " in empty


@pytest.mark.parametrize("path", [path for path, *_ in VERDICTS])
def test_advice_is_ranked_by_its_share_of_the_step(path):
    items, advice, _ = verdict(path)
    shares = [item["share"] for item in advice]
    known = [share for share in shares if share is not None]
    assert known == sorted(known, reverse=True) and shares[len(known):] == [None] * (len(shares) - len(known))
    assert all(0 <= share <= 1 for share in known)
    for item in advice:
        share = item["share"] or 0
        assert item["severity"] == ("high" if share >= 0.3 else "medium" if share >= 0.15 else "low" if share >= 0.01 else "note")
        assert item["link"] and item["link"]["title"] and item["brief"]
    assert len({item["id"] for item in advice}) == len(advice)


@pytest.mark.parametrize("path", [path for path, *_ in VERDICTS])
def test_the_parts_sum_to_the_step(path):
    body = report(SHARED / path, "overview")
    column = {column["key"]: column["values"] for column in body["tables"]["bounds"]["columns"]}
    assert sum(column["share"]) == pytest.approx(1)
    average = {column["key"]: column["values"] for column in body["tables"]["average"]["columns"]}
    assert sum(column["time"]) == pytest.approx(sum(average["time"]))


def test_a_device_that_idles_is_never_without_advice():
    """Below 90 % of the step in work of the devices, some advice is about the rest."""
    for path, *_ in VERDICTS:
        body = report(SHARED / path, "overview")
        column = {column["key"]: column["values"] for column in body["tables"]["bounds"]["columns"]}
        idle = sum(share for part, share in zip(column["part"], column["share"]) if part in ("Launches", "Host", "Unexplained"))
        if idle >= 0.1 and body["tables"]["devices"]["rows"]:
            assert verdict(path)[1], path
