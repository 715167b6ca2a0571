#!/usr/bin/env python3
"""Generates the files in cookbook/ that are not practical to write by hand: reed.amo, robot.gltf, lamp.gltf, RABBIT.TMD, WALK.ANM, RUN.ANM.

Needs only Python 3 and its standard library. The output is deterministic.
"""

import base64
import json
import math
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))


def put(name, content):
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def turn(angle, axis=2):
    """The quaternion (x, y, z, w) of a rotation about an axis, in degrees."""
    half = math.radians(angle) / 2
    return [round(math.sin(half), 6) if axis == i else 0.0 for i in range(3)] + [round(math.cos(half), 6)]


# ---- Animated OBJ: a strip bound to three joints at heights 0, 1 and 2 ----


def reed():
    lines = ["# A reed of three joints, which sways.", "ao reed"]
    lines += [f"v {x} {y} 0" for y in range(4) for x in (-0.25, 0.25)]
    lines += [f"vt {x} {y / 3:.4g}" for y in range(4) for x in (0, 1)]
    lines += ["vn 0 0 1", "vj 1 0 0 0", "vj 1 2 0 0", "vj 2 3 0 0", "vj 3 0 0 0", "vw 1 0 0 0", "vw 0.5 0.5 0 0"]
    influences = ["1/1", "2/2", "3/2", "4/1"]
    corner = lambda i: f"{i + 1}/{i + 1}/1/{influences[i // 2]}"
    for i in (0, 2, 4):
        lines += ["f " + " ".join(map(corner, face)) for face in ((i, i + 1, i + 3), (i, i + 3, i + 2))]
    lines += ["j stem -1", "j middle 1", "j tip 2", "a sway"]
    for joint, height in enumerate((0, 1, 2)):
        for time, angle in ((0, 0), (0.5, 20), (1.5, -20), (2, 0)):
            # Rotates about the joint's height: the pivot, minus the rotated pivot.
            x, y = (height * math.sin(math.radians(angle)), height * (1 - math.cos(math.radians(angle))))
            lines.append(f"ap {time} {joint + 1} {x:.6g} {y:.6g} 0")
            lines.append(f"ar {time} {joint + 1} " + " ".join(f"{n:.6g}" for n in turn(angle)))
    put("reed.amo", "\n".join(lines) + "\n")


# ---- glTF: nodes with boxes, and at most one animation ----


CUBE = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


class Gltf:
    def __init__(self):
        self.root = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [], "meshes": []}
        self.root |= {"accessors": [], "bufferViews": []}
        self.bytes = b""

    def accessor(self, kind, rows, bounds=False, form="f", target=None):
        content = b"".join(struct.pack(f"<{len(row)}{form}", *row) for row in rows)
        view = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(content)}
        self.root["bufferViews"].append(view | ({"target": target} if target else {}))
        self.bytes += content + b"\0" * (-len(content) % 4)
        accessor = {"bufferView": len(self.root["bufferViews"]) - 1, "componentType": {"f": 5126, "H": 5123}[form]}
        accessor |= {"count": len(rows), "type": kind}
        if bounds:
            accessor |= {"min": list(map(min, zip(*rows))), "max": list(map(max, zip(*rows)))}
        self.root["accessors"].append(accessor)
        return len(self.root["accessors"]) - 1

    def node(self, name, translation, low, high, children=()):
        """A node with a box from `low` to `high`."""
        points = [tuple(float((low, high)[bit][axis]) for axis, bit in enumerate(corner)) for corner in CUBE]
        corners = [(corner,) for a, b, c, d in SIDES for corner in (a, b, c, a, c, d)]
        primitive = {
            "attributes": {"POSITION": self.accessor("VEC3", points, True, target=34962)},
            "indices": self.accessor("SCALAR", corners, form="H", target=34963),
        }
        self.root["meshes"].append({"name": name, "primitives": [primitive]})
        node = {"name": name, "translation": translation, "mesh": len(self.root["meshes"]) - 1}
        self.root["nodes"].append(node | ({"children": list(children)} if children else {}))

    def animation(self, name, channels):
        """Adds an animation. A channel is (node, path, seconds, values)."""
        animation = {"name": name, "channels": [], "samplers": []}
        for node, path, times, values in channels:
            kind = {"rotation": "VEC4", "translation": "VEC3"}[path]
            sampler = {"input": self.accessor("SCALAR", [(time,) for time in times], True), "output": self.accessor(kind, values)}
            animation["channels"].append({"sampler": len(animation["samplers"]), "target": {"node": node, "path": path}})
            animation["samplers"].append(sampler)
        self.root["animations"] = [animation]

    def put(self, name):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.bytes).decode()
        put(name, json.dumps(self.root | {"buffers": [{"byteLength": len(self.bytes), "uri": uri}]}, indent=1) + "\n")


