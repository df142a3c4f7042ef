"""`with sightline.profile(...)`: records the block with the profiler of the framework that runs in it. Imports no framework: uses
the one that is already imported. No recording keeps running and no setting stays changed, however the block ends."""
import atexit
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

    `profile_type`: "operator" records when operators run, and the shapes of their inputs; "trace" only when they run.
    `traced_only`: no Python, only what compiled or traced programs run. `port`: of the profiler server, if the framework needs
    one (torch_xla). `framework`: "torch", "torch_xla" or "jax"; by default the imported one. One block at a time: a second
    raises.
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
        raise Error("torch and jax are both imported: choose framework='torch' or framework='jax'")
    raise Error("import torch, torch_xla or jax first: sightline records the imported framework")


@contextlib.contextmanager
def _torch(port, operators, ms_duration, traced_only, logdir):
    """torch.profiler ends on the thread that began it, so the time is checked where the block calls step(), and at its end.

    A process has one recording. A second one silently takes over the first, and saving the lost one crashes the process:
    so we never start a second one."""
    import torch.profiler

    if torch.autograd._profiler_enabled() or getattr(torch.autograd.profiler, "_is_profiler_enabled", False):  # here; on another thread
        raise Error("torch.profiler records this process already: one at a time")
    if file := _recorded_from_outside():
        raise Error(f"this process is being recorded from outside, into {file}: one at a time")
    profiler = torch.profiler.profile(record_shapes=operators, profile_memory=operators, with_stack=operators and not traced_only,
                                      with_flops=operators, on_trace_ready=trace_handler(logdir))
    step, stop, begun, thread, running = profiler.step, profiler.stop, time.monotonic(), threading.get_ident(), True

    def end():
        nonlocal running
        if not running:
            return
        if threading.get_ident() != thread:
            if thread == threading.main_thread().ident:
                atexit.register(end)  # the process must not end before its recording
            raise Error("the block ended on another thread than it began on: torch can end a recording only on the thread that began it")
        running = False
        stop()

    def step_and_look():
        if running:
            step()
        if time.monotonic() - begun >= ms_duration / 1000:
            end()

    profiler.start()
    profiler.step, profiler.stop = step_and_look, end
    try:
        with _no_other(torch.autograd.profiler):
            yield profiler
    finally:
        end()


def _recorded_from_outside():
    """The file that torch has open for a recording from outside (`sightline capture torch`, dynolog); None: no such recording."""
    if "KINETO_USE_DAEMON" not in os.environ:
        return None
    endings = tuple(f"_{os.getpid()}.json{more}" for more in ("", ".tmp"))
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # closed in the meantime
            path = os.readlink(f"/proc/self/fd/{number}")
            if path.endswith(endings):
                return path
    return None


@contextlib.contextmanager
def _no_other(module):
    """Until the end, starting another torch.profiler on any thread raises. `module`: torch.autograd.profiler."""

    def refuse(*_, **__):
        raise Error("sightline.profile records this process: one at a time")

    begins = {name: getattr(module, name) for name in ("_prepare_profiler", "_enable_profiler") if hasattr(module, name)}
    for name in begins:
        setattr(module, name, refuse)
    try:
        yield
    finally:
        for name, begin in begins.items():
            setattr(module, name, begin)


@contextlib.contextmanager
def _until_the_time_is_up(stop, ms_duration):
    """Calls `stop` once: when the time is up, on a separate thread, or when the block ends before."""
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
    with _until_the_time_is_up(lambda: _stop_jax(jax), ms_duration):
        yield None


def _stop_jax(jax):
    """The block is done, and a failed recording does not undo it. jax reports only now that another profiler was recording, and
    would treat this recording as one that continues."""
    try:
        jax.profiler.stop_trace()
    except Exception as failure:
        warnings.warn(f"jax recorded nothing, or the block ended its recording: {failure}", RuntimeWarning, stacklevel=2)
        state = getattr(getattr(jax._src, "profiler", None), "_profile_state", None)
        if getattr(state, "profile_session", None) is not None:
            state.reset()


@contextlib.contextmanager
def _torch_xla(port, operators, ms_duration, traced_only, logdir):
    """Newer releases record themselves, and record everything; older ones use their server, which only takes a duration."""
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
    """A server of this process, and a client for it on a separate thread; the server ends with its object."""
    server = profiler.start_server(port)
    failures = []

    def ask():
        try:
            profiler.trace(f"localhost:{port}", logdir, duration_ms=int(ms_duration), host_tracer_level=2 if operators else 1)
        except Exception as failure:  # reported after the block, which it must not end
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
