"""The view across ranks of Ascend profiles that contain waiting times of collectives and traffic per link: the vendor's
plugin (its answers are in ../shared/golden/ascend), the oracle of the tables, and figures of msprof-analyze against the program.

Differences of the plugin have names (ascend_section.py): `cuts_means`, `transfers_doubled` and `megabytes_are_binary`. Each test
prints how many cells were equal.

The program stores a collective's times as whole ns, so a sum of n of them may be n/2 ns off.
"""
import gzip
import json
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "oracle")]
import ascend_tables as oracle  # noqa: E402
import program_report  # noqa: E402
from tally import Tally  # noqa: E402

SHARED = HERE.parents[1].parent / "shared"
SAMPLES = {"level1": ("msinsight_text_level1", ("ubuntu_rank0", "ubuntu_rank1")),
           "gpt3": ("msinsight_gpt3_notrace", ("localhost_rank0", "localhost_rank1"))}
DATABASE = SHARED / "samples" / "ascend" / "msinsight_db_level2" / "level2"
MOST_CALLS = 64  # of one worker
BYTES = "transfers_doubled and megabytes_are_binary"

pytestmark = [pytest.mark.skipif(not (SHARED / "golden" / "ascend").is_dir(), reason="the shared samples are not here"),
              pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")]


def run_folder(run):
    return SHARED / "samples" / "ascend" / SAMPLES[run][0] / run


def folder(run, worker):
    return next(run_folder(run).glob(f"{worker}_*_ascend_pt"))


def golden(run, name):
    path = SHARED / "golden" / "ascend" / SAMPLES[run][0] / f"{run}.{name}.json.gz"
    return json.loads(gzip.decompress(path.read_bytes()))["data"]


def stated(run, **parameters):
    return {row.worker: row for row in program_report.rows(program_report.report(run, "distributed", **parameters), "stated")}


@pytest.mark.parametrize("run", SAMPLES)
def test_plugin_and_program(run):
    tally = Tally()
    for key, by_worker in golden(run, "All.1.distributed_overlap").items():
        rows = stated(run_folder(run), **({} if key == "all" else {"step": key}))
        for worker, told in by_worker.items():
            row = rows[worker]
            for ours, theirs in zip((row.computation, row.overlap, row.communication, row.free), told):
                if key == "all" and int(ours / 1000) == theirs:
                    tally.excuse("cuts_means")
                else:
                    tally.compare((worker, key), ours / 1000, theirs, 0.0016)  # a difference of two times, each in whole ns
    for key, by_worker in golden(run, "All.1.distributed_waittime").items():
        rows = stated(run_folder(run), **({} if key == "all" else {"step": key}))
        for worker, told in by_worker.items():
            for ours, theirs in zip((rows[worker].transit, rows[worker].synchronization), told):
                tally.compare((worker, key, "waiting"), ours / 1000, theirs, 0.0005 * MOST_CALLS)
    table = list(program_report.rows(program_report.report(run_folder(run), "distributed"), "stated_operations"))
    for worker, operations in golden(run, "All.1.distributed_commops").items():
        faulty = oracle.operation_table(folder(run, worker), BYTES.split(" and "))
        for name, calls, size, mean_size, elapsed, mean_elapsed, transit, mean_transit in operations["rows"]:
            ours = [row for row in table if row.worker == worker and row.name == name]
            moved = sum(row.size or 0 for row in ours)
            if abs(moved - size) <= 0.5 * calls:
                tally.compare((name, "bytes"), moved, size, 0.5 * calls)
                tally.compare((name, "mean bytes"), moved / calls, mean_size, 1)
            else:  # test_oracle_and_program has them without the faults
                assert abs(faulty[name]["bytes"] - size) <= 0.00051, (name, size)
                tally.excuse(BYTES, 2)
            tally.compare((name, "calls"), sum(row.calls for row in ours), calls)
            for figure, told, mean in (("elapsed", elapsed, mean_elapsed), ("transit", transit, mean_transit)):
                us = sum(getattr(row, figure) for row in ours) / 1000
                tally.compare((name, figure), us, told, 0.0005 * (calls + 1))
                tally.compare((name, figure, "mean"), us / calls, mean, 0.502)
    tally.finish(f"plugin and program: distributed: {run}")


@pytest.mark.parametrize("run", SAMPLES)
def test_oracle_and_program(run):
    """Bytes, without the plugin's two faults; links and routes, which it does not show."""
    tally = Tally()
    body = program_report.report(run_folder(run), "distributed")
    table, links = (list(program_report.rows(body, name)) for name in ("stated_operations", "links"))
    for worker in SAMPLES[run][1]:
        for name, sums in oracle.operation_table(folder(run, worker)).items():
            ours = [row for row in table if row.worker == worker and row.name == name]
            tally.compare((worker, name, "bytes"), sum(row.size or 0 for row in ours), sums["bytes"], sums["calls"])
        expected = {}
        for _, _, _, moved in oracle.collectives(folder(run, worker)):
            for link, (size, time) in moved.items():
                if link != "SDMA" and size > 0:
                    bytes_, ns = expected.get(link, (0, 0))
                    expected[link] = bytes_ + size * 10**6, ns + time * 10**6
        found = {row.transport: row for row in links if row.worker == worker}
        assert set(found) == set(expected)
        for link, (bytes_, ns) in expected.items():
            tally.compare((worker, link, "bytes"), found[link].bytes, bytes_, MOST_CALLS)
            tally.compare((worker, link, "time"), found[link].duration, ns, MOST_CALLS)
            tally.compare((worker, link, "bandwidth"), found[link].bandwidth, bytes_ / ns * 10**9, 10**5)
    tally.finish(f"distributed of {run}: oracle and program")


def routes(run):
    """{(group, from, to, link): (bytes, ns)} of all workers; a route that two of them report counts once."""
    found = {}
    for worker in SAMPLES[run][1]:
        matrix = json.loads((oracle.output(folder(run, worker)) / "communication_matrix.json").read_text())
        mine = {}
        for kinds in matrix.values():
            for entries in kinds.values():
                totals = {key.split("-")[0] for key in entries if "-total@" in key}
                for key, ends in entries.items():
                    name, _, group = key.rpartition("@")
                    if not name or ("-" in name and name.split("-")[0] in totals and not name.endswith("-total")):
                        continue
                    for pair, link in ends.items():
                        route = (group, *map(int, pair.split("-")), link["Transport Type"])
                        bytes_, ns = mine.get(route, (0, 0))
                        mine[route] = bytes_ + link["Transit Size(MB)"] * 10**6, ns + link["Transit Time(ms)"] * 10**6
        alone = {route[0] for route in mine} - {route[0] for route in mine if route[1:3] != (0, 0)}  # groups of this rank only
        rank = int(worker[-1])
        mine = {("the job", rank, rank, route[3]) if route[0] in alone else route: sums for route, sums in mine.items()}
        found = {**mine, **found}
    return found


@pytest.mark.parametrize("run", SAMPLES)
def test_routes(run):
    """No sample maps a group's ranks to ranks of the job, nor has all ranks of a group of several: those ranks keep the group's
    numbers."""
    tally, expected = Tally(), routes(run)
    rows = program_report.rows(program_report.report(run_folder(run), "distributed"), "routes")
    found = {(row.group, getattr(row, "from"), row.to, row.transport): row for row in rows}
    assert set(found) == set(expected)
    for route, (bytes_, ns) in expected.items():
        tally.compare((route, "bytes"), found[route].bytes, bytes_, MOST_CALLS)
        tally.compare((route, "time"), found[route].duration, ns, MOST_CALLS)
    tally.finish(f"routes of {run}")


@pytest.mark.skipif(not DATABASE.is_dir(), reason="the sample of databases is not here")
def test_figures_of_msprof_analyze():
    """cluster_time_summary of the two databases, in us: computing, exposed and overlapped communication; transmit is the sum over
    collectives of the shortest time on any rank, wait the rest; and no slow rank, because two ranks cannot show one."""
    tally, body = Tally(), program_report.report(DATABASE, "distributed")
    (rank0, rank1) = program_report.rows(body, "stated")
    for ours, told in ((rank0.computation + rank0.overlap, 8900.456), (rank0.communication, 90080.699), (rank0.overlap, 4026.822),
                       (rank0.transfer, 94099.519), (rank0.synchronizing, 8.002), (rank1.synchronizing, 6258.006)):
        tally.compare(told, ours / 1000, told, 0.0021)
    assert [row.outlying for row in program_report.rows(body, "workers")] == [0, 0]
    tally.finish("cluster_time_summary")
