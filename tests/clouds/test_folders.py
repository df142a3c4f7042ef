"""Captures that are folders, in a cloud: found and read as on disk, databases by ranges, nothing written to the disk."""
import json

import pytest

from ascend_export import SMALL_RUN as RUN  # noqa: E402
from program import needs_program, sightline

pytestmark = needs_program

BUCKET = "folders"
@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A job of two workers, one with each export, and raw data that is not read."""
    root = tmp_path_factory.mktemp("on-disk") / "job"
    RUN.write_text(root / "host_rank0_20260101_ascend_pt")
    RUN.write_database(root / "host_rank1_20260101_ascend_pt")
    for worker in root.iterdir():
        (worker / "PROF_1" / "device_0").mkdir(parents=True)
        (worker / "PROF_1" / "device_0" / "raw.db").write_bytes(b"raw" * 1000)
    return root


@pytest.fixture(scope="session")
def there(cloud, folder):
    cloud.put_folder(folder, "some/job", BUCKET)
    return cloud


def ask(cloud, *arguments, **changes):
    done = sightline(*arguments, **cloud.environment(), **changes)
    assert done.returncode == 0, done.stderr
    return done.stdout


def runs(cloud, path):
    found = json.loads(ask(cloud, "info", path, "--format", "json", "--no-cache"))["runs"]
    return [
        (run["name"], worker["name"], span["name"], span["status"], span["events"], span["bytes_total"])
        for run in found
        for worker in run["workers"]
        for span in worker["spans"]
    ]


def test_the_same_workers_are_found(there, folder):
    on_disk = runs(there, folder)
    assert [(worker, status) for _, worker, _, status, *_ in on_disk] == [("host_rank0", "ready"), ("host_rank1", "ready")]
    assert runs(there, there.address("some/job", BUCKET)) == on_disk
    assert [row[1:] for row in runs(there, there.address("", BUCKET))] == [row[1:] for row in on_disk]


@pytest.mark.parametrize("rank", (0, 1))
def test_reports_are_those_of_the_folder(there, folder, rank, tmp_path):
    name = f"host_rank{rank}_20260101_ascend_pt"
    changes = {"SIGHTLINE_CACHE_DIR": "", "TMPDIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    for view in ("overview", "operators", "kernels", "memory"):
        question = ("--view", view, "--format", "json", "--no-cache")
        remote = ask(there, "report", there.address(f"some/job/{name}", BUCKET), *question, **changes)
        assert json.loads(remote) == json.loads(ask(there, "report", folder / name, *question)), view
    assert list(tmp_path.iterdir()) == []


def test_the_output_folder_and_a_database_alone(there, folder):
    inside = "some/job/host_rank1_20260101_ascend_pt/ASCEND_PROFILER_OUTPUT"
    for path in (inside, f"{inside}/ascend_pytorch_profiler_0.db"):
        ((_, _, _, status, events, _),) = runs(there, there.address(path, BUCKET))
        assert status == "ready" and events > 0


def test_a_folder_of_a_cloud_is_cached_and_a_replaced_file_noticed(s3, folder, tmp_path):
    changes = {"SIGHTLINE_CACHE_DIR": str(tmp_path / "cache")}
    s3.put_folder(folder, "kept/job", BUCKET)
    address = s3.address("kept/job", BUCKET)

    def ingest():
        return {entry["worker"]: entry for entry in json.loads(ask(s3, "ingest", address, "--json", **changes))}

    first, second = ingest(), ingest()
    assert second == {name: {**entry, "last_used": second[name]["last_used"]} for name, entry in first.items()}
    s3.put("kept/job/host_rank0_20260101_ascend_pt/profiler_info_0.json", b'{"rank_id": 6}', BUCKET)
    third = ingest()
    assert third["host_rank0"]["key"] != first["host_rank0"]["key"] and third["host_rank1"]["key"] == first["host_rank1"]["key"]
