"""A hostile input: a name, a function that writes it into a folder, and what the program must report about it."""
import gzip
from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Case:
    name: str
    write: Callable  # takes an empty folder, returns the path to read
    tells: str = "told"  # "told": reports an error or a problem; "valid": reports neither; "any": either
    size: int | None = None  # decompressed; none: the size on disk
    large: bool = False  # takes a second or more
    sound: Callable | None = None  # writes the same without the damage: reports about that do not count


def file_case(name, ending, data, tells="told", **more):
    """A case of one file. `data`: bytes, or a function that returns pieces of them."""

    def write(folder):
        path = folder / f"case{ending}"
        with open(path, "wb") as file:
            for piece in (data,) if isinstance(data, bytes) else data():
                file.write(piece)
        return path

    return Case(name, write, tells, **more)


def packed_case(name, ending, pieces, tells="told", level=6, **more):
    """A gzip file of the pieces."""
    pieces = list(pieces)

    def write(folder):
        path = folder / f"case{ending}"
        with gzip.open(path, "wb", level) as file:
            for piece, times in pieces:
                for _ in range(times):
                    file.write(piece)
        return path

    return Case(name, write, tells, size=sum(len(piece) * times for piece, times in pieces), **more)


def damaged(name, data, header=64):
    """(name, bytes) for each general way to damage a file; none of the results is a complete file."""
    for part in (0, 1, 2, 3, 5, 8, 16, 24, 40, 64, 90, 97, 99):
        yield f"{name}: cut to {part} %", data[:len(data) * part // 100]
    yield f"{name}: without its last byte", data[:-1]
    yield f"{name}: without its first byte", data[1:]
    yield f"{name}: garbage before it", b"garbage" + data
    yield f"{name}: only zeros", bytes(len(data))
    yield f"{name}: only ones", b"\xff" * len(data)
    yield f"{name}: its bytes in reverse", data[::-1]


def altered(name, data, places=24):
    """(name, bytes): one word overwritten at places spread over a file, which may stay valid."""
    for at in range(0, len(data), max(8, len(data) // places)):
        for how, word in (("ones", b"\xff" * 8), ("zeros", bytes(8)), ("the largest", b"\xff" * 7 + b"\x7f"), ("32 bits", b"\xff\xff\xff\x7f")):
            yield f"{name}: {how} at byte {at}", data[:at] + word + data[at + len(word):]
    for at in range(0, len(data), max(1, len(data) // places)):
        yield f"{name}: bit flipped at byte {at}", data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1:]
        yield f"{name}: a stretch lost at byte {at}", data[:at] + data[at + 40:]
        yield f"{name}: a stretch repeated at byte {at}", data[:at + 40] + data[at:]
