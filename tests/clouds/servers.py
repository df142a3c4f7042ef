"""The cloud servers on this machine, each in a separate process and in memory: moto for S3, gcp-storage-emulator for Google
Cloud Storage, Azurite for Azure. A server object has the environment that the program needs to find the server, and stores objects
over plain HTTP: a library of the cloud would run in the test process, and could crash it.

tools/install installs the servers into tests/clouds/.venv and tests/clouds/node_modules; without them, the tests are skipped.
"""
import base64
import email.utils
import hmac
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent
VENV = HERE / ".venv" / "bin"
AZURITE = HERE / "node_modules" / "azurite" / "dist" / "src" / "blob" / "main.js"
START_SECONDS = 60


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def clean_environment():
    """Hides the user's own cloud settings: variables and files in the home folder."""
    mine = ("AWS_", "S3_", "AZURE_", "GOOGLE_", "CLOUDSDK_", "STORAGE_EMULATOR", "GCE_", "MSI_", "IDENTITY_", "SIGHTLINE_CLOUD")
    return {name: "" for name in os.environ if name.startswith(mine)} | {"AWS_EC2_METADATA_DISABLED": "true", "HOME": "/nonexistent"}


class CloudServer:
    """One server; `authority` is its host:port, `address(key)` the address for the program. The bucket is `data`."""

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
        self.make_bucket(bucket or self.bucket)
        self.put_object(bucket or self.bucket, urllib.request.quote(key), data)

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

    def make_bucket(self, bucket):
        self.send("PUT", bucket)

    def put_object(self, bucket, key, data):
        self.send("PUT", f"{bucket}/{key}", data)

    def send(self, method, path, data=b""):
        """As the user `someone`, whose signature moto accepts."""
        trusted = ssl.create_default_context(cafile=self.tls[0]) if self.tls else None
        send(f"{self.scheme}://{self.authority}/{path}", data, method, trusted, Authorization="AWS someone:any", x_amz_acl="private")


class Google(CloudServer):
    name = "google"

    def command(self):
        # By default it handles one connection at a time, and the program opens several.
        threads = "import http.server as h; h.HTTPServer = h.ThreadingHTTPServer; from gcp_storage_emulator.__main__ import main; main()"
        return [str(VENV / "python"), "-c", threads, "start", "--host", "127.0.0.1", "--port", str(self.port), "--in-memory"]

    def environment(self, authority=None):
        return clean_environment() | {"STORAGE_EMULATOR_HOST": f"http://{authority or self.authority}"}

    def address(self, key="", bucket=None):
        return f"gs://{bucket or self.bucket}/{key}".rstrip("/")

    def make_bucket(self, bucket):
        try:
            send(f"http://{self.authority}/storage/v1/b?project=test", f'{{"name": "{bucket}"}}'.encode(), Content_Type="application/json")
        except urllib.error.HTTPError as error:
            assert error.code == 409  # it is there

    def put_object(self, bucket, key, data):
        name = key.replace("/", "%2F")
        send(f"http://{self.authority}/upload/storage/v1/b/{bucket}/o?uploadType=media&name={name}", data)


def send(address, data, method="POST", trusted=None, **headers):
    """Header names with _ for -."""
    named = {"Content-Type": "application/octet-stream"} | {name.replace("_", "-"): value for name, value in headers.items()}
    with urllib.request.urlopen(urllib.request.Request(address, data, named, method=method), timeout=20, context=trusted) as answer:
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

    def make_bucket(self, bucket):
        try:
            self.send(bucket, b"", "restype:container")
        except urllib.error.HTTPError as error:
            assert error.code == 409  # it is there

    def put_object(self, bucket, key, data):
        self.send(f"{bucket}/{key}", data, x_ms_blob_type="BlockBlob")

    def send(self, path, data, parameter="", **headers):
        """PUT, signed with the key of the account. `parameter`: NAME:VALUE."""
        headers |= {"x_ms_date": email.utils.formatdate(usegmt=True), "x_ms_version": "2021-08-06"}
        length = str(len(data)) if data else ""
        known = ["PUT", "", "", length, "", "application/octet-stream", "", "", "", "", "", ""]
        signed = [f"{name.replace('_', '-')}:{headers[name]}" for name in sorted(headers)]
        resource = [f"/{self.account}/{self.account}/{path}", *([parameter] if parameter else [])]
        digest = hmac.digest(base64.b64decode(self.key), "\n".join(known + signed + resource).encode(), "sha256")
        headers["Authorization"] = f"SharedKey {self.account}:{base64.b64encode(digest).decode()}"
        query = "?" + parameter.replace(":", "=") if parameter else ""
        send(f"http://{self.authority}/{self.account}/{path}{query}", data, "PUT", **headers)


def missing():
    """The missing installations, or ''."""
    lacking = [str(path) for path in (VENV / "moto_server", VENV / "gcp-storage-emulator", AZURITE) if not path.exists()]
    return f"not installed: {', '.join(lacking)}: tools/install test" if lacking else ""
