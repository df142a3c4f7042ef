"""The device summary against the vendor's: every figure of its summary, for each of its files that we have as NTFF and as JSON.

Figures that follow from our slices are computed and compared with the vendor's figure here; figures that only the vendor's JSON
has are shown as stated. Sums of lengths use ps for a file of records. The rows of the JSON are whole ns, so its sums may differ
by 1 ns a row.
"""
import gzip
import json
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import program_report  # noqa: E402
from tally import Tally  # noqa: E402

SHARED = HERE.parents[1].parent / "shared"
FILES = sorted((SHARED / "samples" / "neuron").glob("*/*.ntff"))

pytestmark = [pytest.mark.skipif(not FILES, reason="the shared samples are not here"),
              pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")]
each = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)

# These need more than the instructions and copies, or are a sum of no row in a file.
STATED_ONLY = {"dma_queue_count", "event_count", "trace_count", "nc_idx", "nd_idx", "psum_read_sbuf_write_count",
               "mfu_hlo_estimated_percent", "mfu_hlo_max_achievable_estimated_percent", "input_queue_bytes", "output_queue_bytes",
               "spill_reload_bytes", "spill_save_bytes", "model_flops"}
STATED_PREFIXES = ("cc_", "hardware_dynamic_")
# NTFF has no tensors, no bytes or purpose of an instruction, and no kind of throttling.
NOT_IN_NTFF = {"transpose_flops", "mm_arithmetic_intensity", "mfu_estimated_percent", "mfu_inst_estimated_percent",
               "mfu_max_achievable_estimated_percent", "mfu_inst_max_achievable_estimated_percent", "hbm_read_bytes", "hbm_write_bytes",
               "mbu_estimated_percent", "mbu_min_read_util_percent", "weight_size_bytes", "inputs_and_weights_size_bytes",
               "inputs_outputs_weights_size_bytes", "dma_transfer_count", "dma_transfer_time", "psum_read_bytes", "psum_write_bytes",
               "psum_read_sbuf_write_bytes", "sbuf_read_bytes", "sbuf_write_bytes", "weight_queue_bytes",
               "dma_transfer_average_bytes", "dma_transfer_total_bytes", "throttle_activity_0_active_time_nc0_percent",
               "throttle_activity_0_avg_util_limit_nc0_percent", "throttle_unknown_active_time_nc0_percent",
               "throttle_unknown_avg_util_limit_nc0_percent"}


def vendor(file):
    (summary,) = json.loads(gzip.decompress(file.with_suffix(".json.gz").read_bytes()))["summary"]
    return {key: value for key, value in summary.items() if not isinstance(value, str)}


def metrics(file):
    return {row.key: row for row in program_report.rows(program_report.report(file, "device_summary"), "metrics")}


def tolerance(key, value, rows, total):
    """Times are whole ns a row; a share of time is one of them over the length of the program, or over the time in which copies
    run."""
    if key.endswith("_cycles") or key.endswith("_cycle_count"):
        return rows
    if key.endswith("_time"):
        return rows * 1e-9
    if key.endswith("_ns"):
        return rows
    if key.endswith("_dma_active_time_percent"):
        return 1e-2
    if key.endswith("_active_time_percent") or "_util_limit_" in key:
        return rows * 1e-9 / total
    return 1e-6 * abs(value)


def fine_tolerance(key, value, rows, total):
    """For a file of records both sides sum ps, where a row rounds its start and its length."""
    if key.endswith("_cycles") or key.endswith("_cycle_count"):
        return 1
    if key.endswith("_ns"):
        return rows
    if key.endswith("_time"):
        return rows * 2e-12
    if key.endswith("_dma_active_time_percent"):
        return 1e-5
    if key.endswith("_active_time_percent") or "_util_limit_" in key:
        return rows * 2e-12 / total
    return 1e-6 * abs(value)


@each
def test_metrics_of_the_file(file):
    """From the NTFF alone, which contains no sums."""
    tally, ours, theirs = Tally(), metrics(file), vendor(file)
    rows = sum(row.value for key, row in ours.items() if key.endswith("_instruction_count") and row.value) + ours["dma_packet_count"].value
    compared = 0
    for key, value in sorted(theirs.items()):
        if key in STATED_ONLY or key.startswith(STATED_PREFIXES):
            continue
        if key in NOT_IN_NTFF:
            tally.compare((key, "unknown"), ours[key].value if key in ours else None, None)
            continue
        row = ours[key]
        compared += 1
        assert row.source == "computed", key
        tally.compare(key, row.value, value, fine_tolerance(key, value, rows, theirs["total_time"]))
    assert compared >= 43
    tally.finish(f"metrics, {file.stem}")


