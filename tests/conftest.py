"""The cache of every test's program is a folder of the test run, never the user's. Tests find the modules of tests/support."""
import atexit
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "support"))

folder = tempfile.mkdtemp(prefix="sightline-tests-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)
os.environ["SIGHTLINE_CACHE_DIR"] = folder
os.environ["XDG_CONFIG_HOME"] = os.path.join(folder, "config")
