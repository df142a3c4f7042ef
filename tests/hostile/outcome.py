"""Runs the program on a hostile input, with limits, and checks the result.

    ran = run(["info", "--no-cache", path])
    faults(ran, size=len(bytes), tells="told")      # [] if there are none

Limits: 10 s of processor time, and ten times the decompressed size in memory plus what any run uses.
"""
import os
import pathlib
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SIGHTLINE", ROOT / "build" / "release" / "sightline"))

MOST_CPU_SECONDS = 10
PATIENCE_SECONDS = 120  # of wall-clock time, on a machine that is busy with other things
MOST_TIMES_SIZE = 10
BASE_MEMORY = 128 << 20


@dataclass
class Ran:
    status: int | None = None  # exit status, or none if a signal ended it
    signal: int = 0
    stopped: str = ""  # why the harness ended it: "time" or "memory"
    cpu: float = 0  # seconds
    memory: int = 0  # peak, bytes
    out: str = ""
    err: str = ""


def memory_now(pid, which="VmRSS"):
    """Bytes that a process holds, or with VmHWM its peak; 0 when it has ended."""
    try:
        with open(f"/proc/{pid}/status") as lines:
            return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(which)), 0)
    except OSError:
        return 0


def run(arguments, most_memory=1 << 34, program=PROGRAM):
    """Runs the program to its end, or until it exceeds a limit."""
    ran = Ran()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([str(program), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        began = time.monotonic()
        while True:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            ran.memory = max(ran.memory, memory_now(process.pid, "VmHWM"))
            if time.monotonic() - began > PATIENCE_SECONDS:
                ran.stopped = "time"
            elif ran.memory > most_memory:
                ran.stopped = "memory"
            if ran.stopped:
                process.kill()
            time.sleep(0.005 if time.monotonic() - began < 1 else 0.05)
        process.returncode = os.waitstatus_to_exitcode(status)
        ran.status = None if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        ran.signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        ran.cpu = usage.ru_utime + usage.ru_stime
        for file, name in ((out, "out"), (err, "err")):
            file.seek(0)
            setattr(ran, name, file.read(1 << 20).decode("utf8", "replace"))
    return ran


def problems(ran):
    """The lines of the table of problems."""
    lines = ran.out.partition("\nProblems\n")[2].splitlines()
    return {" ".join(line.split()) for line in lines[1:] if line.strip()}


def said(ran, sound=frozenset()):
    """The program's report: "refused", "problem" or, if it accepted the input without a problem, "". `sound`: problems of the
    input before it was damaged, which do not count."""
    if ran.status != 0 and (" failed " in ran.out or "Profiles\n" not in ran.out):  # not 0 either where the end is missing
        return "refused"
    return "problem" if problems(ran) - sound else ""


def faults(ran, size, tells, sound=frozenset()):
    """The faults of a run of `info` on `size` decompressed bytes, which must report "valid": nothing, "told": a
    problem or an error, "any": either."""
    found = []
    if ran.stopped:
        found.append(f"more than {PATIENCE_SECONDS} s" if ran.stopped == "time" else f"{ran.memory >> 20} MiB of memory for {size} bytes")
    elif ran.signal:
        found.append(f"ended by {signal.Signals(ran.signal).name}")
    elif ran.status not in (0, 1):
        found.append(f"exit status {ran.status}")
    elif ran.status == 1 and not told_text(ran):
        found.append("failed without a word")
    elif ran.status == 0 and "Profiles\n" not in ran.out:
        found.append("neither a profile nor an error")
    elif tells == "told" and not said(ran, sound):
        found.append("took damage for whole and told nothing")
    elif tells == "valid" and said(ran, sound):
        found.append(f"did not take what is valid: {told_text(ran)}")
    if ran.cpu > MOST_CPU_SECONDS:
        found.append(f"{ran.cpu:.1f} s of processor")
    if not ran.stopped and ran.memory > most_memory(size):
        found.append(f"{ran.memory >> 20} MiB of memory for {size} bytes")
    return found


def most_memory(size):
    return MOST_TIMES_SIZE * size + BASE_MEMORY


def told_text(ran):
    """Errors and problems, in the program's words."""
    return " | ".join(sorted({ran.err.strip(), *problems(ran)} - {""}))
