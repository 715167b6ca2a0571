#!/usr/bin/env python3
"""Plays exported state machines in Godot 3 and compares the poses with those of `animfmt sample`."""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CASES = [ROOT / f"testdata/stt/ok/published_{n}.stt" for n in (1, 2, 3)] + [HERE / "guard.stt"]
# A power of two, so that Godot's clock adds it up without rounding.
STEP = 1 / 8192
TIMES = 20
IMPORT = """[remap]
importer="scene"
type="PackedScene"

[params]
animation/fps=120
animation/optimizer/enabled=false
"""


def run(*command):
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if ran.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{ran.stderr}")
    return ran


def model(stt, path):
    """A model with a triangle for each node of an STT file."""
    names = sorted(set(re.findall(r"\{([^}]*)\}\s+(?:STATIC|DYNAMIC)", stt.read_text())))
    nodes = [{"name": name, "mesh": 0} for name in names]
    triangle = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": nodes,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                       "min": [0, 0, 0], "max": [1, 1, 0]}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": f"data:application/octet-stream;base64,{triangle}"}],
    }
    path.write_text(json.dumps(document))


def names_with_loop(glb):
    """The names of a GLB's animations, with `-loop` after those that repeat."""
    data = glb.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    for animation in json.loads(data[20:20 + length])["animations"]:
        repeats = animation.get("extras", {}).get("anim_formats", {}).get("wrap") == "loop"
        yield animation["name"] + ("-loop" if repeats else "")


def states(stt):
    text = stt.read_text()
    return re.findall(r"\{([^}]*)\}\s+(?:SINGLE|KEYFRAME)", text)


def prepare(animfmt, stt, folder):
    name = stt.stem
    model(stt, folder / f"{name}.gltf.txt")
    with_model = ["--with", folder / f"{name}.gltf.txt", "--force"]
    (folder / "plain").mkdir(exist_ok=True)
    plain = folder / "plain" / f"{name}.glb"
    exact = ["--tolerance", "1e-5"]
    run(animfmt, "convert", stt, *with_model, *exact, "-o", plain)
    names = ",".join(names_with_loop(plain))
    plain.unlink()
    run(animfmt, "convert", stt, *with_model, *exact, "--clip-names", names, "-o", folder / f"{name}.glb")
    written = run(animfmt, "convert", stt, *with_model, "--loop-suffix", "-o", folder / f"{name}.tres")
    (folder / f"{name}.glb.import").write_text(IMPORT)
    steps = [round((number + 0.37) * args.seconds / TIMES / STEP) for number in range(TIMES)]
    # States whose poses differ, as the conversion says.
    reported = re.findall(r"loss\[engine-loss-\w+\]: (?:sequence|state) `([^`]*)`", written.stderr)
    case = {"scene": f"{name}.glb", "machine": f"{name}.tres", "states": states(stt),
            "steps": steps}
    return case, set(reported)


def import_scenes(godot, folder, count):
    """Opens the project in the editor until all scenes have been imported. The editor of a server
    build may not end by itself, so it is ended."""
    command = [godot, "-e", "--quit", "--path", str(folder)]
    editor = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    end = time.monotonic() + 120
    done = lambda: len(list((folder / ".import").glob("*.md5"))) >= count
    while time.monotonic() < end and editor.poll() is None and not done():
        time.sleep(0.5)
    time.sleep(2)
    if editor.poll() is None:
        os.killpg(editor.pid, signal.SIGKILL)
    editor.wait()
    if not done():
        sys.exit("Godot did not import the scenes")


def matrix(joint):
    x, y, z, w = joint["rotation"]
    columns = [
        [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
        [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
        [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
    ]
    scaled = [[value * scale for value in column] for column, scale in zip(columns, joint["scale"])]
    return sum(scaled, []) + joint["translation"]


def compare(animfmt, stt, case, poses):
    """The largest difference for each state, and the number of poses compared. Translations are
    relative to the largest of the state, if that is above 1."""
    times = ",".join(str(step * STEP) for step in case["steps"])
    for number, state in enumerate(case["states"]):
        sampled = json.loads(run(animfmt, "sample", stt, "--clip", state, "--at", times).stdout)
        samples = sampled["files"][0]["samples"]
        found = poses[state]
        if len(found) != len(samples):
            yield state, float("inf"), 0
            continue
        size = max([1.0] + [abs(value) for sample in samples for joint in sample["joints"] for value in joint["translation"]])
        worst, count = 0.0, 0
        for sample, pose in zip(samples, found):
            for joint in sample["joints"]:
                here = pose[re.sub(r"[^a-zA-Z0-9_ -]", "", joint["name"])]
                for index, (a, b) in enumerate(zip(matrix(joint), here)):
                    error = abs(a - b) / (size if index >= 9 else 1.0)
                    if error > worst and args.verbose:
                        print(f"  {state} at {sample['time']:.4f}: {joint['name']}[{index}] {a:.5f}, in Godot {b:.5f}")
                    worst = max(worst, error)
            count += 1
        yield state, worst, count


def main():
    # Its exit status is not 0.
    version = subprocess.run([args.godot, "--version"], capture_output=True, text=True)
    version = version.stdout.strip().splitlines()[-1]
    failed = False
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(args.out or temporary) / "project"
        folder.mkdir(parents=True)
        (folder / "project.godot").write_text('config_version=4\n\n[application]\n\nconfig/name="states"\n')
        prepared = [prepare(args.animfmt, stt, folder) for stt in args.files]
        cases = [case for case, _ in prepared]
        (folder / "cases.json").write_text(json.dumps({"step": STEP, "cases": cases}))
        import_scenes(args.godot, folder, len(cases))
        played = subprocess.run([args.godot, "--path", str(folder), "-s", str(HERE / "play.gd")], capture_output=True, text=True)
        output = folder / "poses.json"
        poses = json.loads(output.read_text()) if output.exists() else [None]
        if None in poses:
            sys.exit(played.stdout + played.stderr)
        print(f"Godot {version}, {TIMES} times within {args.seconds} s\n")
        print("| file | state | poses | largest difference | loss reported |\n|---|---|---|---|---|")
        for stt, (case, reported), found in zip(args.files, prepared, poses):
            for state, worst, count in compare(args.animfmt, stt, case, found):
                known = state in reported
                print(f"| {stt.name} | {state} | {count} | {worst:.1e} | {'yes' if known else '–'} |")
                failed |= worst > args.limit and not known
    sys.exit(failed)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("files", nargs="*", type=pathlib.Path, default=CASES)
parser.add_argument("--animfmt", default=str(ROOT / "target/release/animfmt"))
parser.add_argument("--godot", default="godot3-server")
parser.add_argument("--seconds", type=float, default=16.0, help="how long each state is played")
parser.add_argument("--limit", type=float, default=1e-3)
parser.add_argument("--out", help="keep the project in this folder")
parser.add_argument("--verbose", action="store_true")
args = parser.parse_args()
main()
