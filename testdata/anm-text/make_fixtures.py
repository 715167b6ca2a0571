#!/usr/bin/env python3
"""Generates the fixtures in anm-text/ that are not plain text: other encodings, other line endings, control characters.

Needs only Python 3 and its standard library. The output is deterministic.
"""

import os

ANM = os.path.dirname(os.path.abspath(__file__))


def two(point, set="Arm", bone="shoulder", more="", name="lift", last=""):
    """Two sets. `more` and `last` are inserted after the bones and after the first animation of the first set."""
    return (
        f"# {point}\n"
        f"as {set}\nbl {bone} +children\n{more}an 0 50 {name}\n{last}an 56 100 wave\n"
        "as Head\nbl neck\nan 0 50 nod\n"
    )


def write(path, text, encoding="utf-8"):
    with open(os.path.join(ANM, path), "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode(encoding))


def control_characters():
    write("warn/A16_escape_in_name.anm", two("A control character in a name.", more="ev 5 step\n", name="\x1b[31mlift"))
    write("err/A16_nul_in_set.anm", two("NUL in a name.", set="Ar\0m"))
    write("err/A16_nul_in_bone.anm", two("NUL in a name.", more="bl ha\0nd\n"))
    write("err/A16_nul_in_animation.anm", two("NUL in a name.", last="an 0 50 \0drop\n"))
    write("err/A16_nul_in_time.anm", two("NUL in a number.", more="ev 5\0 step\n"))
    write("err/A18_form_feed.anm", two("A form feed parts nothing.", more="ev 5\x0cstep\n"))
    write("err/X09_escape_in_keyword.anm", two("A control character in a keyword.", more="\x1b[31mbl hand\n"))


def line_ends():
    write("err/A01_empty.anm", "")
    write("ok/A15_no_final_newline.anm", two("No final line break.").removesuffix("\n"))
    write("ok/A15_crlf.anm", two("CRLF line ends.").replace("\n", "\r\n"))
    lines = two("LF and CRLF mixed.").splitlines()
    write("ok/A15_mixed.anm", "".join(line + ("\n", "\r\n")[i % 2] for i, line in enumerate(lines)))
    write("warn/A15_cr.anm", two("Lone CR as line ends.").replace("\n", "\r"))
    write("warn/A15_one_cr.anm", two("One lone CR.", more="ev 5 step\n").replace("wave\n", "wave\r"))


def encodings():
    write("warn/A17_bom.anm", "\ufeff" + two("A byte order mark."))
    write("err/A17_bom_before_keyword.anm", "\ufeffAs Arm\nbl shoulder\nan 0 50 lift\nas Head\nbl neck\nan 0 50 nod\n")
    write("warn/A17_latin1_name.anm", two("Latin-1.", set="Lev\xe9"), "latin-1")
    write("warn/A17_latin1_two_names.anm", two("Latin-1.", set="Lev\xe9", bone="\xe9paule"), "latin-1")
    write("err/A17_latin1_number.anm", two("Latin-1.", more="ev 30\xb0 step\n"), "latin-1")
    write("err/A17_utf16_le.anm", "\ufeff" + two("UTF-16."), "utf-16-le")
    write("err/A17_utf16_be.anm", "\ufeff" + two("UTF-16."), "utf-16-be")
    write("err/A17_utf16_le_without_mark.anm", two("UTF-16."), "utf-16-le")


def other_formats():
    write("err/other_binary.anm", b"ANIM\x01\0\0\0" + bytes(range(256)) + b"\nas \0\x01\x02\n\xff\xfe\n\0\0")


control_characters()
line_ends()
encodings()
other_formats()
