#!/usr/bin/env python3
"""Generates the fixtures in castle/ and x3d/ that are not plain text: other encodings, gzip, PNG.

Needs only Python 3 and its standard library. The output is deterministic.
"""
import os
import struct
import zlib

CASTLE = os.path.dirname(os.path.abspath(__file__))
X3D = os.path.join(CASTLE, "..", "x3d")
EXTENSION = ".castle-anim-frames"

X3D_FRAME = (
    '<X3D version="3.0" profile="Interchange"><Scene><Shape><IndexedFaceSet coordIndex="0 1 2 -1">'
    '<Coordinate point="0 {0} 0, 1 {0} 0, 0 {1} 0"/></IndexedFaceSet></Shape></Scene></X3D>'
)


def write(folder, path, data):
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def animation(point, attributes, encoding="UTF-8", times=("0", "1")):
    """An animation with two frames: a triangle, and the same triangle higher up."""
    frames = "".join(
        f'    <frame time="{time}">\n      {X3D_FRAME.format(y, y + 1)}\n    </frame>\n' for y, time in enumerate(times)
    )
    return (
        f'<?xml version="1.0" encoding="{encoding}"?>\n<!-- {point} -->\n<animations>\n'
        f"  <animation {attributes}>\n{frames}  </animation>\n</animations>\n"
    )


def gzip(data):
    """Compresses to the gzip format (RFC 1952), without a file name and time stamp."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = deflate.compress(data) + deflate.flush()
    header = b"\x1f\x8b\x08\x00" + struct.pack("<I", 0) + b"\x02\xff"
    return header + body + struct.pack("<II", zlib.crc32(data), len(data))


def png(width, pixels):
    """A PNG of 8-bit RGB pixels, starting at the top left."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = [pixels[start : start + width] for start in range(0, len(pixels), width)]
    raw = b"".join(b"\0" + b"".join(bytes(pixel) for pixel in row) for row in rows)
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


def encodings():
    name = 'name="été"'
    mark = "\ufeff"
    for file, point, encoding, codec, start in (
        ("C21_utf8_bom", "UTF-8 with a byte order mark.", "UTF-8", "utf-8", mark),
        ("C21_utf16_le", "UTF-16, little endian, with its mark.", "UTF-16", "utf-16-le", mark),
        ("C21_utf16_be", "UTF-16, big endian, with its mark.", "UTF-16", "utf-16-be", mark),
        ("C21_latin1", "ISO-8859-1 by declaration.", "ISO-8859-1", "latin-1", ""),
    ):
        write(CASTLE, f"ok/{file}{EXTENSION}", (start + animation(point, name, encoding)).encode(codec))

    two = mark + mark + animation("Two byte order marks.", name, "UTF-8")
    write(CASTLE, f"err/C21_two_boms{EXTENSION}", two.encode())

    for file, encoding, codec, start in (
        ("C21_utf16_le_time", "UTF-16", "utf-16-le", mark),
        ("C21_utf16_be_time", "UTF-16", "utf-16-be", mark),
        ("C21_latin1_time", "ISO-8859-1", "latin-1", ""),
    ):
        text = animation("Two frames at one time; the place is that in the decoded text.", name, encoding, ("0", "0"))
        write(CASTLE, f"err/{file}{EXTENSION}", (start + text).encode(codec))
    text = animation("yes is no boolean; the column counts characters.", name + ' loop="yes"', "ISO-8859-1")
    write(CASTLE, f"err/C21_latin1_loop{EXTENSION}", text.encode("latin-1"))

    for file, point, bad in (
        ("C21_invalid_utf8", "A byte that UTF-8 never has.", b"\xff"),
        ("C21_utf8_cut", "The first of two bytes without the second.", b"\xc3"),
        ("C21_utf8_surrogate", "A surrogate, encoded as if it were a character.", b"\xed\xa0\x80"),
    ):
        text = animation(point, 'name="ab@cd"').encode()
        write(CASTLE, f"err/{file}{EXTENSION}", text.replace(b"@", bad))
    text = (mark + animation("One half of a surrogate pair.", 'name="ab@cd"', "UTF-16")).encode("utf-16-le")
    write(CASTLE, f"err/C21_utf16_lone_surrogate{EXTENSION}", text.replace(b"@\0", b"\x00\xd8"))
    text = (mark + animation("The last byte is missing.", 'name="walk"', "UTF-16")).encode("utf-16-le")
    write(CASTLE, f"err/C21_utf16_odd{EXTENSION}", text[:-1])
    for file, bad in (("C27_nul_byte", "\0"), ("C27_escape_byte", "\x1b")):
        text = animation("A control character as it is, not as a reference.", f'name="{bad}walk"')
        write(CASTLE, f"err/{file}{EXTENSION}", text.encode())


def compressed():
    for name in ("low", "high"):
        with open(os.path.join(CASTLE, "ok/frames", name + ".x3d"), "rb") as file:
            data = gzip(file.read())
        write(CASTLE, f"ok/frames/{name}.x3d.gz", data)
        write(CASTLE, f"ok/frames/{name}.x3dz", data)
    write(CASTLE, "load/frames/cut.x3d.gz", data[: len(data) // 2])
    write(CASTLE, "load/frames/crc.x3d.gz", data[:-8] + b"\0\0\0\0" + data[-4:])


def textures():
    red, green, blue, white = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
    # Four colours, so that a flipped or rotated texture is noticeable.
    checker = png(2, [red, green, blue, white])
    write(CASTLE, "ok/textures/checker.png", checker)
    write(CASTLE, "ok/textures/stripe.png", png(1, [red, blue]))
    write(X3D, "ok/checker.png", checker)


encodings()
compressed()
textures()
