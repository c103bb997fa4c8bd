"""Paths: all hops see a path under one rule, or the request is refused."""

from __future__ import annotations

import asyncio
import logging
import pickle

import pytest
from support.drawn_targets import canonical, drawn
from support.seeds import draws, least, seeded

from urlsm.security import Verdict
from urlsm.server import AsgiPaths, Hop, Paths, WsgiPaths, path_as

CHAIN = ("nginx", "uvicorn", "starlette")
UNSTABLE = Hop("apache", AllowEncodedSlashes="On", MergeSlashes="Off", nocanon=True)


def said(paths: Paths, target: object) -> object:
    """Return the code of a refusal, or the rule and whether it protects."""
    verdict = paths.check(target)
    assert bool(verdict) == verdict.allowed == (not verdict.codes)
    assert verdict.allowed or (verdict.rule is None and verdict.protected)
    return (verdict.rule, verdict.protected) if verdict else verdict.codes[0]


@pytest.mark.parametrize(
    ("target", "answer"),
    [
        ("/admin", ("/admin", True)),
        ("/admin/", ("/admin", True)),
        ("/admin/users?q=/..", ("/admin", True)),
        ("/administrator", (None, False)),
        ("/", (None, False)),
        ("/docs//x", (None, False)),
        ("/a%2Fb", (None, False)),
        ("/caf%C3%A9", (None, False)),
        ("/x/..%2fadmin", "hops-disagree"),
        ("/x/../admin", "hops-disagree"),
        ("//admin", "hops-disagree"),
        ("/%61dmin", ("/admin", True)),
        ("/admin%00", "hop-refuses"),
        ("/a%zz", "hop-refuses"),
        ("/admin%0A", "hop-refuses"),
        ("/admin/health", ("/admin/health", False)),
        ("/admin/health/x", ("/admin/health", False)),
        ("/admin/health/../x", "hops-disagree"),
        ("*", "target-form-invalid"),
        ("http://a/admin", "target-form-invalid"),
        ("a.example:443", "target-form-invalid"),
        ("", "target-form-invalid"),
    ],
)
def test_what_each_target_gets(target, answer):
    paths = Paths(protected=["/admin"], open=["/admin/health"], hops=CHAIN)
    assert said(paths, target) == said(paths, target.encode()) == answer


def test_two_protected_rules_are_two_rules():
    paths = Paths(protected=["/a", "/b"], hops=["nginx", "haproxy"])
    assert said(paths, "/a/../b") == "hops-disagree"
    assert paths.check("/a/../b").message == "nginx@1.31.3 sees /b, haproxy@2.8.25 /a"
    assert paths.check("/x/../b").message == "nginx@1.31.3 sees /b, haproxy@2.8.25 no rule"


def test_a_message_tells_a_program_s_options():
    verdict = Paths(protected=["/admin"]).check("//admin")
    assert verdict.message == "nginx@1.31.3 sees /admin, nginx@1.31.3 with merge_slashes=False no rule"


def test_what_is_in_no_list():
    assert said(Paths(open=["/health"], hops=CHAIN), "/x") == (None, True)
    assert said(Paths(protected=["/admin"], hops=CHAIN), "/x") == (None, False)
    assert said(Paths(protected=["/a"], open=["/b"], hops=CHAIN), "/x") == (None, False)


def test_of_two_alike_the_protected_one_counts():
    assert said(Paths(protected=["/a"], open=["/a"], hops=CHAIN), "/a") == ("/a", True)
    assert said(Paths(protected=["/a/"], open=["/a"], hops=CHAIN), "/a") == ("/a/", True)
    folding = Paths(protected=["/Admin"], open=["/admin"], hops=["express"])
    assert said(folding, "/ADMIN")[1] and said(folding, "/admin")[1]


def test_the_root_is_a_rule():
    paths = Paths(protected=["/"], open=["/open"], hops=CHAIN)
    assert [said(paths, each) for each in ("/", "/x", "/open", "/opener")] == [
        ("/", True),
        ("/", True),
        ("/open", False),
        ("/", True),
    ]


def test_letter_case_and_prefixes_of_text():
    assert said(Paths(protected=["/admin"], hops=["nginx", "express"]), "/ADMIN") == "hops-disagree"
    assert said(Paths(protected=["/admin"], hops=["express"]), "/ADMIN/x") == ("/admin", True)
    strict = Hop("express", **{"case sensitive routing": True})
    assert said(Paths(protected=["/admin"], hops=["nginx", strict]), "/ADMIN") == (None, False)
    location = Hop("nginx", text_prefix=True)
    assert said(Paths(protected=["/admin"], hops=[location, "starlette"]), "/administrator") == "hops-disagree"
    assert said(Paths(protected=["/admin"], hops=[location]), "/administrator") == ("/admin", True)


