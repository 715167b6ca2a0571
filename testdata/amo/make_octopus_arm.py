#!/usr/bin/env python3
"""Generates the demonstration files ok/octopus_arm.{amo,mtl,png}.

Needs only Python 3 and its standard library. The output is deterministic.

The arm extends along +Y, and its suckers face +Z. It has 8 joints, 24 rings of
16 vertices, and two clips: `wave` (2 s, loops seamlessly) and `curl` (1.5 s).

The file uses the dialect of the specification, in which joints have no rest matrix: at
rest, every joint is the identity, and vertices are transformed by the world matrix of
their joint. To rotate joint j about the pivot p[j], a key therefore has the rotation R
and the translation p[j] - R p[j]. Both are relative to the parent joint, so p[j] is the
position of the pivot at rest.

Position and rotation keys are at different times: 32 and 25 steps in `wave`, 30 and 25
in `curl`, and twice as many in the outer half of the arm. (Between keys, translations
follow a straight line but rotations follow an arc, so joints far from the origin need more keys.)
"""
import math
import os
import struct
import zlib

LENGTH = 4.0
JOINTS = 8
SIDES = 16
RINGS = 24
HALF = SIDES // 2
BODY = 3.94  # height of the last ring; the tip is a single vertex
OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ok")


def num(x, digits):
    """Formats a number with at most `digits` decimals, without trailing zeros or a negative zero."""
    s = f"{x:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if s in ("-0", "") else s


# ---------------------------------------------------------------- shape

def radius(y):
    return 0.06 + 0.5 * max(0.0, 1.0 - y / LENGTH) ** 1.1 + 0.15 * math.exp(-y / 0.25)


def slope(y):
    d = 1e-4
    return (radius(y + d) - radius(y - d)) / (2 * d)


def ring_y(i):
    return BODY * i / (RINGS - 1)


def texture_v(y):
    """A tile of the texture is 1.2 radii long, so the suckers shrink towards the tip."""
    steps = 400
    return sum(y / steps / (1.2 * radius(y * (k + 0.5) / steps)) for k in range(steps))


def weights(y):
    """The two joints (zero-based) of a ring and their weights, in 64ths so that the sum is exactly 1."""
    s = y / LENGTH * JOINTS - 0.5  # 0 at the middle of the first joint's segment
    j = min(max(int(math.floor(s)), 0), JOINTS - 2)
    t = min(max(s - j, 0.0), 1.0)
    b = round(t * 64) / 64
    return j, 1.0 - b, b


# ---------------------------------------------------------------- motion

def qmul(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz)


def about_x(a):
    return (math.sin(a / 2), 0.0, 0.0, math.cos(a / 2))


def about_z(a):
    return (0.0, 0.0, math.sin(a / 2), math.cos(a / 2))


def rotate(q, v):
    x, y, z, w = q
    u = (y * v[2] - z * v[1] + w * v[0],
         z * v[0] - x * v[2] + w * v[1],
         x * v[1] - y * v[0] + w * v[2])
    return (v[0] + 2 * (y * u[2] - z * u[1]),
            v[1] + 2 * (z * u[0] - x * u[2]),
            v[2] + 2 * (x * u[1] - y * u[0]))


def wave(j, t):
    """A wave that runs from the base to the tip, period 2 s."""
    size = 0.06 + 0.045 * j
    p = math.pi * (t % 2.0)
    side = size * math.sin(p - 0.75 * j)
    front = 0.6 * size * math.sin(p - 0.75 * j - math.pi / 2) + 0.02 * j
    return qmul(about_z(side), about_x(front))


def curl(j, t):
    """The tip rolls in first, towards the suckers; the base follows."""
    late = 0.5 * (JOINTS - 1 - j) / (JOINTS - 1)
    s = min(max(t - late, 0.0), 1.0)
    s = s * s * s * (s * (6 * s - 15) + 10)
    return qmul(about_z(0.06 * s), about_x((0.14 + 0.022 * j * j) * s))


def pivot(j):
    return (0.0, LENGTH * j / JOINTS, 0.0)


def keys(out, name, motion, seconds, moves, turns):
    out.append(f"a {name}")
    for j in range(JOINTS):
        more = 2 if j >= JOINTS // 2 else 1
        if j == 0:  # its pivot is the origin, so it is never translated
            out.append("ap 0 1 0 0 0")
        else:
            for k in range(moves * more + 1):
                t = seconds * k / (moves * more)
                p = pivot(j)
                r = rotate(motion(j, t), p)
                move = " ".join(num(a - b, 5) for a, b in zip(p, r))
                out.append(f"ap {num(t, 5)} {j + 1} {move}")
        for k in range(turns * more + 1):
            t = seconds * k / (turns * more)
            turn = " ".join(num(c, 6) for c in motion(j, t))
            out.append(f"ar {num(t, 5)} {j + 1} {turn}")


# ---------------------------------------------------------------- files

