"""The program on NTFF files that we made (tests/support/ntff_export.py): it shows what was written, for any clocks, and
refuses what cannot be read with the file, the byte and the cause.
"""
import gzip
import json
import pathlib
import random
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import program_report  # noqa: E402
from program_report import query  # noqa: E402
from ntff_export import ENGINES, Run, notify, slot  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason=f"no program at {program_report.PROGRAM}")
NAMES = {"pe": "Tensor", "act": "Scalar", "pool": "GpSimd", "dve": "Vector", "sp": "Sync"}
BEGIN = 10_000  # ns: the mark of the last engine ends 10 ns later


def random_run(seed):
    """Instructions that overlap and repeat, packets several at a time in a queue, in a random order."""
    dice = random.Random(seed)
    run = Run(duration=dice.randrange(10 ** 9), queues=[(engine, 1, 2, "qSPSpillReload0") for engine in range(16)],
              memory={"weight": dice.randrange(10 ** 9), "io": 8})
    for engine in ENGINES:
        run.code(engine, [notify(2), *(slot(dice.choice((0xA2, 0xA4, 0x21, 0x55))) for _ in range(30))])
        run.instruction(engine, 0, BEGIN - dice.randrange(50) * (engine != "sp"), 10)
        time = BEGIN + 20
        for _ in range(dice.randrange(60)):
            time += dice.randrange(1, 200)
            run.instruction(engine, dice.randrange(1, 31), time, dice.randrange(0, 500), *(dice.randrange(65536) for _ in range(3)))
    for _ in range(200):
        run.packet(dice.randrange(16), dice.randrange(3), BEGIN + 20 + dice.randrange(3000), dice.randrange(400), dice.randrange(1 << 24),
                   dice.randrange(65536))
    for _ in range(100):
        run.semaphore(dice.randrange(256), BEGIN + 20 + dice.randrange(3000), dice.randrange(40))
    return run


def first_in_first_out(rows, key, starts, ends):
    """Rows of one key whose ends are assigned in the order of their starts, as a file's reader must."""
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    for group in groups.values():
        yield from zip(sorted(group, key=starts), sorted(group, key=ends))


@pytest.mark.parametrize("seed", range(5))
def test_the_written_records(seed, tmp_path):
    run = random_run(seed)
    file = tmp_path / ("run.ntff" if seed % 2 else "run.ntff.gz")
    file.write_bytes(run.file() if seed % 2 else gzip.compress(run.file()))
    begin = max(end for engine, at, start, end, *_ in run.instructions if at == 0)

    def ns(start, end):
        return (start - begin) // 1000, (end - start) // 1000

    written = sorted((NAMES[a[0]], a[1], *ns(a[2], b[3]), a[4] * 10 // 14, b[5], b[6])
                     for a, b in first_in_first_out(run.instructions, lambda r: r[:2], lambda r: r[2], lambda r: r[3]) if a[2] >= begin)
    sql = """select l.name, pc.number, s.start, s.duration, wait.number, crc_in.number, crc_out.number from slices s
             join lanes l on l.id = s.lane join """ + " join ".join(
        f"work_facts {fact} on {fact}.slice = s.id and {fact}.name = '{name}'"
        for fact, name in (("pc", "pc"), ("wait", "evt_wait_time"), ("crc_in", "crc_in"), ("crc_out", "crc_out")))
    assert sorted(query(file, sql)) == written
    assert len(written) > 40

    written = sorted((f"Q{a[1]}-E{a[0]}", *ns(a[2], b[3]), b[4]) for a, b in
                     first_in_first_out(run.packets, lambda r: r[:2], lambda r: r[2], lambda r: r[3]))
    told = query(file, "select l.track, s.start, s.duration, w.bytes from slices s join lanes l on l.id = s.lane "
                       "join device_work w on w.slice = s.id where l.kind = 'queue'")
    assert sorted(told) == written and len(written) == 200

    written = sorted((f"S[{number}]", (time - begin) // 1000, value) for number, time, value in run.semaphores)
    told = query(file, "select l.name, c.time, c.value from counters c join lanes l on l.id = c.lane where l.name like 'S[%'")
    assert sorted(told) == written
    assert dict(query(file, "select component, allocated from memory_usage")) == run.memory


def test_lanes_and_views(tmp_path):
    file = tmp_path / "w.ntff"
    file.write_bytes(random_run(7).file())
    told = subprocess.run([program_report.PROGRAM, "info", tmp_path, "--format", "json"], capture_output=True, text=True)
    (run,) = json.loads(told.stdout)["runs"]
    assert [(worker["name"], [span["status"] for span in worker["spans"]]) for worker in run["workers"]] == [("w", ["ready"])]
    kernels = {row.name: row.calls for row in program_report.rows(program_report.report(file, "kernels"), "kernels")}
    assert {"DRAIN", "NOP", "ACTIVATE", "Operation(85)"} == set(kernels)


@pytest.mark.parametrize("cut, version, message", [(None, 6, "bad.ntff:0: NTFF version 6 is not decoded"), (90, 5, "bad.ntff:90: the file ends"),
                                                   (2000, 5, "the file ends inside a message")])
def test_refused(cut, version, message, tmp_path):
    run = random_run(3)
    run.version = version
    file = tmp_path / "bad.ntff"
    file.write_bytes(run.file()[:cut])
    done = subprocess.run([program_report.PROGRAM, "report", file, "--view", "overview"], capture_output=True, text=True)
    assert done.returncode != 0 and message in done.stderr, done.stderr
