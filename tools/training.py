"""The training of a build with profiles (tools/pgo.py): the benchmarks' operations on similar links.

Nothing is timed or checked here. Functions that are not called are compiled as in any other build.
"""

import contextlib
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "bench"))

import corpora  # bench/corpora.py, without a second urlsm on the path

import urlsm
from urlsm import crawler, stdlib, whatwg

LINKS = corpora.generate(10_000)
RARE = [
    *("http://192.168.1.1/a/b", "http://[2001:db8::1]/a", "http://0x7f.1/", "s3://bucket/key", "HTTP://EXAMPLE.org/"),
    *("https://user:pw@example.org:8080/a/../b?q=é", "mailto:a@example.org?subject=x", "file:///C:/a/b", "data:,x y"),
]
REFUSED = ["www.example.org/some/path?q=1", "http:///?x", "", "http://example.org:99999/", "http://exa mple.org/a/b"]


def main() -> None:
    refs = corpora.references(LINKS)
    base = urlsm.parse(corpora.BASE)
    long = corpora.long_links("/", 50) + corpora.long_links("&q=", 50)
    for text in [*LINKS, *RARE * 30, *corpora.idn_links(1000), *long]:
        read(text)
    for ref in refs:
        base.join(ref)
        urlsm.resolve(ref, base=corpora.BASE)
        stdlib.urljoin(corpora.BASE, ref)
    for text in REFUSED * 300:
        urlsm.can_parse(text)
        urlsm.try_parse(text)
        with contextlib.suppress(urlsm.ParseError):
            urlsm.parse(text)
    for text in LINKS[:2000]:
        use(text)


def read(text: str) -> None:
    urlsm.can_parse(text)
    url = urlsm.parse(text)
    urlsm.try_parse(text)
    urlsm.URL(text.encode())
    _ = str(url), url.host, url.path, url.query, url.scheme, url.fragment, url.segments, url == text, hash(url)
    urlsm.split(text, dialect="rfc3986")
    parts = stdlib.urlsplit(text)
    _ = parts.hostname, parts.port, stdlib.urlunsplit(parts), stdlib.urldefrag(text), stdlib.urlparse(text)


def use(text: str) -> None:
    url = urlsm.parse(text)
    _ = url.parts, url.origin, repr(url), url.query_params, url.relative_to("https://www.example.org/a/b")
    _ = url.replace(path="/x/y"), url.replace(fragment="f"), url.replace(host="a.example"), url.with_query({"a": "1"})
    edited = whatwg.URL(text)
    edited.hash, edited.search, edited.pathname, edited.hostname, edited.port = "#f", "?a=b", "/x", "a.example", "80"
    edited.username, edited.protocol = "user", "http"
    edited.search_params.get("a")
    stdlib.parse_qsl(url.query or "a=b&c=d%20e")
    stdlib.urlencode({"q": url.path, "r": "é"})
    stdlib.unquote(stdlib.quote(url.path + " ü"))
    _ = (
        urlsm.normalize(text),
        urlsm.validate(text),
        urlsm.security.audit(text),
        urlsm.security.is_ambiguous(text),
        urlsm.security.compare_readers(text),
    )
    _ = urlsm.crawler.canonicalize(text), crawler.surt(text), urlsm.validate(text, dialect="whatwg")
    list(urlsm.documents.extract_urls(f"See {text}, and more."))


if __name__ == "__main__":
    main()