def robot():
    """A single take of 100 frames at 24 frames per second, with a key every six frames. The arms and legs swing until frame 48, then one arm waves."""
    file = Gltf()
    file.node("hip", [0, 1, 0], (-0.3, 0, -0.15), (0.3, 0.8, 0.15), (1, 2, 3, 4))
    for name, x, y in (("arm_l", 0.4, 0.8), ("arm_r", -0.4, 0.8), ("leg_l", 0.2, 0), ("leg_r", -0.2, 0)):
        length = 0.7 if name.startswith("arm") else 1
        file.node(name, [x, y, 0], (-0.08, -length, -0.08), (0.08, 0, 0.08))
    frames = range(0, 103, 6)
    times = [frame / 24 for frame in frames]
    swing = lambda frame: 30 * math.sin(frame / 24 * 2 * math.pi) if frame <= 48 else 0
    wave = lambda frame: 150 + 20 * math.sin((frame - 54) / 12 * math.pi) if frame >= 54 else 0
    channels = [(0, "translation", times, [[0, round(1 - 0.001 * abs(swing(frame)), 6), 0] for frame in frames])]
    for node, sign in ((2, -1), (3, -1), (4, 1)):
        channels.append((node, "rotation", times, [turn(sign * swing(frame), 0) for frame in frames]))
    left = [turn(wave(frame)) if frame > 48 else turn(swing(frame), 0) for frame in frames]
    file.animation("take", [*channels, (1, "rotation", times, left)])
    file.put("robot.gltf")


def lamp():
    file = Gltf()
    file.node("foot", [0, 0, 0], (-4, 0, -4), (4, 1, 4), [1])
    file.node("shade", [0, 12, 0], (-3, -2, -3), (3, 2, 3))
    file.put("lamp.gltf")


# ---- TMD and TMD ANM: a body, a head and two feet. 4096 is a full turn in rotations, and 1.0 in scales ----


def tmd(*boxes):
    """A TMD with one object per box, made of unlit quads of a single colour."""
    table, data = b"", b""
    for low, high, colour in boxes:
        # Clockwise as seen from outside, where SIDES are counter-clockwise. The corners of a quad are in the order of a strip.
        quads = b"".join(struct.pack("<4B4B4H", 5, 3, 1, 0x29, *colour, 0, a, d, b, c) for a, b, c, d in SIDES)
        vertices = b"".join(struct.pack("<4h", *((low, high)[bit][axis] for axis, bit in enumerate(corner)), 0) for corner in CUBE)
        quads_at = 28 * len(boxes) + len(data)
        vertices_at = quads_at + len(quads)
        table += struct.pack("<6Ii", vertices_at, len(CUBE), vertices_at + len(vertices), 0, quads_at, len(SIDES), 0)
        data += quads + vertices
    return struct.pack("<III", 0x41, 0, len(boxes)) + table + data


def anm(rate, *frames):
    """A TMD ANM. A frame lists (object, rotation, position) for each visible object."""
    key = lambda object, rotation, position: struct.pack("<BB6h", object, 0b101, *rotation, *position)
    bodies = [b"".join(key(*part) for part in frame) for frame in frames]
    offsets = [4 + len(frames)]
    for body in bodies:
        offsets.append(offsets[-1] + len(body) // 2)
    return struct.pack("<HhH", 0x8000, rate, len(frames)) + struct.pack(f"<{len(offsets)}H", *offsets) + b"".join(bodies)


def rabbit():
    box = lambda x, y, z: ((-x, -y, -z), (x, y, z))
    white, pink = (240, 240, 240), (240, 160, 180)
    put("RABBIT.TMD", tmd((*box(60, 80, 50), white), (*box(50, 50, 50), white), (*box(20, 10, 40), pink), (*box(20, 10, 40), pink)))

    def step(turn, lift):
        # y points down.
        sway = round(256 * math.sin(turn))
        up = lambda side: max(0, round(lift * side * math.sin(turn)))
        foot = lambda side: ((0, 0, 0), (40 * side, 100 - up(side), round(60 * side * math.cos(turn))))
        return ((0, (0, 0, sway // 2), (0, 0, 0)), (1, (0, sway, 0), (0, -130, 0)), (2, *foot(1)), (3, *foot(-1)))

    frames = lambda count, lift: [step(2 * math.pi * frame / count, lift) for frame in range(count)]
    put("WALK.ANM", anm(15, *frames(8, 20)))
    put("RUN.ANM", anm(30, *frames(8, 50)))


for make in (reed, robot, lamp, rabbit):
    make()
