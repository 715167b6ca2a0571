#!/usr/bin/env python3
"""Generates the fixtures in gltf/ and EXPECTED.tsv. Each statement specifies a fixture and its expectation.

Needs only Python 3 and its standard library. The output is deterministic.
"""

import base64
import copy
import json
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
BYTE, UBYTE, SHORT, USHORT, UINT, FLOAT = 5120, 5121, 5122, 5123, 5125, 5126
FORMATS = {BYTE: "b", UBYTE: "B", SHORT: "h", USHORT: "H", UINT: "I", FLOAT: "f"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
EXPECTED = []

CORNERS = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 0.5, 0]
HALF = 0.5 ** 0.5


def pack(component, numbers):
    return struct.pack("<%d%s" % (len(numbers), FORMATS[component]), *numbers)


class File:
    """A glTF file with one buffer."""

    def __init__(self, **root):
        self.root = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [], **root}
        self.bytes = b""

    def view(self, content, **more):
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        views = self.root.setdefault("bufferViews", [])
        views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(content), **more})
        self.bytes += content
        return len(views) - 1

    def accessor(self, element, numbers, component=FLOAT, **more):
        """Adds an accessor with its own buffer view."""
        return self.over(self.view(pack(component, numbers)), element, len(numbers) // WIDTHS[element], component, **more)

    def over(self, view, element, count, component=FLOAT, **more):
        accessors = self.root.setdefault("accessors", [])
        accessor = {"bufferView": view, "componentType": component, "count": count, "type": element, **more}
        if view is None:
            del accessor["bufferView"]
        accessors.append(accessor)
        return len(accessors) - 1

    def positions(self, numbers=CORNERS):
        columns = [numbers[axis::3] for axis in range(3)]
        finite = [[n for n in column if n == n and abs(n) < 1e38] for column in columns]
        return self.accessor("VEC3", numbers, min=[min(c) for c in finite], max=[max(c) for c in finite])

    def add(self, kind, item):
        items = self.root.setdefault(kind, [])
        items.append(item)
        return len(items) - 1

    def mesh(self, *primitives, **more):
        return self.add("meshes", {"primitives": list(primitives), **more})

    def node(self, **node):
        return self.add("nodes", node)

    def roots(self, *nodes):
        self.root["scenes"][0]["nodes"] = list(nodes)

    def animation(self, *channels, name="move"):
        """Adds an animation. A channel is (node, path, interpolation, times, accessor of values)."""
        animation = {"name": name, "channels": [], "samplers": []}
        for node, path, interpolation, times, output in channels:
            if isinstance(times, list):
                times = self.accessor("SCALAR", times, min=[min(times)], max=[max(times)])
            animation["channels"].append({"sampler": len(animation["samplers"]), "target": {"node": node, "path": path}})
            animation["samplers"].append({"input": times, "interpolation": interpolation, "output": output})
        return self.add("animations", animation)

    def text(self):
        root = copy.deepcopy(self.root)
        if self.bytes and "buffers" not in root:
            uri = "data:application/octet-stream;base64," + base64.b64encode(self.bytes).decode()
            root["buffers"] = [{"byteLength": len(self.bytes), "uri": uri}]
        return json.dumps(root, indent=1, allow_nan=False) + "\n"


def put(path, content, severity="ok", code="-", place="-"):
    os.makedirs(os.path.dirname(os.path.join(HERE, path)), exist_ok=True)
    with open(os.path.join(HERE, path), "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    EXPECTED.append(("gltf/" + path, severity, code, place))


def ok(name, file, code="-", place="-"):
    put("ok/%s.gltf" % name, file.text(), "ok", code, place)


def bad(name, file, code, place):
    put("err/%s.gltf" % name, file.text(), "error", code, place)


def refused(name, file, says):
    put("err/%s.gltf" % name, file if isinstance(file, str) else file.text(), "refused", "-", says)


def one_mesh(**primitive):
    """Returns a file with a mesh of the five corners, and the mesh's primitive."""
    file = File()
    part = {"attributes": {"POSITION": file.positions()}, **primitive}
    file.mesh(part)
    file.node(mesh=0)
    return file, part


def moving():
    """Triangles on a node that is a child of another node."""
    file, _ = one_mesh(mode=5)
    file.root["nodes"] = []
    file.node(name="arm", children=[1], translation=[1, 0, 0])
    file.node(name="hand", mesh=0, rotation=[0, 0, HALF, HALF])
    return file


def skinned():
    """Two bones and a mesh. One vertex is bound to the first bone, one to the second, and three to both."""
    file = File()
    weights = [255, 0, 0, 0, 0, 255, 0, 0, 128, 127, 0, 0, 51, 204, 0, 0, 204, 51, 0, 0]
    attributes = {
        "POSITION": file.positions(),
        "JOINTS_0": file.accessor("VEC4", [0, 1, 0, 0] * 5, USHORT),
        "WEIGHTS_0": file.accessor("VEC4", weights, UBYTE, normalized=True),
    }
    file.mesh({"attributes": attributes, "indices": file.accessor("SCALAR", [0, 1, 2, 1, 3, 2], USHORT)})
    file.node(name="Armature", children=[1, 3])
    file.node(name="hip", children=[2], translation=[0, 1, 0])
    file.node(name="knee", translation=[0, 1, 0])
    # This transform has no effect: the joints position a skinned mesh.
    file.node(name="leg", mesh=0, skin=0, translation=[7, 7, 7])
    matrices = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1] + [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1]
    file.add("skins", {"name": "bones", "joints": [1, 2], "inverseBindMatrices": file.accessor("MAT4", matrices)})
    file.animation((2, "rotation", "LINEAR", [0, 1], file.accessor("VEC4", [0, 0, 0, 1, 0, 0, HALF, HALF])))
    return file


def geometry():
    for mode, name in enumerate(["points", "lines", "line_loop", "line_strip", "triangles", "triangle_strip", "triangle_fan"]):
        file, part = one_mesh(mode=mode)
        corners = {1: [0, 1, 2, 3], 4: [0, 1, 2, 1, 3, 2]}.get(mode, [0, 1, 2, 3, 4])
        part["indices"] = file.accessor("SCALAR", corners, UBYTE)
        ok("mode_" + name, file)
    for component, name in [(UBYTE, "u8"), (USHORT, "u16"), (UINT, "u32")]:
        file, part = one_mesh()
        part["indices"] = file.accessor("SCALAR", [4, 1, 3], component)
        ok("indices_" + name, file)
    file, part = one_mesh()
    part["attributes"]["POSITION"] = file.positions(CORNERS[:9])
    ok("without_indices", file)

    file = File()
    rows = b"".join(pack(FLOAT, CORNERS[3 * i:3 * i + 3] + [0, 0, 1]) + pack(USHORT, [i * 16000, 65535]) for i in range(5))
    view = file.view(rows, byteStride=28)
    position = file.over(view, "VEC3", 5, min=[0, 0, 0], max=[2, 1, 0])
    normal = file.over(view, "VEC3", 5, byteOffset=12)
    texcoord = file.over(view, "VEC2", 5, USHORT, byteOffset=24, normalized=True)
    file.mesh({"attributes": {"POSITION": position, "NORMAL": normal, "TEXCOORD_0": texcoord}, "mode": 5})
    file.node(mesh=0)
    ok("stride", file)

    file, part = one_mesh(mode=5)
    indices, values = file.view(pack(USHORT, [1, 4])), file.view(pack(FLOAT, [3, 0, 0, 5, 5, 5]))
    sparse = {"count": 2, "indices": {"bufferView": indices, "componentType": USHORT}, "values": {"bufferView": values}}
    file.root["accessors"][0].update(sparse=sparse, min=[0, 0, 0], max=[5, 5, 5])
    ok("sparse", file)
    del file.root["accessors"][0]["bufferView"]
    ok("sparse_without_view", file)

    file, part = one_mesh(mode=5)
    part["attributes"]["COLOR_0"] = file.accessor("VEC4", [255, 128, 0, 255] * 5, UBYTE, normalized=True)
    ok("colors_u8", file)
    file, part = one_mesh(mode=5)
    view = file.view(pack(USHORT, [65535, 0, 13107, 0] * 5), byteStride=8)
    part["attributes"]["COLOR_0"] = file.over(view, "VEC3", 5, USHORT, normalized=True)
    ok("colors_rgb_u16", file)

    file = File(extensionsUsed=["KHR_mesh_quantization"], extensionsRequired=["KHR_mesh_quantization"])
    view = file.view(pack(SHORT, [0, 0, 0, 0, 100, -100, 32767, 0, -32768, 7, 1, 0]), byteStride=8)
    file.mesh({"attributes": {"POSITION": file.over(view, "VEC3", 3, SHORT, min=[-32768, -100, 0], max=[100, 7, 32767])}})
    file.node(mesh=0, scale=[0.01, 0.01, 0.01])
    ok("quantized", file)

    # Two primitives with separate vertices and different attributes. Missing attributes are filled in.
    file, part = one_mesh(mode=5)
    part["attributes"]["COLOR_0"] = file.accessor("VEC4", [0.5, 0.5, 0.5, 1] * 5)
    other = {"POSITION": file.positions([9, 0, 0, 9, 1, 0, 8, 0, 0]), "NORMAL": file.accessor("VEC3", [0, 0, 1] * 3)}
    file.root["meshes"][0]["primitives"].append({"attributes": other})
    file.root["meshes"][0]["primitives"].append({"attributes": part["attributes"], "mode": 0})
    ok("parts_of_their_own", file)

    # The influences of the first primitive are padded to the eight of the second.
    file = skinned()
    attributes = dict(file.root["meshes"][0]["primitives"][0]["attributes"])
    attributes["POSITION"] = file.positions([number + 3 for number in CORNERS])
    attributes["JOINTS_1"] = file.accessor("VEC4", [1, 0, 0, 0] * 5, UBYTE)
    attributes["WEIGHTS_0"] = file.accessor("VEC4", [0.25, 0.25, 0, 0] * 5)
    attributes["WEIGHTS_1"] = file.accessor("VEC4", [0.5, 0, 0, 0] * 5)
    file.root["meshes"][0]["primitives"].append({"attributes": attributes, "mode": 5})
    ok("parts_with_unequal_influences", file)

    file, part = one_mesh(mode=4)
    part["indices"] = file.accessor("SCALAR", [0, 1, 2, 3], UBYTE)
    put("warn/indices_over.gltf", file.text(), "warning", "gltf-elements", "/meshes/0/primitives/0/indices")

    file, part = one_mesh(mode=5)
    part["attributes"]["TEXCOORD_1"] = file.accessor("VEC2", [0] * 10)
    ok("attribute_left_out", file, "gltf-attribute", "/meshes/0")


def looks():
    png = bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
        "0000000a49444154789c63f80f0001010100b138f6140000000049454e44ae426082"
    )
    file, part = one_mesh(mode=5, material=0)
    part["attributes"]["TEXCOORD_0"] = file.accessor("VEC2", [0.25] * 10)
    file.add("images", {"name": "inline", "uri": "data:image/png;base64," + base64.b64encode(png).decode()})
    file.add("images", {"name": "beside", "uri": "textures/a%20b.png"})
    os.makedirs(os.path.join(HERE, "ok/textures"), exist_ok=True)
    with open(os.path.join(HERE, "ok/textures/a b.png"), "wb") as beside:
        beside.write(png)
    file.add("images", {"name": "inside", "mimeType": "image/png", "bufferView": file.view(png)})
    for source in range(3):
        file.add("textures", {"source": source})
    pbr = {"baseColorFactor": [0.5, 0.25, 1, 0.5], "baseColorTexture": {"index": 1}, "metallicFactor": 0, "roughnessFactor": 0.5}
    look = {"name": "wood", "pbrMetallicRoughness": pbr, "emissiveFactor": [0, 0.5, 0], "alphaMode": "BLEND", "doubleSided": True}
    file.root["materials"] = [look]
    ok("material", file)
    file.root["materials"] = [{"name": "steel", "normalTexture": {"index": 0}}]
    ok("material_of_metal", file)
    file, part = one_mesh(mode=5, material=0)
    part["attributes"]["TEXCOORD_1"] = file.accessor("VEC2", [0.25] * 10)
    file.add("textures", {"source": 0})
    file.add("images", {"name": "inline", "uri": "data:image/png;base64," + base64.b64encode(png).decode()})
    pbr = {"metallicFactor": 0, "baseColorTexture": {"index": 0, "texCoord": 1}}
    file.add("materials", {"alphaMode": "MASK", "pbrMetallicRoughness": pbr})
    ok("material_left_out", file, "gltf-material", "/materials/0")
    file = File()
    file.add("cameras", {"type": "perspective", "perspective": {"yfov": 4, "znear": 0.25}})
    file.node(camera=0)
    ok("camera_with_excessive_angle", file, "gltf-camera-kind", "/cameras/0: invalid parameters")
    file = File()
    file.add("cameras", {"type": "perspective", "perspective": {"yfov": 1, "znear": 2, "zfar": 1}})
    file.node(camera=0)
    ok("camera_with_near_far_plane", file, "gltf-camera", "/cameras/0: the aspect ratio or far plane")
    file = File()
    file.add("cameras", {"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "znear": 0, "zfar": 9}})
    file.add("cameras", {"type": "perspective", "name": "lens", "perspective": {"yfov": 0.5, "znear": 0.25}})
    file.node(name="flat", camera=0, translation=[1, 2, 3])
    file.node(name="eye", camera=1, translation=[1, 2, 3])
    file.roots(0, 1)
    put("ok/camera.gltf", file.text(), "ok", "gltf-camera-kind", "/cameras/0")


def motion():
    for name, interpolation, values in [
        ("step", "STEP", [0, 0, 0, 1, 0, 0, 0, 5, 0]),
        ("linear", "LINEAR", [0, 0, 0, 1, 0, 0, 0, 5, 0]),
        ("cubic", "CUBICSPLINE", [0, 0, 0, 1, 2, 3, 4, 0, 0] * 2 + [0, 1, 0, 5, 5, 5, 0, 0, 0]),
    ]:
        file = moving()
        file.animation((0, "translation", interpolation, [0, 0.5, 2], file.accessor("VEC3", values)))
        ok("translation_" + name, file)
    turns = [[0, 0, 0, 1], [HALF, 0, 0, HALF], [0, 0.6, 0, -0.8]]
    for component, most, name in [(FLOAT, 1, "float"), (BYTE, 127, "i8"), (SHORT, 32767, "i16"), (UBYTE, 255, "u8"), (USHORT, 65535, "u16")]:
        file = moving()
        chosen = turns if component in (FLOAT, BYTE, SHORT) else [[abs(n) for n in turn] for turn in turns]
        flat = [n * most if component == FLOAT else round(n * most) for turn in chosen for n in turn]
        more = {} if component == FLOAT else {"normalized": True}
        file.animation((1, "rotation", "LINEAR", [0, 0.5, 2], file.accessor("VEC4", flat, component, **more)))
        ok("rotation_" + name, file)
    file = moving()
    flat = [0, 0, 0, 0, 0, 0, 0, 1, 0.5, 0, 0, 0] + [0, 0, 0.5, 0, HALF, 0, 0, HALF, 0, 0, 0, 0]
    file.animation(
        (1, "rotation", "CUBICSPLINE", [0.25, 2], file.accessor("VEC4", flat)),
        (0, "scale", "LINEAR", [0, 0.5, 2], file.accessor("VEC3", [1, 1, 1, 2, 2, 2, 1, 2, 3])),
        (1, "scale", "STEP", [1], file.accessor("VEC3", [2, 2, 2])),
    )
    file.animation((0, "translation", "LINEAR", [0, 1], file.accessor("VEC3", [0, 0, 0, 1, 1, 1])), name="other")
    ok("two_animations", file)
    file = moving()
    file.animation((1, "translation", "CUBICSPLINE", [0.5], file.accessor("VEC3", [9, 9, 9, 1, 2, 3, 9, 9, 9])))
    ok("one_cubic_key", file)

    for component, most, name in [(FLOAT, 1, "float"), (UBYTE, 255, "u8")]:
        file, part = one_mesh(mode=5)
        part["targets"] = [{"POSITION": file.positions([1, 2, 3] * 5)}, {"NORMAL": file.accessor("VEC3", [0, 0, 1] * 5)}]
        part["attributes"]["NORMAL"] = file.accessor("VEC3", [0, 0, 1] * 5)
        file.root["meshes"][0].update(weights=[0.5, 0], extras={"targetNames": ["big", "shiny"]})
        values = [n * most for n in [0, 1, 1, 0, 0, 0]]
        more = {} if component == FLOAT else {"normalized": True}
        file.animation((0, "weights", "LINEAR", [0, 1, 2], file.accessor("SCALAR", values, component, **more)))
        ok("weights_" + name, file)
    file.root["nodes"][0]["weights"] = [0.25, 1]
    ok("weights_of_node", file)
    # Both nodes use the mesh. The first one repeats its weights.
    file.root["nodes"][0]["weights"] = [0.5, 0]
    file.node(mesh=0, weights=[0, 1])
    file.roots(0, 1)
    put("ok/weights_of_two_nodes.gltf", file.text(), "ok", "gltf-node-weights", "/nodes/1/weights")

    # The second part has no targets, so its vertices stay.
    file, part = one_mesh(mode=5)
    part["targets"] = [{"POSITION": file.positions([1, 2, 3] * 5)}]
    file.root["meshes"][0]["primitives"].append({"attributes": {"POSITION": file.positions([0, 0, 9, 1, 0, 9, 0, 1, 9])}})
    file.root["meshes"][0]["weights"] = [0.5]
    ok("targets_of_one_part", file)

    ok("skin", skinned())
    file = skinned()
    del file.root["skins"][0]["inverseBindMatrices"]
    ok("skin_without_matrices", file)
    file = skinned()
    file.root["nodes"][0]["translation"] = [0, 0, 5]
    ok("skin_below_a_moved_node", file)
    file = skinned()
    file.root["nodes"] += [{"name": "Other", "children": [5]}, {"name": "foot", "translation": [1, 0, 0]}]
    file.add("skins", {"joints": [5]})
    file.roots(0, 4)
    channel = {"sampler": 0, "target": {"node": 5, "path": "rotation"}}
    file.root["animations"][0]["channels"].append(channel)
    ok("two_armatures", file, "gltf-split-animation", "/animations/0")
    file = moving()
    file.root.update(extensionsUsed=["KHR_node_visibility", "KHR_animation_pointer"])
    file.root["nodes"][1]["extensions"] = {"KHR_node_visibility": {"visible": False}}
    file.animation((1, "pointer", "STEP", [0, 1, 2], file.accessor("SCALAR", [0, 1, 0], UBYTE)))
    target = file.root["animations"][0]["channels"][0]["target"]
    del target["node"]
    target["extensions"] = {"KHR_animation_pointer": {"pointer": "/nodes/1/extensions/KHR_node_visibility/visible"}}
    ok("visibility", file)
    target["extensions"] = {"KHR_animation_pointer": {"pointer": "/materials/0/emissiveFactor"}}
    put("ok/pointer_to_material.gltf", file.text(), "ok", "gltf-pointer", "/animations/0/channels/0/target")


def nodes():
    file = moving()
    file.root["nodes"][0] = {"name": "arm", "children": [1], "matrix": [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1]}
    ok("matrix", file)
    file.root["nodes"][0]["matrix"] = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    ok("matrix_with_shear", file)
    file.root["nodes"][0]["matrix"] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    file.root["nodes"][1]["matrix"] = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    del file.root["nodes"][1]["rotation"]
    ok("matrix_with_shear_at_a_mesh", file)
    file = moving()
    file.root["scenes"].append({"name": "second", "nodes": [2]})
    file.node(name="alone", translation=[0, 0, 1])
    ok("two_scenes", file, "gltf-outside-scene", "1 node outside the scene")
    file = moving()
    del file.root["scene"], file.root["scenes"]
    ok("no_scenes", file)
    file = moving()
    file.root["extensionsUsed"] = ["KHR_lights_punctual"]
    ok("extension_left_out", file, "gltf-extension", "/extensionsUsed")
    file = moving()
    names = ["KHR_lights_punctual", "KHR_materials_pbrSpecularGlossiness", "KHR_texture_transform"]
    file.root.update(extensionsUsed=names, extensionsRequired=names)
    put(
        "warn/extensions_of_looks_required.gltf",
        file.text(),
        "warning",
        "gltf-extension-required",
        "/extensionsRequired",
    )
    file = moving()
    file.root["nodes"][0]["extras"] = 3
    ok("extras_no_object", file, "gltf-extras", "/nodes/0/extras")
    file = moving()
    file.root["extensionsUsed"] = ["KHR_node_visibility"]
    file.root["nodes"][1]["extensions"] = {"KHR_node_visibility": {}}
    ok("visibility_by_default", file)
    file = moving()
    file.root["nodes"][0]["extras"] = None
    ok("extras_null", file)


def broken():
    def changed(base, change, code, place, name):
        file = base()
        change(file.root)
        bad(name, file, code, place)

    def mesh():
        file, part = one_mesh(mode=5)
        part["indices"] = file.accessor("SCALAR", [0, 1, 2], USHORT)
        return file

    def animated():
        file = moving()
        file.animation((0, "translation", "LINEAR", [0, 1], file.accessor("VEC3", [0, 0, 0, 1, 1, 1])))
        return file

    values, times = 1, 2
    for name, base, code, place, change in [
        ("accessor_beyond_view", mesh, "gltf-primitive", "/accessors/0/count", lambda r: r["accessors"][0].update(count=6)),
        ("accessor_count_of_all", mesh, "gltf-primitive", "/accessors/0/count", lambda r: r["accessors"][0].update(count=2**63)),
        ("accessor_offset", mesh, "gltf-primitive", "/accessors/0/count", lambda r: r["accessors"][0].update(byteOffset=2**64 - 1)),
        ("accessor_type", mesh, "gltf-primitive", "/accessors/0/type", lambda r: r["accessors"][0].update(type="VEC2")),
        ("accessor_component", mesh, "gltf-primitive", "/accessors/0/componentType", lambda r: r["accessors"][0].update(componentType=5124)),
        ("accessor_of_indices", mesh, "gltf-primitive", "/accessors/1/componentType", lambda r: r["accessors"][1].update(componentType=SHORT)),
        ("accessor_missing", mesh, "gltf-primitive", "/accessors/7", lambda r: r["meshes"][0]["primitives"][0].update(indices=7)),
        ("view_beyond_buffer", mesh, "gltf-primitive", "/bufferViews/0/byteLength", lambda r: r["bufferViews"][0].update(byteLength=1000)),
        ("view_offset", mesh, "gltf-primitive", "/bufferViews/0/byteLength", lambda r: r["bufferViews"][0].update(byteOffset=2**64 - 1)),
        ("view_of_no_buffer", mesh, "gltf-primitive", "/bufferViews/0/buffer", lambda r: r["bufferViews"][0].update(buffer=3)),
        ("view_missing", mesh, "gltf-primitive", "/bufferViews/9", lambda r: r["accessors"][0].update(bufferView=9)),
        ("stride_too_small", mesh, "gltf-primitive", "/bufferViews/0/byteStride", lambda r: r["bufferViews"][0].update(byteStride=4)),
        ("stride_too_large", mesh, "gltf-primitive", "/accessors/0/count", lambda r: r["bufferViews"][0].update(byteStride=2**63)),
        ("mode", mesh, "gltf-primitive", "/meshes/0/primitives/0/mode", lambda r: r["meshes"][0]["primitives"][0].update(mode=7)),
        ("no_positions", mesh, "gltf-primitive", "/meshes/0/primitives/0/attributes", lambda r: r["meshes"][0]["primitives"][0].update(attributes={})),
        ("material_missing", mesh, "gltf-reference", "/meshes/0/primitives/0/material", lambda r: r["meshes"][0]["primitives"][0].update(material=0)),
        ("mesh_missing", mesh, "gltf-reference", "/nodes/0/mesh", lambda r: r["nodes"][0].update(mesh=5)),
        ("weights_of_mesh", mesh, "gltf-morph", "/meshes/0/weights", lambda r: r["meshes"][0].update(weights=[1])),
        ("accessor_of_integers", mesh, "gltf-primitive", "/accessors/0/componentType", lambda r: r["accessors"][0].update(componentType=UINT)),
        ("projection", moving, "gltf-transform", "/nodes/0", lambda r: r["nodes"][0].update(matrix=[1, 0, 0, 1] + [0] * 11 + [1])),
        ("interpolation", animated, "gltf-channel", "/animations/0/samplers/0/interpolation", lambda r: r["animations"][0]["samplers"][0].update(interpolation="BEZIER")),
        ("sampler_missing", animated, "gltf-channel", "/animations/0/channels/0/sampler", lambda r: r["animations"][0]["channels"][0].update(sampler=1)),
        ("values_of_no_key", animated, "gltf-channel", "/accessors/%d/count" % values, lambda r: r["accessors"][values].update(count=1)),
        ("no_keys", animated, "gltf-channel", "/accessors/%d/count" % times, lambda r: r["accessors"][times].update(count=0)),
        ("path", animated, "gltf-channel", "/animations/0/channels/0/target/path", lambda r: r["animations"][0]["channels"][0]["target"].update(path="colour")),
        ("animated_node_missing", animated, "gltf-channel", "/animations/0/channels/0/target/node", lambda r: r["animations"][0]["channels"][0]["target"].update(node=9)),
        ("channel_twice", animated, "gltf-channel", "/animations/0/channels/1", lambda r: r["animations"][0]["channels"].append(r["animations"][0]["channels"][0])),
        ("skin_joint_missing", skinned, "gltf-skin", "/skins/0/joints/0", lambda r: r["skins"][0].update(joints=[77, 2])),
        ("skin_matrices_too_few", skinned, "gltf-skin", "/skins/0/inverseBindMatrices", lambda r: r["skins"][0].update(joints=[1, 2, 0])),
        ("skin_joints_too_few", skinned, "gltf-skin", "/nodes/3/skin", lambda r: r["skins"][0].update(joints=[1])),
        ("skin_without_joints", skinned, "gltf-skin", "/skins/0/joints", lambda r: r["skins"][0].update(joints=[])),
        ("skin_missing", skinned, "gltf-reference", "/nodes/3/skin", lambda r: r["nodes"][3].update(skin=1)),
        ("buffer_missing", mesh, "gltf-buffer", "/buffers/0/uri", lambda r: r.update(buffers=[{"byteLength": 4, "uri": "gone.bin"}])),
        ("buffer_of_glb", mesh, "gltf-buffer", "/buffers/0", lambda r: r.update(buffers=[{"byteLength": 4}])),
        ("buffer_short", mesh, "gltf-buffer", "/buffers/0/byteLength", lambda r: r.update(buffers=[{"byteLength": 400, "uri": "data:;base64,AAAA"}])),
        ("buffer_no_base64", mesh, "gltf-buffer", "/buffers/0/uri", lambda r: r.update(buffers=[{"byteLength": 4, "uri": "data:;base64,=="}])),
    ]:
        changed(base, change, code, place, name)

    for name, number in [("nan", float("nan")), ("infinity", float("inf"))]:
        file, part = one_mesh(mode=5)
        part["attributes"]["POSITION"] = file.positions(CORNERS[:14] + [number])
        bad("position_" + name, file, "gltf-primitive", "/accessors/1")
        file = moving()
        file.animation((0, "scale", "LINEAR", [0, 1], file.accessor("VEC3", [1, 1, number, 1, 1, 1])))
        bad("key_" + name, file, "gltf-channel", "/accessors/1")
    file, part = one_mesh(mode=5)
    part["targets"] = [{"POSITION": file.positions([1, 2, 3] * 5)}]
    file.root["nodes"][0]["weights"] = [1, 1]
    bad("weights_of_node_too_many", file, "gltf-morph", "/nodes/0/weights: 2 weights for 1 morph target")
    file = skinned()
    file.root["nodes"] += [{"name": "Other", "children": [5]}, {"name": "foot"}]
    file.roots(0, 4)
    file.root["skins"][0]["joints"] = [1, 5]
    bad("skin_joints_of_two_roots", file, "gltf-skin", "/skins/0/joints/1: node 5 shares no root with the previous joints")
    file = moving()
    file.animation((0, "weights", "LINEAR", [0, 1], file.accessor("SCALAR", [0, 1])))
    bad("weights_of_no_mesh", file, "gltf-channel", "/animations/0/channels/0/target: the node's mesh is missing or cannot be read")
    file = moving()
    file.animation((0, "scale", "LINEAR", [0, 1, 1], file.accessor("VEC3", [1] * 9)))
    bad("times_stand_still", file, "gltf-channel", "/accessors/2")
    file, part = one_mesh(mode=5)
    part["indices"] = file.accessor("SCALAR", [0, 1, 5], USHORT)
    bad("vertex_missing", file, "gltf-primitive", "/meshes/0/primitives/0/indices")
    file, part = one_mesh(mode=5)
    part["attributes"]["NORMAL"] = file.accessor("VEC3", [0, 0, 1] * 4)
    bad("normals_too_few", file, "gltf-primitive", "/meshes/0/primitives/0/attributes/NORMAL")
    file, part = one_mesh(mode=5)
    indices, values = file.view(pack(UBYTE, [1, 5])), file.view(pack(FLOAT, [0] * 6))
    sparse = {"count": 2, "indices": {"bufferView": indices, "componentType": UBYTE}, "values": {"bufferView": values}}
    file.root["accessors"][0]["sparse"] = sparse
    bad("sparse_beyond", file, "gltf-primitive", "/accessors/0/sparse/indices")
    sparse["count"] = 3
    bad("sparse_too_many", file, "gltf-primitive", "/accessors/0/sparse/indices")
    file, part = one_mesh(mode=5)
    file.add("images", {"name": "none"})
    file.add("textures", {"source": 4})
    file.add("materials", {"pbrMetallicRoughness": {"metallicFactor": 0, "baseColorTexture": {"index": 0}}})
    put("err/image_missing.gltf", file.text(), "error", "gltf-reference", "/textures/0")


def hopeless():
    file = moving()
    file.root["nodes"][1]["children"] = [0]
    del file.root["scenes"], file.root["scene"]
    refused("cycle", file, "/nodes/0: the node is part of a cycle")
    file = moving()
    file.node(children=[1])
    refused("two_parents", file, "/nodes/2/children/0: node 1 is already a child of node 0")
    file = moving()
    file.root["nodes"][0]["children"] = [8]
    refused("child_missing", file, "/nodes/0/children/0: node 8 does not exist")
    file = moving()
    file.roots(1)
    refused("root_with_parent", file, "/scenes/0/nodes/0: node 1 is not a root")
    file = moving()
    file.roots(4)
    refused("root_missing", file, "/scenes/0/nodes/0: node 4 does not exist")
    file = moving()
    file.root["scene"] = 3
    refused("scene_missing", file, "/scene: scene 3 does not exist")
    for name in ["KHR_draco_mesh_compression", "EXT_meshopt_compression"]:
        file = moving()
        file.root.update(extensionsUsed=[name], extensionsRequired=[name])
        refused(name.lower(), file, name)
    file = moving()
    file.root["asset"]["version"] = "1.0"
    refused("version_1", file, "unsupported glTF version `1.0`")
    file.root["accessors"] = {"accessor_0": file.root["accessors"][0]}
    refused("version_1_objects", file, "unsupported glTF version `1.0`")
    file = moving()
    file.root["asset"]["minVersion"] = "2.1"
    refused("version_2_1", file, "unsupported glTF version `2.1`")
    refused("no_asset", "{}", "missing `asset`")
    refused("array_for_object", '{"asset":{"version":"2.0"},"nodes":[["a"]]}', "expected an object, found an array")
    refused("no_json", "v 0 0 0", "line 1, column 1")
    refused("cut_off", moving().text()[:100], "unexpected end of the JSON: the file looks cut off")
    refused("no_header", "glTF", "invalid GLB: the header is incomplete")
    refused("empty", "", "line 1, column 1")
    refused("deep", '{"asset":{"version":"2.0"},"nodes":[{"extras":' + "[" * 1000, "recursion limit")
    file = moving()
    file.root["nodes"][0]["translation"] = [1e39, 0, 0]
    refused("translation_out_of_range", file, "number out of range")
    refused("negative_count", File(accessors=[{"count": -1, "type": "SCALAR", "componentType": FLOAT}]), "expected a whole number from 0, found `-1`")


def main():
    for make in [geometry, looks, motion, nodes, broken, hopeless]:
        make()
    with open(os.path.join(HERE, "EXPECTED.tsv"), "w", newline="\n") as table:
        table.write("file\tseverity\tcode\tplace\n")
        table.writelines("\t".join(row) + "\n" for row in sorted(EXPECTED))


main()
