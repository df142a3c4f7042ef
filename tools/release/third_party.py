"""What a release contains of others: one list, from which the notices and the bill of materials (SPDX 2.3) are made. Versions and
licence texts come from the installed packages that the release is built from."""
import datetime
import hashlib
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYARROW = next(iter(sorted(ROOT.glob(".venv/lib/python3*/site-packages/pyarrow-*.dist-info"))), None)
DUCKDB = next(iter(sorted((ROOT / "tools/duckdb/node_modules/@duckdb").glob("node-bindings-linux-*"))), None)
WEB = ROOT / "web/node_modules"

# (name, Debian package, SPDX licence, what it is for)
DEBIAN = [
    ("fmt", "libfmt-dev", "MIT", "formatting"),
    ("simdjson", "libsimdjson-dev", "Apache-2.0", "JSON"),
    ("ISA-L", "libisal-dev", "BSD-3-Clause", "gzip"),
    ("zlib", "zlib1g-dev", "Zlib", "gzip"),
    ("SQLite", "libsqlite3-dev", "blessing", "databases"),
    ("OpenSSL", "libssl-dev", "Apache-2.0", "TLS and hashes"),
    ("xxHash", "libxxhash-dev", "BSD-2-Clause", "hashes"),
    ("Boost", "libboost1.74-dev", "BSL-1.0", "HTTP: Asio and Beast"),
    ("CLI11", "libcli11-dev", "BSD-3-Clause", "arguments"),
    ("gRPC", "libgrpc-dev", "Apache-2.0", "capturing"),
    ("Abseil", "libabsl-dev", "Apache-2.0", "part of gRPC"),
    ("RE2", "libre2-dev", "BSD-3-Clause", "part of gRPC"),
    ("c-ares", "libc-ares-dev", "MIT", "part of gRPC"),
    ("libstdc++", "libstdc++-12-dev", "GPL-3.0-or-later WITH GCC-exception-3.1", "the C++ library's newer parts"),
]
# (name, npm package, what it is for)
NPM = [
    ("Apache ECharts", "echarts", "charts of the page"),
    ("ZRender", "zrender", "part of ECharts"),
    ("tslib", "tslib", "part of ECharts"),
    ("Preact", "preact", "the page"),
]


def debian_version(package):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True)
    return done.stdout


def debian_licence(package):
    text = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text(errors="replace")
    if package.startswith("libboost"):  # two megabytes of paths: Asio and Beast have the one licence
        text = re.search(r"^License: BSL-1\.0\n((?: .*\n)+)", text, re.M)[0]
    return text


def npm_licence(folder):
    files = sorted(path for path in folder.iterdir() if re.match(r"(LICEN[CS]E|NOTICE|CopyrightNotice)", path.name, re.I) and path.is_file())
    return "\n".join(path.read_text(errors="replace") for path in files)


def components():
    """(name, version, licence, purpose, origin, licence text) of each component."""
    found = [
        ("Apache Arrow C++", PYARROW.name.split("-")[1].removesuffix(".dist-info"), "Apache-2.0", "columns, Parquet, clouds", "pypi",
         (PYARROW / "LICENSE.txt").read_text() + (PYARROW / "NOTICE.txt").read_text()),
        ("DuckDB", json.loads((DUCKDB / "package.json").read_text())["version"], "MIT", "SQL", "npm", npm_licence(DUCKDB)),
    ]
    for name, package, licence, purpose in DEBIAN:
        found.append((name, debian_version(package), licence, purpose, f"deb/debian/{package}", debian_licence(package)))
    for name, package, purpose in NPM:
        about = json.loads((WEB / package / "package.json").read_text())
        found.append((name, about["version"], about["license"], purpose, f"npm/{package}", npm_licence(WEB / package)))
    for name, *_, text in found:
        if len(text) < 200:
            raise SystemExit(f"third_party: no licence text of {name}")
    return found


def notices():
    lines = ["Sightline contains the following works of others, under their own licences, whose texts follow.",
             "The text of the Apache License 2.0 is in the file LICENSE.", ""]
    lines += [f"{name} {version} ({licence}): {purpose}" for name, version, licence, purpose, *_ in components()]
    for name, version, _, _, _, text in components():
        lines += ["", "=" * 100, f"{name} {version}", "=" * 100, "", text.rstrip()]
    return "\n".join(lines) + "\n"


def sbom(version, files):
    """SPDX 2.3 as JSON: the release, its components, and the SHA-256 of each of `files`."""
    identifier = lambda text: "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", text)  # noqa: E731
    packages, relations = [], []
    own = {"SPDXID": "SPDXRef-Sightline", "name": "sightline", "versionInfo": version, "licenseDeclared": "Apache-2.0",
           "licenseConcluded": "Apache-2.0", "copyrightText": "NOASSERTION", "downloadLocation": "NOASSERTION", "filesAnalyzed": False}
    packages.append(own)
    for name, its_version, licence, purpose, origin, _ in components():
        packages.append({"SPDXID": identifier(name), "name": name, "versionInfo": its_version, "licenseDeclared": licence,
                         "licenseConcluded": licence, "copyrightText": "NOASSERTION", "downloadLocation": "NOASSERTION",
                         "filesAnalyzed": False, "summary": purpose, "sourceInfo": f"from the package {origin}"})
        relations.append({"spdxElementId": "SPDXRef-Sightline", "relationshipType": "CONTAINS", "relatedSpdxElement": identifier(name)})
    listed = [{"SPDXID": identifier(f"file-{path.name}"), "fileName": f"./{path.name}", "licenseConcluded": "NOASSERTION",
               "copyrightText": "NOASSERTION",
               "checksums": [{"algorithm": kind, "checksumValue": hashlib.new(kind.lower(), path.read_bytes()).hexdigest()}
                             for kind in ("SHA1", "SHA256")]} for path in files]
    relations += [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": each["SPDXID"]}
                  for each in [own, *listed]]
    unique = hashlib.sha256("".join(each["checksums"][1]["checksumValue"] for each in listed).encode()).hexdigest()
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"sightline-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/sightline-{version}-{unique[:16]}",
        "creationInfo": {"created": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: tools/release/build"]},
        "packages": packages, "files": listed, "relationships": relations}, indent=1) + "\n"
