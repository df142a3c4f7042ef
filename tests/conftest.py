"""The cache of every test's program is a folder of the test run, never the user's."""
import atexit
import os
import shutil
import tempfile

folder = tempfile.mkdtemp(prefix="sightline-tests-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)
os.environ["SIGHTLINE_CACHE_DIR"] = folder
