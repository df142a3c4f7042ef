"""Logs of power and clocks beside a trace: their samples are counters, on the trace's clock."""
import gzip
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import program_report  # noqa: E402
from program_report import query  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="no program: build it, or set SIGHTLINE")
# 10 s from 2023-11-14 22:13:20 UTC on.
TRACE = "trace: base=1700000000000000000\nthread 1:\n  0-10000000 aten::mm [ext=1], 10-20 cudaLaunchKernel [ext=1 corr=1]\nstream 7: 100-200 gemm [corr=1]\n"
COUNTERS = """select p.name, l.name, l.device, c.time // 1000000, c.value from counters c join lanes l on c.lane = l.id join processes p on l.process = p.id
              where p.name like 'Device%' order by 1, 2, 4"""
SMI = """timestamp, index, name, power.draw [W], clocks.current.sm [MHz], temperature.gpu, clocks_event_reasons.active
2023/11/15 00:13:19.500, 0, GPU A, 100.50 W, 1980 MHz, 40, 0x0000000000000004
2023/11/15 00:13:19.900, 0, GPU A, 110.50 W, 1980 MHz, 41, 0x0000000000000000
2023/11/15 00:13:22.000, 0, GPU A, 300.00 W, [N/A], 55, 0x0000000000000000
2023/11/15 00:13:22.100, 1, GPU A, 90.00 W, 1200 MHz, 30, 0x0000000000000000
broken
2023/11/15 00:13:40.000, 0, GPU A, 50.00 W, 1980 MHz, 39, 0x0000000000000000
"""


def beside(folder, log, trace=TRACE, name="gpu.csv"):
    file = folder / "run.pt.trace.json"
    subprocess.run([sys.executable, str(program_report.ROOT / "tools" / "gen_trace"), "-", str(file)], input=trace, text=True, check=True)
    (folder / name).write_text(log)
    return file


def problems(file):
    return query(file, "select code, message, count from problems order by code")


def test_a_log_of_nvidia_smi_is_on_the_clock_of_the_trace(tmp_path):
    file = beside(tmp_path, SMI)
    assert query(file, COUNTERS) == [
        ("Device 0 log", "clocks.current.sm [MHz]", 0, 0, 1980.0), ("Device 0 log", "clocks_event_reasons.active", 0, 0, 0.0),
        ("Device 0 log", "clocks_event_reasons.active", 0, 2000, 0.0), ("Device 0 log", "power.draw [W]", 0, 0, 110.5), ("Device 0 log", "power.draw [W]", 0, 2000, 300.0),
        ("Device 0 log", "temperature.gpu", 0, 0, 41.0), ("Device 0 log", "temperature.gpu", 0, 2000, 55.0),
        ("Device 1 log", "clocks.current.sm [MHz]", 1, 2100, 1200.0), ("Device 1 log", "clocks_event_reasons.active", 1, 2100, 0.0),
        ("Device 1 log", "power.draw [W]", 1, 2100, 90.0), ("Device 1 log", "temperature.gpu", 1, 2100, 30.0)]
    assert problems(file) == [("log_clock", "gpu.csv: its times name no zone; they were read as UTC+02:00, at which the log covers the recording", 1),
                              ("malformed_line", "gpu.csv: lines without a time or a device were skipped", 1)]


def test_a_bare_name_finds_what_is_beside_it(tmp_path):
    file = beside(tmp_path, SMI)
    command = [str(program_report.PROGRAM), "query", file.name, COUNTERS, "--format", "csv", "--no-cache"]
    bare = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert bare.returncode == 0 and len(bare.stdout.splitlines()) == 12, bare.stdout + bare.stderr


def test_the_device_summary_has_the_means_of_its_counters(tmp_path):
    body = program_report.report(beside(tmp_path, SMI), "device_summary")
    sensors = {row.counter: row for row in program_report.rows(body, "sensors")}
    power = sensors["power.draw [W]"]
    # 110.5 W for 2 s, 300 W for 8 s.
    assert (power.mean, power.least, power.most, power.last, power.samples) == (pytest.approx((110.5 * 2 + 300 * 8) / 10), 110.5, 300, 300, 2)
    assert len(sensors) == 4


@pytest.mark.parametrize("times", (("1699999999.5", "1700000002.25"), ("1699999999500", "1700000002250"), ("2023-11-14T22:13:19.5Z", "2023-11-14T22:13:22.25+00:00"),
                                   ("2023-11-14 23:13:19.500+0100", "2023-11-15 00:13:22.250+02:00")))
def test_times_with_a_zone_or_of_unix_are_exact(tmp_path, times):
    file = beside(tmp_path, "time,gpu,power\n" + "".join(f"{time},0,{value}\n" for time, value in zip(times, (100, 200))))
    assert [row[3:] for row in query(file, COUNTERS)] == [(0, 100.0), (2250, 200.0)]
    assert problems(file) == []


def test_logs_that_do_not_fit_are_problems(tmp_path):
    file = beside(tmp_path, "timestamp,gpu,power\n1600000000,0,5\n")
    assert [row[0] for row in problems(file)] == ["log_of_another_time"] and query(file, COUNTERS) == []


def test_other_tables_are_not_logs(tmp_path):
    file = beside(tmp_path, "time,name,loss\n1,a,2\n")
    assert problems(file) == [] and query(file, COUNTERS) == []


