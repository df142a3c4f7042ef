"""Nsight Compute's CSV beside a trace: metrics become facts of the kernels of the same name, launch size and place in the order."""
import gzip
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import program_report  # noqa: E402
from program_report import query  # noqa: E402

pytestmark = pytest.mark.skipif(not program_report.PROGRAM.exists(), reason="no program: build it, or set SIGHTLINE")
TRACE = """stream 7:
  0-10 "void gemm<float>(float*, int)" [corr=1 grid=[2,1,1] block=[64,1,1]], 20-30 "void gemm<float>(float*, int)" [corr=2 grid=[4,1,1] block=[64,1,1]]
  40-50 "void gemm<float>(float*, int)" [corr=3 grid=[2,1,1] block=[64,1,1]], 60-70 relu [corr=4 grid=[1,1,1] block=[32,1,1]]
"""
RAW = '''==PROF== Connected to process 1
"ID","Process ID","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","dram__bytes.sum","note"
"","","","","","","","","","byte",""
"0","1","gemm<float>(float *, int)","1","7","(64, 1, 1)","(2, 1, 1)","0","9.0","1,000","a"
"1","1","gemm<float>(float *, int)","1","7","(64, 1, 1)","(2, 1, 1)","0","9.0","2,000.5","b"
"2","1","gemm<float>(float *, int)","1","7","(64, 1, 1)","(2, 1, 1)","0","9.0","3","c"
"3","1","other","1","7","(64, 1, 1)","(2, 1, 1)","0","9.0","4","d"
'''
DETAILS = '''"ID","Kernel Name","Block Size","Grid Size","Section Name","Metric Name","Metric Unit","Metric Value"
"0","relu()","(32, 1, 1)","(1, 1, 1)","GPU Speed Of Light","Duration","us","3.5"
"0","relu()","(32, 1, 1)","(1, 1, 1)","Occupancy","Achieved Occupancy","%","50"
'''
FACTS = """select s.start // 1000, f.name, f.number, f.text from work_facts f join slices s on f.slice = s.id order by 1, 2"""


def beside(folder, table):
    file = folder / "run.pt.trace.json"
    subprocess.run([sys.executable, str(program_report.ROOT / "tools" / "gen_trace"), "-", str(file)], input=TRACE, text=True, check=True)
    (folder / "kernels.csv").write_text(table)
    return file


def test_rows_are_joined_by_name_size_and_order(tmp_path):
    file = beside(tmp_path, RAW)
    assert query(file, FACTS) == [(0, "dram__bytes.sum [byte]", 1000.0, None), (0, "note", None, "a"), (40, "dram__bytes.sum [byte]", 2000.5, None), (40, "note", None, "b")]
    assert query(file, "select message from problems where code = 'ncu_joined'") == [
        ("kernels.csv: 2 of 4 measured kernels are joined to kernels of the trace by name, launch size and order; 1 have a name that the trace lacks, 1 have no kernel left",)]


def test_a_row_per_metric(tmp_path):
    file = beside(tmp_path, DETAILS)
    assert query(file, FACTS) == [(60, "Achieved Occupancy [%]", 50.0, None), (60, "Duration [us]", 3.5, None)]


def test_a_torn_file_is_a_problem(tmp_path):
    file = beside(tmp_path, RAW)
    (tmp_path / "torn.csv.gz").write_bytes(gzip.compress((RAW + "x" * 4000).encode())[:-12])
    assert "measured_kernels_not_read" in [row[0] for row in query(file, "select code from problems")]
