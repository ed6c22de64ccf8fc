"""The command line, as ``python -m concordant`` and as the script ``concordant``."""

import os


def _end() -> None:
    """End the process where Ctrl-C comes before anything has begun."""
    os.write(2, b"concordant: interrupted\n")
    os._exit(130)


try:
    from concordant.cli.interruption import obeying_signals
except KeyboardInterrupt:
    _end()


def main() -> None:
    """Run the command line, so that it can be interrupted at any moment."""
    try:
        obeying_signals(_run)
    except KeyboardInterrupt:
        _end()


def _run() -> None:
    from concordant.cli.standard_streams import open_all

    open_all()
    # Pictures go to files, whatever draws in a notebook that this was started from.
    os.environ["MPLBACKEND"] = "agg"
    from concordant.cli import main

    main(prog_name="concordant")


if __name__ == "__main__":
    main()
