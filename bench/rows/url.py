"""The attributes of a URL, what is derived from it, and changed copies."""

from bench.measure import Row


def attribute(name: str, **peers: str) -> Row:
    """Return a row of an attribute of a URL that was parsed before."""
    return Row(
        f"u.{name}", "links", f"parse(u) => u.{name}", {NAMES.get(peer, peer): way for peer, way in peers.items()}
    )


NAMES = {"ada": "ada-url", "url_py": "url-py"}

ROWS = [
    Row("u.href", "links", "parse(u) => u.href",
        {"a slot": "Slot(parse(u).href) => u.href", "can_ada": "parse(u) => u.href", "ada-url": "URL(u) => u.href"},
        code="instructions(loop)"),
    attribute("scheme", can_ada="parse(u) => u.protocol -> x[:-1]", url_py="parse(u) => u.scheme",
        yarl="URL(u) => u.scheme"),
    attribute("username", can_ada="parse(u) => u.username -> x or None", url_py="parse(u) => u.username -> x or None"),
    attribute("password", can_ada="parse(u) => u.password -> x or None", url_py="parse(u) => u.password"),
    attribute("host", can_ada="parse(u) => u.hostname -> x or None", url_py="parse(u) => u.host_str",
              yarl="URL(u) => u.raw_host"),
    attribute("port", can_ada="parse(u) => u.port -> int(x) if x else None", url_py="parse(u) => u.port",
              yarl="URL(u) => u.explicit_port"),
    attribute("authority", yarl="URL(u) => u.raw_authority -> x or None"),
    attribute("path", can_ada="parse(u) => u.pathname", url_py="parse(u) => u.path", yarl="URL(u) => u.raw_path"),
    attribute("query", can_ada="parse(u) => u.search -> x[1:] or None", url_py="parse(u) => u.query",
              yarl="URL(u) => u.raw_query_string -> x or None"),
    attribute("fragment", can_ada="parse(u) => u.hash -> x[1:] or None", url_py="parse(u) => u.fragment",
              yarl="URL(u) => u.raw_fragment -> x or None"),
    attribute("origin", can_ada="parse(u) => u.origin", yarl="URL(u) => u.origin()"),
    attribute("segments", yarl="URL(u) => u.parts -> x[1:]", url_py="parse(u) => u.path_segments_decoded -> x"),
    attribute("query_params", can_ada="parse(u) => P(u.search) -> None", yarl="URL(u) => u.query -> None",
              url_py="parse(u) => u.query_pairs -> None", Starlette="URL(u) => QueryParams(u.query) -> None"),
    attribute("name", yarl="URL(u) => u.name"),
    attribute("suffix", yarl="URL(u) => u.suffix"),
    attribute("parent", yarl="URL(u) => u.parent"),
    attribute("effective_port", yarl="URL(u) => u.port"),
    attribute("request_target", yarl="URL(u) => u.raw_path_qs"),
    attribute("handler"),
    attribute("parts"),
    *(Row(f"u.{name}, read again", "links", f"seen(parse(u), '{name}') => u.{name}{ours}",
          {"yarl": f"seen(URL(u), '{peer}') => u.{peer}{theirs}"})
      for name, peer, ours, theirs in (
          ("segments", "parts", "", " -> x[1:]"), ("name", "name", "", ""), ("suffix", "suffix", "", ""),
          ("parent", "parent", "", ""), ("request_target", "raw_path_qs", "", ""), ("query_params", "query",
              " -> None", " -> None"),
          ("effective_port", "port", "", ""))),
    Row("u.origin, read again", "links", "seen(parse(u), 'origin') => u.origin",
        {"yarl": "read_by(URL(u).origin) => u.origin()"}),
    Row("u.violations()", "links", "parse(u) => u.violations() -> None"),
    # --- texts ---
    Row("`f\"{u}\"`", "links", "parse(u) => f'{u}'",
        {"url-py": "parse(u) => f'{u}'", "can_ada": "parse(u) => f'{u}'", "yarl": "URL(u) => f'{u}'"}),
    Row("str(u)", "links", "parse(u) => str(u)",
        {"url-py": "parse(u) => str(u)", "can_ada": "parse(u) => str(u)", "yarl": "URL(u) => str(u)"}),
    Row("repr, without passwords", "links", "parse(u) => repr(u) -> None",
        {"url-py": "parse(u) => repr(u) -> None", "can_ada": "parse(u) => repr(u) -> None",
            "yarl": "URL(u) => repr(u) -> None"}),
    Row("display", "links", "parse(u) => u.display()", {"yarl": "URL(u) => u.human_repr()"}, other=("yarl",)),
    Row("display, with the parse", "links", "parse(u).display()", {"yarl": "URL(u).human_repr()"}, other=("yarl",)),
    Row("masked", "links", "parse(u) => u.masked()", {"yarl": "URL(u) => u.human_repr()"}, other=("yarl",)),
    Row("otel_attributes", "links", "parse(u) => u.otel_attributes() -> None"),
    Row("a log line masked by MaskURLs", "links", "'GET ' + u + ' 200' => masker.masked(u)"),
    # --- a value ---
    Row("hash", "links", "parse(u) => hash(u) -> None", {"url-py": "parse(u) => hash(u) -> None",
        "yarl": "URL(u) => hash(u) -> None"}),
    Row("==, different URLs of one host", "pairs", "(parse(u), parse(v)) => u == v",
        {"url-py": "(parse(u), parse(v)) => u == v", "yarl": "(URL(u), URL(v)) => u == v"}),
    Row("==, equal URLs", "links", "(parse(u), parse(u)) => u[0] == u[1]",
        {"url-py": "(parse(u), parse(u)) => u[0] == u[1]", "yarl": "(URL(u), URL(u)) => u[0] == u[1]"}),
    Row("pickle.dumps", "links", "parse(u) => dumps(u) -> None", {"yarl": "URL(u) => dumps(u) -> None"}),
    Row("pickle.loads", "links", "dumps(parse(u)) => loads(u) -> None", {"yarl": "dumps(URL(u)) => loads(u) -> None"}),
    # --- changes ---
    Row("URL.build", "handovers", "build(scheme='https', host='www.example.org', path='/a/' + v, query='q=1')",
        {"yarl": "build(scheme='https', host='www.example.org', path='/a/' + v, query_string='q=1')"}),
    *(Row(f"replace {name}", "links", f"parse(u) => u.replace({name}={value}) -> None",
          {"url-py": f"parse(u) => u.with_{name}({value}) -> None",
              "yarl": f"URL(u) => u.with_{name}({value}) -> None"})
      for name, value in (("host", "'example.com'"), ("path", "'/x/y'"), ("scheme", "'http'"), ("fragment", "'frag'"),
          ("port", "8080"))),
    Row("with_query, text", "links", "parse(u) => u.with_query('a=1&b=2')",
        {"url-py": "parse(u) => u.with_query('a=1&b=2')", "yarl": "URL(u) => u.with_query('a=1&b=2')"}),
    Row("with_query, mapping", "mappings", "(parse(u), v) => u.with_query(v)",
        {"yarl": "(URL(u), v) => u.with_query(v)",
         "url-py": "(parse(u), list(v.items())) => u.without_query().with_pairs(v)"}),
    Row("update_query", "mappings", "(parse(u), v) => u.update_query(v) -> None",
        {"yarl": "(URL(u), v) => u.update_query(v) -> None",
         "Starlette": "(URL(u), v) => u.include_query_params(**v) -> None"}),
    Row("update_query, one parameter", "links", "parse(u) => u.update_query({'page': '2'}) -> None",
        {"yarl": "URL(u) => u.update_query({'page': '2'}) -> None",
         "Starlette": "URL(u) => u.include_query_params(page='2') -> None"}),
    Row("extend_query", "mappings", "(parse(u), v) => u.extend_query(v) -> None",
        {"yarl": "(URL(u), v) => u.extend_query(v) -> None",
         "url-py": "(parse(u), list(v.items())) => u.with_pairs(v) -> None"}),
    Row("without_query_params", "links", "parse(u) => u.without_query_params('utm_source', 'gclid') -> None",
        {"yarl": "URL(u) => u.without_query_params('utm_source', 'gclid') -> None",
         "Starlette": "URL(u) => u.remove_query_params(['utm_source', 'gclid']) -> None"}),
    Row("without_fragment", "links", "parse(u) => u.without_fragment()",
        {"url-py": "parse(u) => u.with_fragment(None)", "yarl": "URL(u) => u.with_fragment(None)"}),
    Row("without_credentials", "links", "parse(u) => u.without_credentials()",
        {"yarl": "URL(u) => u.with_user(None)", "url-py": "parse(u) => u.with_password(None)"}),
    Row('u / "segment"', "handovers", "(parse(u), v) => u / v", {"yarl": "(URL(u), v) => u / v"}),
    Row("relative_to", "pairs", "(parse(u), parse(v)) => u.relative_to(v) -> str(v.join(x))",
        {"url-py": "(parse(u), parse(v)) => v.make_relative(u) -> str(v.join(x))"}),
    # --- the query's parameters ---
    Row("QueryParams.get", "mappings", "(parse(u).query_params, v) => u.get('page') -> None",
        {"can_ada": "(P(parse(u).search), v) => u.get('page') -> None",
            "yarl": "(URL(u).query, v) => u.get('page') -> None"}),
    Row("QueryParams.get_all", "links", "parse(u).query_params => u.get_all('page') -> None",
        {"can_ada": "P(parse(u).search) => u.get_all('page') -> None"}),
    Row("QueryParams.items, keys, values", "links",
        "parse(u).query_params => u.items(); u.keys(); u.values(); x = None -> None",
        {"yarl": "URL(u).query => list(u.items()); list(u.keys()); list(u.values()); x = None -> None"}),
    Row("QueryParams.parse", "queries", "QueryParams.parse(u) -> None",
        {"can_ada": "P(u) -> None", "urllib.parse": "parse_qsl(u) -> None", "Starlette": "QueryParams(u) -> None"}),
]  # fmt: skip
