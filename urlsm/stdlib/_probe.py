"""What differs between the interpreters that urlsm runs under, asked of the one at hand: by what its urllib.parse
does, never by its version, since patch releases differ too. Each row of DIFFERENCES has its test.
"""

import urllib.parse
from collections.abc import Callable
from typing import Any

theirs: Any = urllib.parse


def _raises(call: Callable[[], object]) -> bool:
    try:
        call()
    except (TypeError, ValueError):
        return True
    return False


def _has_cause(call: Callable[[], object]) -> bool:
    try:
        call()
    except TypeError as error:
        return error.__cause__ is not None
    return False


DIFFERENCES: dict[str, bool] = {
    # urlsplit is wrapped in lru_cache: arguments that cannot be hashed are a TypeError
    "hashes_arguments": hasattr(theirs.urlsplit, "cache_info"),
    # C0 controls and space go from the start of a URL, and from both ends of scheme=
    "strips_start": theirs.urlsplit(" a").path == "a",
    # a scheme begins with a letter
    "scheme_starts_with_letter": theirs.urlsplit("1a:b").scheme == "",
    # what stands in brackets must be an IP address
    "checks_brackets": _raises(lambda: theirs.urlsplit("//[a]")),
    # and nothing but a port may stand beside them
    "checks_beside_brackets": _raises(lambda: theirs.urlsplit("//a[::1]")),
    # a path that begins with "//" is told from a netloc by another "//"
    "doubles_slashes": theirs.urlunsplit(("", "", "//a", "", "")) == "////a",
    # a relative path after a scheme stays relative
    "keeps_relative_path": theirs.urlunsplit(("http", "", "a", "", "")) == "http:a",
    # an empty query has no field, rather than one empty one
    "empty_query_has_no_field": not _raises(lambda: theirs.parse_qsl("", strict_parsing=True)),
    # a query of bytes is decoded to bytes, without ASCII coming in between
    "queries_of_octets": not _raises(lambda: theirs.parse_qsl(b"a=%ff")),
    # unquote_to_bytes gives exact bytes, where there is no "%" too
    "unquotes_to_exact_bytes": type(theirs.unquote_to_bytes(bytearray(b"a"))) is bytes,
    # a TypeError of urlencode names its cause
    "urlencode_chains": _has_cause(lambda: theirs.urlencode(1)),
    # Quoter is a deprecated name of _Quoter
    "quoter_is_deprecated": hasattr(theirs, "_Quoter"),
}
