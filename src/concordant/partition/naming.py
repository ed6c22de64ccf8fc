"""Names and ids as text that can be printed."""

import unicodedata

_SHORT = 22


def printed(name: object) -> str:
    r"""
    Return a name as text in which every character is to be seen.

    Control characters are shown by their pictures, and what is no character by U+FFFD.
    """
    return "".join(_seen(character) for character in str(name)) or "(no name)"


def shortened(name: object, most: int = _SHORT) -> str:
    """Return a name as text of at most `most` characters, if cut, with an ellipsis."""
    text = printed(name)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _seen(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    category = unicodedata.category(character)
    return "\ufffd" if category in ("Cc", "Cs") else character
