"""Tests of the wheel as users get it: packed from the built program, installed, imported from there."""
import atexit
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from wheel_environments import PYTHON, ROOT, environment  # noqa: E402

# The program's cache is a folder of the test run, never the user's.
remembered = tempfile.mkdtemp(prefix="sightline-tests-")
atexit.register(shutil.rmtree, remembered, ignore_errors=True)
os.environ["SIGHTLINE_CACHE_DIR"] = remembered


@pytest.fixture(scope="session")
def installed():
    """The folder into which the wheel is installed; its `sightline` can be imported from now on, here and in child processes."""
    environment("module")
    folder = PYTHON / "module"
    sys.path.insert(0, str(folder))
    os.environ["PYTHONPATH"] = str(folder)
    return folder


@pytest.fixture(scope="session")
def sightline(installed):
    import sightline

    assert pathlib.Path(sightline.__file__).is_relative_to(installed)
    return sightline


@pytest.fixture
def trace(tmp_path):
    """trace(NAME, "run/worker.1") writes a fixture as a trace below tmp_path/logs; the path of the file."""

    def write(name, place):
        file = tmp_path / "logs" / f"{place}.pt.trace.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        fixture = ROOT / "tests" / "fixtures" / f"{name}.trace"
        subprocess.run([sys.executable, ROOT / "tools" / "gen_trace", fixture, file], check=True)
        return file

    return write
