"""The browser's API. The setters of can_ada and ada-url change the URL in place, like ours."""

from bench.measure import Row

VALUES = {"hash": "'#frag'", "search": "'?a=b&c=d'", "pathname": "'/x/y/z.html'", "hostname": "'example.com'",
          "host": "'example.com:81'", "port": "'8080'", "protocol": "'http'", "username": "'user'",
              "password": "'pass'",
          "href": "'https://example.org/a'"}  # fmt: skip
READ = ("href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash")
QUERY = "u.partition('?')[2]"

ROWS = [
    Row("whatwg.URL(text)", "links", "W(u) -> x.href",
        {"can_ada": "parse(u) -> x.href", "ada-url": "URL(u) -> x.href", "upa-url": "URL(u) -> x.href"}),
    Row("whatwg.URL.can_parse", "links", "W.can_parse(u)",
        {"can_ada": "can_parse(u)", "ada-url": "check_url(u)", "upa-url": "can_parse(u)"}),
    Row("whatwg.URL.parse", "links", "W.parse(u) -> x.href", {"upa-url": "URL.parse(u) -> x.href"}),
    Row("whatwg.URL.to_json", "links", "W(u) => u.to_json()"),
    *(Row(f"whatwg.URL.{name}", "links", f"W(u) => u.{name}",
          {"can_ada": f"parse(u) => u.{name}", "ada-url": f"URL(u) => u.{name}", "upa-url": f"URL(u) => u.{name}"})
      for name in READ),
    Row("whatwg.URL.search_params", "links", "W(u) => u.search_params -> None",
        {"can_ada": "parse(u) => P(u.search) -> None", "upa-url": "URL(u) => u.searchParams -> None"}),
    *(Row(f"`whatwg.URL.{name} =`", "links", f"W(u) => u.{name} = {value}; x = u -> x.href",
          {"can_ada": f"parse(u) => u.{name} = {value}; x = u -> x.href",
           "ada-url": f"URL(u) => u.{name} = {value}; x = u -> x.href",
           "upa-url": f"URL(u) => u.{name} = {value}; x = u -> x.href"})
      for name, value in VALUES.items()),
    Row("URLSearchParams(text)", "queries", "P(u) -> str(x)",
        {"can_ada": "P(u) -> str(x)", "ada-url": "P(u) -> str(x)", "upa-url": "P(u) -> str(x)"}),
    *(Row(f"URLSearchParams.{name}", "queries", f"P(u) => {ours} -> None",
          {"can_ada": f"P(u) => {theirs} -> None", "ada-url": f"P(u) => {ours} -> None"})
      for name, ours, theirs in (
          ("get", "u.get('page')", "u.get('page')"), ("get_all", "u.get_all('page')", "u.get_all('page')"),
          ("has", "u.has('page')", "u.has('page')"), ("append", "u.append('a', 'b')", "u.append('a', 'b')"),
          ("delete", "u.delete('page')", "u.remove('page')"), ("set", "u.set('page', '2')", "u.set('page', '2')"),
          ("sort", "u.sort()", "u.sort()"), ("keys", "list(u.keys())", "list(u.keys())"),
          ("values", "list(u.values())", "list(u.values())"), ("size", "u.size", "u.size()"),
          ("items", "list(u.items())", "list(u.items())"))),
    Row("str(URLSearchParams)", "queries", "P(u) => str(u)", {"can_ada": "P(u) => str(u)",
        "ada-url": "P(u) => str(u)"}),
    Row("domains.to_ascii", "hosts", "to_ascii(u)", {"can_ada": "idna_encode(u) -> x.decode()",
        "ada-url": "idna(u) -> x.decode()"}),
]  # fmt: skip
