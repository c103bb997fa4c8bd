"""The differences between interpreters, found by calling the running interpreter's urllib.parse.

The version number does not say enough, because patch releases differ as well. Each row of DIFFERENCES has a test.
_trial.py takes care of differences that no row foresees.
"""

from __future__ import annotations

import urllib.parse
from types import SimpleNamespace

from urlsm.stdlib._install import ORIGINALS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# urllib.parse with the interpreter's own functions, even if other code has replaced them
theirs: Any = SimpleNamespace(**{**vars(urllib.parse), **ORIGINALS})


def _raises(call: Callable[[], object]) -> bool:
    try:
        call()
    except Exception:
        return True
    return False


def _gives(wanted: object, call: Callable[[], object]) -> bool:
    """Return whether the call returns the expected value. An exception counts as a different value."""
    try:
        return bool(call() == wanted)
    except Exception:
        return False


def _has_cause(call: Callable[[], object]) -> bool:
    try:
        call()
    except Exception as error:
        return error.__cause__ is not None
    return False


class _FalseOctets(bytearray):
    def __bool__(self) -> bool:
        return False


# the comment above each row says how the interpreter behaves if the row's value is True
DIFFERENCES: dict[str, bool] = {
    # urlsplit is wrapped in lru_cache, so it raises TypeError for arguments that are not hashable
    "hashes_arguments": hasattr(theirs.urlsplit, "cache_info"),
    # urlparse and urljoin, which call urlsplit, also raise TypeError for arguments that are not hashable
    "hashes_throughout": _raises(lambda: theirs.urlparse("", "", [])),
    # C0 controls and spaces are removed from the start of a URL, and from both ends of the argument scheme
    "strips_start": _gives("a", lambda: theirs.urlsplit(" a").path),
    # a scheme begins with a letter
    "scheme_starts_with_letter": _gives("", lambda: theirs.urlsplit("1a:b").scheme),
    # None may be given as the default scheme
    "scheme_may_be_none": not _raises(lambda: theirs.urlsplit("a", None)),
    # None may be mixed with str and with bytes, and counts as str if all are None
    "none_is_neither": _gives(theirs.SplitResult, lambda: type(theirs.urlsplit(None))),
    # brackets in the netloc must hold an IP address
    "checks_brackets": _raises(lambda: theirs.urlsplit("//[a]")),
    # nothing may stand before the brackets, and only a port after them
    "checks_beside_brackets": _raises(lambda: theirs.urlsplit("//a[::1]")),
    # the version of an address may begin with "V" as well as "v" (IPvFuture)
    "accepts_upper_case_v": not _raises(lambda: theirs.urlsplit("//[V1.a]")),
    # an additional "//" keeps a path that begins with "//" from being read as a netloc
    "doubles_slashes": _gives("////a", lambda: theirs.urlunsplit(("", "", "//a", "", ""))),
    # a relative path after a scheme stays relative
    "keeps_relative_path": _gives("http:a", lambda: theirs.urlunsplit(("http", "", "a", "", ""))),
    # params are added last: whether slashes are written depends on the path alone
    "params_come_last": _gives(
        ("http:///;a", "http:;a"),
        lambda: (
            theirs.urlunparse(("http", "", "", "a", "", "")),
            theirs.urlunsplit(("http", "", ";a", "", "")),
        ),
    ),
    # urljoin and urldefrag tell empty components from absent ones, and urljoin ignores params
    "keeps_empty": _gives("http://h/?", lambda: theirs.urljoin("http://h/", "?")),
    # results can tell empty components from absent ones
    "missing_as_none": not _raises(lambda: theirs.urlsplit("a", missing_as_none=True)),
    # an empty query has no fields, not one empty field
    "empty_query_has_no_field": not _raises(lambda: theirs.parse_qsl("", strict_parsing=True)),
    # a query of bytes is decoded to bytes directly, not by way of ASCII text
    "queries_of_octets": not _raises(lambda: theirs.parse_qsl(b"a=%ff")),
    # an empty str or bytes is an empty query; other false values except None are deprecated
    "deprecates_false_queries": _gives([(b"a", b"b")], lambda: theirs.parse_qsl(_FalseOctets(b"a=b"))),
    # unquote_to_bytes returns exact bytes, even if there is no "%"
    "unquotes_to_exact_bytes": _gives(bytes, lambda: type(theirs.unquote_to_bytes(bytearray(b"a")))),
    # a TypeError of urlencode has a __cause__
    "urlencode_chains": _has_cause(lambda: theirs.urlencode(1)),
}

# the interpreter's default arguments: scheme of urlsplit, and keep_empty of urlunsplit (None if it has no such
# argument)
NO_SCHEME: Any = (getattr(theirs.urlparse, "__defaults__", None) or ("",))[0]
UNSPECIFIED: Any = (getattr(theirs.urlunsplit, "__kwdefaults__", None) or {}).get("keep_empty")
