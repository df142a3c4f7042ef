"""The function that torch.profiler calls when a recording is complete. torch itself is never imported here."""
import os
import pathlib
import re
import socket
import sys
import tempfile
import time
import warnings


def trace_handler(folder, worker=None, gzip=True):
    """For `on_trace_ready`: writes each recording as FOLDER/WORKER.TIME.pt.trace.json.gz, and creates the folder if necessary.
    The file gets its name only once it is complete, so a program that watches the folder never reads half a file. `worker` is
    by default the rank in a distributed job, such as rank3, else the host's name and the process id: each process needs a
    different one."""
    folder = pathlib.Path(folder)
    ending = ".pt.trace.json" + (".gz" if gzip else "")

    def handle(profiler):
        if _is_lost(profiler):
            warnings.warn("torch has lost this recording, because the process was recorded twice at the same time; no file is written", stacklevel=2)
            return
        folder.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]", "_", worker or _worker_name()) + f".{time.time_ns()}" + ending
        # Programs that look for profiles skip folders that begin with a dot, and renaming inside a file system is atomic.
        with tempfile.TemporaryDirectory(prefix=".sightline-", dir=folder) as hidden:
            written = os.path.join(hidden, name)
            profiler.export_chrome_trace(written)
            os.replace(written, folder / name)

    return handle


def _is_lost(profiler):
    """Whether torch has nothing to save: the recording was ended on another thread, or another recording took over. Saving it
    would crash the process."""
    results = getattr(getattr(profiler, "profiler", None), "kineto_results", None)
    start = getattr(results, "trace_start_ns", None)
    if start is None:
        return False  # torch reports that there is nothing; or it is an older release, which does not report it
    if start() == 0:
        return True
    # It takes as long as saving. A request from outside may come at any time, if the process accepts such requests.
    can_tell = "KINETO_USE_DAEMON" in os.environ and hasattr(results, "trace_activities")
    return can_tell and len(results.events()) > 0 and not results.trace_activities()


def _worker_name():
    torch = sys.modules.get("torch")
    distributed = getattr(torch, "distributed", None)
    if distributed is not None and distributed.is_available() and distributed.is_initialized():
        return f"rank{distributed.get_rank()}"
    return f"{socket.gethostname()}_{os.getpid()}"
