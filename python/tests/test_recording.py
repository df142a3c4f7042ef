"""sightline.trace_handler with a profiler that writes as torch's does (its real one records in tests/live)."""
import gzip
import pathlib

import pytest


class Profiler:
    """Writes what torch.profiler would: the trace's text, compressed when the name ends with .gz."""

    def __init__(self, text, during=lambda path: None):
        self.text = text
        self.during = during

    def export_chrome_trace(self, path):
        self.path = pathlib.Path(path)
        half = len(self.text) // 2
        with (gzip.open if path.endswith(".gz") else open)(path, "wt") as file:
            file.write(self.text[:half])
            self.during(self.path)
            file.write(self.text[half:])


@pytest.fixture
def text(trace):
    return trace("classic", "source/worker0.1").read_text()


def test_each_recording_becomes_a_span(sightline, text, tmp_path):
    handler = sightline.trace_handler(tmp_path / "runs" / "net", worker="rank3")
    for _ in range(2):
        handler(Profiler(text))
    found = sightline.find(tmp_path / "runs")
    assert [(one["run"], one["worker"], one["span"]) for one in found] == [("net", "rank3", "1"), ("net", "rank3", "2")]
    assert all(one["file"].endswith(".pt.trace.json.gz") for one in found)
    assert sightline.open(tmp_path / "runs" / found[0]["file"])["slices"].num_rows > 0


def test_half_a_file_is_never_seen(sightline, text, tmp_path):
    seen = []

    def look(path):
        seen.append(sorted(tmp_path.glob("*.json*")))
        with pytest.raises(sightline.Error):
            sightline.find(tmp_path / "runs")

    sightline.trace_handler(tmp_path / "runs")(Profiler(text, look))
    assert seen == [[]] and len(sightline.find(tmp_path / "runs")) == 1
    assert [path.name[0] for path in (tmp_path / "runs").iterdir()].count(".") == 0


def test_a_failed_recording_leaves_nothing(sightline, tmp_path):
    class Broken:
        def export_chrome_trace(self, path):
            pathlib.Path(path).write_text("{")
            raise RuntimeError("no trace")

    with pytest.raises(RuntimeError, match="no trace"):
        sightline.trace_handler(tmp_path)(Broken())
    assert list(tmp_path.iterdir()) == []


def test_workers_names_are_file_names(sightline, text, tmp_path):
    sightline.trace_handler(tmp_path / "out", worker="node a/7", gzip=False)(Profiler(text))
    [file] = (tmp_path / "out").iterdir()
    assert file.name.startswith("node_a_7.") and file.name.endswith(".pt.trace.json") and file.read_text() == text
