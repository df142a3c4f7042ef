"""Slices as text, through the command line and HTTP; and the reader's source, which is the example in CONTRIBUTING."""
import gzip
import json
import pathlib

from program import ROOT, Server, needs_program, sightline

pytestmark = needs_program

TEXT = "0\t100\tmain\tstep\n10\t30.5\tmain\tload\nno slice\n20\t15\tworker\tdecode\n"


def written(folder, name="job.slices.tsv", text=TEXT):
    file = pathlib.Path(folder) / name
    file.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return file


def table(path, view, key):
    done = sightline("report", path, "--view", view, "--format", "json", "--no-cache")
    assert done.returncode == 0, done.stderr
    columns = json.loads(done.stdout)["tables"][key]["columns"]
    return {column["key"]: column["values"] for column in columns}


def test_a_folder_of_them_is_a_run_with_a_worker_each(tmp_path):
    written(tmp_path, "first.slices.tsv")
    written(tmp_path, "second.slices.tsv.gz")
    (tmp_path / "other.tsv").write_text(TEXT)
    done = sightline("info", tmp_path, "--no-cache")
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [row[1:5] for row in rows if "ready" in row] == [["first", "default", "ready", "3"], ["second", "default", "ready", "3"]]


def test_lengths_that_cannot_be_added_are_an_error(tmp_path):
    long = "".join(f"0\t2900000000000000\tt{i}\tk\n" for i in range(5))  # of 92 years each
    done = sightline("report", written(tmp_path, text=long), "--view", "overview", "--no-cache")
    assert done.returncode != 0 and "its slices together last longer than 190 years" in done.stderr
    two = written(tmp_path, "two.slices.tsv", "".join(long.splitlines(True)[:2]))
    assert sightline("info", two, "--no-cache").returncode == 0


def test_a_malformed_line_is_a_problem_at_its_position(tmp_path):
    problems = table(written(tmp_path), "problems", "problems")
    assert problems["code"] == ["malformed_line"] and problems["count"] == [1]
    assert problems["offset"] == [TEXT.index("no slice")]


def test_nothing_but_malformed_lines_is_an_error_that_names_the_byte(tmp_path):
    file = written(tmp_path, text="no slice\n")
    done = sightline("report", file, "--view", "overview", "--no-cache")
    assert done.returncode != 0 and f"{file}:0: nothing could be read" in done.stderr


def test_the_timeline_shows_a_slice_with_its_line(tmp_path):
    with Server(written(tmp_path), "--port", 0) as server:
        server.loaded_state()
        status, found = server.json("/api/search?text=load")
        assert status == 200
        (hit,) = found["hits"]
        status, detail = server.json(f"/api/slice?slice={hit['slice']}")
        assert status == 200 and detail["event"] == "10\t30.5\tmain\tload"


def test_the_sample_is_read():
    done = sightline("report", ROOT / "samples" / "slices", "--view", "overview", "--format", "json", "--no-cache")
    assert done.returncode == 0, done.stderr


def test_contributing_shows_the_reader_as_it_is():
    source = (ROOT / "src" / "formats" / "slices_tsv" / "slices_tsv_reader.cc").read_text()
    text = (ROOT / "CONTRIBUTING.md").read_text()
    assert f"```cpp\n{source}```\n" in text, "CONTRIBUTING.md, `A reader in 30 lines`: copy src/formats/slices_tsv/slices_tsv_reader.cc"
