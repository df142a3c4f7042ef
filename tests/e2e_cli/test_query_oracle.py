"""SQL against an independent engine: Polars computes each example on the tables as Parquet files, with the same result."""
import csv
import io
import math
import subprocess
import sys

import pytest

from program import ROOT, needs_program, sightline

polars = pytest.importorskip("polars")
from polars import col  # noqa: E402

pytestmark = needs_program
FIXTURES = ("two_gpus", "nccl", "hip_memory", "modules", "counters", "no_owner")
SAMPLES = sorted((ROOT / "samples").rglob("*_cuda_rank0*.json.gz"))


def examples():
    """{title: SQL}, as the program lists them."""
    listed = sightline("query", "--schema").stdout.split("\n-- ")[1:]
    return {part.split("\n")[0]: part.split("\n", 1)[1].strip().removesuffix(";") for part in listed}


class Tables:
    """The tables of a profile, by name; kinds and other words are texts."""

    def __init__(self, folder):
        self.folder = folder

    def __getattr__(self, name):
        frame = polars.read_parquet(self.folder / f"{name}.parquet")
        return frame.with_columns(col(polars.Categorical, polars.Enum).cast(polars.String)).with_columns(
            col(polars.UInt32, polars.UInt16, polars.Int32).cast(polars.Int64))

    def work(self, *kinds):
        """Device work of these kinds, with its slice, its stream and the slice that launched it."""
        streams = self.lanes.select(lane=col("id"), stream=col("track"))
        launches = self.launches.select(launch=col("id"), launched_by=col("slice"))
        slices = self.slices.filter(col("kind").is_in(kinds)).select("name", "start", "duration", "lane", slice=col("id"))
        return self.device_work.join(slices, on="slice").join(streams, on="lane").join(launches, on="launch", how="left")


def by_name(frame, *sums):
    return frame.group_by("name").agg(calls=polars.len(), *sums)


def kernels_by_total_time(of):
    return by_name(of.work("kernel", "collective"), col("duration").sum().alias("total_ns"), col("duration").mean().alias("mean_ns"))


def gaps(of):
    rows = []
    for (device, stream), kernels in of.work("kernel", "collective").sort("start").group_by("device", "stream"):
        ended = before = None
        for kernel in kernels.sort("start").iter_rows(named=True):
            if ended is not None and kernel["start"] - ended > 1_000_000:
                rows.append((device, stream, before, kernel["name"], ended, kernel["start"] - ended))
            end = kernel["start"] + kernel["duration"]
            ended, before = end if ended is None else max(ended, end), kernel["name"]
    columns = ["device", "stream", "before_gap", "after_gap", "gap_start_ns", "gap_ns"]
    return polars.DataFrame(rows, columns, orient="row")


def operators_of_the_slowest_step(of):
    longest = of.steps.sort("duration", descending=True).head(1)
    if longest.is_empty():
        return polars.DataFrame(schema=["name", "calls", "total_ns"])
    begin, length = longest["start"][0], longest["duration"][0]
    ops = of.operators.select(id=col("slice")).join(of.slices, on="id")
    inside = ops.filter((col("start") >= begin) & (col("start") < begin + length))
    return by_name(inside, col("duration").sum().alias("total_ns"))


def peak_memory(of):
    return of.memory_events.group_by("device_name").agg(
        peak_allocated_bytes=col("total_allocated").max(), peak_reserved_bytes=col("total_reserved").max(), events=polars.len())


def from_launch_to_start(of):
    launching = of.slices.select(launched_by=col("id"), called=col("start"))
    delayed = of.work("kernel", "collective").join(launching, on="launched_by").with_columns(delay=col("start") - col("called"))
    return by_name(delayed, col("delay").mean().alias("mean_delay_ns"), col("delay").max().alias("most_delay_ns"))


def copies(of):
    return by_name(of.work("memcpy", "memset"), col("bytes").sum().alias("total_bytes"), col("duration").sum().alias("total_ns"),
                   col("bytes").count().alias("known"))


def longest_slices(of):
    processes = of.processes.select(process=col("name"), row=col("id"))
    lanes = of.lanes.select("track", "kind", row=col("process"), lane=col("id")).join(processes, on="row", how="left")
    slices = of.slices.select("lane", "name", "duration").join(lanes, on="lane")
    return slices.group_by("lane", "process", "track", "kind").agg(longest_ns=col("duration").max(), slices=polars.len())


ORACLES = {
    "Kernels by total time": kernels_by_total_time,
    "Gaps of more than 1 ms between kernels of a stream": gaps,
    "Operators of the slowest step": operators_of_the_slowest_step,
    "Peak memory of each device": peak_memory,
    "From launch to start, by kernel": from_launch_to_start,
    "Copies by direction": copies,
    "The longest slice of every thread and stream": longest_slices,
}


@pytest.fixture(scope="module", params=[*FIXTURES, *(sample.parent.name for sample in SAMPLES)])
def profile(request, tmp_path_factory):
    """(file, its tables)"""
    top = tmp_path_factory.mktemp(request.param)
    file = next((sample for sample in SAMPLES if sample.parent.name == request.param), None)
    if file is None:
        file = top / f"{request.param}.pt.trace.json"
        source = ROOT / "tests" / "fixtures" / f"{request.param}.trace"
        subprocess.run([sys.executable, ROOT / "tools" / "gen_trace", source, file], check=True)
    done = sightline("export", file, "--format", "parquet", "--output", top / "tables")
    assert done.returncode == 0, done.stderr
    return file, Tables(top / "tables")


def shown(value):
    """A cell as CSV has it, reals to nine digits."""
    if value is None:
        return ""
    try:
        number = float(value)
    except ValueError:
        return str(value)
    return "" if math.isnan(number) else f"{number:.9g}"


@pytest.mark.parametrize("title", ORACLES)
def test_examples_give_the_result_of_polars(profile, title):
    file, tables = profile
    sql = examples()[title].rsplit("\nLIMIT 50", 1)[0]  # the choice among equal rows is open
    done = sightline("query", file, sql, "--format", "csv", "--limit", "0")
    assert done.returncode == 0, done.stderr
    rows = list(csv.reader(io.StringIO(done.stdout)))
    names = [name.split(" (")[0] for name in rows[0]]
    expected = ORACLES[title](tables)
    if title == "Copies by direction":  # a sum of unknown values is unknown, where Polars says 0
        expected = expected.with_columns(total_bytes=polars.when(col("known") > 0).then("total_bytes"))
    kept = [name for name in names if name in expected.columns]
    assert set(names) - set(kept) <= {"name"}  # of slices that are equally long
    ours = sorted([shown(row[names.index(name)]) for name in kept] for row in rows[1:])
    assert ours == sorted([shown(value) for value in row] for row in expected.select(kept).iter_rows())


def test_every_example_has_its_oracle():
    assert set(examples()) == set(ORACLES)
