"""The content of the wheel, and that its console command is the program."""
import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_BYTES = 70_000_000


@pytest.fixture(scope="session")
def wheel(installed):
    [path] = (installed.parent / "dist").glob("*.whl")
    return path


def test_one_file_for_any_python_and_not_too_large(wheel):
    assert "-py3-none-" in wheel.name
    assert wheel.stat().st_size < MOST_BYTES, wheel.stat().st_size
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    assert "sightline/bin/sightline" in names and "sightline/__init__.py" in names
    assert [name for name in names if name.endswith("/libduckdb.so")], "no query could be answered"
    assert not [name for name in names if "test" in name or name.startswith(("build/", "web/", "src/"))]


def test_the_program_needs_nothing_of_the_build(installed):
    """Its own libraries come from the wheel, all others from the system."""
    listed = subprocess.run(["ldd", installed / "sightline" / "bin" / "sightline"], capture_output=True, text=True, check=True).stdout
    assert "not found" not in listed
    for line in listed.splitlines():
        place = line.split("=>")[-1].split("(")[0].strip()
        if place.startswith("/") and "/site-packages/" in place or ".venv" in place:
            pytest.fail(line)
        if "libarrow" in line or "libparquet" in line:
            assert os.path.realpath(place).startswith(os.path.realpath(installed)), line


def test_the_console_command_is_the_program(installed):
    command = installed / "bin" / "sightline"
    run = lambda *arguments: subprocess.run([sys.executable, command, *arguments], capture_output=True, text=True)  # noqa: E731
    direct = subprocess.run([installed / "sightline" / "bin" / "sightline", "--version"], capture_output=True, text=True)
    assert run("--version").stdout == direct.stdout != ""
    assert run("report", "no such file", "--view", "kernels").returncode == 1
    assert "sightline: " in run("info", "no such file").stderr


def test_importing_is_cheap(installed):
    """TensorBoard imports the package at every start, so it must import neither Arrow nor torch."""
    code = "import sys, sightline; print([m for m in ('pyarrow', 'numpy', 'torch') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
