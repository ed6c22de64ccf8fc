"""A group of commands, each of which is imported when it is asked for."""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from concordant.cli.faults import (
    Interruption,
    end_with,
    end_with_system_error,
    fault_of,
    is_of_user,
)
from concordant.cli.interruption import is_stopped


class LazyGroup(click.Group):
    """
    A group that knows the module of each command, where it has its own name.

    Whatever ends a command ends it in one line on standard error.
    """

    def __init__(self, *, places: Mapping[str, str], **attributes: Any) -> None:
        super().__init__(**attributes)
        self.places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands, in the order given."""
        return [*self.places, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, or give None if there is none of that name."""
        if cmd_name not in self.places:
            return super().get_command(ctx, cmd_name)
        command = getattr(import_module(self.places[cmd_name]), cmd_name)
        return command if isinstance(command, click.Command) else None

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, and turn what went wrong into a line."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise Interruption from error
        except Exception as error:
            if is_stopped():
                raise Interruption from error  # and not what that made go wrong
            if not is_of_user(error):
                raise
            raise fault_of(error) from error

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        *,
        standalone_mode: bool = True,
        **settings: Any,
    ) -> Any:
        """Run the command line, whatever its standard streams take."""
        if not standalone_mode:
            return super().main(args, standalone_mode=False, **settings)
        try:
            code = super().main(args, standalone_mode=False, **settings)
        except click.Abort:
            end_with(Interruption())
        except click.ClickException as error:
            end_with(error)
        except OSError as error:
            end_with_system_error(error)
        sys.exit(code)
