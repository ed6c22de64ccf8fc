"""The command line."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concordant.cli.group import COMMANDS, main

__all__ = ["COMMANDS", "main"]


# Imported at their first use: Ctrl-C is heeded before anything else is imported.
def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from concordant.cli import group

    return getattr(group, name)
