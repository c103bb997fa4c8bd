"""missing_as_none and keep_empty of CPython 3.15, on every version."""

import copy
import pickle
import urllib.parse as theirs

import pytest

from urlsm.stdlib import urldefrag, urlparse, urlsplit, urlunparse, urlunsplit

SPLIT = [
    ("http://h/p?q#f", ("http", "h", "/p", "q", "f")),
    ("http://h/p?#", ("http", "h", "/p", "", "")),
    ("http://h", ("http", "h", "", None, None)),
    ("http:", ("http", None, "", None, None)),
    ("http:///p", ("http", "", "/p", None, None)),
    ("//h?", (None, "h", "", "", None)),
    ("////p", (None, "", "//p", None, None)),
    ("/p#", (None, None, "/p", None, "")),
    ("p;x", (None, None, "p;x", None, None)),
    ("", (None, None, "", None, None)),
    ("mailto:a@b?", ("mailto", None, "a@b", "", None)),
]


@pytest.mark.parametrize(("url", "parts"), SPLIT)
def test_urlsplit(url, parts):
    result = urlsplit(url, missing_as_none=True)
    assert tuple(result) == parts
    assert isinstance(result, theirs.SplitResult)
    assert result == theirs.SplitResult(*parts)
    assert result.geturl() == url == urlunsplit(result) == urlunsplit(parts, keep_empty=True)
    octets = urlsplit(url.encode(), missing_as_none=True)
    assert tuple(octets) == tuple(part if part is None else part.encode() for part in parts)
    assert isinstance(octets, theirs.SplitResultBytes)
    assert octets.geturl() == url.encode() == urlunsplit(octets)
    assert octets.decode() == result and type(octets.decode()) is type(result)
    assert result.encode() == octets and type(result.encode()) is type(octets)
    assert (result.hostname, result.port, result.username) == tuple(
        getattr(theirs.urlsplit(url), name) for name in ("hostname", "port", "username")
    )
    # with "" for None it is the ordinary result, and unsplits to the same
    plain = urlsplit(url)
    assert tuple(part or "" for part in result) == tuple(plain)
    assert urlunsplit(result, keep_empty=False) == urlunsplit(plain) == theirs.urlunsplit(plain)


@pytest.mark.parametrize(("url", "parts"), [
    ("http://h/p;x?q#f", ("http", "h", "/p", "x", "q", "f")),
    ("http://h/p;?#", ("http", "h", "/p", "", "", "")),
    ("http://h/a;b/p", ("http", "h", "/a;b/p", None, None, None)),
    ("x:p;y", ("x", None, "p;y", None, None, None)),
    (";", (None, None, "", "", None, None)),
    ("", (None, None, "", None, None, None)),
])  # fmt: skip
def test_urlparse(url, parts):
    result = urlparse(url, missing_as_none=True)
    assert tuple(result) == parts
    assert isinstance(result, theirs.ParseResult)
    assert result.geturl() == url == urlunparse(result) == urlunparse(parts, keep_empty=True)
    octets = urlparse(url.encode(), missing_as_none=True)
    assert octets.decode() == result
    assert octets.geturl() == url.encode()
    assert urlunparse(result, keep_empty=False) == theirs.urlunparse(theirs.urlparse(url))


@pytest.mark.parametrize(("url", "without", "fragment"), [
    ("http://h/p?q#f", "http://h/p?q", "f"), ("http://h/p?#", "http://h/p?", ""), ("http://h/p?", "http://h/p?", None),
    ("http:///p;#f", "http:///p;", "f"), ("#", "", ""), ("", "", None),
])  # fmt: skip
def test_urldefrag(url, without, fragment):
    result = urldefrag(url, missing_as_none=True)
    assert tuple(result) == (without, fragment)
    assert isinstance(result, theirs.DefragResult)
    assert result.geturl() == url
    octets = urldefrag(url.encode(), missing_as_none=True)
    assert octets.decode() == result
    assert octets.geturl() == url.encode()
    # keep_empty alone: empty components stay in the URL, an absent fragment is ""
    kept = urldefrag(url, keep_empty=True)
    assert type(kept) is theirs.DefragResult
    assert tuple(kept) == (without, fragment or "")
    assert urldefrag(url) == theirs.urldefrag(url)
    dropped = urldefrag(url, missing_as_none=True, keep_empty=False).url
    assert dropped == urldefrag(url, keep_empty=False).url
    assert dropped == (theirs.urlunparse(theirs.urlparse(without)) if "#" in url else url)


@pytest.mark.parametrize("url", [url for url, _ in SPLIT])
@pytest.mark.parametrize("read", [urlsplit, urlparse, urldefrag])
def test_copies_keep_none(read, url):
    for given in (url, url.encode()):
        result = read(given, missing_as_none=True)
        for again in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result)), result._replace()):
            assert tuple(again) == tuple(result)
            assert type(again) is type(result)
            assert again.geturl() == given
        assert tuple(result._replace(fragment=None))[-1] is None
        assert hash(result) == hash(tuple(result))


def test_properties_without_a_netloc():
    for given in ("x:y", b"x:y"):
        result = urlsplit(given, missing_as_none=True)
        assert (result.username, result.password, result.hostname, result.port) == (None, None, None, None)
    assert urlsplit("//u:p@H:8", missing_as_none=True).hostname == "h"
    assert urlsplit(b"//u:p@H:8", missing_as_none=True).port == 8


def test_scheme_and_fragments_are_as_without():
    assert urlsplit("//h", "ftp", missing_as_none=True).scheme == "ftp"
    assert urlsplit("x://h", "ftp", missing_as_none=True).scheme == "x"
    assert urlsplit("/a#b", allow_fragments=False, missing_as_none=True) == (None, None, "/a#b", None, None)
    assert urlsplit(None, missing_as_none=True) == (None, None, "", None, None)
    with pytest.raises(TypeError, match="Cannot mix"):
        urlsplit("a", b"ftp", missing_as_none=True)
    with pytest.raises(ValueError, match="Invalid IPv6 URL"):
        urlsplit("//[", missing_as_none=True)


def test_what_is_empty_cannot_be_kept_where_it_was_not_told_apart():
    for put, read in ((urlunsplit, urlsplit), (urlunparse, urlparse)):
        with pytest.raises(ValueError, match="Cannot distinguish"):
            put(read("http://h/?"), keep_empty=True)
    with pytest.raises(TypeError, match="Cannot mix"):
        urlunsplit((None, "h", b"/", None, None), keep_empty=True)
    with pytest.raises(ValueError):
        urlunsplit(("a", "b"), keep_empty=True)
