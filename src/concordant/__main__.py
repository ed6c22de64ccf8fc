"""The command line, as ``python -m concordant`` and as the script ``concordant``."""

import os


def main() -> None:
    """Run the command line; Ctrl-C ends it with one line."""
    try:
        from concordant.cli.faults import ignore_signals, obey_signals, open_streams

        obey_signals()
        try:
            open_streams()
            # Pictures go to files, whatever draws in a notebook this was started from.
            os.environ["MPLBACKEND"] = "agg"
            from concordant.cli import main

            main(prog_name="concordant")
        finally:
            ignore_signals()  # the result is out, or the fault told
    except KeyboardInterrupt:  # before there was a command
        os.write(2, b"concordant: interrupted\n")
        os._exit(130)


if __name__ == "__main__":
    main()