def test_a_rule_with_capitals_counts_for_a_path_without():
    assert said(Paths(protected=["/Admin"], hops=["express"]), "/admin") == ("/Admin", True)
    assert said(Paths(protected=["/Admin"], hops=["nginx", "express"]), "/admin") == "hops-disagree"
    assert said(Paths(protected=["/Admin"]), "/admin") == "hops-disagree"


@pytest.mark.parametrize("options", [{"text_prefix": False}, {"text_prefix": True}], ids=str)
@pytest.mark.parametrize("name", ["nginx", "express"])
def test_the_longest_rule_of_many_counts(name, options, cases):
    rng = seeded("longest rules")
    hop = Hop(name, **options)

    def some(count: int) -> list[str]:
        return ["/" + "/".join(rng.choices(("a", "A", "b", "aB", "a-"), k=rng.randrange(5))) for _ in range(count)]

    fitting = 0
    for _ in range(cases // 100):
        rules = some(rng.choice((1, 3, 20)))
        paths = Paths(open=rules, hops=[hop])
        for path in some(20):
            alike, folded = (path.lower(), str.lower) if hop.settings.folds else (path, str)
            fits = [
                rule
                for rule in rules
                if alike == folded(rule)
                or alike.startswith(folded(rule) if hop.text_prefix or rule == "/" else f"{folded(rule)}/")
            ]
            rule = paths.check(path).rule
            fitting += bool(fits)
            assert folded(rule or "") == folded(max(fits, key=len, default="")), (rules, path)
    assert fitting > cases // 100


def test_a_redirect_is_no_side():
    assert path_as("/x/../admin", "go") is None
    assert said(Paths(protected=["/admin"], hops=["haproxy", "go"]), "/x/../admin") == (None, False)
    assert said(Paths(protected=["/admin"], hops=["nginx", "go"]), "//admin") == ("/admin", True)


def test_without_hops_all_are_asked_and_a_refusal_is_no_side():
    paths = Paths(protected=["/admin"])
    assert len(paths.hops) > 40
    for target in ("/docs//x", "/a%2Fb", "/admin/x", "/a%zz", "/a#b", "/caf%C3%A9", "/x%00"):
        assert paths.check(target), target
    for target in ("/admin;x", "//admin", "/%61dmin", "/ADMIN", "/x/..;/admin", "/x\\..\\admin"):
        assert said(paths, target) == "hops-disagree", target
    assert said(paths, "/admin%0a") == said(paths, "/admin/x%0ay") == "hop-refuses"
    assert said(paths, "/x%0a") == (None, False)


def test_canonical_paths_only():
    paths = Paths(protected=["/admin"], hops=CHAIN, canonical=True)
    for target in ("/", "/a/b", "/a?b=%2e", "/caf%C3%A9", "/a%20b", "/a/?"):
        assert paths.check(target), target
    for target in (
        "/a//b",
        "/a/./b",
        "/a/%2e",
        "/%61",
        "/a%2Fb",
        "/a;b",
        "/a\\b",
        "/caf%c3%a9",
        "/%E9",
        "/a%",
        "/a#b",
        "/a%25",
    ):
        assert said(paths, target) == "path-not-canonical", target


def test_before_the_check_a_text_must_be_one_that_the_hop_can_have_sent():
    normal = Hop("nginx", proxy_pass="/")
    paths = Paths(protected=["/admin"], hops=[normal, "uvicorn", "starlette"], at="uvicorn")
    assert said(paths, "/admin") == ("/admin", True)
    assert said(paths, "/x/../admin") == "not-forwarded"
    assert said(paths, "//admin") == "not-forwarded"
    assert said(paths, "/a%20b") == (None, False)
    assert said(paths, "/a%2eb") == "not-forwarded"
    assert said(paths, "/a%252e") == (None, False)
    raw = Paths(protected=["/admin"], hops=["nginx", "uvicorn", "starlette"], at=1)
    assert said(raw, "/x/..%2fadmin") == "hops-disagree"
    assert said(raw, "/x%00") == "not-forwarded"


def test_prefixes_that_hops_strip_and_put():
    api = Hop("nginx", proxy_pass="/", strip="/api")
    paths = Paths(protected=["/admin"], hops=[api, "uvicorn", "starlette"], at="uvicorn")
    assert said(paths, "/admin") == ("/admin", True)
    first = Paths(protected=["/admin"], hops=[api, "uvicorn", "starlette"])
    assert said(first, "/api/admin") == ("/admin", True)
    assert said(first, "/admin") == "not-forwarded"
    assert said(first, "/api/../admin") == "not-forwarded"
    assert said(first, "/api/x/../admin") == ("/admin", True)
    mounted = Hop("haproxy", mount="/m")
    paths = Paths(protected=["/m/admin"], hops=[mounted, "uvicorn", "starlette"])
    assert said(paths, "/admin") == ("/m/admin", True)
    inside = Paths(protected=["/m/admin"], hops=[mounted, "uvicorn", "starlette"], at=1)
    assert said(inside, "/m/admin") == ("/m/admin", True)
    assert said(inside, "/admin") == "not-forwarded"


def test_a_framework_is_read_behind_the_server_before_it():
    paths = Paths(protected=["/a"], hops=["hypercorn", "starlette"])
    assert paths.hops[1] == Hop("starlette", server="hypercorn")
    h11 = Hop("uvicorn", http="h11")
    assert Paths(protected=["/a"], hops=[h11, "starlette"]).hops[1].options == {"server": "uvicorn-h11"}
    assert (
        Paths(protected=["/a"], hops=["gunicorn", Hop("flask", server="waitress")]).hops[1].options["server"]
        == "waitress"
    )


@pytest.mark.parametrize(
    ("arguments", "more", "error", "message"),
    [
        ((), {}, ValueError, "at least one rule"),
        ((["/a"],), {"hops": []}, ValueError, "hops must not be empty"),
        ((["/a"],), {"hops": ["squid"]}, ValueError, "no program 'squid'"),
        ((["/a"],), {"hops": CHAIN, "at": 3}, ValueError, "from 0 to 2, not 3"),
        ((["/a"],), {"hops": CHAIN, "at": "flask"}, ValueError, "none of the hops is 'flask'"),
        ((["a"],), {}, ValueError, "a rule must be a path"),
        ((["/a//b"],), {}, ValueError, "a rule must be a path"),
        ((["/a%20b"],), {}, ValueError, "a rule must be a path"),
        ((["/a/../b"],), {}, ValueError, "a rule must be a path"),
        ((["/a?b"],), {}, ValueError, "a rule must be a path"),
        ((["/a/**"],), {}, ValueError, "a rule must be a path"),
        ((["/a"],), {"raw": "no"}, ValueError, "raw must be"),
        ((["/a"],), {"hops": ["starlette", "nginx"]}, ValueError, "sends nothing on that is known"),
        ((["/a"],), {"hops": [UNSTABLE, "flask"], "at": 1}, ValueError, "cannot stand before the check"),
        (("/a",), {}, TypeError, "protected must be an iterable"),
        ((["/a"],), {"hops": "nginx"}, TypeError, "hops must be an iterable"),
        (([1],), {}, TypeError, "a rule must be str"),
        ((["/a"],), {"hops": [1]}, TypeError, "hop must be str or Hop"),
    ],
)
def test_errors(arguments, more, error, message):
    with pytest.raises(error, match=message):
        Paths(*arguments, **more)


def test_a_request_of_the_wrong_type():
    paths = Paths(protected=["/a"], hops=CHAIN)
    with pytest.raises(TypeError, match="request must be str, bytes, or a scope or environ, not int"):
        paths.check(1)
    with pytest.raises(TypeError, match="must be 'http' or 'websocket', not 'lifespan'"):
        paths.check({"type": "lifespan"})


def scope(raw: bytes | None, path: str, query: bytes = b"", **more: object) -> dict[str, object]:
    found = {"type": "http", "path": path, "query_string": query, "headers": [], **more}
    return found if raw is None else {**found, "raw_path": raw}


def test_a_scope_is_read_by_its_raw_path():
    paths = Paths(protected=["/admin"], hops=CHAIN, at="uvicorn")
    assert said(paths, scope(b"/admin", "/admin")) == ("/admin", True)
    assert said(paths, scope(b"/x/..%2fadmin", "/x/../admin")) == "hops-disagree"
    assert said(paths, scope(b"/x%FF", "/x\ufffd")) == (None, False)
    assert said(paths, scope(b"/admin", "/admin", type="websocket")) == ("/admin", True)
    assert said(paths, scope(b"/x", "/admin")) == "not-forwarded"  # a middleware has rewritten it
    assert said(paths, scope(b"/%61dmin", "/%61dmin")) == "not-forwarded"
    assert said(paths, scope(b"*", "*")) == "target-form-invalid"
    assert said(paths, scope(b"/x", "/x", headers=[(b"X-Original-URL", b"/admin")])) == "path-overridden"
    assert said(paths, scope(b"/x", "/x", headers=[(b"x-rewrite-url", b"/admin")])) == "path-overridden"
    normal = Paths(protected=["/admin"], hops=[Hop("nginx", proxy_pass="/"), "uvicorn", "starlette"], at="uvicorn")
    assert said(normal, scope(b"/x", "/x", b"a=b")) == (None, False)


def test_a_scope_below_a_mount():
    paths = Paths(protected=["/admin"], hops=CHAIN, at="uvicorn")
    for raw, path, answer in (
        (b"/m/admin", "/m/admin", ("/admin", True)),
        (b"/admin", "/m/admin", ("/admin", True)),  # the server has a root path that is not in the raw path
        (b"/admin", "/admin", ("/admin", True)),  # Starlette takes off only what is there
        (b"/mm/admin", "/mm/admin", (None, False)),
        (b"/m", "/m", (None, False)),
        (b"/m/x/../admin", "/m/x/../admin", "hops-disagree"),
        (b"/m/../admin", "/m/../admin", "not-forwarded"),
        (b"/x", "/m/admin", "not-forwarded"),
    ):
        assert said(paths, scope(raw, path, root_path="/m")) == answer, raw
    every = Paths(protected=["/admin"])
    assert said(every, scope(b"/m/admin", "/m/admin", root_path="/m")) == ("/admin", True)
    assert said(every, scope(b"/m/../admin", "/m/../admin", root_path="/m")) == "hops-disagree"
    alone = Paths(protected=["/admin"], hops=["uvicorn", "starlette"])
    assert said(alone, scope(None, "/m/admin", root_path="/m")) == ("/admin", True)


def test_a_scope_without_a_raw_path():
    behind = Paths(protected=["/admin"], hops=CHAIN, at="uvicorn")
    with pytest.raises(ValueError, match="raw='absent'"):
        behind.check(scope(None, "/admin"))
    stated = Paths(protected=["/admin"], hops=CHAIN, at="uvicorn", raw="absent")
    assert said(stated, scope(None, "/admin")) == ("/admin", True)
    alone = Paths(protected=["/admin"], hops=["uvicorn", "starlette"])
    assert said(alone, scope(None, "/x/../admin\u00e9")) == (None, False)


def environ(path: str, **more: str) -> dict[str, str]:
    return {"REQUEST_METHOD": "GET", "PATH_INFO": path, **more}


def test_an_environ_is_read_by_its_raw_uri():
    paths = Paths(protected=["/admin"], hops=["nginx", "gunicorn", "flask"], at="gunicorn")
    assert said(paths, environ("/admin", RAW_URI="/admin?x")) == ("/admin", True)
    assert said(paths, environ("/x/../admin", REQUEST_URI="/x/..%2fadmin")) == "hops-disagree"
    assert said(paths, environ("/admin", RAW_URI="/x")) == "not-forwarded"
    waitress = Paths(protected=["/admin"], hops=["waitress", "flask"])
    assert said(waitress, environ("/admin", REQUEST_URI="//admin")) == ("/admin", True)
    assert said(waitress, environ("//admin", REQUEST_URI="/admin")) == "not-forwarded"
    assert said(paths, environ("/admin", SCRIPT_NAME="/a", RAW_URI="/a/admin")) == ("/admin", True)
    assert said(paths, environ("/admin", SCRIPT_NAME="/a", RAW_URI="/admin")) == ("/admin", True)  # ProxyFix
    assert said(paths, environ("/../admin", SCRIPT_NAME="/a", RAW_URI="/a/../admin")) == "not-forwarded"
    assert said(paths, environ("/x/../admin", SCRIPT_NAME="/a", RAW_URI="/a/x/../admin")) == "hops-disagree"
    assert said(paths, environ("", SCRIPT_NAME="/a", RAW_URI="/a")) == (None, False)
    assert said(paths, environ("/x", RAW_URI="/x", HTTP_X_ORIGINAL_URL="/admin")) == "path-overridden"
    assert said(paths, environ("/x", RAW_URI="/x", HTTP_X_REWRITE_URL="/admin")) == "path-overridden"
    assert said(paths, environ("/x", RAW_URI="http://h/x")) == "target-form-invalid"
    with pytest.raises(ValueError, match="raw='absent'"):
        paths.check(environ("/x"))
    alone = Paths(protected=["/admin"], hops=["gunicorn", "flask"])
    assert said(alone, environ("/x", QUERY_STRING="a")) == (None, False)
    assert said(alone, environ("//admin")) == "hops-disagree"


CHAINS = [
    None,
    CHAIN,
    ("haproxy", "nginx", "gunicorn", "django"),
    ("envoy", Hop("nginx", proxy_pass="/"), "hypercorn", "starlette"),
    ("caddy", "apache", "express"),
    (Hop("nginx", text_prefix=True), "fastify"),
]


@pytest.mark.parametrize("hops", CHAINS)
def test_allowed_means_that_all_hops_are_on_one_side(hops):
    """The hops are asked one by one, and what each sends on is given to the next."""
    paths = Paths(protected=["/admin", "/a/a"], open=["/admin/a"], hops=hops)
    rng = seeded(4304)
    allowed = 0
    for _ in range(draws(4000)):
        target = canonical(rng) if rng.random() < 0.3 else drawn(rng)
        verdict = paths.check(target)
        if not verdict:
            continue
        allowed += 1
        text = target
        for hop in paths.hops:
            if text is None:
                break
            from urlsm.server.hop_list import answer

            done, path, sent = answer(text if hops else target, hop)
            assert hops is None or done != "refused"
            if path is not None:
                assert rule_of(path, hop) == verdict.rule, (target, hop)
            text = sent
    assert allowed > least(500)


def rule_of(path: bytes, hop: Hop) -> str | None:
    text = path.decode("latin-1")
    for rule in ("/admin/a", "/admin", "/a/a"):
        lowered = text.lower() if hop.settings.folds else text
        if lowered == rule or lowered.startswith(rule if hop.text_prefix else f"{rule}/"):
            return rule
    return None


def test_a_long_target_takes_linear_time():
    for hops in (None, CHAIN):
        paths = Paths(protected=["/admin"], hops=hops)
        for piece in (b"a", b"/a", b"/..", b"%2e%2e/", b"//", b";x", b"%C3%A9"):
            paths.check(b"/" + piece * 100_000)


def test_values():
    paths = Paths(protected=["/admin"], hops=CHAIN, at=1, canonical=True)
    again = pickle.loads(pickle.dumps(paths))
    assert (
        repr(again)
        == repr(paths)
        == (
            "Paths(protected=['/admin'], open=[], hops=[Hop('nginx@1.31.3'), Hop('uvicorn@0.54.0'), "
            "Hop('starlette@1.10.0', server='uvicorn')])"
        )
    )
    verdict = paths.check("/admin")
    assert isinstance(verdict, Verdict)
    assert pickle.loads(pickle.dumps(verdict)) == verdict
    assert repr(Paths(protected=["/a"])) == "Paths(protected=['/a'], open=[])"


# --- the middlewares -----------------------------------------------------------------------------


def asked(app: AsgiPaths, request: dict[str, object]) -> list[dict[str, object]]:
    sent: list[dict[str, object]] = []

    async def send(message):
        sent.append(message)

    asyncio.run(app(request, None, send))
    return sent


def test_the_asgi_middleware(caplog):
    seen = []

    async def inner(scope, receive, send):
        seen.append(scope.get("urlsm_path"))

    app = AsgiPaths(inner, Paths(protected=["/admin"], hops=CHAIN, at="uvicorn"))
    assert asked(app, scope(b"/admin", "/admin")) == []
    assert seen.pop().protected
    with caplog.at_level(logging.WARNING, "urlsm.server"):
        start, body = asked(app, scope(b"/x/..%2fadmin", "/x/../admin"))
    assert start["status"] == 400 and body["body"] == b"hops-disagree"
    assert dict(start["headers"])[b"content-length"] == b"13"
    assert caplog.messages == ["request refused: hops-disagree: nginx@1.31.3 sees /admin, uvicorn@0.54.0 no rule"]
    assert asked(app, scope(b"/x/..%2fadmin", "/x/../admin", type="websocket")) == [
        {"type": "websocket.close", "code": 1008}
    ]
    assert not seen
    asked(app, {"type": "lifespan"})
    assert seen == [None]
    with pytest.raises(TypeError, match="paths must be a Paths object, not list"):
        AsgiPaths(inner, ["/admin"])


def test_the_wsgi_middleware():
    seen = []

    def inner(environ, start_response):
        seen.append(environ["urlsm_path"])
        return [b"hello"]

    app = WsgiPaths(inner, Paths(protected=["/admin"], hops=["gunicorn", "flask"]))
    assert app(environ("/admin", RAW_URI="/admin"), None) == [b"hello"]
    assert seen.pop().rule == "/admin"
    began = []
    assert app(environ("//admin", RAW_URI="//admin"), lambda *said: began.append(said)) == [b"hops-disagree"]
    assert began[0][0] == "400 Bad Request" and not seen