def test_figures_may_have_an_exponent(tmp_path):
    file = beside(tmp_path, "time,gpu,power\n1700000000,0,1.2e+03 W\n1700000001,0,4e-05\n")
    assert [row[4] for row in query(file, COUNTERS)] == [1200.0, 4e-05]


def test_a_compressed_log_that_is_cut_is_a_problem(tmp_path):
    lines = "".join(f"{1_700_000_000 + at / 1000},0,{at}\n" for at in range(4000))
    file = beside(tmp_path, "")
    (tmp_path / "gpu.csv").unlink()
    (tmp_path / "power.csv.gz").write_bytes(gzip.compress(f"time,gpu,power\n{lines}".encode())[:-2000])
    assert "log_not_read" in [row[0] for row in problems(file)] and query(file, COUNTERS) != []


# `ts %.s` writes a time before each line.
DCGM = """1700000000.5 #Entity   GPUTL  POWER      TMPTR
1700000000.5 ID                W          C
1700000000.6 GPU 0     98     300.5      60
1700000000.6 GPU 1     12     90.25      N/A
1700000002.6 #Entity   GPUTL  POWER      TMPTR
1700000002.6 GPU 0     97     310        61
"""
ROCM_SMI = """1700000000 device,Temperature (Sensor edge) (C),Average Graphics Package Power (W),"sclk clock speed:",GPU use (%)
1700000000 card0,35.0,40.0,(132Mhz),5
1700000000 card1,36.0,41.0,(133Mhz),6

1700000001 device,Temperature (Sensor edge) (C),Average Graphics Package Power (W),"sclk clock speed:",GPU use (%)
1700000001 card0,37.0,42.0,(134Mhz),7
"""
AMD_SMI = """timestamp,gpu,power_usage,hotspot_temperature,memory_temperature,gfx,gfx_clock,mem,vram_used
1700000001,0,135,40,38,3,132,1,283
1700000002,0,N/A,41,38,90,2100,50,1000
"""
DMON = """#Date       Time        gpu    pwr  gtemp
#YYYYMMDD   HH:MM:SS    Idx      W      C
 20231114   22:13:21      0     70     45
"""
DEVICES = "select l.name, l.device, c.time // 1000000, c.value from counters c join lanes l on c.lane = l.id join processes p on l.process = p.id where p.name like 'Device%' order by 1, 2, 3"


@pytest.mark.parametrize("name, log, expected", (
    ("gpu.dmon.txt", DCGM, [("GPUTL", 0, 600, 98), ("GPUTL", 0, 2600, 97), ("GPUTL", 1, 600, 12), ("POWER", 0, 600, 300.5), ("POWER", 0, 2600, 310), ("POWER", 1, 600, 90.25),
                            ("TMPTR", 0, 600, 60), ("TMPTR", 0, 2600, 61)]),
    ("rocm.csv", ROCM_SMI, [("Average Graphics Package Power (W)", 0, 0, 40), ("Average Graphics Package Power (W)", 0, 1000, 42), ("Average Graphics Package Power (W)", 1, 0, 41),
                            ("GPU use (%)", 0, 0, 5), ("GPU use (%)", 0, 1000, 7), ("GPU use (%)", 1, 0, 6), ("Temperature (Sensor edge) (C)", 0, 0, 35),
                            ("Temperature (Sensor edge) (C)", 0, 1000, 37), ("Temperature (Sensor edge) (C)", 1, 0, 36), ("sclk clock speed:", 0, 0, 132),
                            ("sclk clock speed:", 0, 1000, 134), ("sclk clock speed:", 1, 0, 133)]),
    ("amd.csv", AMD_SMI, [("gfx", 0, 1000, 3), ("gfx", 0, 2000, 90), ("gfx_clock", 0, 1000, 132), ("gfx_clock", 0, 2000, 2100), ("hotspot_temperature", 0, 1000, 40),
                          ("hotspot_temperature", 0, 2000, 41), ("mem", 0, 1000, 1), ("mem", 0, 2000, 50), ("memory_temperature", 0, 1000, 38), ("memory_temperature", 0, 2000, 38),
                          ("power_usage", 0, 1000, 135), ("vram_used", 0, 1000, 283), ("vram_used", 0, 2000, 1000)]),
    ("nvidia.dmon", DMON, [("gtemp", 0, 1000, 45), ("pwr", 0, 1000, 70)])))
def test_logs_of_other_monitors(tmp_path, name, log, expected):
    file = beside(tmp_path, log, name=name)
    assert query(file, DEVICES) == expected
    assert [row for row in problems(file) if row[0] != "log_clock"] == []


@pytest.mark.parametrize("name, log", (("gpu.dmon.txt", DCGM), ("rocm.csv", ROCM_SMI)))
def test_logs_without_times_name_what_adds_them(tmp_path, name, log):
    file = beside(tmp_path, "".join(line.split(" ", 1)[-1] + "\n" for line in log.splitlines()), name=name)
    assert query(file, DEVICES) == []
    (problem,) = problems(file)
    assert problem[0] == "log_without_times" and "| ts %.s" in problem[1]


def test_tables_that_are_too_many_are_counted(tmp_path):
    for number in range(70):
        (tmp_path / f"a{number:02}.csv").write_text("x,y\n1,2\n")
    file = beside(tmp_path, "time,gpu,power\n1700000000,0,100\n", name="z.csv")
    assert [row[0::2] for row in problems(file)] == [("tables_left_out", 7)]
