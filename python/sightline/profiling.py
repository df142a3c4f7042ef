"""`with sightline.profile(...)`: records what runs inside, by the means of the framework that runs it. No framework is imported here: the
one that is loaded already is used. Nothing stays running or set afterwards, however the block is left."""
import contextlib
import os
import pathlib
import sys
import threading
import time
import warnings

from .program import Error
from .recording import trace_handler

TYPES = ("operator", "trace")
_one_at_a_time = threading.Lock()


@contextlib.contextmanager
def profile(port=9012, profile_type="operator", ms_duration=60_000, traced_only=False, logdir="logs", framework=None):
    """Records the block into `logdir`, for `ms_duration` at most, and gives the framework's own profiler, or None.

    `profile_type`: "operator" records what operators are given (shapes) beside when they run; "trace" only when. `traced_only`: no
    Python, only what compiled or traced programs run. `port`: of the profiler server, where the framework needs one (torch_xla).
    `framework`: "torch", "torch_xla" or "jax"; by default the one that is imported. One block at a time: a second raises.
    """
    if profile_type not in TYPES:
        raise ValueError(f"profile_type is one of {', '.join(TYPES)}, not {profile_type!r}")
    if not ms_duration > 0:
        raise ValueError(f"ms_duration is a number of milliseconds, not {ms_duration!r}")
    ways = {"torch": _torch, "torch_xla": _torch_xla, "jax": _jax}
    if framework not in (None, *ways):
        raise ValueError(f"framework is one of {', '.join(ways)}, not {framework!r}")
    pathlib.Path(logdir).mkdir(parents=True, exist_ok=True)  # before anything runs
    record = ways[framework or _framework()]
    if not _one_at_a_time.acquire(blocking=False):
        raise Error("this process is being recorded already: one sightline.profile at a time")
    try:
        with record(port, profile_type == "operator", ms_duration, traced_only, os.fspath(logdir)) as profiler:
            yield profiler
    finally:
        _one_at_a_time.release()


def _framework():
    loaded = [name for name in ("torch_xla", "jax", "torch") if name in sys.modules]
    if "torch_xla" in loaded:  # it loads the others
        return "torch_xla"
    if len(loaded) == 1:
        return loaded[0]
    if loaded:
        raise Error("torch and jax are both imported: say framework='torch' or framework='jax'")
    raise Error("import torch, torch_xla or jax first: what is imported is recorded")


@contextlib.contextmanager
def _torch(port, operators, ms_duration, traced_only, logdir):
    """torch.profiler ends on the thread that began it, so the time is looked at where the block calls step(), and at its end."""
    import torch.profiler

    if torch.autograd._profiler_enabled():  # it would be cancelled by ours, and then crash
        raise Error("torch.profiler records this process already: one at a time")
    profiler = torch.profiler.profile(record_shapes=operators, profile_memory=operators, with_stack=operators and not traced_only,
                                      with_flops=operators, on_trace_ready=trace_handler(logdir))
    step, begun, running = profiler.step, time.monotonic(), True

    def end():
        nonlocal running
        if running:
            running = False
            profiler.stop()

    def step_and_look():
        if running:
            step()
        if time.monotonic() - begun >= ms_duration / 1000:
            end()

    profiler.start()
    profiler.step = step_and_look
    try:
        yield profiler
    finally:
        end()


@contextlib.contextmanager
def _until_the_time_is_up(stop, ms_duration):
    """Calls `stop` once: when the time is up, on a thread of its own, or when the block ends before."""
    lock, running = threading.Lock(), True

    def end():
        nonlocal running
        with lock:
            if running:
                running = False
                stop()

    timer = threading.Timer(ms_duration / 1000, end)
    timer.daemon = True
    timer.start()
    try:
        yield None
    finally:
        timer.cancel()
        end()


@contextlib.contextmanager
def _jax(port, operators, ms_duration, traced_only, logdir):
    import jax.profiler

    choice = {}
    if hasattr(jax.profiler, "ProfileOptions"):  # older releases record everything
        choice["profiler_options"] = options = jax.profiler.ProfileOptions()
        options.python_tracer_level = 0 if traced_only else 1
        options.host_tracer_level = 2 if operators else 1
    jax.profiler.start_trace(logdir, **choice)
    with _until_the_time_is_up(jax.profiler.stop_trace, ms_duration):
        yield None


@contextlib.contextmanager
def _torch_xla(port, operators, ms_duration, traced_only, logdir):
    """Newer releases record by themselves, everything; older ones by their server, which knows a time only."""
    import torch_xla.debug.profiler as profiler

    if not hasattr(profiler, "start_trace"):
        with _torch_xla_server(profiler, port, operators, ms_duration, logdir):
            yield None
        return
    profiler.start_trace(logdir)
    with _until_the_time_is_up(profiler.stop_trace, ms_duration):
        yield None


@contextlib.contextmanager
def _torch_xla_server(profiler, port, operators, ms_duration, logdir):
    """A server of this process and a client that asks it, on a thread of its own; the server ends with its object."""
    server = profiler.start_server(port)
    failures = []

    def ask():
        try:
            profiler.trace(f"localhost:{port}", logdir, duration_ms=int(ms_duration), host_tracer_level=2 if operators else 1)
        except Exception as failure:  # told after the block, which it must not end
            failures.append(failure)

    client = threading.Thread(target=ask, daemon=True)
    client.start()
    try:
        yield None
    finally:
        client.join(ms_duration / 1000 + 60)
        if client.is_alive() or failures:
            why = failures[0] if failures else "it did not answer in time"
            warnings.warn(f"torch_xla's profiler server on port {port} recorded nothing: {why}", stacklevel=5)
        del server
