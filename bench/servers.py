"""What a server asks of a request, beside Starlette, werkzeug and Django: python -m bench.servers [ROUNDS].

The answers are compared before anything is timed. Frameworks that are not installed are left out. Each piece of work
goes over 200 requests (hosts, targets, queries) that differ; the figures are nanoseconds of each, best of the rounds.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable
from typing import Any

import urlsm
from bench.clocks import interleaved, load_average, print_head, print_row
from bench.patterns import compare, each, installed
from urlsm.server import Hosts

COUNT = 200
WORDS = ("shop", "order", "item", "user", "page", "search", "view", "list", "img", "de", "en")
ALLOWED = ["example.com", ".example.org", "localhost", "127.0.0.1", "api.example.net"]


def fitting(ours: Callable[[Any], object], theirs: Callable[[Any], object], inputs: Iterable[Any]) -> None:
    for given in inputs:
        if ours(given) != theirs(given):
            raise SystemExit(f"{given!r}: {ours(given)!r} is not {theirs(given)!r}")


def paths(rng: random.Random) -> list[str]:
    return ["/" + "/".join(rng.choices(WORDS, k=rng.randint(1, 4))) + f"/{k}" for k in range(COUNT)]


def queries(rng: random.Random) -> list[bytes]:
    """Four pairs each, some with escapes."""
    values = ("1", "red", "caf%C3%A9", "a+b", "2026-11-23", "x%20y", "blue", "")
    return ["&".join(f"{rng.choice(WORDS)}{n}={rng.choice(values)}" for n in range(4)).encode() for _ in range(COUNT)]


def requests(rng: random.Random) -> list[tuple[str, str, bytes]]:
    hosts = [f"{word}.example.org" for word in WORDS] + ["example.com", "example.com:8443", "api.example.net"]
    return [(path, rng.choice(hosts), query) for path, query in zip(paths(rng), queries(rng), strict=True)]


def scope_of(request: tuple[str, str, bytes]) -> dict[str, Any]:
    """As uvicorn makes it of a browser's request."""
    path, host, query = request
    names = (b"accept", b"accept-language", b"accept-encoding", b"user-agent", b"cookie", b"connection", b"referer")
    headers = [(b"host", host.encode()), *((name, b"x" * 40) for name in names)]
    return {"type": "http", "asgi": {}, "http_version": "1.1", "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 5),
            "scheme": "https", "method": "GET", "root_path": "", "path": path, "raw_path": path.encode(),
            "query_string": query, "headers": headers, "state": {}}  # fmt: skip


def environ_of(request: tuple[str, str, bytes]) -> dict[str, Any]:
    path, host, query = request
    return {"REQUEST_METHOD": "GET", "SCRIPT_NAME": "", "PATH_INFO": path, "QUERY_STRING": query.decode(),
            "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "HTTP_HOST": host,
            "REMOTE_ADDR": "127.0.0.1", "wsgi.url_scheme": "https"}  # fmt: skip


