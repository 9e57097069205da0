"""How a house's jackpot signs look: its logo, the color of the wall and of the amount."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct

MOST_LOGO_BYTES = 64 * 1024
LEAST_CONTRAST = 4.5
"""As the guidelines for readable text ask for."""
INK = "#ffffff"
BOARD = "#020f09"
"""What the amount stands on."""
PICTURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff", "image/webp": b"RIFF"}
"""Kinds of pictures by how they begin. No SVG: it may hold scripts."""
_LOGO = re.compile(r"data:(image/[a-z]+);base64,([A-Za-z0-9+/=]+)")
Color = Annotated[str, Meta(pattern=r"^#[0-9a-f]{6}\Z")]


class SignLook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house's own look of its jackpot signs."""

    ground: Annotated[Color, Meta(description="Color of the wall, dark enough for white letters.")] = "#0f6b47"
    light: Annotated[Color, Meta(description="Color of the amount and of what is lit, bright enough on black.")] = (
        "#ffd873"
    )
    logo: Annotated[
        str,
        Meta(
            max_length=MOST_LOGO_BYTES * 4 // 3 + 64,
            description="The house's logo as `data:image/png;base64,...`: PNG, JPEG or WebP, up to 64 KiB. "
            "Empty for none.",
        ),
    ] = ""


def look_problems(look: SignLook) -> Iterator[tuple[str, str]]:
    """The field and the sentence of everything about a look that a sign could not show."""
    for name, color, other, letters, wanted in (
        ("ground", look.ground, INK, "White letters", "darker"),
        ("light", look.light, BOARD, "The amount", "brighter"),
    ):
        if (ratio := contrast(color, other)) < LEAST_CONTRAST:
            yield (
                name,
                f'{letters} cannot be read in "{color}": the contrast is {ratio:.1f} to 1. Choose a {wanted} color, '
                f"with {LEAST_CONTRAST} to 1 at least.",
            )
    if look.logo and not _is_picture(look.logo):
        yield "logo", "The logo is no picture that a sign can show. Accepted: PNG, JPEG or WebP, as a base64 data URL."


def _is_picture(logo: str) -> bool:
    match = _LOGO.fullmatch(logo)
    if match is None or match[1] not in PICTURES:
        return False
    try:
        return b64decode(match[2], validate=True).startswith(PICTURES[match[1]])
    except Error:
        return False


def contrast(one: str, other: str) -> float:
    """How far two colors are apart to the eye, 1 to 21.

    >>> round(contrast("#ffffff", "#000000"))
    21
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
