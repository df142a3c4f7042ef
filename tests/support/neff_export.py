"""Writes a small compiled model (NEFF): 1024 bytes of header and an archive of members.

    neff(uuid=bytes(16), members={"info.json": b'{"tool_version": "2.1"}'})

All bytes are made here: nothing is copied from a compiler's output.
"""
import gzip
import hashlib
import io
import struct
import tarfile


def archive(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def neff(*, name="model.neff", uuid=bytes(range(16)), members=None, package=2, major=2, minor=0, build="2.0.0%made-here", cores=1,
         features=0, per_logical=1, payload=None, hash_=None):
    if payload is None:
        payload = archive({"info.json": b'{"tool_version": "2.0.0"}'} if members is None else members)
        if package == 2:
            payload = gzip.compress(payload, mtime=0)
    if hash_ is None:
        hash_ = hashlib.md5(payload).digest() if package == 2 else hashlib.sha256(payload).digest()
    header = bytearray(1024)
    struct.pack_into("<5Q", header, 0x000, package, 1024, len(payload), major, minor)
    header[0x028:0x028 + len(build)] = build.encode()
    struct.pack_into("<I", header, 0x0A8, 1 if package == 2 else 0)
    header[0x0AC:0x0CC] = hash_.ljust(32, b"0")
    header[0x0CC:0x0DC] = uuid
    header[0x0DC:0x0DC + len(name)] = name.encode()
    struct.pack_into("<I", header, 0x1DC, cores)
    struct.pack_into("<QI", header, 0x220, features, per_logical)
    return bytes(header) + payload