def model():
    out = ["# An octopus's arm: 8 joints, 24 rings of 16 corners, two clips.",
           "# Written by make_octopus_arm.py.",
           "mtllib octopus_arm.mtl", "ao octopus_arm", "", "# positions: ring by ring, then the tip"]
    angles = [2 * math.pi * s / SIDES for s in range(SIDES)]
    for i in range(RINGS):
        y, r = ring_y(i), radius(ring_y(i))
        for a in angles:
            out.append(f"v {num(r * math.sin(a), 4)} {num(y, 4)} {num(r * math.cos(a), 4)}")
    out.append(f"v 0 {num(LENGTH, 4)} 0")
    out += ["", "# texture coordinates: u from 0 (suckers) to 1 (back), the same on both sides"]
    for i in range(RINGS):
        for k in range(HALF + 1):
            # one texel from the border, where a repeating texture would blend in the opposite edge
            u = (1 + 62 * k / HALF) / 64
            out.append(f"vt {num(u, 4)} {num(texture_v(ring_y(i)), 4)}")
    out.append(f"vt 0.5 {num(texture_v(LENGTH), 4)}")
    out += ["", "# normals: ring by ring, the tip, the base"]
    for i in range(RINGS):
        d = slope(ring_y(i))
        n = math.sqrt(1 + d * d)
        for a in angles:
            out.append(f"vn {num(math.sin(a) / n, 4)} {num(-d / n, 4)} {num(math.cos(a) / n, 4)}")
    out += ["vn 0 1 0", "vn 0 -1 0"]
    out += ["", "# every ring is moved by one pair of joints"]
    out += [f"vj {j + 1} {j + 2} 0 0" for j in range(JOINTS - 1)]
    pairs, rows = [], []
    for y in [ring_y(i) for i in range(RINGS)] + [LENGTH]:
        j, a, b = weights(y)
        row = f"vw {num(a, 6)} {num(b, 6)} 0 0"
        if row not in rows:
            rows.append(row)
        pairs.append(f"{j + 1}/{rows.index(row) + 1}")
    out += rows
    out += ["", "usemtl skin"]

    def corner(i, s):
        s %= SIDES
        point = i * SIDES + s + 1
        return f"{point}/{i * (HALF + 1) + min(s, SIDES - s) + 1}/{point}/{pairs[i]}"

    for i in range(RINGS - 1):
        for s in range(SIDES):
            out.append("f " + " ".join((corner(i, s), corner(i, s + 1), corner(i + 1, s + 1), corner(i + 1, s))))
    tip = RINGS * SIDES + 1
    for s in range(SIDES):
        top = f"{tip}/{RINGS * (HALF + 1) + 1}/{tip}/{pairs[RINGS]}"
        out.append("f " + " ".join((corner(RINGS - 1, s), corner(RINGS - 1, s + 1), top)))
    base = []
    for s in reversed(range(SIDES)):
        c = corner(0, s).split("/")
        c[2] = str(tip + 1)
        base.append("/".join(c))
    out.append("f " + " ".join(base))
    out += ["", "# joints: all at the origin at rest"]
    out += [f"j arm_{j + 1} {j if j else -1}" for j in range(JOINTS)]
    out.append("")
    keys(out, "wave", wave, 2.0, 32, 25)
    out.append("")
    keys(out, "curl", curl, 1.5, 30, 25)
    return "\n".join(out) + "\n"


MATERIAL = """# The skin of octopus_arm.amo.
newmtl skin
Kd 1 1 1
map_Kd octopus_arm.png
"""


def mix(a, b, t):
    t = min(max(t, 0.0), 1.0)
    return tuple(x + (y - x) * t for x, y in zip(a, b))


def texel(x, y, spots):
    """The colour at texture coordinates u = x and v = y, both from 0 to 1. Tiles along v."""
    back, stripe, pale = (201, 84, 62), (143, 46, 52), (243, 214, 184)
    rim, cup, hole = (252, 236, 220), (222, 150, 134), (120, 52, 58)
    band = 0.5 + 0.5 * math.cos(2 * math.pi * (y - 0.15 * math.sin(math.pi * x)))
    colour = mix(back, stripe, (band - 0.45) * 3)
    for sx, sy, sr in spots:
        dy = abs(y - sy)
        d = math.hypot((x - sx) * math.pi, min(dy, 1 - dy) * 1.2)
        colour = mix((236, 160, 92), colour, (d / sr - 0.7) * 3)
    colour = mix(pale, colour, (x - 0.34) * 8)
    # one sucker per tile on each side, 35 degrees off the middle, in units of the radius
    d = math.hypot((x - 0.195) * math.pi, (y - 0.5) * 1.2) / 0.45
    for edge, c in ((1.0, rim), (0.72, cup), (0.34, hole)):
        colour = mix(colour, c, (edge - d) * 9)
    return bytes(int(c + 0.5) for c in colour)


def picture():
    size, over = 64, 2
    seed, spots = 7, []
    for _ in range(9):
        v = []
        for _ in range(3):
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            v.append(seed / 0x7FFFFFFF)
        spots.append((0.55 + 0.43 * v[0], v[1], 0.05 + 0.07 * v[2]))
    rows = b""
    for y in range(size):
        rows += b"\0"
        for x in range(size):
            total = [0, 0, 0]
            for sy in range(over):
                for sx in range(over):
                    u = (x + (sx + 0.5) / over) / size
                    v = 1 - (y + (sy + 0.5) / over) / size  # v points up
                    for n, c in enumerate(texel(u, v, spots)):
                        total[n] += c
            rows += bytes((c + over * over // 2) // (over * over) for c in total)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    # one uncompressed block, so the bytes do not depend on the version of zlib
    stored = b"\x78\x01\x01" + struct.pack("<HH", len(rows), len(rows) ^ 0xFFFF) + rows
    stored += struct.pack(">I", zlib.adler32(rows))
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", stored) + chunk(b"IEND", b"")


def main():
    os.makedirs(OUT, exist_ok=True)
    for name, data in (("octopus_arm.amo", model().encode("ascii")),
                       ("octopus_arm.mtl", MATERIAL.encode("ascii")),
                       ("octopus_arm.png", picture())):
        with open(os.path.join(OUT, name), "wb") as f:
            f.write(data)


if __name__ == "__main__":
    main()
