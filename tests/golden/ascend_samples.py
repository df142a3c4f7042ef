"""The Ascend exports for which we have answers of the vendor's TensorBoard plugin: ../shared/samples/ascend, and the answers
beside them.

One of them, `derived_newformat_7x`, is the first with the titles that newer releases write; it is made here, in a folder of the test run.
"""
import atexit
import csv
import functools
import gzip
import json
import pathlib
import shutil
import tempfile

SHARED = pathlib.Path(__file__).resolve().parents[2].parent / "shared"
GOLDENS = SHARED / "golden" / "ascend"
RUNS = {"msinsight_text_level1": "level1", "derived_newformat_7x": "derived", "msinsight_gpt3_notrace": "gpt3"}
# table -> position of the new column
DEVICE_COLUMN = {"step_trace_time.csv": 0, "op_statistic.csv": 0, "api_statistic.csv": 0, "npu_module_mem.csv": 0, "kernel_details.csv": 1}


def here():
    return GOLDENS.is_dir()


def answers(sample):
    """Names of the plugin's answers, such as "ubuntu_rank0.1.kernel_pie"."""
    prefix = f"{RUNS[sample]}."
    return [file.name.removeprefix(prefix).removesuffix(".json.gz") for file in sorted((GOLDENS / sample).glob(f"{prefix}*.json.gz"))]


def answer(sample, name):
    return json.loads(gzip.decompress((GOLDENS / sample / f"{RUNS[sample]}.{name}.json.gz").read_bytes()))


@functools.cache
def run_folder(sample):
    if sample == "derived_newformat_7x":
        return _derived(run_folder("msinsight_text_level1"))
    return SHARED / "samples" / "ascend" / sample / RUNS[sample]


@functools.cache
def workers(sample):
    """{worker: its folder}"""
    return {folder.name.rsplit("_", 3)[0]: folder for folder in sorted(run_folder(sample).glob("*_ascend_pt"))}


def _derived(source):
    target = pathlib.Path(tempfile.mkdtemp(prefix="sightline-tests-")) / "derived"
    atexit.register(shutil.rmtree, target.parent, ignore_errors=True)
    shutil.copytree(source, target)
    for rank, folder in enumerate(sorted(target.glob("*_ascend_pt"))):
        for name, place in DEVICE_COLUMN.items():
            _add_device(folder / "ASCEND_PROFILER_OUTPUT" / name, place, str(rank))
    return target


def _add_device(path, place, device):
    with path.open(newline="", encoding="utf-8-sig") as file:
        head, *rows = csv.reader(file)
    head = [title.replace("Block Dim", "Block Num") for title in head]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*head[:place], "Device_id", *head[place:]])
        writer.writerows([*row[:place], device, *row[place:]] for row in rows)
