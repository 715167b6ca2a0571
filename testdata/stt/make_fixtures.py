#!/usr/bin/env python3
"""Generates the fixtures in stt/ that are not plain text: other encodings, other line endings, control characters.

Needs only Python 3 and its standard library. The output is deterministic.
"""

import os

STT = os.path.dirname(os.path.abspath(__file__))

VECTOR = "0.000000 0.000000 0.000000\n"
PAIR = (
    "#MINDRENDER 1.1\n2\n"
    "{{{raised}}}\nSINGLE\n1\n{{{boom}}}\nSTATIC\n" + VECTOR + VECTOR + "0.000000 0.000000 {angle}\n"
    "{{lowered}}\nSINGLE\n1\n{{boom}}\nSTATIC\n" + VECTOR + VECTOR + "0.000000 0.000000 -10.000000\n"
)


def pair(raised="raised", boom="boom", angle="30.000000"):
    """Two states with one node each."""
    return PAIR.format(raised=raised, boom=boom, angle=angle)


def write(path, text, encoding="utf-8"):
    with open(os.path.join(STT, path), "wb") as file:
        file.write(text.encode(encoding))


def control_characters():
    write("err/S11_nul_in_state_name.stt", pair(raised="rai\0sed"))
    write("err/S11_nul_in_node_name.stt", pair(boom="boom\0"))
    write("warn/S11_escape_in_name.stt", pair(raised="\x1b[31mraised"))
    write("err/S16_nul_in_number.stt", pair(angle="30.0\x0000"))
    write("err/S16_vertical_tab.stt", pair(angle="30.000000\v"))
    write("err/X09_escape_in_word.stt", pair(angle="\x1b[31m"))


def line_ends():
    write("ok/S26_cr.stt", pair().replace("\n", "\r"))
    write("ok/S26_crlf.stt", pair().replace("\n", "\r\n"))
    write("ok/S26_form_feeds.stt", pair().replace("\n{", "\n\f{").replace(" ", "\f"))
    lines = pair().splitlines()
    write("ok/S26_mixed.stt", "".join(line + ("\n", "\r", "\r\n")[i % 3] for i, line in enumerate(lines)))
    write("err/S26_cr_wrong_number.stt", pair(angle="thirty").replace("\n", "\r"))
    write("err/S26_crlf_wrong_number.stt", pair(angle="thirty").replace("\n", "\r\n"))
    write("warn/S11_cr_in_name.stt", pair(raised="rai\rsed"))


def encodings():
    write("warn/S27_bom.stt", "\ufeff" + pair())
    write("err/S27_bom_wrong_version.stt", "\ufeff" + pair().replace("1.1", "3.1"))
    write("err/S27_utf16_le.stt", "\ufeff" + pair(), "utf-16-le")
    write("err/S27_utf16_be.stt", "\ufeff" + pair(), "utf-16-be")
    write("err/S27_utf16_le_without_mark.stt", pair(), "utf-16-le")
    write("warn/S28_latin1_name.stt", pair(raised="levé"), "latin-1")
    write("warn/S28_latin1_two_names.stt", pair(raised="levé", boom="flèche"), "latin-1")
    write("err/S28_latin1_number.stt", pair(angle="30°"), "latin-1")
    write("err/S28_latin1_before_number.stt", pair(raised="levé").replace("\n", " ").replace("30.0", "30,0"), "latin-1")


control_characters()
line_ends()
encodings()
