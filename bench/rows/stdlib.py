"""urlsm.stdlib beside urllib.parse without its cache of URLs (its table of quoted octets stays), and others."""

from bench.measure import Row


def same(title: str, given: str, way: str, code: str = "", **peers: str) -> Row:
    """Return a row of a function that has one name here and in urllib.parse. code: as of Row."""
    return Row(
        title,
        given,
        way,
        {
            "urllib.parse": way,
            **{
                name.replace("_parsers", "-parsers").replace("fast_query", "fast-query"): w for name, w in peers.items()
            },
        },
        code=code,
    )


ROWS = [
    same("urlsplit", "links", "urlsplit(u)"),
    same("urlsplit of bytes", "octets", "urlsplit(u)"),
    same("urlparse", "links", "urlparse(u)"),
    same("urljoin", "refs", "urljoin(BASE, u)"),
    same("urldefrag", "links", "urldefrag(u)"),
    same('urldefrag, links with "#"', "with fragment", "urldefrag(u)"),
    same("urlunsplit", "links", "urlsplit(u) => urlunsplit(u)"),
    same("urlunparse", "links", "urlparse(u) => urlunparse(u)"),
    same("urlsplit(u).hostname", "links", "urlsplit(u).hostname"),
    *(same(f"SplitResult.{name}", "links", f"urlsplit(u) => u.{name}", f"type(u).{name}.fget.__code__")
      for name in ("hostname", "port", "username", "password")),
    same("SplitResult.geturl", "links", "urlsplit(u) => u.geturl()", "u.geturl.__code__"),
    same("SplitResult._replace", "links", "urlsplit(u) => u._replace(fragment='')", "u._replace.__code__"),
    same("SplitResult.encode", "links", "urlsplit(u) => u.encode('utf-8')", "u.encode.__code__"),
    same("ParseResult.geturl", "links", "urlparse(u) => u.geturl()", "u.geturl.__code__"),
    same("DefragResult.geturl", "links", "urldefrag(u) => u.geturl()", "u.geturl.__code__"),
    same("quote, clean", "clean", "quote(u)", yarl="quoter(u)", falcon="encode(u)", pyurlc="quote(u)",
        liburlparser="quote(u, True)"),
    same("quote, dirty", "dirty", "quote(u)", yarl="quoter(u)", falcon="encode(u)", pyurlc="quote(u)",
        liburlparser="quote(u, True)"),
    same("quote_plus", "decoded", "quote_plus(u)"),
    same("quote_from_bytes", "decoded", "u.encode() => quote_from_bytes(u)"),
    same("unquote, no %", "unescaped", "unquote(u)", yarl="unquoter(u)", falcon="decode(u, False)", pyurlc="unquote(u)",
         liburlparser="unquote(u)"),
    same("unquote, %", "escaped", "unquote(u)", yarl="unquoter(u)", falcon="decode(u, False)", pyurlc="unquote(u)",
         liburlparser="unquote(u)"),
    same("unquote_plus", "pieces", "unquote_plus(u)"),
    same("unquote_to_bytes", "escaped", "unquote_to_bytes(u)"),
    same("parse_qsl", "queries", "parse_qsl(u)", yarl="query_to_pairs(u) -> list(x)",
         fast_query_parsers="parse(u.encode(), '&') -> x"),
    same("parse_qs", "queries", "parse_qs(u)",
        falcon="parse(u) -> {k: v if type(v) is list else [v] for k, v in x.items()}"),
    same("urlencode", "mappings", "urlencode(v)", yarl="get_str_query(v)", falcon="to_query_str(v, False, False)"),
]  # fmt: skip
