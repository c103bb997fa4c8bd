"""The handler of each scheme; registering one changes only later parsing and look-ups."""

from __future__ import annotations

import json
import os
import pathlib
import pickle
import subprocess
import sys
import threading

import pytest

import urlsm
from urlsm.schemes import Scheme
from urlsm.schemes.built_in import BUILT_IN
from urlsm.schemes.web.http import Http

PLUGIN = pathlib.Path(__file__).parents[1] / "data/plugin"


class Shout(Scheme):
    names = ("shout", "x.shout")
    title = "Shouting"
    default_port = 1965
    special = True


class Whisper(Scheme):
    names = ("shout",)


@pytest.fixture(autouse=True)
def _nothing_stays_registered():
    yield
    for name, origin in urlsm.schemes.known().items():
        if origin == "registered":
            urlsm.unregister(name)


def fresh(code: str, *path: pathlib.Path) -> object:
    """Return the JSON that a new interpreter prints, with these folders on its path."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    run = subprocess.run(
        [sys.executable, "-c", f"import json, sys\nimport urlsm\n{code}"], env=env, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def distribution(folder: pathlib.Path, name: str, module: str, entry_points: str, code: str = "") -> None:
    """Write an installed distribution: its module and its metadata."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[urlsm.schemes]\n{entry_points}\n")
    (folder / f"{module}.py").write_text(code or (PLUGIN / "example_schemes.py").read_text(encoding="utf-8"))


# --- looking up ---


def test_every_built_in_scheme_has_its_handler():
    for name in BUILT_IN:
        handler = urlsm.handler(name)
        assert name in handler.names
        assert handler is urlsm.handler(name.upper())
        assert handler.title and handler.reference
        assert handler.example.partition(":")[0] in handler.names
        assert [v for v in urlsm.validate(handler.example, dialect="rfc3986") if v.severity != "warning"] == []


def test_an_unknown_scheme_gets_the_generic_handler():
    assert urlsm.handler("no-such-scheme").names == ()
    parts = urlsm.parse("no-such-scheme://U@Host:1/a%20b?q").parts
    assert (parts.username, parts.host, parts.port, parts.segments, parts.query) == (
        "U",
        "Host",
        1,
        ("a b",),
        "q",
    )  # as written


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("x+ssh", "ssh"),
        ("http+unix", "http"),
        ("x+y+ssh", "ssh"),
        ("svn+ssh", "svn+ssh"),
        ("x+svn+ssh", "svn+ssh"),
        ("git+x+y", "git+https"),
        ("x+y+unix", "unix"),
        ("amqp+tcp", "amqp"),
        ("mongodb+srv+x", "mongodb+srv"),
    ],
)
def test_a_plus_b_has_the_handler_of_b_if_known_else_of_a(name, own):
    assert urlsm.handler(name) is urlsm.handler(own)
    assert urlsm.parse(f"{name}://host/a").handler is urlsm.handler(own)


def test_what_a_plus_b_inherits_changes_nothing_that_parse_returns():
    url = urlsm.parse("git+https://Host:443/a/../b")
    assert (url.host, url.port, url.href) == ("Host", 443, "git+https://Host:443/b")  # not special
    assert urlsm.normalize("git+https://Host:443/a/../b") == "git+https://host/b"


@pytest.mark.parametrize("name", ["", "+", "++", "+" * 100_000, "a+" * 100_000, "\ud800", "\0", "http\n"])
def test_any_name_can_be_looked_up(name):
    assert urlsm.handler(name).names in ((), ("http",))


def test_a_name_is_a_str():
    with pytest.raises(TypeError):
        urlsm.handler(b"http")  # type: ignore[arg-type]


# --- registering ---


def test_registering_changes_no_url_that_is_there():
    before, looked_at = urlsm.parse("shout://Host/a"), urlsm.parse("shout://Host/b")
    generic = looked_at.handler
    made = Shout()
    urlsm.register(made)
    after = urlsm.parse("shout://Host/a")
    assert before.handler is looked_at.handler is generic and after.handler is made
    assert (before.href, after.href) == ("shout://Host/a", "shout://host/a")
    urlsm.unregister("shout")
    assert after.handler is made and urlsm.parse("shout://Host/a").handler is generic
    with pytest.raises(KeyError):
        urlsm.unregister("shout")


