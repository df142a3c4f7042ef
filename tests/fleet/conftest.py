import csv
import io
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "e2e_cli"), str(HERE.parent / "clouds"), str(HERE.parent / "support")]

from program import PROGRAM, environment  # noqa: E402

VENV = ROOT / ".venv-fleet"
PYTHON = VENV / "bin" / "python"


def pytest_collection_modifyitems(items):
    lacking = [str(path) for path in (PYTHON, VENV / "trino" / "bin" / "launcher", PROGRAM) if not path.exists()]
    for item in items if lacking else []:
        item.add_marker(pytest.mark.skip(reason=f"not installed: {', '.join(lacking)}: make fleet"))


def module_environment(**changes):
    """For `python -m sightline.fleet`: the module of this tree, and the built program."""
    ours = environment(PYTHONPATH=str(ROOT / "python"), SIGHTLINE_PROGRAM=str(PROGRAM), RAY_USAGE_STATS_ENABLED="0", **changes)
    ours.pop("RAY_ADDRESS", None)
    return ours


def fleet(*arguments, **changes):
    """Runs the module to its end."""
    command = [str(PYTHON), "-m", "sightline.fleet", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, env=module_environment(**changes))


def done(*arguments, code=0, **changes):
    command = [str(PROGRAM), *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=900, env=environment(**changes))
    assert ended.returncode == code, (ended.returncode, ended.stdout, ended.stderr)
    return ended.stdout + ended.stderr


def rows(path, view, *more, **changes):
    return list(csv.DictReader(io.StringIO(done("report", path, "--view", view, "--format", "csv", *more, **changes))))


def make_ranks(ranks, folder, *more):
    command = [sys.executable, ROOT / "bench" / "make_ranks.py", str(ranks), folder, *more]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def job(tmp_path_factory):
    return make_ranks(64, tmp_path_factory.mktemp("job64") / "job", "--steps", "3", "--layers", "2", "--kernels", "3")


@pytest.fixture(scope="session")
def reduced_here(job, tmp_path_factory):
    """The lake of the job, reduced by DuckDB."""
    lake = tmp_path_factory.mktemp("here")
    for shard in range(4):
        done("map", job, "--shard", f"{shard}/4", "-o", lake, "--capture", "job")
    done("fleet", "commit", lake, "--capture", "job")
    return lake


VIEWS = ("fleet_ranks", "fleet_waits", "fleet_bandwidth", "fleet_groups", "fleet_links", "fleet_kernels", "fleet_members", "fleet")


def assert_equal_lakes(one, other, **changes):
    for view in VIEWS:
        ours, theirs = ([{k: v for k, v in row.items() if k != "source"} for row in rows(lake, view, **changes)] for lake in (one, other))
        assert ours and ours == theirs, view
