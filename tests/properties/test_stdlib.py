"""urlsm.stdlib compared with the interpreter's urllib.parse: the same result and type, or the same exception."""

import urllib.parse as theirs
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.seeds import seeded

import urlsm
import urlsm.stdlib as ours

URL_PIECES = [
    "http", "https", "HTTP", "ftp", "mailto", "file", "x", "svn+ssh", ":", "//", "/", "/", "?", "#", ";", "@", "[", "]",
    "[::1]", "[v1.x]", "[1.2.3.4]", ".", "..", "a", "b", "%2e", "é", "\u2100", "\u3000", " ", "\t", "\n", "\x00", "1",
    "80", "\ud800", "a/b", "http://h/", "g;p", "&", "=", "+", "\\", "\x85", "ÿ", "K", "😀", "v", "abc" * 30,
]  # fmt: skip
QUERY_PIECES = [
    "a", "b", "%41", "%C3%A9", "%c3", "%", "%4", "%zz", "é", "\u2100", "😀", "\ud800", "\udc80", "+", "&", "&", "&",
    "=", "=", ";", " ", "/", "\x00", "%E3%81", "%F0%9F%98", "%80", "~", "%00", "K" * 70, "\x7f", "%ED%A0%80",
]  # fmt: skip


class Text(str):
    __slots__ = ()

    def __str__(self):
        return "str() of a subclass"


def outcome(function, *args, **named):
    try:
        result = function(*args, **named)
    except Exception as error:
        return type(error), str(error)
    return type(result), result, [type(part) for part in result] if isinstance(result, (list, tuple)) else None


def text(rng, pieces, most=9):
    return "".join(rng.choices(pieces, k=rng.randint(0, most)))


def anything(rng, pieces):
    """Return mostly str, sometimes bytes, rarely something else."""
    made, kind = text(rng, pieces), rng.random()
    if kind < 0.1:
        return made.encode("utf-8", "surrogatepass")
    if kind < 0.13:
        return bytearray(made.encode("utf-8", "surrogatepass"))
    if kind < 0.16:
        return Text(made)
    if kind < 0.18:
        return rng.choice([None, 5, 1.5, [], ["a", "é"], ("x", b"%"), 0, True, False, memoryview(b"a%41"), b"", "", {}])
    return made


def compared(name, args, their_args=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BytesWarning)
        found = outcome(getattr(ours, name), *args)
        wanted = outcome(getattr(theirs, name), *(args if their_args is None else their_args))
    assert found == wanted, (name, args)