def test_a_class_will_do_and_the_last_one_counts():
    urlsm.register(Shout)
    urlsm.register(Whisper)
    assert type(urlsm.handler("shout")) is Whisper and type(urlsm.handler("x.shout")) is Shout
    assert urlsm.parse("shout:/\\h").path == "/\\h"  # no longer special


def test_a_special_scheme_parses_as_http_does():
    text = "SHOUT:\\\\U@EX%41mple.org:1965\\a\\..\\b?'"
    assert urlsm.parse(text).path.startswith("\\\\")
    urlsm.register(Shout)
    url = urlsm.parse(text)
    assert url.href == "shout://U@example.org/b?%27" == urlsm.parse("x.shout://U@example.org:1965/b?'").href[2:]
    assert url.origin == "shout://example.org" and url.port is None and url.scheme == "shout"
    assert str(url.join("c")) == "shout://U@example.org/c" == urlsm.resolve("shout:c", base=url)
    assert url.replace(port=80).port == 80 and url.replace(port=1965).href == url.href
    assert not urlsm.can_parse("shout://") and urlsm.parse("shout://1.2").host == "1.0.0.2"
    assert urlsm.parse("http://h/").replace(scheme="shout").href == "shout://h/"
    urlsm.unregister("shout")
    assert urlsm.can_parse("shout://") and urlsm.parse("x.shout://1.2").host == "1.0.0.2"
    assert url.port is None and str(url.join("/c")) == "shout://U@example.org/c" and url.scheme == "shout"
    assert url.origin == "shout://example.org"


def test_a_url_made_from_an_older_one_is_made_now():
    before = urlsm.parse("shout://H/a")
    urlsm.register(Shout)
    assert before.replace(fragment="x").href == "shout://h/a#x" == str(before.with_query(None)) + "#x"
    assert str(before / "b") == "shout://h/a/b" and before.href == "shout://H/a"
    assert before.update_query(b=1).href == before.extend_query(b=1).href == "shout://h/a?b=1"
    assert before.without_query_params("b").href == before.update_query().href == before.replace().href == "shout://h/a"
    special = urlsm.parse("shout://1.2/a")
    urlsm.unregister("shout")
    assert special.replace(fragment="x").href == "shout://1.0.0.2/a#x" and str(special / "b") == "shout://1.0.0.2/a/b"


def test_a_handler_is_special_as_it_was_when_it_was_registered():
    kind = type("Mine", (Shout,), {"names": ("mine",)})
    urlsm.register(kind)
    kind.special = False
    urlsm.unregister("mine")
    assert urlsm.parse("mine://H").host == "H"
    for wrong in (-1, 0, 65536, "80", 1.5):
        with pytest.raises(ValueError, match="default_port"):
            urlsm.register(type("Wrong", (Shout,), {"default_port": wrong}))


def test_names_are_a_tuple():
    with pytest.raises(TypeError, match="tuple"):

        class Wrong(Scheme):
            names = "gemini"  # type: ignore[assignment]


def test_a_name_may_be_of_a_subclass_of_str():
    class Text(str):
        pass

    assert urlsm.handler(Text("FTP")) is urlsm.handler("ftp")
    urlsm.register(Shout)
    urlsm.unregister(Text("shout"))


def test_other_schemes_parse_as_before():
    texts = ["shou://A", "shouts://A", "http://A:80", "foo:\\x", "s://A"]
    before = [urlsm.parse(text).href for text in texts]
    urlsm.register(Shout)
    assert [urlsm.parse(text).href for text in texts] == before


def test_a_special_url_pickles_to_a_process_that_knows_no_such_scheme():
    urlsm.register(Shout)
    url = urlsm.parse("shout://h:1/a")
    assert pickle.loads(pickle.dumps(url)) == url
    code = f"""
import pickle
url = pickle.loads({pickle.dumps(url)!r})
print(json.dumps([url.href, url.scheme, url.origin, url.port, str(url.join("b")), url.handler.names,
                  urlsm.parse("shout://A").href]))
"""
    assert fresh(code) == ["shout://h:1/a", "shout", "shout://h:1", 1, "shout://h:1/b", [], "shout://A"]


