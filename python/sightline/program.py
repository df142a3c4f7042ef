"""The program inside the package: where it is, and running it. `main` is the console command `sightline`."""
import os
import pathlib
import subprocess
import sys
import warnings


class Error(RuntimeError):
    """The program's error message when a request fails."""


def path():
    """The program's path: $SIGHTLINE_PROGRAM, else the one in the package."""
    own = pathlib.Path(__file__).parent / "bin" / "sightline"
    program = os.environ.get("SIGHTLINE_PROGRAM") or str(own)
    if not os.access(program, os.X_OK):
        raise Error(f"{program} is not a program: install the wheel that `pip wheel .` builds, or set SIGHTLINE_PROGRAM")
    return program


def run(*arguments):
    """Runs the program to its end and returns its stdout as bytes. Its messages become warnings, or the Error."""
    done = subprocess.run([path(), *map(os.fspath, arguments)], stdin=subprocess.DEVNULL, capture_output=True)
    said = [line.removeprefix("sightline: ") for line in done.stderr.decode(errors="replace").splitlines() if line]
    if done.returncode:
        raise Error("\n".join(said) or f"the program ended with {done.returncode}")
    for line in said:
        warnings.warn(line, stacklevel=3)
    return done.stdout


def main():
    """Replaces this process by the program, which gets its signals, exit code and terminal."""
    try:
        program = path()
        os.execv(program, ["sightline", *sys.argv[1:]])
    except (Error, OSError) as error:
        sys.exit(f"sightline: {error}")
