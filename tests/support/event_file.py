"""TensorBoard's event files: records of events, each with checksums. Written by hand, so that tests need no TensorBoard."""
import struct

from perfetto_text import data, number, real, varint


def _table():
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        yield byte


TABLE = tuple(_table())


def masked_crc(bytes_):
    """CRC-32C, rotated and shifted as the writer of records does."""
    crc = 0xFFFFFFFF
    for byte in bytes_:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(bytes_):
    length = struct.pack("<Q", len(bytes_))
    return length + struct.pack("<I", masked_crc(length)) + bytes_ + struct.pack("<I", masked_crc(bytes_))


def single(field, value):
    return varint(field << 3 | 5) + struct.pack("<f", value)


def tensor(dtype, content=b"", size=1, values=b""):
    """A TensorProto of one dimension; `values`: its encoded list of numbers."""
    shape = b"" if size == 1 else data(2, data(2, number(1, size)))
    return number(1, dtype) + shape + (data(4, content) if content else b"") + values


def event(seconds, step, tag, value):
    """A float is a simple value, bytes are a tensor."""
    of = single(2, value) if isinstance(value, float) else data(8, value)
    return real(1, seconds) + number(2, step) + data(5, data(1, data(1, tag) + of))


def write(path, events):
    """`events`: arguments of event()."""
    first = real(1, events[0][0]) + data(3, "brain.Event:2")
    path.write_bytes(b"".join(map(record, [first, *(event(*each) for each in events)])))
    return path
