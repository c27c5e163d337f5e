"""Makes checksums and packed streams of damaged files right again, so that damage reaches the code behind them."""

from __future__ import annotations

import struct
import zlib


def kmodel(data: bytes) -> bytes:
    """A .kmodel with the sum of its bytes, for the table of fields of this version."""
    from kinetree.engine.storage.binary import fingerprint

    if len(data) < 52:
        return data
    body = data[:20] + fingerprint("Model") + data[36:-4]
    return body + struct.pack("<I", zlib.crc32(body))


def png(data: bytes) -> bytes:
    """A PNG file with the sums of its chunks. Pixels that are not packed are packed: seeds hold them plain."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return data
    result, at = [data[:8]], 8
    while at + 8 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + size]
        if kind == b"IDAT" and not _is_zlib(body):
            body = zlib.compress(body, 1)
            size = len(body)
            at += int.from_bytes(data[at : at + 4], "big") + 12
        else:
            at += size + 12
        result.append(struct.pack(">I", size) + kind + body + struct.pack(">I", zlib.crc32(kind + body)))
    return b"".join(result)


def plain_png(data: bytes) -> bytes:
    """A PNG file whose pixels stand there unpacked, for `png`."""
    result, at = [data[:8]], 8
    while at + 12 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        if kind == b"IDAT":
            try:
                body = zlib.decompress(body)
            except zlib.error:
                return data
        result.append(struct.pack(">I", len(body)) + kind + body + bytes(4))
        at += size + 12
    return b"".join(result)


def _is_zlib(data: bytes) -> bool:
    try:
        zlib.decompressobj().decompress(data, 1 << 16)
    except zlib.error:
        return False
    return True


def ktx(data: bytes) -> bytes:
    """A KTX file of version 2 whose levels are packed as it says: levels that are not are packed, and stand at its
    end."""
    if data[:7] != b"\xabKTX 20" or len(data) < 80:
        return data
    levels, scheme = struct.unpack_from("<2I", data, 40)
    if scheme not in (2, 3) or not 0 < levels <= 16:
        return data
    result = bytearray(data)
    for level in range(levels):
        place = 80 + 24 * level
        if place + 24 > len(data):
            break
        start, length, _ = struct.unpack_from("<3Q", data, place)
        stored = data[start : start + length] if start + length <= len(data) else b""
        if stored and not (_is_zlib(stored) if scheme == 3 else stored[:4] == b"\x28\xb5\x2f\xfd"):
            stored = _packed(stored, scheme)
            struct.pack_into("<2Q", result, place, len(result), len(stored))
            result += stored
    return bytes(result)


def _packed(data: bytes, scheme: int) -> bytes:
    if scheme == 3:
        return zlib.compress(data, 1)
    import zstandard

    return zstandard.ZstdCompressor(level=1).compress(data)


def npz(data: bytes) -> bytes:
    """A zip archive of plain members with their sums, in its directory and before each of them."""
    result, at = bytearray(data), 0
    while (at := data.find(b"PK\x01\x02", at)) >= 0 and at + 46 <= len(data):
        method, size, start = (
            struct.unpack_from(kind, data, at + k)[0] for kind, k in (("<H", 10), ("<I", 20), ("<I", 42))
        )
        if method == 0 and start + 30 <= len(data) and data[start : start + 4] == b"PK\x03\x04":
            begin = start + 30 + sum(struct.unpack_from("<2H", data, start + 26))
            check = struct.pack("<I", zlib.crc32(data[begin : begin + size]))
            result[at + 16 : at + 20] = result[start + 14 : start + 18] = check
        at += 46
    return bytes(result)
