"""Any octets, read by all public functions: no crash, only documented exceptions, and answers that agree.

    nox -s fuzz                          for a minute, with atheris; arguments of libFuzzer come after --
    python fuzz/fuzz_urlsm.py CORPUS/    the same, where atheris and urlsm are installed

The first octet chooses a dialect, the second cuts the rest into a text and a base. An octet beyond ASCII stands for a
piece of a URL, so that inputs look like URLs even without coverage of the compiled modules. fuzz/oss-fuzz is for
OSS-Fuzz, which compiles them with its instrumentation.
"""

import contextlib
import sys

import atheris

with atheris.instrument_imports(include=["urlsm"]):
    import urlsm
    from urlsm import crawler, stdlib
    from urlsm.errors import ParseError

DIALECTS = ("whatwg", "rfc3986", "rfc3987", "rfc2396", "rfc1738", "barth", "stdlib")
JUDGED = ("whatwg", "rfc3986", "rfc2396", "rfc1738")  # the dialects of validate
PIECES = [
    *(
        "http:",
        "https://",
        "ws:",
        "ftp://",
        "file:",
        "file:///C:",
        "mailto:",
        "data:",
        "blob:",
        "urn:",
        "jdbc:",
        "a+b:",
    ),
    *("//", "///", "/", "\\", "/.", "/..", "./", "../", "%2e", "%2E%2e/", "?", "#", ";", "@", "u:p@", ":", ":80"),
    *("ex.com", "EX.com.", "127.1", "0x7f.1", "1.2.3.4", "[::1]", "[::ffff:1.2.3.4]", "xn--", "xn--zca.", "a..b"),
    *("a", "b=c", "&", "=", "+", "%20", "%zz", "%", "%C3%A9", "\xe9", "\xdf", "\u3002", "\u200d", "\U0001f600"),
    *("\ud800", "\udfff", "\t", "\n", " ", "\0", "|", "^", "<", ">", '"', "{", "}", "`", "[", "]", "~", "*"),
    *("x" * 40, "a." * 20, "/../" * 9, "s3://", "localhost"),
]


def text_of(octets: bytes) -> str:
    return "".join(chr(octet) if octet < 128 else PIECES[(octet - 128) % len(PIECES)] for octet in octets)


def parsed(text: str, base: str | None) -> urlsm.URL | None:
    url = urlsm.try_parse(text, base=base)
    assert urlsm.can_parse(text, base=base) is (url is not None)
    if url is None:
        return None
    # a serialised URL parses to itself (URL Standard, #url-serializing)
    assert urlsm.parse(str(url)) == url and urlsm.unsplit(urlsm.split(str(url))) == str(url)
    assert url.replace(fragment=None).fragment is None
    url.violations()
    return url


def one(data: bytes) -> None:
    """Check one input; raise if something is wrong."""
    if len(data) < 2:
        return
    dialect = DIALECTS[data[0] % len(DIALECTS)]
    cut = 2 + data[1] % max(1, len(data) - 1)
    text, base = text_of(data[2:cut]), text_of(data[cut:])
    url = parsed(text, None)
    parsed(text, base if urlsm.can_parse(base) else None)
    try:
        components = urlsm.split(text, dialect=dialect)
        if dialect in ("rfc3986", "rfc2396"):
            assert urlsm.unsplit(components) == text
        urlsm.split(data, dialect=dialect)
        if dialect != "rfc1738":  # it has no relative references
            urlsm.resolve(text, base=base, dialect=dialect)
    except ParseError:
        pass
    if dialect in JUDGED:
        urlsm.validate(text, dialect=dialect)
    urlsm.explain(text, dialect=dialect)
    list(urlsm.documents.extract_urls(text))
    urlsm.security.audit(text)
    urlsm.security.compare_readers(text)
    urlsm.security.is_safe_redirect(text, base="https://home.example/")
    if url is not None:
        assert crawler.canonicalize(str(url)) == crawler.canonicalize(url)
    with contextlib.suppress(ValueError):
        stdlib.urlsplit(text)


def main() -> None:
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
