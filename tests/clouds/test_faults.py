"""Failures between the program and a cloud: each gives one clear line in bounded time, or is retried with success."""
import json
import time

import pytest

import servers
from fault_proxy import FaultProxy
from program import needs_program, sightline, trace

pytestmark = needs_program

OPERATORS = 90_000  # about 9 MB of text
NAME = "faults/rank0.1.pt.trace.json"


@pytest.fixture(scope="session")
def there(cloud):
    cloud.put(NAME, json.dumps(trace(OPERATORS)).encode())
    return cloud


def report(cloud, address, authority=None, **changes):
    arguments = ("report", address, "--view", "operators", "--format", "json", "--no-cache")
    return sightline(*arguments, **{**cloud.environment(authority), **changes})


def fails(done):
    """The one line on stderr, without the program's name."""
    assert done.returncode == 1 and done.stdout == "", done.stdout[:200]
    (line,) = done.stderr.splitlines()
    return line.removeprefix("sightline: ")


def calls(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["scope"]


def test_missing_object_bucket_and_account_are_different_errors(there):
    key, bucket = there.address("faults/nothing.json"), there.address("faults", bucket="no-such-bucket")
    assert fails(report(there, key)) == f"{key}: no such object or folder"
    assert fails(report(there, bucket)) == f"{bucket}: no such bucket: no-such-bucket"
    empty = there.address("", bucket="no-such-bucket")
    assert fails(report(there, empty)) == f"{empty}: no such bucket: no-such-bucket"


def test_a_folder_without_profiles_says_what_was_looked_for(there):
    there.put("empty/notes.txt", b"nothing here")
    line = fails(report(there, there.address("empty")))
    assert line.startswith(f"{there.address('empty')}: no profile found in 1 files of 1 directories (looked for: ")


def test_a_server_that_cannot_be_reached(there):
    line = fails(report(there, there.address(NAME), f"127.0.0.1:{servers.free_port()}", SIGHTLINE_CLOUD_TIMEOUT="30"))
    assert line.startswith(f"{there.address(NAME)}: the server cannot be reached")


def test_a_stalled_server_times_out(there):
    with FaultProxy(there.authority) as proxy:
        proxy.stall_after = 1_000_000
        began = time.monotonic()
        line = fails(report(there, there.address(NAME), proxy.authority, SIGHTLINE_CLOUD_TIMEOUT="3"))
        assert time.monotonic() - began < 20
    assert "no answer within 3 s (SIGHTLINE_CLOUD_TIMEOUT is how many seconds to wait)" in line
    assert line.startswith(f"{there.address(NAME)}:")


def test_a_slow_server_is_waited_for(there):
    with FaultProxy(there.authority) as proxy:
        proxy.delay = 0.002  # for each 16 KiB
        slow = report(there, there.address(NAME), proxy.authority)
        assert proxy.answered > 5_000_000
    assert slow.stdout == report(there, there.address(NAME)).stdout
    assert calls(slow) == "90,000 calls of 1 operator"


def test_a_connection_that_breaks_once_is_retried(there):
    with FaultProxy(there.authority) as proxy:
        proxy.cut_after, proxy.cuts = 500_000, 1
        mended = report(there, there.address(NAME), proxy.authority)
        assert proxy.cuts == 0
    assert mended.stdout == report(there, there.address(NAME)).stdout
    assert calls(mended) == "90,000 calls of 1 operator"


def test_a_connection_that_always_breaks_fails(there):
    with FaultProxy(there.authority) as proxy:
        proxy.cut_after, proxy.cuts = 3_000, 10_000  # less than any piece of the object
        began = time.monotonic()
        line = fails(report(there, there.address(NAME), proxy.authority, SIGHTLINE_CLOUD_TIMEOUT="20"))
        assert time.monotonic() - began < 50
    assert line.startswith(f"{there.address(NAME)}:")
    assert "the connection broke" in line or "no answer within 20 s" in line


def test_an_object_replaced_while_it_is_read_is_an_error(s3):
    """The proxy holds the second half back until the object is replaced."""
    name = "replaced/rank0.1.pt.trace.json"
    s3.put(name, json.dumps(trace(OPERATORS)).encode())
    with FaultProxy(s3.authority) as proxy:
        proxy.after(2_000_000, lambda: s3.put(name, json.dumps(trace(OPERATORS, "aten::add")).encode()))
        line = fails(report(s3, s3.address(name), proxy.authority))
    assert line == f"{s3.address(name)}: the object was replaced while it was being read"

