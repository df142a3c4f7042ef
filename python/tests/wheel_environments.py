"""Where the wheel is installed for the tests: tools/wheel_environments makes it so."""
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / "build" / "python"


def environment(*names):
    """Makes environments of tools/wheel_environments; skips the test where the program is not built."""
    if not (ROOT / "build" / "release" / "sightline").exists():
        pytest.skip("the program is not built: make build")
    subprocess.run([sys.executable, ROOT / "tools" / "wheel_environments", *names], check=True)
