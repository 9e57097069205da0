"""Files that are small and mean a lot of work: what somebody sends to a server to hold it up."""

from __future__ import annotations

BY_KEYS = {
    "a key of 8,000 parts": "a" + ".a" * 7999 + " = 1\n",
    "a key of 16,000 parts": "a" + ".a" * 15_999 + " = 1\n",
    "a key of 30,000 parts": "a" + ".a" * 29_999 + " = 1\n",
    "a key of 65,000 parts": "a" + ".a" * 64_999 + " = 1\n",
    "a key of 4,000 parts": "a" + ".a" * 3999 + " = 1\n",
    "a key of nine parts": "a.b.c.d.e.f.g.h.i = 1\n",
    "a key of quoted parts": "'a'" + ' . "a"' * 900 + " = 1\n",
    "a head of many parts": "[" + "a." * 3000 + "a]\n",
    "a head of a list": "[[" + "a." * 3000 + "a]]\n",
    "a key in an inline table": "x = { y = 1, " + "a." * 3000 + "a = 1 }\n",
    "a key behind a text": 'x = """\n"""\n' + "a." * 3000 + "a = 1\n",
    "a key behind a text with quotes": 'x = """a""""\n' + "a." * 3000 + "a = 1\n",
    "a key behind a text of apostrophes": "x = '''\"'''''\n" + "a." * 3000 + "a = 1\n",
    "a key behind an escaped quote": 'x = "\\""\n' + "a." * 3000 + "a = 1\n",
    "a key behind a comment": 'x = 1 # """\n' + "a." * 3000 + "a = 1\n",
    "a key in lines of another system": 'x = "1"\r\n' + "a." * 3000 + "a = 1\r\n",
}
BY_SHAPE = {
    "nested lists": "x = " + "[" * 5000 + "]" * 5000 + "\n",
    "nested lists over lines": "x = " + "[\n" * 5000 + "]\n" * 5000,
    "nested lists without an end": "x = " + "[" * 9000,
    "nested inline tables": "x = " + "{ a = " * 1500 + "1" + " }" * 1500 + "\n",
    "a number of 5,000 digits": "x = " + "9" * 5000 + "\n",
    "a number with underlines": "x = " + "9_" * 3000 + "9\n",
    "a number of base 16": "x = 0x" + "f" * 5000 + "\n",
    "a long line": 'x = "' + "a" * 100_000 + '"\n',
}
WELL_FORMED = {
    "many tables": "[[wagers]]\n" * 11_000,
    "many keys": "".join(f"a{number} = 1\n" for number in range(10_000)),
    "many heads": "".join(f"[a{number}.b.c.d.e.f.g.h]\n" for number in range(5000)),
    "a long text": 'id = """\n' + ("a" * 9000 + "\n") * 14 + '"""\n',
    "many small lists": "x = [\n" + ("[]," * 3000 + "\n") * 14 + "]\n",
    "only comments": "#\n" * 60_000,
    "a text without an end": 'x = """' + ('\\"""' * 2000 + "\n") * 16,
}
"""TOML, or nearly, that is no game: every bound holds for it, and the loader refuses it."""
BEYOND_BOUNDS = BY_KEYS | BY_SHAPE
BOMBS = BEYOND_BOUNDS | WELL_FORMED
