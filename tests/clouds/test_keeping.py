"""The cache and the server with cloud profiles: new and replaced objects. Through a proxy
that counts the responses. With S3 only: above the byte layer, all clouds are the same."""
import json
import time

import pytest

from fault_proxy import FaultProxy
from program import Server, needs_program, sightline, trace

pytestmark = needs_program

OPERATORS = 90_000  # about 9 MB of text
NAME = "rank0.1.pt.trace.json"
LONGEST = 60  # seconds to wait for an expected event


def text_of(*arguments):
    return json.dumps(trace(*arguments)).encode()


@pytest.fixture
def place(s3, tmp_path, request):
    """(server, proxy, environment, a separate folder in the bucket)"""
    with FaultProxy(s3.authority) as proxy:
        changes = {**s3.environment(proxy.authority), "SIGHTLINE_CACHE_DIR": str(tmp_path / "cache")}
        yield s3, proxy, changes, f"keeping/{request.node.name}"


def done(*arguments, **changes):
    ended = sightline(*arguments, **changes)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_cache_knows_an_object_by_address_and_version(place):
    s3, proxy, changes, folder = place
    s3.put(f"{folder}/{NAME}", text_of(OPERATORS))
    address = s3.address(f"{folder}/{NAME}")
    ask = ("report", address, "--view", "operators", "--format", "json")
    (entry,) = json.loads(done("ingest", s3.address(folder), "--json", **changes))
    assert entry["path"] == address and entry["source"] == "remote" and entry["events"] == OPERATORS + 1
    first = done(*ask, "--no-cache", **changes)
    proxy.answered = 0
    assert done(*ask, **changes) == first
    assert proxy.answered < 300_000, "the object is not fetched, but for a look at its beginning"
    s3.put(f"{folder}/{NAME}", text_of(OPERATORS, "aten::add"))
    assert "aten::add" in done(*ask, **changes), "another object at the same address"


def test_list_sends_no_request_and_remove_takes_an_address(place):
    s3, proxy, changes, folder = place
    s3.put(f"{folder}/{NAME}", text_of(4))
    s3.put(f"{folder}/more/{NAME}", text_of(5))
    done("ingest", s3.address(folder), **changes)
    proxy.answered = 0
    listed = json.loads(done("list", "--json", **changes))
    assert sorted(entry["path"] for entry in listed) == [s3.address(f"{folder}/more/{NAME}"), s3.address(f"{folder}/{NAME}")]
    assert proxy.answered == 0
    assert done("remove", s3.address(f"{folder}/more") + "/", **changes) == "removed 1 profile\n"
    assert done("remove", s3.address(folder), **changes) == "removed 1 profile\n"


def test_the_text_of_an_event_is_one_small_request(place):
    s3, proxy, changes, folder = place
    s3.put(f"{folder}/{NAME}", text_of(OPERATORS))
    with Server(s3.address(folder), "--no-watch", "--no-cache", **changes) as server:
        server.loaded_state()
        proxy.answered = 0
        status, slice_ = server.json(f"/api/slice?slice={OPERATORS}")
        assert status == 200 and json.loads(slice_["event"])["ts"] == 20 * (OPERATORS - 1) + 5
        assert proxy.answered < 400_000
        s3.put(f"{folder}/{NAME}", text_of(OPERATORS, "aten::add"))
        status, slice_ = server.json(f"/api/slice?slice={OPERATORS}")
        assert status == 200 and slice_["event"] is None, "the object is no longer the one that was read"


def test_new_and_replaced_objects_appear(place):
    s3, _, changes, folder = place
    s3.put(f"{folder}/{NAME}", text_of(4))
    changes |= {"SIGHTLINE_CLOUD_WATCH": "0.2"}
    with Server(s3.address(folder), "--watch", "0.1", "--no-cache", **changes) as server:
        assert workers(server.loaded_state()) == {"rank0": 5}
        s3.put(f"{folder}/rank1.1.pt.trace.json", text_of(7))
        s3.put(f"{folder}/{NAME}", text_of(6))
        until(lambda: workers(server.loaded_state()) == {"rank0": 7, "rank1": 8})


def test_loaded_profiles_stay_while_the_cloud_is_unreachable(place):
    s3, proxy, changes, folder = place
    s3.put(f"{folder}/{NAME}", text_of(4))
    changes |= {"SIGHTLINE_CLOUD_WATCH": "0.1", "SIGHTLINE_CLOUD_TIMEOUT": "5"}
    with Server(s3.address(folder), "--watch", "0.1", "--no-cache", **changes) as server:
        assert workers(server.loaded_state()) == {"rank0": 5}
        proxy.refuse()
        until(lambda: proxy.refused > 5)
        (run,) = server.loaded_state()["runs"]
        (span,) = run["workers"][0]["spans"]
        assert span["status"] == "ready" and "note" not in [fact["label"] for fact in span["facts"]]


def test_a_server_that_stalls_does_not_keep_the_program_from_ending(place):
    s3, proxy, changes, folder = place
    s3.put(f"{folder}/{NAME}", text_of(OPERATORS))
    proxy.stall_after = 2_000_000
    with Server(s3.address(folder), "--no-watch", "--no-cache", **changes) as server:
        until(lambda: proxy.answered > 1_500_000)
        code, _ = server.end()  # waits for 10 s
        assert code == 0


def workers(state):
    return {worker["name"]: worker["spans"][0]["events"] for run in state["runs"] for worker in run["workers"]}


def until(holds):
    """Waits for another program, but not longer than it may take on a busy machine."""
    end = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)
