"""The cache of every test's program is a folder of the test run, never the user's. Tests find the modules of tests/support."""
import atexit
import gc
import os
import pathlib
import shutil
import sys
import tempfile

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "support"))

folder = tempfile.mkdtemp(prefix="sightline-tests-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)
os.environ["SIGHTLINE_CACHE_DIR"] = folder
os.environ["XDG_CONFIG_HOME"] = os.path.join(folder, "config")

# The oracles build trees of millions of objects, most of which stay until the end of a test: looking for garbage meanwhile takes
# a sixth of their time, even if it is rare.
gc.disable()


@pytest.fixture(autouse=True)
def garbage_is_collected_after_tests_that_made_much():
    yield
    if gc.get_count()[0] > 200_000:
        gc.collect()
