"""The cache of every test's program is a folder of the test run, never the user's. Tests find the modules of tests/support."""
import atexit
import gc
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "support"))

# The oracles build trees of millions of nodes; at Python's default of 700 new objects, looking for garbage takes 40 % of their time.
gc.set_threshold(50_000, 10, 10)

folder = tempfile.mkdtemp(prefix="sightline-tests-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)
os.environ["SIGHTLINE_CACHE_DIR"] = folder
os.environ["XDG_CONFIG_HOME"] = os.path.join(folder, "config")
