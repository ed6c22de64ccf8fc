"""The command line, as ``python -m concordant`` and as the script ``concordant``."""

import os


def main() -> None:
    """Run the command line; Ctrl-C ends it with one line."""
    try:
        from concordant.cli.interruption import ignore_signals, obey_signals

        obey_signals()
        try:
            _run()
        finally:
            ignore_signals()  # the result is out, or the fault told
    except KeyboardInterrupt:  # before there was a command
        os.write(2, b"concordant: interrupted\n")
        os._exit(130)


def _run() -> None:
    from concordant.cli.standard_streams import open_all

    open_all()
    # Pictures go to files, whatever draws in a notebook that this was started from.
    os.environ["MPLBACKEND"] = "agg"
    from concordant.cli import main

    main(prog_name="concordant")


if __name__ == "__main__":
    main()
