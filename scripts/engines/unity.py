#!/usr/bin/env python3
"""Reads Animator Controllers with unityparser, and checks that all objects that are referred to exist
and have the right class."""

import argparse
import pathlib
import sys

from unityparser import UnityDocument

CLASSES = {"m_DstState": "AnimatorState", "m_DstStateMachine": "AnimatorStateMachine",
           "m_DefaultState": "AnimatorState", "m_State": "AnimatorState",
           "m_StateMachine": "AnimatorStateMachine"}


def references(value, key=""):
    if isinstance(value, dict):
        if set(value) == {"fileID"}:
            yield key, int(value["fileID"])
        else:
            for name, inner in value.items():
                yield from references(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner, key)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    for path in parser.parse_args().files:
        document = UnityDocument.load_yaml(path)
        objects = {int(entry.anchor): entry for entry in document.entries}
        count = 0
        for entry in document.entries:
            for name, value in vars(entry).items():
                if not name.startswith("m_"):
                    continue
                for key, target in references(value, name):
                    if target == 0:
                        continue
                    if target not in objects:
                        sys.exit(f"{path}: &{entry.anchor} {name}: {target} does not exist")
                    found = type(objects[target]).__name__
                    if CLASSES.get(key, found) != found:
                        sys.exit(f"{path}: &{entry.anchor} {key} refers to {found}")
                    count += 1
        kinds = sorted({type(entry).__name__ for entry in document.entries})
        print(f"{path.name}: {len(objects)} objects, {count} references, {', '.join(kinds)}")


main()