@each
def test_metrics_of_the_json(file):
    """From the vendor's JSON: computed from its rows, not copied from its summary; differences are marked."""
    tally, ours, theirs = Tally(), metrics(file.with_suffix(".json.gz")), vendor(file)
    computed = {key for key in theirs if key not in STATED_ONLY and not key.startswith(STATED_PREFIXES)} - {"total_time"}
    for key, value in sorted(theirs.items()):
        row = ours[key]
        tally.compare((key, "stated"), row.stated, value, 1e-12)
        tally.compare((key, "from"), row.source == "both" if key in computed else row.source in ("both", "stated"), True)
    tally.finish(f"metrics of the JSON, {file.stem}")
    assert len(computed) >= 68


@each
def test_peaks(file):
    """The documented peaks of an NTFF's generation equal those in the vendor's JSON of the same recording."""
    about = json.loads(gzip.decompress(file.with_suffix(".json.gz").read_bytes()))["metadata"][0]
    peaks = (2 * about["pe_num_rows"] * about["pe_num_cols"] * about["pe_clock_freq"] * 1e9, about["hbm_ddr_bandwidth"],
             about["pe_clock_others"] * 1e9)
    for path, origin in ((file, "by the vendor's documents of NeuronCore v2"), (file.with_suffix(".json.gz"), "stated by the file")):
        (device,) = program_report.rows(program_report.report(path, "metadata"), "devices")
        assert (device.peak_flops, device.peak_bandwidth, device.clock) == pytest.approx(peaks, rel=1e-12)
        assert device.peak_source == f"2 x 16384 cells of the Tensor engine x 2.8 GHz, {origin}; bandwidth {origin}"


@each
def test_bounds_and_tensors(file):
    report = program_report.report(file.with_suffix(".json.gz"), "device_summary")
    data = json.loads(gzip.decompress(file.with_suffix(".json.gz").read_bytes()))
    summary, about = data["summary"][0], data["metadata"][0]
    bounds = {row.bound: row.time for row in program_report.rows(report, "bounds")}
    peak = 2 * about["pe_num_rows"] * about["pe_num_cols"] * about["pe_clock_freq"]
    assert bounds["Computing, at peak"] == pytest.approx(summary["hardware_flops"] / peak, rel=1e-12)
    packets = [row["transfer_size"] for row in data["dma"] if row["aggregated"] == "no" and row["queue_type"] != "instruction"]
    needful = sum(size for size in packets if size > 4)
    assert bounds["Copies, at full bandwidth"] == pytest.approx(needful / about["dma_ddr_bandwidth"] * 1e9, rel=1e-12)
    tensors = {row.tensor: (row.bytes, row.loads) for row in program_report.rows(report, "tensors")}
    theirs = {row["variable_name"]: (int(row["size"]), row.get("load_to_sbuf_dma_count")) for row in data["neff_node"] if row.get("size")}
    assert tensors == theirs


@each
def test_roofline(file):
    """One operator, a product; its intensity and rate by hand from the vendor's rows."""
    report = program_report.report(file.with_suffix(".json.gz"), "roofline")
    summary = vendor(file)
    points = {row.name: row for row in program_report.rows(report, "points")}
    (panel,) = (panel for panel in report["panels"] if panel["id"] == "whole_program")
    whole = {fact["label"]: fact["value"] for fact in panel["facts"]}
    assert whole["Operations"] == summary["hardware_flops"]
    assert whole["Bytes"] == summary["hbm_read_bytes"] + summary["hbm_write_bytes"]
    assert whole["Of peak"] == pytest.approx(summary["hfu_estimated_percent"], rel=1e-6)
    (panel,) = (panel for panel in report["panels"] if panel["kind"] == "scatter")
    flat, slope = (next(c[key] for c in panel["ceilings"] if c[key]) for key in ("flat", "slope"))
    assert flat / slope == pytest.approx(summary["peak_flops_bandwidth_ratio"], rel=1e-9)
