"""The path at each hop: steps, programs and their options, and what is sent on."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from support.drawn_targets import canonical, drawn
from support.seeds import draws, seeded

from urlsm.readers.hops import PATH, PROGRAMS, HopProgram
from urlsm.readers.steps import NAMES, Pipeline, Step, ask
from urlsm.server import Hop, Paths, forwards, hops, path_as
from urlsm.server.hop_list import answer


def combinations(program: HopProgram) -> Iterator[dict[str, Any]]:
    """Yield all options of a program."""
    values = [("", "/", "/m/") if each == (PATH,) else each for each in program.options.values()]
    for chosen in itertools.product(*values):
        yield dict(zip(program.options, chosen, strict=True))


EACH = [(program, options) for program in PROGRAMS for options in combinations(program)]
NAMED = [f"{program.name} {options}" for program, options in EACH]


@pytest.mark.parametrize(("program", "options"), EACH, ids=NAMED)
def test_a_canonical_path_is_matched_and_sent_on_as_it_is(program, options):
    rng = seeded(4301)
    mount = Hop(program.name, **options).mount.encode()
    for _ in range(draws(200)):
        target = canonical(rng)
        path = target.partition(b"?")[0]
        if (options.get("strict") is False or options.get("ignoreTrailingSlash")) and len(path) > 1:  # hono, Fastify
            path = path.removesuffix(b"/")
        sent = mount + target if program.forward else None
        assert answer(target, program.name, **options) == ("matched", path, sent)


@pytest.mark.parametrize(("program", "options"), EACH, ids=NAMED)
def test_what_is_sent_on_is_matched_alike(program, options):
    """But for the options that say otherwise. Such a hop cannot stand before the check. What is sent on and would not
    be sent on as it is, as "/.;x.;x/", which Envoy makes of "/%2e;x%2e;x/", the check refuses as not forwarded."""
    rng = seeded(4302)
    hop = Hop(program.name, **options)
    mount = hop.mount.encode()
    for _ in range(draws(5000) if hop.settings.is_stable else 0):
        target = drawn(rng)
        _, path, sent = answer(target, hop)
        if path is None or sent is None:
            continue
        again = sent[len(mount) :]
        said, its_path, its_sent = answer(again, hop)
        if its_sent == sent:
            assert (said, its_path) == ("matched", path), target
        else:
            paths = Paths(protected=["/admin"], hops=[hop, "uvicorn"], at="uvicorn")
            assert paths.check(sent).codes == ("not-forwarded",), target


def test_a_name_may_have_a_version_and_options():
    assert repr(Hop("nginx@1.22", proxy_pass="/", strip="/api")) == (
        "Hop('nginx@1.22.1', proxy_pass='/', strip='/api')"
    )
    assert path_as("//a", "nginx"), path_as("//a", "nginx", merge_slashes=False) == ("/a", "//a")
    assert path_as("/a", Hop("nginx", proxy_pass="/m/")) == "/a"
    assert forwards("/a%20b?", Hop("nginx", proxy_pass="/m/")) == "/m/a%20b"
    assert forwards("/api/a", Hop("haproxy", strip="/api", mount="/m")) == "/m/a"
    assert forwards("/apis", Hop("haproxy", strip="/api")) is None
    hop = Hop("nginx@1.22", proxy_pass="/m/", strip="/api", text_prefix=True)
    assert pickle.loads(pickle.dumps(hop)) == hop != Hop("nginx@1.22")
    assert hash(hop) == hash(pickle.loads(pickle.dumps(hop)))
    assert eval(repr(hop)) == hop


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (["apache@1"], {}, "older than all that is known"),
        (["lighttpd"], {}, "no program 'lighttpd' is known; those that are: aiohttp, apache"),
        (["nginx"], {"merge": True}, "nginx has no option 'merge'; it has: merge_slashes, proxy_pass"),
        (["nginx"], {"merge_slashes": "on"}, "merge_slashes must be one of: True, False; not 'on'"),
        (["nginx"], {"proxy_pass": "/m"}, 'proxy_pass must be one of: a path that begins and ends with "/"; not'),
        (["nginx"], {"strip": "api"}, "strip must begin"),
        (["nginx"], {"mount": "/m/"}, "mount must begin"),
        (["nginx"], {"strip": "/api"}, "not known what nginx sends on when it strips a prefix with these options"),
        (["apache"], {"strip": "/api", "nocanon": True}, "strips a prefix with these options"),
        (["caddy"], {"strip": "/api"}, "strips a prefix with these options"),
        (["starlette"], {"strip": "/api"}, "strips a prefix with these options"),
        (["nginx"], {"mount": "/m"}, "not known what nginx sends on when it puts a prefix"),
    ],
)
def test_what_is_unknown_is_an_error(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        Hop(*arguments, **options)


def test_types():
    with pytest.raises(TypeError, match="strip must be str, not bytes"):
        Hop("nginx", strip=b"/a")
    with pytest.raises(TypeError, match="target must be str or bytes, not int"):
        path_as(1, "nginx")
    with pytest.raises(TypeError, match="hop must be str or Hop, not int"):
        path_as("/", 1)
    with pytest.raises(TypeError, match="the options belong in the Hop"):
        path_as("/", Hop("nginx"), merge_slashes=False)


def test_text_and_octets_are_read_alike():
    for target in ("/\u00e9", "/\udce9", "/a%E9"):
        octets = target.encode("utf-8", "surrogateescape")
        assert path_as(target, "nginx") == path_as(octets, "nginx") is not None
    assert path_as(b"/%E9", "nginx") == "/\udce9"
    assert path_as(b"/%E9", "starlette") == "/\ufffd"
    assert path_as("/\ud800", "nginx") is not None


@pytest.mark.parametrize("target", ["", "*", "http://a/b", "a", "a:80", "?q"])
def test_a_target_without_a_slash_first_is_refused(target):
    assert {path_as(target, hop.name) for hop in hops()} == {None}


def test_hops_lists_steps_and_options():
    found = {hop.name: hop for hop in hops()}
    assert list(found) == sorted(found)
    assert found["nginx"].steps == (
        *("refuse controls", "cut #", "cut ?", "refuse %zz", "refuse %00", "decode once", "merge slashes"),
        "remove dots, refuse above /",
    )
    assert found["nginx"].options == {"merge_slashes": (True, False), "proxy_pass": ("", "path")}
    assert found["express"].folds
    assert all(hop.equal == hop.texts for hop in found.values())


def test_each_code_is_used():
    each = [Hop(f"{program.name}@{release}", **options) for program, options in EACH for release in program.releases]
    used = {step.code for hop in each for pipeline in pipelines(hop) for step in pipeline.steps}
    assert used == {*NAMES}


def pipelines(hop):
    return hop.settings.reads, hop.settings.match, hop.settings.forward


@pytest.mark.parametrize(
    ("step", "text", "made"),
    [
        (Step("dots", b"\1"), b"/a/../../b/./c/..", b"/b/"),
        (Step("dots", b"\0"), b"/a/../../b", None),
        (Step("dots", b"\0"), b"//a/..", b"//"),
        (Step("dots", b"\3"), b"/a/.", b"/a"),
        (Step("dots", b"\3"), b"/a/b/../", b"/a/"),
        (Step("dots", b"\5"), b"/a/%2E./b", b"/b"),
        (Step("dot parameters"), b"/a/..;x;y/.;/%2e;/c;/;", b"/a/.././%2e;/c;/;"),
        (Step("dot parameters"), b"/.;/a.;x", b"/./a.;x"),
        (Step("strip end", b"\t\r"), b"/a\tb\r\t", b"/a\tb"),
        (Step("merge"), b"//a///b/", b"/a/b/"),
        (Step("parameters"), b"/a;x/b;y;z/;", b"/a/b/"),
        (Step("one slash"), b"///a//b", b"/a//b"),
        (Step("decode", b"/"), b"/%61%2f%zz%", b"/a%2f%zz%"),
        (Step("decode utf-8", b"/%"), b"/%c3%a9%e9%2f%25%C3", b"/\xc3\xa9%e9%2F%25%C3"),
        (Step("decode runs", b"/%"), b"/%c3%a9a%e9%41b%2f%25", b"/\xc3\xa9a%e9%41b%2f%25"),
        (Step("decode runs", b"/%"), b"/%%34%31", b"/%25" + b"41"),
        (Step("decode unnested", b"/"), b"/%61%2f%%34%31%%341%4%31%%", b"/a%2f%2541%2541%2541%%"),
        (Step("encode", b"/a"), b"/a\xe9b", b"/a%E9%62"),
        (Step("replace", b"\\/"), b"/a\\b", b"/a/b"),
        (Step("utf-8 replaced"), b"/\xe2\x82A\xff", b"/\xef\xbf\xbdA\xef\xbf\xbd"),
        (Step("utf-8 ignored"), b"/ad\xffmin", b"/admin"),
        (Step("utf-8 escaped"), b"/\xe9", b"/%E9"),
        (Step("utf-8 refused"), b"/\xed\xa0\x80", None),
        (Step("refuse", b"#"), b"/a", b"/a"),
        (Step("refuse", b"#"), b"/a#", None),
        (Step("refuse escaped", b"/"), b"/a%2f", None),
        (Step("refuse bad escapes"), b"/a%2", None),
        (Step("cut", b"?#"), b"/a#b?c", b"/a"),
        (Step("cut unless query", b"#"), b"/a#b?c", b"/a#b?c"),
        (Step("go escaped", b"/ab2f"), b"/a%2fb", b"/a%2fb"),
        (Step("go escaped", b"/ab"), b'/a%2fb"', b"/a/b%22"),
    ],
)
def test_a_step(step, text, made):
    assert ask(text, Pipeline([step]))[1] == made


def test_what_is_not_utf8_is_replaced_and_dropped_as_python_does():
    rng = seeded(4303)
    edges = [0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF]
    for _ in range(draws(20_000)):
        text = b"/" + bytes(rng.choices(edges, k=rng.randrange(8)))
        assert ask(text, Pipeline([Step("utf-8 replaced")]))[1] == text.decode("utf-8", "replace").encode()
        assert ask(text, Pipeline([Step("utf-8 ignored")]))[1] == text.decode("utf-8", "ignore").encode()


def test_long_targets_take_linear_time_and_grow():
    for piece in (
        b"\xc3\xa9",
        b"..;/",
        b"\x7f",
        b"@",
        b":",
        b"#",
        b"\t",
        b"/..",
        b"%2e%2e/",
        b"//",
        b";x",
        b"\xe9",
        b"%C3%A9",
        b"\\",
        b"%25",
        b"/a",
        b"%%34%31",
    ):
        target = b"/" + piece * 50_000
        for hop in hops():
            answer(target, hop.name)