def test_a_pickled_url_looks_up_its_handler_where_it_arrives():
    octets = pickle.dumps(urlsm.parse("shout://h/"))
    made = Shout()
    urlsm.register(made)
    assert pickle.loads(octets).handler is made


def test_special_schemes_stay_what_the_url_standard_says():
    class Other(Http):
        pass

    class Plain(Http):
        special = False

    class Moved(Http):
        default_port = 8080

    urlsm.register(Other)
    assert type(urlsm.handler("http")) is Other
    for wrong in (Plain, Moved):
        with pytest.raises(ValueError, match="special"):
            urlsm.register(wrong)
    assert type(urlsm.handler("http")) is Other


@pytest.mark.parametrize("name", ["", "1a", "A", "a b", "a:", "é", "a\n", "a" * 64 + "é"])
def test_a_name_that_no_scheme_has_is_refused(name):
    class Wrong(Scheme):
        names = (name,)

    with pytest.raises(ValueError):
        urlsm.register(Wrong)


def test_anything_but_a_handler_is_refused():
    class Nameless(Scheme):
        pass

    with pytest.raises(ValueError):
        urlsm.register(Nameless)
    for wrong in (None, "http", object(), int, Http.parts_type):
        with pytest.raises(TypeError):
            urlsm.register(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [dict, urlsm.URL, lambda *values: values, None])
def test_parts_are_of_a_class_of_parts(kind):
    with pytest.raises(TypeError, match="parts_type must be a subclass of Parts"):
        type("Wrong", (Scheme,), {"names": ("wrong",), "parts_type": kind})


def test_a_trait_that_says_nothing_known_is_refused():
    with pytest.raises(ValueError, match="authority"):

        class Wrong(Scheme):
            authority = "perhaps"


def test_special_schemes_are_as_many_as_fit():
    code = """
from urlsm.schemes import Scheme
def kind(*names):
    return type("Many", (Scheme,), {"names": names, "special": True})
made = 0
try:
    while True:
        urlsm.register(kind(f"many{made}"))
        made += 1
except ValueError:
    full = True
refused = 0
for names in (("one-more", "two-more"), ("a" * 64,)):
    try:
        urlsm.register(kind(*names))
    except ValueError:
        refused += 1
print(json.dumps([made, refused, urlsm.parse(f"many{made - 1}:\\\\\\\\H").host, urlsm.handler("one-more").names]))
"""
    assert fresh(code) == [256, 2, "h", []]


