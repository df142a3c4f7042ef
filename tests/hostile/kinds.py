"""Every kind of hostile input, and the check of the program's result for one."""
import functools
import pathlib
import tempfile

import binaries
import databases
import outcome
import folders
import texts
import traces


@functools.cache
def all_cases():
    cases = [case for module in (traces, binaries, databases, folders, texts) for case in module.all_cases()]
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), sorted(name for name in names if names.count(name) > 1)
    return cases


def information(path, **limits):
    return outcome.run(["info", "--no-cache", path], **limits)


@functools.cache
def problems_of(sound):
    with tempfile.TemporaryDirectory() as folder:
        return frozenset(outcome.problems(information(sound(pathlib.Path(folder)))))


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def faults_of(case):
    """The faults in the program's result for the case; [] if there are none."""
    with tempfile.TemporaryDirectory() as folder:
        path = case.write(pathlib.Path(folder))
        size = case.size or size_of(pathlib.Path(folder))
        ran = information(path, most_memory=2 * outcome.most_memory(size))
        return outcome.faults(ran, size, case.tells, problems_of(case.sound) if case.sound else frozenset())
