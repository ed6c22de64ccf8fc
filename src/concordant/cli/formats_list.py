"""The command that lists the formats of files."""

import click


@click.command()
def formats() -> None:
    """
    List the formats of files that are read.

    Each with how it is recognised, and what it says of ids, groups, weights and runs.
    Files of TESS, BAPS, AnnData and workbooks are refused with a line that converts
    them.

    \b
    Examples:
      concordant formats
    """
    from concordant.files.formats import FORMATS

    for each in FORMATS:
        click.echo(f"{each.name:<10}{each.recognised}\n{'':<10}{each.says}")
