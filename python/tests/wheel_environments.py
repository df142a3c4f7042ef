"""The environments with the wheel for the tests: tools/wheel_environments makes them."""
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / "build" / "python"


def environment(*names):
    """Makes environments with tools/wheel_environments; skips the test if the program is not built."""
    if not (ROOT / "build" / "release" / "sightline").exists():
        pytest.skip("the program is not built: make build")
    subprocess.run([sys.executable, ROOT / "tools" / "wheel_environments", *names], check=True)
