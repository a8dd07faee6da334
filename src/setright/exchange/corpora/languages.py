"""The languages that ATF names by code, by their names."""

_NAMES = {
    "akk": "Akkadian",
    "akk-x-ltebab": "Late Babylonian",
    "akk-x-mbperi": "Peripheral Akkadian",
    "akk-x-midass": "Middle Assyrian",
    "akk-x-midbab": "Middle Babylonian",
    "akk-x-neoass": "Neo-Assyrian",
    "akk-x-neobab": "Neo-Babylonian",
    "akk-x-oldakk": "Old Akkadian",
    "akk-x-oldass": "Old Assyrian",
    "akk-x-oldbab": "Old Babylonian",
    "akk-x-stdbab": "Standard Babylonian",
    "arc": "Aramaic",
    "elx": "Elamite",
    "grc": "Greek",
    "hit": "Hittite",
    "lb": "Late Babylonian",
    "ma": "Middle Assyrian",
    "mb": "Middle Babylonian",
    "na": "Neo-Assyrian",
    "nb": "Neo-Babylonian",
    "oa": "Old Assyrian",
    "oakk": "Old Akkadian",
    "ob": "Old Babylonian",
    "peo": "Old Persian",
    "qeb": "Eblaite",
    "sb": "Standard Babylonian",
    "sux": "Sumerian",
    "sux-x-emesal": "Emesal",
    "uga": "Ugaritic",
    "xhu": "Hurrian",
    "xur": "Urartian",
}


def language_named(code: str) -> str:
    """The name of a language, and the code itself where no name is known for it."""
    return _NAMES.get(code.lower(), code[:200])
