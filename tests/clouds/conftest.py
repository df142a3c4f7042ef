import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "e2e_cli"), str(HERE.parent / "support")]

import servers  # noqa: E402


def started(kind, **options):
    if why := servers.missing():
        pytest.skip(why)
    return kind(**options)


@pytest.fixture(scope="session", params=[servers.S3, servers.Google, servers.Azure], ids=lambda kind: kind.name)
def cloud(request):
    """Runs the test for each cloud."""
    server = started(request.param)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def azure():
    server = started(servers.Azure)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def s3():
    server = started(servers.S3)
    yield server
    server.stop()