def test_threads_may_register():
    def work(number: int) -> None:
        kind = type("Mine", (Whisper,), {"names": (f"mine{number}",)})
        for _ in range(200):
            urlsm.register(kind)
            assert type(urlsm.parse(f"mine{number}://h").handler) is kind
            urlsm.unregister(f"mine{number}")

    failed: list[BaseException] = []

    def watched(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=watched, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


# --- Barth's dialect ---


class Murmur(Scheme):
    names = ("murmur",)
    title = "Murmuring"
    example = "murmur:a/../b"
    authority = "forbidden"
    hierarchical = False


def authority(text):
    return urlsm.split(text, dialect="barth").authority


def test_registering_a_handler_tells_barth_s_dialect_what_is_opaque():
    assert authority("murmur://h/a?q") == "h"
    urlsm.register(Murmur)
    assert authority("MURMUR://h/a?q") is None
    assert urlsm.split("murmur://h/a?q", dialect="barth").path == "//h/a?q"
    with pytest.raises(urlsm.ParseError):
        urlsm.resolve("b", base="murmur:a", dialect="barth")
    assert authority("mailto://h") is None and authority("http://h") == "h"
    urlsm.unregister("murmur")
    assert authority("murmur://h/a?q") == "h"


def test_barth_s_dialect_follows_the_handler_that_replaces_a_built_in_one():
    class Letters(Scheme):
        names = ("mailto", "xmpp")

    assert authority("mailto://h") is authority("xmpp://h") is None
    urlsm.register(Letters)
    assert authority("mailto://h") == authority("xmpp://h") == "h"
    assert authority("news://h") is None
    urlsm.unregister("mailto")
    assert authority("mailto://h") is None and authority("xmpp://h") == "h"


@pytest.mark.parametrize(
    ("traits", "opaque"),
    [
        ({}, False),
        ({"hierarchical": False}, False),  # its example has an authority
        ({"hierarchical": False, "authority": "forbidden"}, True),
        ({"hierarchical": False, "example": "murmur:a"}, True),
        ({"hierarchical": False, "example": "murmur:a", "authority": "required"}, False),
        ({"hierarchical": True, "example": "murmur:a", "authority": "forbidden"}, False),
    ],
)
def test_a_scheme_is_opaque_by_its_traits(traits, opaque):
    urlsm.register(type("Made", (Scheme,), {"names": ("murmur",), **traits}))
    assert (authority("murmur://h") is None) is opaque


def test_no_handler_is_loaded_for_barth_s_dialect_and_no_plug_in_changes_it(tmp_path):
    code = "from urlsm.schemes import Scheme\nclass Murmur(Scheme):\n    authority, hierarchical = 'forbidden', False\n"
    distribution(tmp_path, "murmur", "murmur", "murmur = murmur:Murmur", code)
    asked = "[urlsm.split(text, dialect='barth').authority for text in ('murmur://h', 'mailto://h', 'geo://h')]"
    loaded = "[name for name in sys.modules if name.startswith('urlsm.schemes')]"
    plugged = "urlsm.handler('murmur').hierarchical"
    assert fresh(f"print(json.dumps([{asked}, {loaded}, {plugged}, {asked}]))", tmp_path) == [
        ["h", None, None],
        [],
        False,
        ["h", None, None],
    ]


# --- plug-ins ---


def test_a_plug_in_goes_before_what_is_built_in_and_registered_by_hand_before_both(tmp_path):
    distribution(tmp_path, "shelf", "example_schemes", "s3 = example_schemes:Shelf\nGemini = example_schemes:Gemini")
    code = """
first = "example_schemes" in sys.modules
found = [type(urlsm.handler(name)).__name__ for name in ("gopher", "s3", "gemini", "gs")]
class Mine(urlsm.schemes.Scheme):
    names = ("s3",)
urlsm.register(Mine)
found.append(type(urlsm.handler("s3")).__name__)
urlsm.unregister("s3")
found.append(type(urlsm.handler("S3")).__name__)
known = urlsm.schemes.known()
print(json.dumps([first, found, known["s3"], known["gemini"], known["http"], list(known) == sorted(known)]))
"""
    found = ["Gopher", "Shelf", "Gemini", "Gs", "Mine", "Shelf"]
    assert fresh(code, tmp_path) == [False, found, "shelf 1.0", "shelf 1.0", "built in", True]


def test_a_plug_in_stays_when_the_library_s_own_handler_was_asked_for(tmp_path):
    distribution(tmp_path, "shelf", "example_schemes", "s3 = example_schemes:Shelf")
    code = """
from urlsm.meaning.registry import built_in
own = type(built_in("s3")).__name__
list(urlsm.schemes.iana_registry())
print(json.dumps([own, type(urlsm.handler("s3")).__name__, type(built_in("s3")).__name__]))
"""
    assert fresh(code, tmp_path) == ["S3", "Shelf", "S3"]


def test_a_special_scheme_is_special_while_it_is_registered_again():
    class Mine(Scheme):
        names = ("x-again",)
        special = True
        default_port = 99

    class Other(Mine):
        default_port = 98

    text, stop, found = "x-again:\\\\HOST\\a", threading.Event(), set()

    def work():
        while not stop.is_set():
            found.add(urlsm.parse(text).href)

    urlsm.register(Mine)
    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(3000):
            urlsm.register(Other)
            urlsm.register(Mine)
    finally:
        stop.set()
        thread.join()
        urlsm.unregister("x-again")
    assert found == {"x-again://host/a"}
    assert urlsm.parse(text).href == text  # not special any more


def test_entry_points_are_read_once_and_not_for_the_special_schemes():
    code = """
import importlib.metadata
calls, read = [], importlib.metadata.entry_points
def counted(**given):
    calls.append(given)
    return read(**given)
importlib.metadata.entry_points = counted
urlsm.parse("http://h").parts, urlsm.handler("file"), urlsm.parse("no-such:x").join("#f")
before = len(calls)
urlsm.handler("no-such"), urlsm.handler("no-such"), urlsm.handler("other"), urlsm.handler("mailto")
print(json.dumps([before, calls]))
"""
    assert fresh(code) == [0, [{"group": "urlsm.schemes"}]]


def test_installing_a_plug_in_does_not_change_what_http_means(tmp_path):
    distribution(tmp_path, "evil", "example_schemes", "http = example_schemes:Gemini")
    code = """
urlsm.handler("unknown")
print(json.dumps([type(urlsm.handler("http")).__name__, urlsm.schemes.known()["http"]]))
"""
    kind, origin = fresh(code, tmp_path)
    assert kind == "Http" and "evil 1.0 is ignored" in origin


def test_two_plug_ins_for_one_scheme_are_an_error_that_names_both(tmp_path):
    distribution(tmp_path, "one", "example_schemes", "gemini = example_schemes:Gemini\ns3 = example_schemes:Shelf")
    distribution(tmp_path, "two", "other_schemes", "gemini = other_schemes:Gemini")
    code = """
url = urlsm.parse("gemini://h/a")
said = []
for ask in (lambda: url.handler, lambda: url.parts, url.violations, lambda: urlsm.handler("gemini"),
            lambda: urlsm.validate(url)):
    try:
        ask()
    except urlsm.PluginError as error:
        said.append(str(error))
by_hand = type("ByHand", (urlsm.schemes.Scheme,), {"names": ("gemini",)})
urlsm.register(by_hand)
print(json.dumps([len(said), all("one 1.0" in text and "two 1.0" in text for text in said), url.href,
                  type(urlsm.handler("s3")).__name__, type(urlsm.handler("gemini")).__name__]))
"""
    assert fresh(code, tmp_path) == [5, True, "gemini://h/a", "Shelf", "ByHand"]


@pytest.mark.parametrize(
    ("entry", "code", "cause"),
    [
        ("broken:Handler", "raise RuntimeError('not today')", "RuntimeError"),
        ("broken:Handler", "import no_such_module", "ModuleNotFoundError"),
        ("broken:Missing", "x = 1", "AttributeError"),
        ("broken:x", "x = 1", "TypeError"),
        ("broken:x", "raise SystemExit", "SystemExit"),
        (
            "broken:H",
            "from urlsm.schemes import Scheme\nclass H(Scheme):\n def __init__(self): 1 / 0",
            "ZeroDivisionError",
        ),
    ],
)
def test_a_plug_in_that_fails_breaks_nothing_else(tmp_path, entry, code, cause):
    distribution(tmp_path, "broken-thing", "broken", f"gemini = {entry}", code)
    script = """
url = urlsm.parse("gemini://h/a?b").join("c")
try:
    url.parts
except urlsm.PluginError as error:
    told = [str(error), type(error.__cause__).__name__]
print(json.dumps([told, url.href, urlsm.parse("mailto:a@b.c").parts.recipients, urlsm.schemes.known()["gemini"]]))
"""
    told, href, recipients, origin = fresh(script, tmp_path)
    assert "broken-thing 1.0" in told[0] and told[1] == cause
    assert (href, recipients, origin) == ("gemini://h/c", ["a@b.c"], "broken-thing 1.0")


# --- the fast way of http and https ---


def test_a_handler_registered_for_http_is_asked_for_plain_links_too():
    class Loud(Http):
        def normalize(self, components):
            return super().normalize(components).replace(path="/LOUD")

        def violations(self, components):
            yield self.violation("path-not-allowed", "path", 0)

    assert urlsm.normalize("http://h/a") == "http://h/a" and urlsm.validate("http://h/a") == []
    urlsm.register(Loud)
    assert urlsm.normalize("http://h/a") == "http://h/LOUD" and len(urlsm.validate("http://h/a")) == 1
    assert type(urlsm.parse("http://h/").handler) is Loud
    urlsm.unregister("http")
    assert urlsm.normalize("http://h/a") == "http://h/a" and type(urlsm.parse("http://h/").handler) is Http