def main(rounds: int = 60) -> None:
    rng = random.Random(26)
    asked = requests(rng)
    scopes, environs = [scope_of(one) for one in asked], [environ_of(one) for one in asked]
    print(f"{COUNT} requests; load {load_average()}; nanoseconds each, best of {rounds}")
    print_head("work", "who", "ns", "ours is so many times as fast")
    from_scope, from_environ = urlsm.URL.from_scope, urlsm.URL.from_environ
    headers = [host for _, host, _ in asked] + ["evil.example", "www.shop.example.com:8000"]
    if installed("django"):
        by_django(headers, asked, rounds)
    if starlette := installed("starlette.datastructures"):
        from urlsm.compat.starlette import query_params

        def url_of(scope: dict[str, Any]) -> Any:
            return starlette.URL(scope=scope)

        fitting(lambda scope: from_scope(scope).href, lambda scope: str(url_of(scope)), scopes)
        clocks = {"urlsm": each(from_scope, scopes), "Starlette": each(url_of, scopes)}
        compare("request.url", clocks, COUNT, rounds)
        given = [query for _, _, query in asked]
        fitting(lambda q: vars(query_params(q)), lambda q: vars(starlette.QueryParams(q)), given)
        clocks = {"urlsm": each(query_params, given), "Starlette": each(starlette.QueryParams, given)}
        compare("query_params, four pairs", clocks, COUNT, rounds)
    if werkzeug := installed("werkzeug.wrappers"):
        from urlsm.compat.werkzeug import args

        def request_url(environ: dict[str, Any]) -> str:
            found: str = werkzeug.Request(environ).url
            return found

        def request_args(environ: dict[str, Any]) -> Any:
            return werkzeug.Request(environ).args

        def our_args(environ: dict[str, Any]) -> Any:
            return args(environ["QUERY_STRING"])

        alone = interleaved({"werkzeug": each(werkzeug.Request, environs)}, rounds)["werkzeug"]
        print_row("Request alone", "werkzeug", f"{alone / COUNT:,.0f}", "")
        plain = [environ | {"QUERY_STRING": "a=1&b=2"} for environ in environs]  # theirs is an IRI
        fitting(lambda environ: from_environ(environ).href, request_url, plain)
        clocks = {"urlsm": each(from_environ, plain), "werkzeug": each(request_url, plain)}
        compare("Request.url, theirs with its Request", clocks, COUNT, rounds)
        made = {"urlsm": each(our_args, environs), "werkzeug": each(request_args, environs)}
        fitting(our_args, request_args, environs)
        compare("Request.args, theirs with its Request", made, COUNT, rounds)


def by_django(headers: list[str], asked: list[tuple[str, str, bytes]], rounds: int) -> None:
    from django.conf import settings
    from django.http import QueryDict
    from django.http.request import split_domain_port, validate_host
    from django.utils.http import url_has_allowed_host_and_scheme as theirs

    from urlsm.compat.django import query_dict, url_has_allowed_host_and_scheme

    if not settings.configured:
        settings.configure(ALLOWED_HOSTS=ALLOWED)

    def check(header: str) -> bool:
        domain, _ = split_domain_port(header)
        return bool(domain and validate_host(domain, ALLOWED))

    ours = Hosts(ALLOWED, flavor="django")
    fitting(lambda header: bool(ours.check(header)), check, headers)
    clocks = {"urlsm": each(ours.check, headers), "Django": each(check, headers)}
    compare("Host check", clocks, len(headers), rounds)
    given = [query for _, _, query in asked]
    fitting(lambda q: (query_dict(q), vars(query_dict(q))), lambda q: (QueryDict(q), vars(QueryDict(q))), given)
    clocks = {"urlsm": each(query_dict, given), "Django": each(QueryDict, given)}
    compare("QueryDict, four pairs", clocks, COUNT, rounds)
    targets = [path + "?" + query.decode() for path, _, query in asked]
    fitting(lambda t: bool(urlsm.security.check_redirect(t, base=HOME)), lambda t: theirs(t, {"example.com"}), targets)
    clocks = {
        "urlsm": each(lambda target: urlsm.security.check_redirect(target, base=HOME), targets),
        "is_safe_redirect": each(lambda target: urlsm.security.is_safe_redirect(target, base=HOME), targets),
        "compat.django": each(lambda target: url_has_allowed_host_and_scheme(target, {"example.com"}), targets),
        "Django": each(lambda target: theirs(target, {"example.com"}), targets),
    }
    compare("redirect check, plain", clocks, COUNT, rounds)
    targets = ["https://example.com" + target for target in targets]
    clocks = {
        "urlsm": each(lambda target: urlsm.security.check_redirect(target, base=HOME), targets),
        "Django": each(lambda target: theirs(target, {"example.com"}), targets),
    }
    compare("redirect check, absolute", clocks, COUNT, rounds)


HOME = "https://example.com/account/"

if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
