"""Credentials, custom servers and certificates."""
import json
import subprocess

import pytest

import servers
from conftest import started
from program import needs_program, sightline, trace

pytestmark = needs_program

NAME = "access/rank0.1.pt.trace.json"


def report(server, address, **changes):
    arguments = ("report", address, "--view", "operators", "--format", "json", "--no-cache")
    return sightline(*arguments, **{**server.environment(), **changes})


def fails(done):
    """The one line on stderr, without the program's name."""
    assert done.returncode != 0 and done.stdout == "", done.stdout[:200]
    (line,) = done.stderr.splitlines()
    return line.removeprefix("sightline: ")


def answers(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["scope"] == "3 calls of 1 operator"


@pytest.fixture(scope="session")
def s3_there(s3):
    s3.put(NAME, json.dumps(trace()).encode())
    return s3


@pytest.fixture(scope="session")
def azure():
    server = started(servers.Azure)
    server.put(NAME, json.dumps(trace()).encode())
    yield server
    server.stop()


@pytest.fixture(scope="session")
def google():
    server = started(servers.Google)
    server.put(NAME, json.dumps(trace()).encode())
    yield server
    server.stop()


def test_s3_without_or_with_wrong_keys():
    server = started(servers.S3)
    try:
        server.put(NAME, json.dumps(trace()).encode())
        address = server.address(NAME)
        none = fails(report(server, address, AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY=""))
        assert none.startswith(f"{address}: access denied (set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE)")
        servers.send(f"http://{server.authority}/moto-api/reset-auth", b"0")  # from now on, only known users
        wrong = fails(report(server, address))
        assert wrong.startswith(f"{address}: access denied (the keys of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY were refused)")
    finally:
        server.stop()


def test_s3_takes_the_keys_of_a_profile(s3_there, tmp_path):
    (tmp_path / "credentials").write_text("[work]\naws_access_key_id = someone\naws_secret_access_key = secret\n")
    none = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}
    files = {"AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "credentials"), "AWS_PROFILE": "work"}
    assert answers(report(s3_there, s3_there.address(NAME), **none, **files))


def test_s3_use_https_is_for_an_endpoint_without_a_scheme(s3_there):
    address = s3_there.address(NAME)
    assert answers(report(s3_there, address, S3_ENDPOINT=s3_there.authority, S3_USE_HTTPS="0"))
    assert answers(report(s3_there, address, S3_ENDPOINT=f"http://{s3_there.authority}", S3_USE_HTTPS="1"))
    encrypted = report(s3_there, address, S3_ENDPOINT=s3_there.authority, SIGHTLINE_CLOUD_TIMEOUT="30")
    assert fails(encrypted).startswith(f"{address}: ")


def test_other_variables_for_an_s3_endpoint(s3_there):
    for name in ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"):
        assert answers(report(s3_there, s3_there.address(NAME), S3_ENDPOINT="", **{name: f"http://{s3_there.authority}"}))


def test_s3_over_tls(tmp_path):
    if why := servers.missing():
        pytest.skip(why)
    certificate, key = str(tmp_path / "certificate.pem"), str(tmp_path / "key.pem")
    subprocess.run([str(servers.VENV / "python"), str(servers.HERE / "certificate.py"), certificate, key], check=True)
    server = servers.S3(tls=(certificate, key))
    try:
        server.put(NAME, json.dumps(trace()).encode())
        address = server.address(NAME)
        stranger = fails(report(server, address, AWS_CA_BUNDLE="", SSL_CERT_FILE="", CURL_CA_BUNDLE="", SSL_CERT_DIR=""))
        assert stranger.startswith(
            f"{address}: the server's certificate is not trusted (SSL_CERT_FILE names certificates to trust; S3_VERIFY_SSL=0 trusts any)"
        )
        assert answers(report(server, address, S3_VERIFY_SSL="0"))
        assert answers(report(server, address, AWS_CA_BUNDLE="", CURL_CA_BUNDLE="", SSL_CERT_FILE=certificate))
        assert answers(report(server, address, S3_ENDPOINT=server.authority, S3_VERIFY_SSL="false"))
    finally:
        server.stop()


def test_azure_without_or_with_wrong_keys(azure):
    address = f"http://{azure.authority}/{azure.account}/{azure.bucket}/{NAME}"
    none = fails(report(azure, address, AZURE_STORAGE_CONNECTION_STRING=""))
    assert none.startswith(f"{address}: access denied (set AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_KEY, or ")
    wrong = fails(report(azure, address, AZURE_STORAGE_CONNECTION_STRING="", AZURE_STORAGE_KEY="d3Jvbmc="))
    assert wrong.startswith(f"{address}: access denied (the credentials of AZURE_STORAGE_KEY were refused)")


def test_azure_by_key_and_by_address(azure):
    address = f"http://{azure.authority}/{azure.account}/{azure.bucket}/{NAME}"
    assert answers(report(azure, address, AZURE_STORAGE_CONNECTION_STRING="", AZURE_STORAGE_KEY=azure.key))
    assert answers(report(azure, address))
    long = f"abfs://{azure.bucket}@{azure.account}.dfs.core.windows.net/{NAME}"  # the account; its endpoint comes from the settings
    assert answers(report(azure, long))


def test_azure_without_an_account(azure):
    line = fails(report(azure, azure.address(NAME), AZURE_STORAGE_CONNECTION_STRING=""))
    assert line.startswith(f"{azure.address(NAME)}: names no account: write abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH")


def test_a_signature_in_an_address_is_neither_used_nor_shown(azure):
    line = fails(report(azure, "https://account.blob.core.windows.net/data/x?sig=secret"))
    assert "AZURE_STORAGE_SAS_TOKEN" in line and "secret" not in line


def test_missing_file_of_google_credentials(google):
    line = fails(report(google, google.address(NAME), STORAGE_EMULATOR_HOST="", GOOGLE_APPLICATION_CREDENTIALS="/nonexistent/key"))
    assert line == f"{google.address(NAME)}: GOOGLE_APPLICATION_CREDENTIALS does not name a file: /nonexistent/key"


def test_hadoop_without_its_libraries():
    line = fails(sightline("info", "hdfs://127.0.0.1:1/runs", **servers.clean_environment(), HADOOP_HOME="", JAVA_HOME="", CLASSPATH=""))
    assert line.startswith("hdfs://127.0.0.1:1/runs: Hadoop's libraries cannot be loaded (set JAVA_HOME, HADOOP_HOME and CLASSPATH)")


@pytest.mark.parametrize("address", ["s3://", "https://example.com/x"])
def test_an_address_without_a_bucket(address):
    line = fails(sightline("info", address, **servers.clean_environment()))
    assert line.startswith(f"{address}: ")
