"""Where `setright` begins: the two words that hooks call are answered without loading the command line."""

import sys
from importlib import import_module

QUICK = {"brief": "setright.hooks.brief", "guard": "setright.hooks.guard"}


def main() -> None:
    """Run the command line of this process."""
    word, rest = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    if word in QUICK and not {"-h", "--help"} & set(rest):
        sys.exit(import_module(QUICK[word]).main(rest))
    import_module("setright.faces.cli.main").main()
