"""The command line as a program: urlsm COMMAND, or python -m urlsm COMMAND."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # the module signal would make enums of these constants, which takes 0.5 ms

__all__ = ["main"]


def main() -> int:
    """Run the command line and return its exit code. From now on, Ctrl-C ends the program without a traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # in effect until cli.interrupts handles the signal, as the imports take some time
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from urlsm.cli.app import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
