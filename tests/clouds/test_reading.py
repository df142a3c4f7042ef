"""Cloud objects are read like files on disk, wherever a command takes a path; nothing is written to the disk."""
import json
import os
import subprocess

import pytest

from program import PROGRAM, environment, needs_program, sightline, trace, write_trace

pytestmark = needs_program

BUCKET = "of-their-own"  # nothing else is there
OPERATORS = 90_000  # about 9 MB of text, so several pieces


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A run on disk: two workers and, in a folder below, a third; a hidden folder and a file that is not a profile."""
    root = tmp_path_factory.mktemp("on-disk") / "job"
    write_trace(root / "rank2.7.pt.trace.json", trace(OPERATORS))
    write_trace(root / "rank10.7.pt.trace.json.gz", trace(OPERATORS))
    write_trace(root / "second try" / "rank0.1.pt.trace.json", trace(4))
    write_trace(root / ".tool" / "rank5.1.pt.trace.json", trace(4))
    (root / "notes.txt").write_text("not a profile")
    return root


@pytest.fixture(scope="session")
def there(cloud, folder):
    """In a cloud, below a name that looks like an error message of a cloud."""
    cloud.put_folder(folder, "authentication-expired/job", BUCKET)
    return cloud


def ask(cloud, *arguments, **changes):
    done = sightline(*arguments, **cloud.environment(), **changes)
    assert done.returncode == 0, done.stderr
    return done.stdout


def report(cloud, path, *more):
    return json.loads(ask(cloud, "report", path, "--view", "operators", "--format", "json", "--no-cache", *more))


@pytest.mark.parametrize("name", ["rank2.7.pt.trace.json", "rank10.7.pt.trace.json.gz", "second try/rank0.1.pt.trace.json"])
def test_a_report_is_that_of_the_file(there, folder, name):
    remote = report(there, there.address(f"authentication-expired/job/{name}", BUCKET))
    assert remote == report(there, folder / name)
    assert remote["tables"]["operators"]["rows"]


def test_a_folder_has_the_same_runs_workers_and_spans(there, folder):
    def info(path):
        runs = json.loads(ask(there, "info", path, "--format", "json", "--no-cache"))["runs"]
        return [
            (run["name"], worker["name"], span["name"], span["file"], span["events"], span["bytes_total"])
            for run in runs
            for worker in run["workers"]
            for span in worker["spans"]
        ]

    on_disk = info(folder)
    assert len(on_disk) == 3
    assert info(there.address("authentication-expired/job", BUCKET)) == on_disk
    assert info(there.address("authentication-expired/job", BUCKET) + "/") == on_disk
    assert [worker for _, worker, *_ in info(there.address("", BUCKET))] == [worker for _, worker, *_ in on_disk]


def test_a_query_and_an_export_take_an_address(there, folder, tmp_path):
    name = "second try/rank0.1.pt.trace.json"
    question = "SELECT count(*) FROM slices"
    assert ask(there, "query", there.address(f"authentication-expired/job/{name}", BUCKET), question) == ask(there, "query", folder / name, question)
    for path, output in ((there.address(f"authentication-expired/job/{name}", BUCKET), "remote.json"), (folder / name, "local.json")):
        ask(there, "export", path, "--no-cache", "--output", tmp_path / output)
    assert (tmp_path / "remote.json").read_bytes() == (tmp_path / "local.json").read_bytes()


def test_nothing_is_written_to_a_cloud(there):
    done = sightline(
        "export", there.address("authentication-expired/job", BUCKET), "--output", there.address("out.json"), "--no-cache", **there.environment()
    )
    assert done.returncode == 1
    assert done.stderr == f"sightline: {there.address('out.json')}: Sightline cannot write to clouds: write to a file, and copy it\n"


def test_no_object_is_put_onto_the_disk(there, tmp_path):
    """The program's folders for temporary files stay empty, and it never opens a file for writing."""
    changes = {**there.environment(), "TMPDIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "SIGHTLINE_CACHE_DIR": ""}
    address = there.address("authentication-expired/job/rank10.7.pt.trace.json.gz", BUCKET)
    process = subprocess.Popen(
        [str(PROGRAM), "report", address, "--view", "operators", "--no-cache"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**changes),
        cwd=tmp_path,
    )
    written = set()
    while process.poll() is None:
        written |= files_open_for_writing(process.pid)
    assert process.returncode == 0
    process.communicate()
    assert written == set()
    assert list(tmp_path.iterdir()) == []


def opened_as(process, number):
    flags = open(f"/proc/{process}/fdinfo/{number}").read().split("flags:")[1].split()[0]
    return os.readlink(f"/proc/{process}/fd/{number}"), flags


def files_open_for_writing(process):
    """Regular files that a process has open for writing; deleted ones too."""
    found = set()
    try:
        for number in os.listdir(f"/proc/{process}/fd"):
            paths, flags = zip(*(opened_as(process, number) for _ in range(2)))
            writes = int(flags[0], 8) & os.O_ACCMODE != os.O_RDONLY
            same = len(set(paths)) == len(set(flags)) == 1  # else the number belongs to another file by now
            if same and writes and paths[0].startswith("/") and not paths[0].startswith("/dev/"):
                found.add(paths[0])
    except OSError:
        pass  # it was closed, or the process has ended
    return found
