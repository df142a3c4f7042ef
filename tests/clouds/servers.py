"""The clouds' servers on this machine, each in a process of its own and in memory: moto for S3, gcp-storage-emulator for Google
Cloud Storage, Azurite for Azure. A server knows what the environment must be for the program to find it, and takes objects.

tools/install puts the programs into tests/clouds/.venv and tests/clouds/node_modules; where they are not, the tests are skipped.
"""
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from pyarrow import fs

HERE = pathlib.Path(__file__).parent
VENV = HERE / ".venv" / "bin"
AZURITE = HERE / "node_modules" / "azurite" / "dist" / "src" / "blob" / "main.js"
START_SECONDS = 60


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def clean_environment():
    """Nothing of the user's own clouds: neither variables nor files in the home folder."""
    mine = ("AWS_", "S3_", "AZURE_", "GOOGLE_", "CLOUDSDK_", "STORAGE_EMULATOR", "GCE_", "MSI_", "IDENTITY_", "SIGHTLINE_CLOUD")
    return {name: "" for name in os.environ if name.startswith(mine)} | {"AWS_EC2_METADATA_DISABLED": "true", "HOME": "/nonexistent"}


class CloudServer:
    """One server; `authority` is its host:port, `address(key)` what the program is told. Objects lie in the bucket `data`."""

    name = ""
    bucket = "data"
    scheme = "http"

    def __init__(self, **changes):
        self.port = free_port()
        self.authority = f"127.0.0.1:{self.port}"
        self.folder = tempfile.mkdtemp(prefix="sightline-cloud-")
        self.log = open(os.path.join(self.folder, "log"), "w")
        self.process = subprocess.Popen(
            self.command(), stdout=self.log, stderr=subprocess.STDOUT, cwd=self.folder, env={**os.environ, **changes}
        )
        self.wait_until_it_answers()

    def wait_until_it_answers(self):
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert self.process.poll() is None and time.monotonic() < end, open(self.log.name).read()
                time.sleep(0.05)

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def put(self, key, data, bucket=None):
        system = self.writer()
        system.create_dir(bucket or self.bucket)
        with system.open_output_stream(f"{bucket or self.bucket}/{key}", compression=None) as out:
            out.write(data)

    def put_folder(self, folder, prefix, bucket):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                self.put(f"{prefix}/{path.relative_to(folder)}", path.read_bytes(), bucket)


class S3(CloudServer):
    name = "s3"
    keys = {"AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": "secret"}

    def __init__(self, tls=None, **changes):
        """`tls`: files of a certificate and its key."""
        self.tls = tls
        self.scheme = "https" if tls else "http"
        super().__init__(**changes)

    def command(self):
        tls = ["-c", self.tls[0], "-k", self.tls[1]] if self.tls else []
        return [str(VENV / "moto_server"), "-H", "127.0.0.1", "-p", str(self.port), *tls]

    def environment(self, authority=None):
        return clean_environment() | self.keys | {"S3_ENDPOINT": f"{self.scheme}://{authority or self.authority}"}

    def address(self, key="", bucket=None):
        return f"s3://{bucket or self.bucket}/{key}".rstrip("/")

    def writer(self):
        return fs.S3FileSystem(
            access_key="someone",
            secret_key="secret",
            endpoint_override=self.authority,
            scheme=self.scheme,
            region="us-east-1",
            allow_bucket_creation=True,
            tls_ca_file_path=self.tls[0] if self.tls else "",
        )


class Google(CloudServer):
    name = "google"

    def command(self):
        # By itself it answers one connection at a time, and the program has several open.
        threads = "import http.server as h; h.HTTPServer = h.ThreadingHTTPServer; from gcp_storage_emulator.__main__ import main; main()"
        return [str(VENV / "python"), "-c", threads, "start", "--host", "127.0.0.1", "--port", str(self.port), "--in-memory"]

    def environment(self, authority=None):
        return clean_environment() | {"STORAGE_EMULATOR_HOST": f"http://{authority or self.authority}"}

    def address(self, key="", bucket=None):
        return f"gs://{bucket or self.bucket}/{key}".rstrip("/")

    def put(self, key, data, bucket=None):
        base = f"http://{self.authority}"
        made = f'{{"name": "{bucket or self.bucket}"}}'.encode()
        try:
            post(f"{base}/storage/v1/b?project=test", made, "application/json")
        except urllib.error.HTTPError as error:
            assert error.code == 409  # it is there
        name = urllib.request.quote(key, safe="")
        post(f"{base}/upload/storage/v1/b/{bucket or self.bucket}/o?uploadType=media&name={name}", data, "application/octet-stream")


def post(address, data, kind, method="POST", **headers):
    named = {"Content-Type": kind} | {name.replace("_", "-"): value for name, value in headers.items()}
    with urllib.request.urlopen(urllib.request.Request(address, data, named, method=method), timeout=20) as answer:
        answer.read()


class Azure(CloudServer):
    name = "azure"
    account = "devstoreaccount1"
    key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="  # Azurite's, known to all

    def command(self):
        folder = ["--location", self.folder, "--skipApiVersionCheck", "--silent"]
        return ["node", str(AZURITE), "--blobHost", "127.0.0.1", "--blobPort", str(self.port), *folder]

    def environment(self, authority=None):
        blobs = f"BlobEndpoint=http://{authority or self.authority}/{self.account};"
        settings = f"DefaultEndpointsProtocol=http;AccountName={self.account};AccountKey={self.key};{blobs}"
        return clean_environment() | {"AZURE_STORAGE_CONNECTION_STRING": settings}

    def address(self, key="", bucket=None):
        return f"abfs://{bucket or self.bucket}/{key}".rstrip("/")

    def writer(self):
        return fs.AzureFileSystem(
            account_name=self.account,
            account_key=self.key,
            blob_storage_authority=self.authority,
            dfs_storage_authority=self.authority,
            blob_storage_scheme="http",
            dfs_storage_scheme="http",
        )


def missing():
    """What is not installed, or ''."""
    lacking = [str(path) for path in (VENV / "moto_server", VENV / "gcp-storage-emulator", AZURITE) if not path.exists()]
    return f"not installed: {', '.join(lacking)}: tools/install test" if lacking else ""
