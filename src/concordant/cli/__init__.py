"""The command line."""

from concordant.cli.group import COMMANDS, main

__all__ = ["COMMANDS", "main"]
