"""The commands page, which writes a page about a URL to a file, and serve, which shows such pages in a browser."""

from __future__ import annotations

import sys

from urlsm.cli.judge import declare_readers, readers_of
from urlsm.cli.output import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

__all__ = ["COMMANDS"]


def _declare_serve(parser: ArgumentParser) -> None:
    parser.add_argument("--port", type=_port, default=8765, help="the port; 0 for any free port (default: %(default)s)")


def _port(text: str) -> int:
    from argparse import ArgumentTypeError

    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 1 << 16):
        raise ArgumentTypeError(f"the port must be a number from 0 to 65535, not {text!r}")
    return int(text)


def _allow_many_connections() -> None:
    """Allow this process to open more files than the system's default limit, which is 1024 or 256."""
    try:
        import resource
    except ImportError:  # Windows has no limit of this kind
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(hard, 4096)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _run_serve(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.cli.serve import Server

    _allow_many_connections()
    with Server(args.port) as server:
        complain(f"http://127.0.0.1:{server.port}/ (press Ctrl-C to stop)")
        server.serve_forever()
    return 0


def _declare_page(parser: ArgumentParser) -> None:
    parser.add_argument("url", metavar="URL", help='a URL; "-" reads one from standard input')
    parser.add_argument("--output", "-o", metavar="FILE", help='the file to write ("-": standard output, the default)')
    declare_readers(parser, "also show how these programs read the URL")


def _run_page(parser: ArgumentParser, args: Namespace) -> int:
    from urlsm.pictures import page

    wanted = readers_of(parser, args)
    text = args.url
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape").rstrip("\r\n")
    made = page(text, readers=wanted)
    if args.output in (None, "-"):
        print(made, end="")
    else:
        with open(args.output, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(made)
    return 0


COMMANDS: list[tuple[str, str, Callable[[ArgumentParser], None], Callable[[ArgumentParser, Namespace], int]]] = [
    (
        "page",
        "write an HTML page about a URL: its components, how parsers read it, its hazards",
        _declare_page,
        _run_page,
    ),
    ("serve", "show such pages in your browser, on 127.0.0.1 only", _declare_serve, _run_serve),
]
