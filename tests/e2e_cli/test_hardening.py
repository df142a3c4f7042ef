"""The program is built so that bugs in reading a file are hard to exploit: the binary has what cmake/compiler.cmake requests."""
import platform
import subprocess

import pytest

from program import PROGRAM, needs_program

pytestmark = needs_program


@pytest.fixture(scope="module")
def elf():
    done = subprocess.run(["readelf", "-W", "-h", "-l", "-d", "--dyn-syms", PROGRAM], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("what, text", [
    ("any address can be its place", "DYN (Position-Independent Executable file)"),
    ("tables of the loader are read-only", "GNU_RELRO"),
    ("all of them, from the start", "BIND_NOW"),
    ("a return address that was overwritten ends it", "__stack_chk_fail"),
    ("calls of the C library know how large their targets are", "_chk@GLIBC"),
    ("an index outside a container ends it", "__glibcxx_assert_fail"),
])
def test_it_has(elf, what, text):
    assert text in elf, what


def test_its_stack_is_not_executable(elf):
    assert any(line.split()[0] == "GNU_STACK" and "RW " in line and "RWE" not in line for line in elf.splitlines() if line.split())


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the instructions of this processor")
@pytest.mark.parametrize("what, bytes_", [("jumps land where they may", b"\xf3\x0f\x1e\xfa"), ("large frames touch each page", b"\x48\x83\x0c\x24\x00")])
def test_its_code_has(what, bytes_):
    assert PROGRAM.read_bytes().count(bytes_) > 20, what  # at most 2 by chance
