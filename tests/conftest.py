"""Every test's program keeps what it remembers in a folder of the test run, never in the user's."""
import atexit
import os
import shutil
import tempfile

folder = tempfile.mkdtemp(prefix="sightline-tests-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)
os.environ["SIGHTLINE_CACHE_DIR"] = folder