def test_splitting_and_joining(cases):
    rng = seeded(5)
    for _ in range(cases // 10):
        url, other = anything(rng, URL_PIECES), anything(rng, URL_PIECES)
        scheme = rng.choice(["", "", "", "x", "http", "HTTP", " http\n", "é", b"", b"ftp", None, [], Text("ftp")])
        fragments = rng.choice([True, True, False, 0, 1, "", None, []])
        compared("urlsplit", (url,))
        compared("urlsplit", (url, scheme, fragments))
        compared("urlparse", (url,))
        compared("urlparse", (url, scheme, fragments))
        compared("urldefrag", (url,))
        compared("urljoin", (url, other, fragments))
        compared("urljoin", (url, other))
        compared("urljoin", ("http://a/b/c/d;p?q", other))
        compared(
            "urljoin", (text(rng, ["/", "/", "a", ".", "..", ";"]), text(rng, ["/", "/", "a", ".", "..", ";", "?"]))
        )


def test_putting_together(cases):
    rng = seeded(6)
    for _ in range(cases // 10):
        parts = [text(rng, URL_PIECES, 3) for _ in range(rng.choice([4, 5, 5, 5, 6, 6, 6, 7]))]
        if rng.random() < 0.2:
            parts = [part.encode("utf-8", "surrogatepass") for part in parts]
        if rng.random() < 0.2:
            parts[rng.randrange(len(parts))] = anything(rng, URL_PIECES)
        compared("urlunsplit", (parts,))
        compared("urlunsplit", (tuple(parts),))
        compared("urlunparse", (parts,))
        compared("urlunparse", (tuple(parts),))
        if len(parts) == 5:
            compared("urlunsplit", (theirs.SplitResult(*parts),))
    compared("urlunsplit", (5,))
    compared("urlunparse", (None,))
    compared("urlunsplit", ((),))


def test_quoting(cases):
    rng = seeded(7)
    safes = ["/", "", "/", ":/ ", "é+", "%", b"/+", b"\xff ", bytearray(b"/"), None, [47, 200], Text("+"), 5]
    for _ in range(cases // 10):
        string, safe = anything(rng, QUERY_PIECES), rng.choice(safes)
        encoding = rng.choice([None, None, None, "utf-8", "latin-1", "utf-16", "ascii", "no such"])
        errors = rng.choice([None, None, "strict", "replace", "ignore", "surrogateescape", "no such"])
        for name in ("quote", "quote_plus"):
            compared(name, (string,))
            compared(name, (string, safe))
            compared(name, (string, safe, encoding, errors))
        compared("quote_from_bytes", (string,))
        compared("quote_from_bytes", (string, safe))


def test_unquoting(cases):
    rng = seeded(8)
    for _ in range(cases // 10):
        string = anything(rng, QUERY_PIECES)
        encoding = rng.choice(["utf-8", "utf-8", "latin-1", "utf-16", "ascii", "UTF-8", None, "no such"])
        errors = rng.choice(["replace", "replace", "strict", "ignore", "surrogateescape", None, "no such"])
        for name in ("unquote", "unquote_plus"):
            compared(name, (string,))
            compared(name, (string, encoding, errors))
        compared("unquote_to_bytes", (string,))


def test_queries(cases):
    rng = seeded(9)
    separators = ["&", "&", "&", ";", "&;", "", b"&", "=", "%", "+", "é", None, Text("&"), 5]
    for _ in range(cases // 10):
        query, keep = anything(rng, QUERY_PIECES), rng.choice([True, False, 1, ""])
        encoding = rng.choice(["utf-8", "utf-8", "latin-1", "ascii", None, "no such"])
        errors = rng.choice(["replace", "replace", "strict", "ignore", None, "no such"])
        most = rng.choice([None, None, 0, 1, 3, 2.5])
        for name in ("parse_qsl", "parse_qs"):
            compared(name, (query,))
            compared(name, (query, keep))
            compared(name, (query, keep, rng.random() < 0.2, encoding, errors, most, rng.choice(separators)))


def test_urlencode(cases):
    rng = seeded(10)
    for _ in range(cases // 10):
        pairs = [
            (anything(rng, QUERY_PIECES), anything(rng, QUERY_PIECES))
            if rng.random() < 0.3
            else (
                text(rng, QUERY_PIECES, 4),
                rng.choice([text(rng, QUERY_PIECES, 4), [text(rng, QUERY_PIECES, 2)] * 2]),
            )
            for _ in range(rng.randint(0, 3))
        ]
        if rng.random() < 0.05:
            pairs.append(rng.choice(["ab", "abc", (1,), ["a", "b"], 5]))
        query = pairs
        if rng.random() < 0.2 and all(type(pair) is tuple and len(pair) == 2 and hashable(pair[0]) for pair in pairs):
            query = dict(pairs)
        elif rng.random() < 0.05:
            query = rng.choice([5, "a=b", b"a", "", (), None, {1, 2}, iter(pairs)])
            if type(query) not in (int, str, bytes, tuple, set, type(None)):
                continue  # an iterator can be read only once
        compared("urlencode", (query,))
        compared("urlencode", (query, True))
        options = rng.choice([True, False]), rng.choice(["", "/", "é", b"/", None, ":+"])
        compared("urlencode", (query, *options))
        compared("urlencode", (query, *options, rng.choice(["latin-1", "utf-8"]), rng.choice(["replace", None])))
        compared("urlencode", (query, *options, None, None, ours.quote), (query, *options, None, None, theirs.quote))
        compared("urlencode", (query, *options, None, None, lambda *args: args[0]))


def hashable(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("name", ["urlsplit", "urlparse", "urldefrag", "quote", "quote_plus", "unquote", "unquote_plus",
                                  "unquote_to_bytes", "parse_qsl", "parse_qs"])  # fmt: skip
@given(st.one_of(st.text(), st.binary()))
def test_any_text(name, given_text):
    compared(name, (given_text,))


@given(st.text(), st.text())
def test_any_two_texts(base, url):
    compared("urljoin", (base, url))


def test_the_dialect_sees_what_the_results_show(cases):
    """urlsm.split(..., "stdlib") agrees with urlsplit, where that accepts the text."""
    if ours.urlsplit(" a").path != "a" or ours.urlsplit("1a:b").scheme:
        pytest.skip("this interpreter's urlsplit is older than the dialect")
    rng = seeded(12)
    for _ in range(cases // 10):
        url = text(rng, URL_PIECES)
        try:
            result = ours.urlsplit(url)
        except ValueError:
            continue
        found = urlsm.split(url, dialect="stdlib")
        assert (found.scheme or "").lower() == result.scheme
        assert (found.authority or "", found.path) == (result.netloc, result.path)
        assert (found.query or "", found.fragment or "") == (result.query, result.fragment)
        assert (found.username, found.password) == (result.username, result.password)
        host, port = result._hostinfo
        assert (found.port or None) == port
        if "[" not in (found.host or ""):
            assert (found.host or "") == host
        else:
            assert found.host.partition("[")[2].partition("]")[0] == host
        assert urlsm.resolve(url, base="http://a/b", dialect="stdlib") == ours.urljoin("http://a/b", url)
