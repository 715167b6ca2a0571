#!/usr/bin/env python3
"""Generates the fixtures in tmd-anm/ and tmd/, and their EXPECTED.tsv. Each statement specifies the bytes of a fixture and its expectation.

Needs only Python 3 and its standard library. The output is deterministic. This script contains no parser: all
expectations, including offsets, were worked out by hand from docs/tmd-anm.md.
"""

import os
import re
import struct

TESTDATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FOLDER = {"ok": "ok", "note": "ok", "warning": "warn", "error": "err", "refused": "err"}

expected = {"tmd-anm": [], "tmd": []}


# ---- Fixtures ----


def fixture(severity, name, data, offset, at, says):
    """Writes a file and records its expectation. If the fixture has a row, its name starts with it."""
    format = "tmd" if name.endswith(".tmd") else "tmd-anm"
    path = f"{format}/{FOLDER[severity]}/{name}"
    row = re.match(r"(T\d\d_)?", name)[0].rstrip("_") or "-"
    place = "-" if offset is None else f"0x{offset:02X}"
    expected[format].append("\t".join((path, row, severity, place, at, says)))
    path = os.path.join(TESTDATA, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def ok(name, data, says):
    fixture("ok", name, data, None, "-", says)


def note(name, data, offset, at, says):
    fixture("note", name, data, offset, at, says)


def warning(name, data, offset, at, says):
    fixture("warning", name, data, offset, at, says)


def error(name, data, offset, at, says):
    fixture("error", name, data, offset, at, says)


def refused(name, data, says):
    fixture("refused", name, data, None, "-", says)


# ---- The formats ----


def key(object, rotation=(), scale=(), position=(), flags=0):
    """A key. `flags` are added to the flags of its parts."""
    parts = (rotation, scale, position)
    flags |= sum(1 << bit for bit, part in enumerate(parts) if part)
    return struct.pack("<BB", object, flags) + b"".join(struct.pack("<3h", *part) for part in parts if part)


def anm(*frames, rate=30, magic=0x8000, gap=b"", after=b"", table={}):
    """A packed ANM, except for the requested deviations. `table` replaces entries of the offset table."""
    offsets = [4 + len(frames) + len(gap) // 2]
    for frame in frames:
        offsets.append(offsets[-1] + len(frame) // 2)
    for entry, offset in table.items():
        offsets[entry] = offset
    header = struct.pack("<HhH", magic, rate, len(frames)) + struct.pack(f"<{len(offsets)}H", *offsets)
    return header + gap + b"".join(frames) + after


def anc(*records, rate=30, magic=0x8000, count=None, after=b""):
    """An ANC. A record is the eye (x, y, z), the look-at point (x, y, z), the roll and the field of view."""
    header = struct.pack("<HhH", magic, rate, len(records) if count is None else count)
    return header + b"".join(struct.pack("<8h", *record) for record in records) + after


def packet(mode, flag, olen, uv=(), colours=(), indices=(), fill=0):
    """A packet of a TMD. `fill` is the value of the unused bytes, which follow a colour and the indices."""
    body = b"".join(struct.pack("<BBH", *word) for word in uv)
    body += b"".join(bytes((*colour, fill)) for colour in colours)
    body += struct.pack(f"<{len(indices)}H", *indices)
    body += bytes([fill]) * (-len(body) % 4)
    return bytes([olen, len(body) // 4, flag, mode]) + body


def part(*packets, vertices=(), normals=(), scale=0, order="pvn", **words):
    """An object of a TMD: its packets, vertices and normals, in the given order. `words` replace the correct words of the object table."""
    return packets, vertices, normals, scale, order, words


def tmd(*parts, id=0x41, address=None, count=None, fill=0):
    """A TMD. With an `address`, the address of the first byte in memory, FIXP is 1; without, it is 0."""
    origin = -0x0C if address is None else address
    table, data = b"", b""
    for packets, vertices, normals, scale, order, words in parts:
        vectors = lambda vectors: b"".join(struct.pack("<3hH", *vector, fill) for vector in vectors)
        sections = {"p": b"".join(packets), "v": vectors(vertices), "n": vectors(normals)}
        tops = {}
        for section in order:
            tops[section] = origin + 0x0C + 28 * len(parts) + len(data)
            data += sections[section]
        values = dict(vert_top=tops["v"], n_vert=len(vertices), normal_top=tops["n"], n_normal=len(normals))
        values |= dict(primitive_top=tops["p"], n_primitive=len(packets))
        table += struct.pack("<6Ii", *(values | words).values(), scale)
    flags = 0 if address is None else 1
    return struct.pack("<III", id, flags, len(parts) if count is None else count) + table + data


LOW, HIGH = -0x8000, 0x7FFF
TURN = 4096

# These 22 bytes (6 + 16 * 1) are valid both as an ANC with one record and as an ANM with one frame.
BOTH_WAYS = anm(key(0, rotation=(0, 0, 1024)) + key(1) + key(200))


# ---- ANM without warnings ----


def anm_ok():
    ok("T07_no_frames.anm", anm(), "no frames; the one table entry is 4; 8 bytes")
    # 10 is missing from the oldest list of rates, but is used in real files.
    for rate in (1, 10, 15, 20, 30, 60):
        ok(f"T04_rate_{rate}.anm", anm(key(0), rate=rate), f"{rate} frames per second; the clip lasts 1/{rate} s")
    ok("two_frames.anm", anm(key(0, position=(1, 2, 3)), key(0, position=(4, 5, 6))), "position 1 2 3, then 4 5 6; at 30 frames per second")

    # Each combination of parts. A missing part is the identity.
    rotation, scale, position = (256, -512, 1024), (4096, 2048, 8192), (100, -200, 300)
    ok("T19_flags_0.anm", anm(key(0), b""), "drawn untransformed in frame 0, not drawn in frame 1")
    ok("flags_1.anm", anm(key(0, rotation=rotation)), "rotation 256 -512 1024; scale 1; position 0")
    ok("flags_2.anm", anm(key(0, scale=scale)), "no rotation; scale 1 0.5 2; position 0")
    ok("flags_3.anm", anm(key(0, rotation, scale)), "rotation 256 -512 1024; scale 1 0.5 2; position 0")
    ok("flags_4.anm", anm(key(0, position=position)), "no rotation; scale 1; position 100 -200 300")
    ok("flags_5.anm", anm(key(0, rotation, position=position)), "rotation 256 -512 1024; scale 1; position 100 -200 300")
    ok("flags_6.anm", anm(key(0, scale=scale, position=position)), "no rotation; scale 1 0.5 2; position 100 -200 300")
    ok("flags_7.anm", anm(key(0, rotation, scale, position)), "rotation 256 -512 1024; scale 1 0.5 2; position 100 -200 300")
    every = key(0) + key(1, rotation) + key(2, scale=scale) + key(3, rotation, scale)
    every += key(4, position=position) + key(5, rotation, position=position)
    every += key(6, scale=scale, position=position) + key(7, rotation, scale, position)
    ok("flags_all.anm", anm(every), "8 keys, object i with flags i; 88 bytes in one frame")

    # Which objects a frame draws.
    shown = key(1, position=(0, 50, 0))
    ok("hide_and_show.anm", anm(key(0) + shown, key(0), key(0) + shown, key(0)), "object 0 in all four frames; object 1 in frames 0 and 2")
    ok("appears_late.anm", anm(key(0), key(0) + shown), "object 1 not drawn until frame 1")
    ok("empty_frame_first.anm", anm(b"", key(0)), "nothing drawn, then object 0")
    ok("empty_frame_between.anm", anm(key(0), b"", key(0)), "object 0, nothing, object 0")
    ok("empty_frame_last.anm", anm(key(0), b""), "object 0, then nothing for 1/30 s")
    ok("empty_frames_only.anm", anm(b"", b"", b""), "three frames, no key, no object")
    ok("objects_in_any_order.anm", anm(key(7) + key(0) + key(3)), "objects 7, 0, 3; order kept")
    ok("objects_256.anm", anm(b"".join(key(object) for object in range(256))), "256 keys, objects 0 to 255")
    ok("T21_object_255.anm", anm(key(9) + key(255)), "objects 9 and 255; tmd/ok/ten_objects.tmd has the first of them only")

    # Frames are self-contained: missing parts are the identity, unless --hold is set.
    not_held = anm(key(0, (0, 0, 1024), (8192, 8192, 8192), (10, 20, 30)), key(0, position=(40, 50, 60)), key(0, rotation=(1024, 0, 0)))
    ok(
        "nothing_is_held.anm",
        not_held,
        "frame 1: no rotation, scale 1; frame 2: scale 1, position 0. Held: z quarter turn, scale 2; then scale 2, position 40 50 60",
    )

    # The meaning of the values.
    for axis, rotation, to in (("x", (1024, 0, 0), "y to z"), ("y", (0, 1024, 0), "z to x"), ("z", (0, 0, 1024), "x to y")):
        ok(f"rotation_{axis}.anm", anm(key(0, rotation)), f"a quarter turn about {axis}: {to}")
    ok("rotation_order.anm", anm(key(0, (1024, 0, 1024))), "x is applied first: 0 1 0 goes to 0 0 1 (in the other order to -1 0 0)")
    ok(
        "rotation_order_three.anm",
        anm(key(0, (1024, 1024, 1024))),
        "0 0 1 goes to 1 0 0 (in the other order too); 1 0 0 goes to 0 0 -1, 0 1 0 to 0 1 0 (in the other order 0 0 1 and 0 -1 0)",
    )
    ok("rotation_turn.anm", anm(key(0, (TURN, -TURN, 2 * TURN))), "full turns, equivalent to no rotation; 4096 -4096 8192 kept")
    ok(
        "rotation_beyond_turn.anm",
        anm(key(0, (TURN + 1024, 0, 0)), key(0, (-TURN - 1024, 0, 0))),
        "a quarter turn about x, then one in the other direction; 5120 and -5120 kept",
    )
    ok("scale_mirror.anm", anm(key(0, scale=(-TURN, TURN, TURN))), "x mirrored: scale -1 1 1")
    ok("scale_negative.anm", anm(key(0, scale=(-TURN, -2048, -8192))), "scale -1 -0.5 -2")
    ok(
        "rotation_scale_position.anm",
        anm(key(0, (0, 0, 1024), (8192, TURN, TURN), (10, 0, 0))),
        "1 0 0 goes to 10 2 0: scaled, then rotated, then translated",
    )
    ok("T24_scale_zero.anm", anm(key(0, scale=(0, 0, 0)), key(0, scale=(TURN, 0, TURN))), "scale 0 0 0, then 1 0 1; both frames draw the object")
    ok("T24_lowest.anm", anm(key(0, (LOW, LOW, LOW), (LOW, LOW, LOW), (LOW, LOW, LOW))), "eight turns backwards (no rotation), scale -8, position -32768")
    ok("T24_highest.anm", anm(key(0, (HIGH, HIGH, HIGH), (HIGH, HIGH, HIGH), (HIGH, HIGH, HIGH))), "rotation 32767, scale 32767/4096, position 32767")

    # The content is inconclusive, so the extension decides.
    ok("both_ways.anm", BOTH_WAYS, "as ANM: one frame with objects 0 (rotation 0 0 1024), 1 and 200")

    # Up to three zero bytes after the last frame are padding, as added by archives.
    for count, name in ((1, "one"), (2, "two"), (3, "three")):
        note(f"T13_padding_{name}.anm", anm(key(0), after=bytes(count)), 0x0C, "first trailing byte", f"{count} trailing zero bytes; kept")


# ---- ANM with warnings ----


def anm_warn():
    swapped = "magic 0x0080 is not 0x8000 (its bytes are swapped); still read"
    warning("T03_magic_0080.anm", anm(key(0), magic=0x0080), 0x00, "magic", swapped)
    for magic in (0x0000, 0x8001, 0xFFFF):
        warning(f"T03_magic_{magic:04x}.anm", anm(key(0), magic=magic), 0x00, "magic", f"magic 0x{magic:04X} is not 0x8000; still read")
    for rate, name in ((2, "2"), (24, "24"), (HIGH, "highest")):
        warning(f"T04_rate_{name}.anm", anm(key(0), rate=rate), 0x02, "rate", f"unusual rate {rate}; used unchanged")
    for rate, name in ((0, "0"), (-1, "minus_1"), (LOW, "lowest")):
        warning(f"T04_rate_{name}.anm", anm(key(0), rate=rate), 0x02, "rate", f"rate {rate} is invalid; 30 frames per second; kept")

    # If the frames begin inside the header, the bytes of the header are read as keys.
    warning("T08_no_frames_end_0.anm", anm(table={0: 0}), 0x06, "table entry 0", "table entry 0 is 0, inside the header; at least 4; no frames")
    warning("T08_no_frames_end_3.anm", anm(table={0: 3}), 0x06, "table entry 0", "table entry 0 is 3, inside the table; at least 4; no frames")
    inside = "table entry 0 is {}, inside the {}; at least {}; frame 0 has objects {}"
    warning("T11_first_0.anm", anm(b"", key(0), table={0: 0}), 0x06, "table entry 0", inside.format(0, "header", 6, "0 (flags 0x80), 30, 2, 0, 6, 7"))
    warning("T11_first_1.anm", anm(b"", key(0), table={0: 1}), 0x06, "table entry 0", inside.format(1, "header", 6, "30, 2, 1, 6, 7"))
    warning("T11_first_3.anm", anm(b"", table={0: 3}), 0x06, "table entry 0", inside.format(3, "table", 5, "3 and 5"))
    warning("T11_first_last_entry.anm", anm(key(0), table={0: 4}), 0x06, "table entry 0", inside.format(4, "table", 5, "6 and 0"))

    # Data after the last frame is kept and reported.
    behind = "first trailing byte"
    warning("T13_trailing_odd.anm", anm(key(0), after=b"\x2a"), 0x0C, behind, "1 trailing byte; kept")
    warning("T13_trailing_two.anm", anm(key(0), after=b"\x00\x2a"), 0x0C, behind, "2 trailing bytes, not all zero; kept")
    warning("T13_trailing_four_zeros.anm", anm(key(0), after=bytes(4)), 0x0C, behind, "4 trailing bytes; more than padding; kept")
    warning("T13_trailing_1024.anm", anm(key(0), after=b"tail" * 256), 0x0C, behind, "1024 trailing bytes; kept")
    warning("T13_no_frames_trailing.anm", anm(after=b"tail"), 0x08, behind, "no frames; 4 trailing bytes; kept")

    warning("T15_gap_two.anm", anm(key(0), gap=b"ga"), 0x0A, "first byte of the gap", "2 unreferenced bytes before frame 0; kept")
    warning("T15_gap_zeros.anm", anm(key(0), gap=bytes(6)), 0x0A, "first byte of the gap", "6 unreferenced bytes before frame 0; kept")
    warning("T15_no_frames_gap.anm", anm(gap=b"ga"), 0x08, "first byte of the gap", "2 unreferenced bytes; no frames")
    warning("gap_and_trailing.anm", anm(key(0), gap=b"ga", after=b"tail"), 0x0E, behind, "2 unreferenced bytes at 0x0A too; both kept")

    # Unknown flag bits do not change the length of a key.
    warning("T18_flags_08.anm", anm(key(0, flags=0x08) + key(1)), 0x0B, "flags", "unknown flag bits 0x08; the key has 2 bytes; object 1 follows")
    warning("T18_flags_80.anm", anm(key(0, position=(1, 2, 3), flags=0x80)), 0x0B, "flags", "unknown flag bits 0x80; position 1 2 3")
    warning("T18_flags_f8.anm", anm(key(0, flags=0xF8)), 0x0B, "flags", "unknown flag bits 0xF8; drawn untransformed")
    warning(
        "T18_flags_ff.anm",
        anm(key(0, (1, 2, 3), (4, 5, 6), (7, 8, 9), flags=0xFF)),
        0x0B,
        "flags",
        "unknown flag bits 0xF8; all three parts; 20 bytes",
    )
    warning(
        "T18_second_key.anm", anm(key(0, position=(1, 2, 3)) + key(1, flags=0x10)), 0x13, "flags", "unknown flag bits 0x10; only in the second key"
    )

    # If an object has several keys in a frame, the last is used; all are kept.
    twice = key(0, position=(1, 0, 0)) + key(1) + key(0, (1024, 0, 0))
    warning("T20_twice.anm", anm(twice), 0x14, "second key", "object 0 twice in frame 0; the last counts: a quarter turn, position 0")
    warning(
        "T20_three_times.anm",
        anm(key(5) + key(5) + key(5, position=(1, 0, 0))),
        0x0C,
        "second key",
        "object 5 again, and again at 0x0E; position 1 0 0",
    )
    warning("T20_in_second_frame.anm", anm(key(0), key(0) + key(0)), 0x10, "second key", "object 0 twice in frame 1; once in frame 0, which is not a duplicate")


# ---- ANM with errors ----


def anm_err():
    refused("T01_empty.anm", b"", "truncated header: need 6 bytes, have 0")
    refused("T02_cut_in_header.anm", anm(key(0))[:5], "truncated header: need 6 bytes, have 5")
    refused("T02_cut_before_table.anm", anm(key(0))[:6], "truncated table: need 10 bytes, have 6")
    refused("T02_cut_in_table.anm", anm(key(0))[:9], "truncated table: need 10 bytes, have 9")
    refused(
        "T03_big_endian.anm", bytes.fromhex("8000 001e 0001 0005 0006 0000"), "the bytes of every word are swapped: magic 0x0080, 256 frames; truncated table"
    )
    refused("T05_count_65535.anm", struct.pack("<HhH", 0x8000, 30, 65535), "65535 frames: need 131078 bytes, have 6; nothing allocated")
    refused(
        "T05_count_65531.anm", struct.pack("<HhHH", 0x8000, 30, 65531, 65535), "65531 frames, the maximum: need 131070 bytes, have 8"
    )
    refused("T06_count_65532.anm", struct.pack("<HhHH", 0x8000, 30, 65532, 65535), "65532 frames: more than the table can address")
    # Files in other formats with this extension. Read as ANM, they would declare tables that exceed the file.
    refused(
        "T25_png.anm", b"\x89PNG\r\n\x1a\n" + bytes.fromhex("0000000d 49484452 00000001 00000001 08 00 000000 3a7e9b55"), "not this format: a PNG"
    )
    refused("T25_text.anm", b"as body\nbl hip +children\nan 0 10 walk\n", "not this format: looks like ANM text")

    first, second, third = key(0), key(1), key(2)
    last = "last table entry"

    # The last frame ends after the end of the file: complete keys are read.
    error("T02_cut_behind_table.anm", anm(first, second)[:0x0C], 0x0A, last, "need 16 bytes, have 12; two frames without keys")
    error("T02_cut_between_keys.anm", anm(first + second)[:-2], 0x08, last, "need 14 bytes, have 12; object 0 read")
    error("T02_cut_in_key.anm", anm(first + key(1, rotation=(1, 2, 3)))[:-2], 0x08, last, "need 20 bytes, have 18; object 0 read")
    error("T02_cut_at_odd_byte.anm", anm(first + second)[:-1], 0x08, last, "need 14 bytes, have 13; object 0 read")
    error("T08_no_frames_end_65535.anm", anm(table={0: 0xFFFF}), 0x06, last, "need 131070 bytes, have 8; no frames")
    error(
        "T12_end_past_file.anm",
        anm(key(0, rotation=(1, 2, 3)), table={1: 10}),
        0x08,
        last,
        "need 20 bytes, have 18; object 0 read with rotation 1 2 3",
    )
    error("T12_end_65535.anm", anm(first, second, table={2: 0xFFFF}), 0x0A, last, "need 131070 bytes, have 16; both frames read")
    error("T12_frames_past_file.anm", anm(first, second, third)[:-4], 0x0C, last, "need 20 bytes, have 16; frame 0 read, frames 1 and 2 without keys")
    error(
        "T12_all_past_file.anm",
        anm(first, table={0: 0x100, 1: 0x101}),
        0x08,
        last,
        "need 514 bytes, have 12; frame 0 without keys; 2 unreferenced bytes",
    )
    middle = anm(first, second, table={1: 0x4000})
    error(
        "T12_middle_past_file.anm",
        middle,
        0x0A,
        "table entry 2",
        "8 is less than 16384: frame 1 is empty; frame 0 has objects 0 and 1, up to the end of the file",
    )

    # Frames that end before they start are empty. The other frames are read, some bytes twice.
    less = "{} is less than {}: frame {} is empty; "
    error(
        "T09_reversed_offset.anm",
        anm(first, second, third, table={2: 7}),
        0x0A,
        "table entry 2",
        less.format(7, 8, 1) + "frame 0 has object 0, frame 2 objects 0, 1, 2",
    )
    reversed_first = anm(first, second, gap=key(2), table={1: 6})
    error("T09_reversed_first.anm", reversed_first, 0x08, "table entry 1", less.format(6, 7, 0) + "frame 1 has objects 2, 0, 1")
    error("T09_reversed_last.anm", anm(first, second, table={2: 6}), 0x0A, "table entry 2", less.format(6, 7, 1) + "frame 0 has object 0")
    error(
        "T09_reversed_to_zero.anm",
        anm(first, second, third, table={2: 0}),
        0x0A,
        "table entry 2",
        less.format(0, 8, 1) + "frame 2 begins in the header",
    )
    alternating = anm(first + second, b"", b"", b"", b"", table={2: 9, 4: 9})
    error(
        "T09_alternating.anm",
        alternating,
        0x0A,
        "table entry 2",
        "9 is less than 11: frame 1 is empty; frame 3 too (0x0E); frames 0, 2, 4 have objects 0 and 1 (T10, small)",
    )

    # A key never extends beyond the end of its frame.
    whole = key(0, (1, 2, 3), (4, 5, 6), (7, 8, 9))
    error("T16_ten_bytes_left.anm", anm(whole[:12]), 0x0A, "key", "frame 0, object 0, flags 0x07: need 20 bytes, have 12; the frame has no key")
    error("T16_nothing_left.anm", anm(key(0, rotation=(1, 2, 3))[:2]), 0x0A, "key", "frame 0, object 0, flags 0x01: need 8 bytes, have 2")
    error(
        "T16_second_key.anm",
        anm(key(3, position=(1, 2, 3)) + whole[:18], key(1)),
        0x14,
        "key",
        "frame 0, object 0: need 20 bytes, have 18; object 3 is read, frame 1 too",
    )
    error("T16_unknown_bits.anm", anm(key(0, rotation=(1, 2, 3), flags=0xF8)[:6]), 0x0A, "key", "frame 0, object 0, flags 0xF9: need 8 bytes, have 6")
    error(
        "T17_goes_on_in_next_frame.anm",
        anm(key(0, rotation=(1, 2, 3)), key(1), table={1: 8}),
        0x0C,
        "key",
        "frame 0, object 0: need 8 bytes, have 4; frame 1 has objects 2, 3, 1",
    )
    error(
        "T17_goes_on_behind_end.anm",
        anm(key(0, rotation=(1, 2, 3)), table={1: 7}),
        0x0A,
        "key",
        "frame 0, object 0: need 8 bytes, have 4; 4 trailing bytes at 0x0E",
    )


# ---- ANC ----


def anc_all():
    # A camera 1000 units in front of the origin and 200 above it (y is down), with a field of view of 60 degrees (683 * 360 / 4096).
    eye, origin = (0, -200, -1000), (0, 0, 0)
    still = (*eye, *origin, 0, 683)
    ok("no_records.anc", anc(), "no records; 6 bytes")
    ok("one_record.anc", anc(still), "eye 0 -200 -1000, looks at 0 0 0, no roll, field of view 60.03 degrees")
    moving = [(x, -200, -1000, x, 0, 0, 0, 683) for x in (-100, 0, 100)]
    ok("three_records.anc", anc(*moving, rate=15), "x of eye and look-at point -100, 0, 100; 15 frames per second")
    ok("roll.anc", anc((*eye, *origin, 1024, 683), (*eye, *origin, -1024, 683)), "a quarter turn, then one in the other direction")
    ok("roll_beyond_turn.anc", anc((*eye, *origin, TURN + 1024, 683)), "5120: as a quarter turn; kept")
    ok("zoom.anc", anc((*eye, *origin, 0, 1024), (*eye, *origin, 0, 512)), "field of view 90 degrees, then 45")
    ok("straight_down.anc", anc((0, -1000, 0, 0, 0, 0, 0, 683)), "looks along +y, where up is undefined")
    ok("both_ways.anc", BOTH_WAYS, "as ANC: eye 5 11 256, looks at 0 0 1024, roll 1, field of view 200")
    ok("first_word_like_table.anc", anc((5, -200, -1000, 0, 0, 0, 0, 683)), "eye x is 4 + n, as in the table of an ANM; but eye y is not a valid end")
    # Values that are impossible for a camera are kept, and reported by conversions.
    ok("field_of_view_0.anc", anc((*eye, *origin, 0, 0)), "field of view 0; kept")
    ok("field_of_view_half_turn.anc", anc((*eye, *origin, 0, 2048)), "field of view of 180 degrees; kept")
    ok("field_of_view_negative.anc", anc((*eye, *origin, 0, -683)), "field of view -60.03 degrees; kept")
    ok("looks_at_itself.anc", anc((*eye, *eye, 0, 683)), "the eye is the look-at point, so there is no direction; kept")
    ok("T24_lowest.anc", anc((LOW,) * 8), "-32768 eight times")
    ok("T24_highest_to_lowest.anc", anc((HIGH, HIGH, HIGH, LOW, LOW, LOW, HIGH, 683)), "from one extreme to the other: 65535 on each axis")
    note("T13_padding_two.anc", anc(still, after=bytes(2)), 0x16, "first trailing byte", "2 trailing zero bytes; kept")

    warning("T03_magic_0000.anc", anc(still, magic=0), 0x00, "magic", "magic 0x0000 is not 0x8000; still read")
    warning("T04_rate_24.anc", anc(still, rate=24), 0x02, "rate", "unusual rate 24; used unchanged")
    warning("T04_rate_0.anc", anc(still, rate=0), 0x02, "rate", "rate 0 is invalid; 30 frames per second; kept")
    warning("T13_trailing_odd.anc", anc(still, after=b"\x2a"), 0x16, "first trailing byte", "1 trailing byte; kept")
    warning("T13_trailing_record.anc", anc(still, still, count=1), 0x16, "first trailing byte", "16 trailing bytes; kept; one record")

    refused("T01_empty.anc", b"", "truncated header: need 6 bytes, have 0")
    refused("T02_cut_in_header.anc", anc(still)[:5], "truncated header: need 6 bytes, have 5")
    # An ANC has no table of records, so the count is the invalid value.
    error("T02_cut_in_record.anc", anc(still, still)[:-2], 0x04, "count", "2 records: need 38 bytes, have 36; one record read")
    error("T02_cut_behind_header.anc", anc(still)[:6], 0x04, "count", "1 record: need 22 bytes, have 6; no records")
    error(
        "T05_count_65535.anc",
        anc(still, count=65535),
        0x04,
        "count",
        "65535 records: need 1048566 bytes, have 22; one record read; nothing allocated for the rest",
    )


# ---- Models ----

# A square on the screen, with its corners in Z order. +x is right and +y is down. Seen from -z, its front is clockwise.
SQUARE = ((0, 0, 0), (100, 0, 0), (0, 100, 0), (100, 100, 0))
# The first normal points towards the viewer, the others to the side.
NORMALS = ((0, 0, -4096), (2896, 0, -2896), (0, 2896, -2896), (-2896, 0, -2896))
COLOURS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255))
RED, BLACK = (255, 0, 0), (0, 0, 0)
CLUT, TPAGE = 0x7812, 0x001A
UV = ((0, 0, CLUT), (255, 0, TPAGE), (0, 255, 0), (255, 255, 0))


def lit_flat(*corners, normal=0):
    return (normal, *corners)


def lit_gouraud(*corners):
    """The index of each corner is also the index of its normal."""
    return tuple(index for corner in corners for index in (corner, corner))


def unlit(*corners):
    return corners


def triangle(*corners, colour=RED):
    """The simplest packet: a flat, unlit triangle of 16 bytes."""
    return packet(0x21, 1, 4, colours=[colour], indices=corners or (0, 1, 2))


def line(*corners, colour=RED):
    """A line packet of 12 bytes."""
    return packet(0x40, 1, 3, colours=[colour], indices=corners)


def square(*packets, **words):
    """An object with the vertices and normals of the square. In the first object, the first packet is at 0x28."""
    return part(*packets, vertices=SQUARE, normals=NORMALS, **words)


def tmd_kinds():
    # Name; mode of the triangle (that of the quad is 8 higher); flag; lengths in the GPU (olen); whether it is textured;
    # numbers of colours of the triangle and the quad; order of the indices. The lengths in the file (ilen) are derived.
    kinds = (
        ("flat", 0x20, 0, (4, 5), False, (1, 1), lit_flat, "lit; one normal, one colour"),
        ("gouraud", 0x30, 0, (6, 8), False, (1, 1), lit_gouraud, "lit; one normal per corner, one colour"),
        ("flat_colours", 0x20, 4, (6, 8), False, (3, 4), lit_flat, "lit; one normal, one colour per corner"),
        ("gouraud_colours", 0x30, 4, (6, 8), False, (3, 4), lit_gouraud, "lit; one normal and one colour per corner"),
        ("flat_textured", 0x24, 0, (7, 9), True, (0, 0), lit_flat, "lit; texture, one normal, no colour"),
        ("gouraud_textured", 0x34, 0, (9, 12), True, (0, 0), lit_gouraud, "lit; texture, one normal per corner, no colour"),
        ("flat_unlit", 0x21, 1, (4, 5), False, (1, 1), unlit, "unlit; one colour"),
        ("gouraud_unlit", 0x31, 1, (6, 8), False, (3, 4), unlit, "unlit; one colour per corner"),
        ("flat_textured_unlit", 0x25, 1, (7, 9), True, (1, 1), unlit, "unlit; texture, one colour"),
        ("gouraud_textured_unlit", 0x35, 1, (9, 12), True, (3, 4), unlit, "unlit; texture, one colour per corner"),
    )
    for name, mode, flag, lengths, textured, colours, order, says in kinds:
        for quad, (shape, corners) in enumerate((("triangle", 3), ("quad", 4))):
            uv = UV[:corners] if textured else ()
            body = packet(mode | 8 * quad, flag, lengths[quad], uv, COLOURS[: colours[quad]], order(*range(corners)))
            drawn = ("triangle 0 1 2", "triangles 0 1 2 and 1 3 2")[quad]
            length = body[1]
            ok(f"{name}_{shape}.tmd", tmd(square(body)), f"{drawn}; {says}; ilen {length}")

    ok("line_flat.tmd", tmd(square(line(0, 3))), "a line from 0 to 3, red; ilen 2")
    gouraud = packet(0x50, 1, 4, colours=COLOURS[:2], indices=(0, 3))
    ok("line_gouraud.tmd", tmd(square(gouraud)), "a line from 0 to 3, red to green; ilen 3")
    ok("dot.tmd", tmd(square(line(2, 2))), "a dot at 2, red")
    ok("dot_gouraud.tmd", tmd(square(packet(0x50, 1, 4, colours=COLOURS[:2], indices=(2, 2)))), "a dot at 2; two colours, the first is drawn")

    # Sprites are kept as raw bytes: a vertex, the texture page, (u, v, clut), and the size if it is not fixed.
    sprite = struct.pack("<HHBBH", 0, TPAGE, 16, 32, CLUT)
    for name, mode, olen, body in (
        ("free", 0x64, 5, sprite + struct.pack("<HH", 24, 24)),
        ("1", 0x6C, 4, sprite),
        ("8", 0x74, 4, sprite),
        ("16", 0x7C, 4, sprite),
    ):
        data = bytes([olen, len(body) // 4, 1, mode]) + body
        ok(f"sprite_{name}.tmd", tmd(square(data, triangle())), f"a sprite, ilen {len(body) // 4}, kept as raw bytes; the triangle after it is read")

    ok("double_sided.tmd", tmd(square(packet(0x21, 3, 4, colours=[RED], indices=(0, 1, 2)))), "a triangle visible from both sides, unlit")
    ok("double_sided_lit.tmd", tmd(square(packet(0x20, 2, 4, colours=[RED], indices=(0, 0, 1, 2)))), "a triangle visible from both sides, lit")
    ok("semi_transparent.tmd", tmd(square(packet(0x23, 1, 4, colours=[RED], indices=(0, 1, 2)))), "a semi-transparent triangle, unlit")
    ok("semi_transparent_textured.tmd", tmd(square(packet(0x26, 0, 7, UV[:3], (), (0, 0, 1, 2)))), "a semi-transparent triangle, textured, lit")
    ok("semi_transparent_line.tmd", tmd(square(packet(0x42, 1, 3, colours=[RED], indices=(0, 3)))), "a semi-transparent line")


def tmd_ok():
    ok("no_objects.tmd", tmd(), "no objects; 12 bytes")
    ok("empty_object.tmd", tmd(part()), "one empty object")
    ok(
        "empty_object_tops_0.tmd",
        tmd(part(vert_top=0, normal_top=0, primitive_top=0)),
        "one empty object; its offsets do not matter",
    )
    ok("vertices_only.tmd", tmd(part(vertices=SQUARE)), "four vertices, nothing drawn")

    # FIXP 0: offsets are relative to 0x0C, also in the second object.
    other = part(triangle(2, 1, 0, colour=COLOURS[1]), vertices=((0, 0, 50), (100, 0, 50), (0, 100, 50)))
    ok("two_objects.tmd", tmd(square(triangle()), other), "a red triangle at z 0; a green one at z 50, 2 1 0; offsets from 0x0C")
    ok(
        "ten_objects.tmd",
        tmd(*(part(line(0, 1), vertices=((10 * i, 0, 0), (10 * i, 50, 0))) for i in range(10))),
        "ten lines, one per object, at x 0 to 90; see T21",
    )
    ok(
        "shared_vertices.tmd",
        tmd(square(triangle()), part(triangle(1, 3, 2), vert_top=0x48, n_vert=4)),
        "two objects, the same four vertices at 0x54",
    )
    ok(
        "shared_packets.tmd",
        tmd(square(triangle()), part(vertices=SQUARE, primitive_top=0x38, n_primitive=1)),
        "two objects, the same packet at 0x44",
    )
    ok("vertices_first.tmd", tmd(square(triangle(), order="vnp")), "vertices, normals, packets in this order")

    # FIXP 1: offsets are relative to the start of the file, or are addresses in memory. The smallest address is that of the first data.
    ok("fixp_1_in_file.tmd", tmd(square(triangle()), other, address=0), "as two_objects.tmd; offsets from the start of the file")
    ok("fixp_1_memory.tmd", tmd(square(triangle()), other, address=0x80010000), "as two_objects.tmd; addresses, 0x80010044 is 0x44")
    ok("fixp_1_memory_highest.tmd", tmd(square(triangle()), address=0xFFFFFF00), "addresses up to 0xFFFFFF78; no overflow")
    no_normals = part(triangle(), vertices=SQUARE, normal_top=0)
    ok("fixp_1_memory_no_normals.tmd", tmd(no_normals, address=0x80010000), "the offset of the missing normals is 0 and is not the smallest address")
    ok(
        "fixp_1_memory_empty_object.tmd",
        tmd(part(vert_top=0, normal_top=0, primitive_top=0), other, address=0x80010000),
        "the offsets of an empty object are not the smallest address",
    )

    # The scale of an object is applied only on request (--tmd-scale).
    for scale, name in ((1, "1"), (-1, "minus_1"), (-0x80000000, "lowest"), (0x7FFFFFFF, "highest")):
        ok(f"scale_{name}.tmd", tmd(square(triangle(), scale=scale)), f"scale {scale}: 100 is 100")

    ok("extremes.tmd", tmd(part(line(0, 1), vertices=((LOW, LOW, LOW), (HIGH, HIGH, HIGH)))), "a line from -32768 to 32767 on each axis")
    lit = packet(0x20, 0, 4, colours=[RED], indices=(0, 0, 1, 2))
    ok("normal_zero.tmd", tmd(part(lit, vertices=SQUARE, normals=((0, 0, 0),))), "a normal of length 0; the triangle is drawn")
    ok("normal_too_long.tmd", tmd(part(lit, vertices=SQUARE, normals=((LOW, LOW, LOW),))), "a normal of length 8 sqrt 3; 4096 is 1")
    filled = packet(0x21, 1, 4, colours=[RED], indices=(0, 1, 2), fill=0xA5)
    ok("fill_not_zero.tmd", tmd(square(filled), fill=0xA5A5), "the unused bytes are not zero; kept")
    ok("same_corner_twice.tmd", tmd(square(triangle(0, 1, 1))), "a triangle with zero area, 0 1 1; kept")

    # As in Vib-Ribbon: white lines, with a black face that hides what is behind them.
    edges = [line(a, b, colour=COLOURS[3]) for a, b in ((0, 1), (1, 3), (3, 2), (2, 0))]
    face = packet(0x29, 1, 5, colours=[BLACK], indices=(0, 1, 2, 3))
    ok(
        "lines_with_occluder.tmd",
        tmd(part(*edges, line(0, 0, colour=COLOURS[3]), face, vertices=SQUARE)),
        "4 white lines, a white dot at 0, black triangles 0 1 2 and 1 3 2",
    )


def tmd_warn():
    # Unknown packets are kept as raw bytes; their length gives the position of the next packet.
    for mode, name in ((0x00, "none"), (0x10, "none_but_gouraud"), (0x80, "4"), (0xE1, "7")):
        unknown = bytes([0, 1, 1, mode]) + b"what"
        warning(
            f"unknown_kind_{name}.tmd",
            tmd(square(unknown, triangle())),
            0x28,
            "packet",
            f"unknown packet, mode 0x{mode:02X}; kept; the triangle after it is read",
        )
    unknown = bytes([0, 0, 0, 0])
    warning(
        "unknown_between.tmd",
        tmd(square(triangle(), unknown, triangle(1, 3, 2))),
        0x38,
        "packet",
        "unknown packet of 4 bytes between two triangles; both are read",
    )
    too_long = packet(0x21, 1, 4, colours=[RED], indices=(0, 1, 2, 0, 0, 0))
    warning(
        "ilen_too_long.tmd",
        tmd(square(too_long, triangle())),
        0x28,
        "packet",
        "ilen 4; a flat unlit triangle has 3; kept as raw bytes; the triangle after it is read",
    )
    too_short = packet(0x21, 1, 4, colours=[RED], indices=(0, 1))
    warning(
        "ilen_too_short.tmd",
        tmd(square(too_short, triangle())),
        0x28,
        "packet",
        "ilen 2; a flat unlit triangle has 3; kept as raw bytes; the triangle after it is read",
    )
    warning(
        "ilen_0.tmd",
        tmd(square(bytes([4, 0, 1, 0x21]), triangle())),
        0x28,
        "packet",
        "ilen 0; a flat unlit triangle has 3; kept as raw bytes; the triangle after it is read",
    )
    quad_as_triangle = packet(0x34, 0, 9, UV, (), lit_gouraud(0, 1, 2, 3))
    warning("ilen_of_the_quad.tmd", tmd(square(quad_as_triangle)), 0x28, "packet", "ilen 8; a Gouraud textured triangle has 6; kept as raw bytes")

    # Packets that overlap other data. They are interpreted only by their bytes.
    warning(
        "packets_in_vertices.tmd",
        tmd(part(vertices=SQUARE, primitive_top=0x1C, n_primitive=2)),
        0x28,
        "packet",
        "vertex 0 as two unknown packets; the vertices are read too",
    )
    warning(
        "packets_in_object_table.tmd",
        tmd(part(vertices=SQUARE, primitive_top=0, n_primitive=1)),
        0x0C,
        "packet",
        "a word of the object table as an unknown packet",
    )


def tmd_err():
    refused("empty.tmd", b"", "truncated header: need 12 bytes, have 0")
    refused("cut_in_header.tmd", tmd(square(triangle()))[:11], "truncated header: need 12 bytes, have 11")
    refused("bad_id.tmd", tmd(square(triangle()), id=0x42), "id 0x42 is not 0x41: not a TMD")
    refused("cut_in_object_table.tmd", tmd(square(triangle()))[:0x27], "truncated object table: need 40 bytes, have 39")
    refused("cut_before_object_table.tmd", tmd(square(triangle()))[:0x0C], "truncated object table: need 40 bytes, have 12")
    refused(
        "objects_4294967295.tmd", tmd(square(triangle()), count=0xFFFFFFFF), "4294967295 objects: truncated object table; nothing allocated; no overflow"
    )

    # The object table declares data that the file does not contain. The existing data is read.
    plain = lambda **words: tmd(part(triangle(), vertices=SQUARE, **words))
    error("vertices_five_of_four.tmd", plain(n_vert=5), 0x10, "n_vert", "5 vertices, but only 4 exist; the triangle is drawn")
    error("vertices_4294967295.tmd", plain(n_vert=0xFFFFFFFF), 0x10, "n_vert", "4294967295 vertices, but only 4 exist; nothing allocated for the rest")
    error("vertices_cut.tmd", plain()[:-1], 0x10, "n_vert", "4 vertices, but only 3 exist; the triangle is drawn")
    error("vertices_past_file.tmd", tmd(part(vertices=SQUARE, vert_top=0x10000)), 0x0C, "vert_top", "no vertices at 0x1000C")
    error(
        "vertices_past_32_bits.tmd",
        tmd(part(vertices=SQUARE, vert_top=0xFFFFFFFF)),
        0x0C,
        "vert_top",
        "no vertices there; 0xFFFFFFFF + 0x0C does not overflow",
    )
    error("normals_five_of_four.tmd", tmd(square(triangle(), n_normal=5)), 0x18, "n_normal", "5 normals, but only 4 exist")
    error("normals_past_file.tmd", tmd(square(triangle(), normal_top=0x10000)), 0x14, "normal_top", "no normals at 0x1000C; the triangle needs none")
    last = lambda *packets, **words: tmd(part(*packets, vertices=SQUARE, order="vnp", **words))
    error("packets_three_of_two.tmd", last(triangle(), triangle(1, 3, 2), n_primitive=3), 0x20, "n_primitive", "3 packets, but only 2 exist; both are read")
    error(
        "packets_4294967295.tmd",
        last(triangle(), n_primitive=0xFFFFFFFF),
        0x20,
        "n_primitive",
        "4294967295 packets, but only 1 exists; nothing allocated for the rest",
    )
    error("packets_past_file.tmd", tmd(square(triangle(), primitive_top=0x10000)), 0x1C, "primitive_top", "no packets at 0x1000C")
    error("packet_cut.tmd", last(triangle(), triangle(1, 3, 2))[:-4], 0x58, "packet", "need 16 bytes, have 12; the first triangle is read")
    error("packet_cut_in_its_head.tmd", last(triangle(), triangle(1, 3, 2))[:-14], 0x58, "packet", "need 4 bytes, have 2; the first triangle is read")
    error(
        "packet_longest.tmd",
        last(triangle(), bytes([4, 255, 1, 0x21])),
        0x58,
        "packet",
        "ilen 255: need 1024 bytes, have 4; the first triangle is read",
    )

    # A packet with a nonexistent index is dropped; the next packet is kept.
    error("index_is_count.tmd", tmd(square(triangle(0, 1, 4), triangle(1, 3, 2))), 0x28, "packet", "vertex 4 of 4; the second triangle is drawn")
    error("index_65535.tmd", tmd(square(triangle(65535, 1, 2))), 0x28, "packet", "vertex 65535 of 4")
    quad = packet(0x29, 1, 5, colours=[RED], indices=(0, 1, 2, 4))
    error("index_of_quad.tmd", tmd(square(triangle(), quad)), 0x38, "packet", "vertex 4 of 4; neither half of the quad is drawn")
    error("index_of_line.tmd", tmd(square(line(0, 4), line(0, 3))), 0x28, "packet", "vertex 4 of 4; the second line is drawn")
    error("index_without_vertices.tmd", tmd(part(triangle())), 0x28, "packet", "vertex 0 of 0")
    error(
        "index_of_other_object.tmd",
        tmd(square(triangle()), part(line(0, 2), vertices=SQUARE[:2])),
        0x94,
        "packet",
        "vertex 2 of 2 in object 1; object 0 has four",
    )
    lit = lambda normal: packet(0x20, 0, 4, colours=[RED], indices=lit_flat(0, 1, 2, normal=normal))
    error("normal_is_count.tmd", tmd(square(lit(4), lit(3))), 0x28, "packet", "normal 4 of 4; the triangle has no normals; the second has")
    error("normal_without_normals.tmd", tmd(part(lit(0), vertices=SQUARE)), 0x28, "packet", "normal 0 of 0; the triangle has no normals")


# ---- Everything ----

anm_ok()
anm_warn()
anm_err()
anc_all()
tmd_kinds()
tmd_ok()
tmd_warn()
tmd_err()
for format, rows in expected.items():
    with open(os.path.join(TESTDATA, format, "EXPECTED.tsv"), "w", encoding="utf-8", newline="\n") as file:
        file.write("file\trow\tseverity\toffset\tat\tsays\n" + "".join(row + "\n" for row in sorted(rows)))
