"""The package: its names, the modules that it loads, and its functions other than parse."""

from __future__ import annotations

import importlib.metadata
import inspect
import json
import pathlib
import re
import subprocess
import sys
import typing

import pytest

import urlsm
from urlsm import Components, ParseError, Trace, explain, parse, split, unsplit

NAMES = {
    *("URL", "Components", "ParseError", "QueryParams", "Trace", "Violation", "__version__", "can_parse", "explain"),
    *(
        "parse",
        "resolve",
        "split",
        "try_parse",
        "unsplit",
        "validate",
        "SchemeError",
        "PluginError",
        "parts",
        "normalize",
    ),
    *("equivalent", "handler", "register", "unregister"),
    "resolve_many",
}


ROOT = pathlib.Path(urlsm.__file__).parents[1]


def fresh(code: str, *options: str) -> object:
    """Return the JSON that a new interpreter prints, without site-packages and their .pth files, or as the options
    say."""
    run = subprocess.run(
        [sys.executable, *(options or ("-S",)), "-c", f"import json, sys\n{code}"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def submodules() -> set[str]:
    return {name.split(".")[1] for name in sys.modules if name.startswith("urlsm.")}


def test_all_is_exactly_what_the_package_binds():
    assert set(urlsm.__all__) >= NAMES
    assert len(urlsm.__all__) == len(set(urlsm.__all__))
    for name in urlsm.__all__:
        getattr(urlsm, name)
    bound = {name for name in vars(urlsm) if not name.startswith("_")} | {"__version__"}
    assert bound - submodules() == set(urlsm.__all__) - submodules()
    assert set(urlsm.__all__) <= set(dir(urlsm))
    for kind in (urlsm.schemes.Parameters, urlsm.schemes.Section):
        assert typing.get_type_hints(kind)
    for module in (urlsm.schemes, urlsm.errors):
        assert dir(module) == sorted(module.__all__)
    with pytest.raises(AttributeError, match="no_such_name") as caught:
        _ = urlsm.no_such_name
    assert (caught.value.name, caught.value.obj) == ("no_such_name", urlsm)


def test_the_rooms_that_users_import_are_attributes():
    code = "import urlsm; print(urlsm.columns.host.__name__, urlsm.engines.__name__, urlsm.whatwg.URL.__name__)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert run.stdout.split() == ["host", "urlsm.engines", "URL"]


@pytest.mark.parametrize(("typed", "meant"), [("spilt", "split"), ("prase", "parse"), ("normalise", "normalize")])
def test_a_mistyped_name_is_answered_with_the_one_that_was_meant(typed, meant):
    run = subprocess.run(
        [sys.executable, "-c", f"import urlsm; urlsm.{typed}"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert run.stderr.count("Did you mean") == 1
    assert f"Did you mean: {meant!r}?" in run.stderr


def test_the_stub_has_the_public_names_and_no_others():
    stub = (pathlib.Path(urlsm.__file__).parent / "__init__.pyi").read_text(encoding="utf-8")
    names = re.findall(r"^from urlsm\.\S+ import (\w+) as \1$|^def (\w+)|^(\w+):", stub, re.MULTILINE)
    assert sorted(filter(None, sum(names, ()))) == sorted(urlsm.__all__)


def test_url_tells_its_signature_and_what_to_match():
    assert list(inspect.signature(urlsm.URL).parameters) == ["url", "base", "encoding", "max_length"]
    assert urlsm.URL.__doc__.strip().startswith("An absolute URL")
    match parse("http://u:p@h:8/x?y#z"):
        case urlsm.URL("http", "u", "p", host, port):
            assert (host, port) == ("h", 8)
        case _:
            pytest.fail("no match")
    match parse("http://h/x"):
        case urlsm.URL(scheme="http", path="/x", query=None):
            pass
        case _:
            pytest.fail("no match")


def test_get_include_is_where_the_headers_are():
    assert (pathlib.Path(urlsm.get_include()) / "machine/__init__.pxd").is_file()
    assert (pathlib.Path(urlsm.get_include()) / "octets/chars.h").is_file()


def test_star_import_binds_all():
    found = fresh(
        "before = {*globals(), 'before'}\nfrom urlsm import *\nprint(json.dumps(sorted({*globals()} - before)))",
        "-s",  # with site-packages: an editable install finds urlsm.schemes through them
    )
    assert set(found) == set(urlsm.__all__)


def test_every_public_name_has_a_docstring():
    for name in set(urlsm.__all__) - {"__version__"}:
        assert (getattr(urlsm, name).__doc__ or "").strip(), name


def test_import_loads_nothing_that_parsing_does_not_need():
    found = set(fresh("import urlsm\nprint(json.dumps(sorted(sys.modules)))"))
    unneeded = {
        "idna",
        "dataclasses",
        "typing",
        "re",
        "importlib.metadata",
        "urllib.parse",
        "pickle",
        "inspect",
        "urlsm.stdlib",
        "urlsm.unicode.idna",
    }
    unneeded |= {
        "urlsm.whatwg",
        "urlsm.errors.rules",
        "urlsm.unicode.encoding",
        "urlsm.components.trace",
        "urlsm.meaning.validation",
        "urlsm.url.display",
        "urlsm.documents.scanning",
        "urlsm.schemes",
    }
    json_loads = set(fresh("print(json.dumps(sorted(sys.modules)))"))
    assert not (unneeded - json_loads) & found
    for name in ("re", "typing", "dataclasses"):  # json needs these as well, so without it
        code = f"for name in list(sys.modules):\n    if name in ('json', {name!r}): del sys.modules[name]\n"
        assert fresh(f"{code}import urlsm\nprint(int({name!r} in sys.modules))") == 0, name


def test_parsing_what_is_ordinary_loads_nothing_more():
    found = fresh(
        "import urlsm\nbefore = set(sys.modules)\n"
        "url = urlsm.parse('HTTP://u:p@Ex.org:80/a/../b c?d=é#f')\n"
        "url.join('../x?y#z'), urlsm.can_parse('foo:bar'), urlsm.try_parse('x')\n"
        "url.host, url.segments, url.origin, hash(url)\n"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    assert found == []


HTTP = ("urlsm.schemes.web.http", "urlsm.schemes.generic")


@pytest.mark.parametrize(
    ("use", "loaded"),
    [
        ("urlsm.normalize('http://a/%7e?b')", {"urlsm.meaning.web"}),
        ("urlsm.normalize('http://[::1]/%7e?b')", {"enum", "re", *HTTP}),
        ("urlsm.parse('http://a/b').parts", {"enum", "re", *HTTP}),
        ("urlsm.validate('http://a/%', dialect='rfc3986')", {"enum", "re", *HTTP}),
        ("urlsm.equivalent('ftp://a/%7e', 'ftp://a/~')", {"enum", "re", "urlsm.schemes.files.ftp"}),
        ("refused('http:///').code", {"urlsm.errors", "urlsm.errors.rules"}),
        ("str(refused('http:///'))", {"enum", "re", "urlsm.errors", "urlsm.errors.rules", "urlsm.errors.excerpt"}),
    ],
)
def test_the_first_use_loads_what_it_needs(use, loaded):
    """Of the standard library, only re (with enum), for handlers; dataclasses would load inspect and ast, too."""
    unneeded = (
        *("ast", "contextlib", "dataclasses", "difflib", "importlib", "importlib.metadata", "inspect", "ipaddress"),
        *("json", "pathlib", "threading", "typing", "urllib.parse", "warnings"),
    )
    named = (*unneeded, "enum", "re")
    code = f"""import sys
for name in {named!r}: sys.modules.pop(name, None)  # what starts the interpreter may need them
import urlsm
def refused(text):
    try:
        urlsm.parse(text)
    except ValueError as error:
        return error
before = set(sys.modules)
{use}
print(*sorted(set(sys.modules) - before))"""
    run = subprocess.run([sys.executable, "-s", "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == 0, run.stderr
    found = set(run.stdout.split())
    assert loaded <= found
    assert not found & {*unneeded, *({"re"} - loaded)}


def test_a_refusal_is_a_valueerror_even_where_nothing_can_be_imported():
    found = fresh(
        "import urlsm\nassert urlsm.errors.ParseError is urlsm.ParseError\n"
        "for name in [name for name in sys.modules if name.startswith('urlsm.errors')]: del sys.modules[name]\n"
        "del urlsm.errors\nsys.meta_path = None\n"
        "try:\n    urlsm.parse('x')\nexcept ValueError as error:\n    print(json.dumps(type(error).__name__))"
    )
    assert found == "Refusal"


def test_a_repr_loads_the_masking_of_passwords_and_nothing_more():
    found = fresh(
        "import urlsm\nurl = urlsm.parse('http://u:p@h/')\nbefore = set(sys.modules)\nrepr(url)\n"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    assert [name for name in found if "bisect" not in name] == [
        *("urlsm.errors", "urlsm.errors.masking", "urlsm.errors.secret_names", "urlsm.errors.secrets"),
        *("urlsm.machine", "urlsm.machine.opaque"),  # for one of the dialects that look for passwords
        *("urlsm.url", "urlsm.url.masked"),
    ]


CORE = ("urlsm.octets.text", "urlsm.machine.driver", "urlsm.unicode.domains", "urlsm.url.parser", "urlsm.url.value")


@pytest.mark.parametrize("first", [*CORE, "urlsm", "urlsm.url", "urlsm.url.edit", "urlsm._core", "urlsm.whatwg"])
def test_the_modules_of_one_library_are_found_as_others_are(first):
    """In a new process, whichever is imported first: by statement, as an attribute of its package, by its spec."""
    found = fresh(
        f"import {first}, {', '.join(CORE)}\nfrom urlsm.url import value\nimport urlsm.url.parser as parser\n"
        "import importlib.util, pickle\n"
        "assert urlsm.url.value is value and urlsm.url.parser is parser and urlsm.parse is value.parse\n"
        "assert pickle.loads(pickle.dumps(urlsm.parse('http://h/a'))) == urlsm.parse('http://h/a')\n"
        f"modules = [importlib.import_module(name) for name in {CORE}]\n"
        "assert all(importlib.util.find_spec(m.__name__) is m.__spec__ and m.__file__ for m in modules)\n"
        f"assert [eval(name) for name in {CORE}] == modules == [sys.modules[name] for name in {CORE}]\n"
        "print(json.dumps([[m.__name__, m.__spec__.name, m.__package__ + '.'] for m in modules]))"
    )
    assert found == [[name, name, name.rpartition(".")[0] + "."] for name in CORE]


def test_threads_that_import_different_modules_at_once_get_the_same_ones():
    names = ["urlsm", "urlsm.whatwg", "urlsm.stdlib", "urlsm.crawler.canonical", "urlsm.columns"]
    code = """
import threading
sys.setswitchinterval(1e-6)
found, failed, ready = set(), [], threading.Barrier(len(names))
def work(name):
    ready.wait()
    try:
        __import__(name)
        found.add(id(sys.modules["urlsm.url.value"].URL))
    except BaseException as error:
        failed.append(repr(error))
threads = [threading.Thread(target=work, args=(name,)) for name in names]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps([failed, len(found)]))"""
    for turn in range(len(names)):
        assert fresh(f"names = {names[turn:] + names[:turn]}{code}") == [[], 1]


def test_later_names_load_on_first_use():
    found = fresh(
        "import urlsm\nnames = ['split', 'validate', 'explain', 'QueryParams', 'whatwg']\n"
        "print(json.dumps([str(getattr(urlsm, name)) for name in names]))"
    )
    assert len(found) == 5


def test_version():
    assert urlsm.__version__ == importlib.metadata.version("urlsm")


# --- split ---


@pytest.mark.parametrize(
    ("text", "dialect", "wanted"),
    [
        ("HTTP://U:P@H:80/a/../b?q#f", "whatwg", ("HTTP", "U:P", "U", "P", "H", "80", "/a/../b", "q", "f")),
        ("http:\\\\h\\x", "whatwg", ("http", None, None, None, "h", None, "\\x", None, None)),
        ("http:h", "whatwg", ("http", None, None, None, "h", None, "", None, None)),
        ("http://h:", "whatwg", ("http", None, None, None, "h", "", "", None, None)),
        ("http://@h", "whatwg", ("http", "", "", None, "h", None, "", None, None)),
        ("//h/x", "whatwg", (None, None, None, None, "h", None, "/x", None, None)),
        ("x?y", "whatwg", (None, None, None, None, None, None, "x", "y", None)),
        ("foo:bar", "whatwg", ("foo", None, None, None, None, None, "bar", None, None)),
        ("ht\ttp://h/a\nb", "whatwg", ("http", None, None, None, "h", None, "/ab", None, None)),
        ("http://h/\ud800", "whatwg", ("http", None, None, None, "h", None, "/\ud800", None, None)),
        ("http://h:x/", "whatwg", ("http", None, None, None, "h", "x", "/", None, None)),
        ("  http://h  ", "whatwg", ("http", None, None, None, "h", None, "", None, None)),
        ("", "whatwg", (None, None, None, None, None, None, "", None, None)),
        ("http:\\\\h\\x", "rfc3986", ("http", None, None, None, None, None, "\\\\h\\x", None, None)),
        ("  http://h  ", "rfc3986", ("  http", None, None, None, "h  ", None, "", None, None)),
        ("http://a@b@h:1:2/", "rfc3986", ("http", "a@b", "a@b", None, "h:1", "2", "/", None, None)),
        ("http://[::1]:8/", "rfc3986", ("http", None, None, None, "[::1]", "8", "/", None, None)),
        ("?#", "rfc3986", (None, None, None, None, None, None, "", "", "")),
        ("http:///\\h;x?y", "barth", ("http", None, None, None, "h", None, ";x", "y", None)),
        ("http://h", "barth", ("http", None, None, None, "h", None, None, None, None)),
        ("http://h?q", "barth", ("http", None, None, None, "h", None, "", "q", None)),
        ("mailto:a?b#c", "barth", ("mailto", None, None, None, None, None, "a?b#c", None, None)),
        ("C:\\x?y", "barth", (None, None, None, None, None, None, "C:\\x", "y", None)),
        ("s3://b/k", "barth", ("s3", None, None, None, "b", None, "/k", None, None)),
    ],
)
def test_split(text, dialect, wanted):
    def seen(c: Components) -> tuple:
        return (c.scheme, c.userinfo, c.username, c.password, c.host, c.port, c.path, c.query, c.fragment)

    assert seen(split(text, dialect=dialect)) == wanted
    assert seen(split(text.encode("utf-8", "surrogatepass"), dialect=dialect)) == tuple(
        None if part is None else part.encode("utf-8", "surrogatepass") for part in wanted
    )
    assert split(text, dialect=dialect).dialect == dialect and split(text, dialect=dialect).text == text


def test_split_defaults_to_whatwg_and_knows_its_dialects():
    assert split("http:\\\\h").dialect == "whatwg"
    with pytest.raises(ValueError, match="whatwg, rfc3986"):
        split("http://h", dialect="rfc9999")
    with pytest.raises(ParseError):
        split("no colon", dialect="barth")
    assert split(parse("http://h/x")).host == "h"


def test_what_rfc_2396_tells_apart():
    """Sections 3, 3.2.1 and 3.3: the opaque part, a registry's name, parameters of segments."""
    c = split("http://h/a;b;c=d/;/e?f", dialect="rfc2396")
    assert c.segments == (("a", "b", "c=d"), ("", ""), ("e",))
    assert (c.opaque_part, c.registry) == (None, None)
    assert split("mailto:a;b?c#d", dialect="rfc2396").opaque_part == "a;b?c"
    for text in ("x:", "x:/a", "x:#f", "a;b", "//h"):
        assert split(text, dialect="rfc2396").opaque_part is None
    for text in ("x://", "x://h", "x://u:p@h.:80", "x://1.2.3.4:", "x://u%20@h"):
        assert split(text, dialect="rfc2396").registry is None
    for text in ("a:b:c", "h:8o", "a_b", "1.2.3", "u@@h", "[::1]", "é", "h:1:2", "-a", "a..b"):
        assert split(f"x://{text}/", dialect="rfc2396").registry == text
    assert (
        split(b"x://a_b/c;d", dialect="rfc2396").registry == b"a_b"
        and split(b"x:a?b", dialect="rfc2396").opaque_part == b"a?b"
    )
    assert split(b"x:/c;d", dialect="rfc2396").segments == ((b"c", b"d"),)
    other = split("mailto:a;b", dialect="rfc3986")
    assert (other.opaque_part, other.registry, other.segments) == (None, None, (("a;b",),))
    assert split("x:", dialect="rfc2396").segments == () and split("x:/", dialect="rfc2396").segments == (("",),)


@pytest.mark.parametrize(
    ("host", "zone"),
    [
        ("[fe80::1%25eth0]", "eth0"),
        ("[fe80::1%eTh0]", "eTh0"),
        ("[fe80::1%2525]", "25"),
        ("[fe80::1%25%41]", "%41"),
        ("[fe80::1%25]", ""),
        ("[fe80::1]", None),
        ("fe80%25eth0", None),
        ("[fe80%25eth0", None),
        ("", None),
    ],
)
def test_a_zone_identifier_is_told_apart_and_not_decoded(host, zone):
    for dialect in ("rfc3986", "rfc2396"):
        c = split(f"http://u@{host}:80/", dialect=dialect)
        assert (c.host, c.zone, c.port) == (host, zone, "80")
    assert split(f"http://{host}/".encode(), dialect="rfc3986").zone == (None if zone is None else zone.encode())
    if zone is not None:
        assert [v.code for v in urlsm.validate(f"http://{host}/")] == ["ip-literal-invalid"]
        assert not urlsm.can_parse(f"http://{host}/")
    assert split("x:", dialect="rfc3986").zone is None


def test_components_replace():
    c = split("http://u:p@h:1/a?b#c", dialect="rfc3986")
    assert unsplit(c.replace(host="i", query=None)) == "http://u:p@i:1/a#c"
    assert unsplit(c.replace(username="x")) == "http://x:p@h:1/a?b#c"
    assert unsplit(c.replace(userinfo="x")) == "http://x@h:1/a?b#c" == unsplit(c.replace(username="x", password=None))
    assert unsplit(c.replace(username=None)) == "http://h:1/a?b#c" == unsplit(c.replace(userinfo=None))
    assert unsplit(c.replace(host=None)) == "http:/a?b#c"
    assert unsplit(split(b"http://h/", dialect="rfc3986").replace(port=b"8")) == b"http://h:8/"
    assert c.replace() == c and c.replace().dialect == "rfc3986"
    for wrong in ({"username": "a:b"}, {"host": None, "port": "1"}):
        with pytest.raises(ValueError):
            c.replace(**wrong)
    for wrong in ({"nothing": "x"}, {"host": b"h"}):
        with pytest.raises(TypeError):
            c.replace(**wrong)


def test_components_are_frozen_and_made_by_keyword():
    made = Components(
        scheme="http", username="u", password="p", host="h", port="80", path="/x", query="q", fragment="f"
    )
    assert unsplit(made) == made.text == "http://u:p@h:80/x?q#f"
    assert made.authority == "u:p@h:80" and made.userinfo == "u:p" and made.rest == "//u:p@h:80/x?q#f"
    assert made == split(unsplit(made)) and hash(made) == hash(split(unsplit(made)))
    assert "'p'" not in repr(made)
    for name in ("scheme", "host", "path", "dialect", "anything"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(made, name, "x")
    with pytest.raises(TypeError):
        Components("http")
    with pytest.raises(ValueError):
        Components(dialect="no-such-dialect")
    assert unsplit(Components(scheme=b"http", host=b"h", path=b"/")) == b"http://h/"


@pytest.mark.parametrize(
    ("text", "name", "span"),
    [
        ("http://u:p@h:80/x?q#f", "scheme", (0, 4)),
        ("http://u:p@h:80/x?q#f", "authority", (7, 15)),
        ("http://u:p@h:80/x?q#f", "userinfo", (7, 10)),
        ("http://u:p@h:80/x?q#f", "password", (9, 10)),
        ("http://u:p@h:80/x?q#f", "port", (13, 15)),
        ("http://u:p@h:80/x?q#f", "fragment", (20, 21)),
        (" http://h ", "host", (8, 9)),
        ("http://é/日?x", "path", (8, 10)),
        ("http://é/日?x", "query", (11, 12)),
        ("ht\ttp://h/\nx", "host", (8, 9)),
        ("http://h/", "query", None),
        ("http://é/", "query", None),
        ("ht\ttp://h/", "query", None),
        ("http://h/?", "query", (10, 10)),
    ],
)
def test_span(text, name, span):
    assert split(text).span(name) == span
    with pytest.raises(ValueError):
        split(text).span("no-such-name")


def test_rest_is_all_after_the_scheme():
    assert split("http://h/x?y#z").rest == "//h/x?y#z"
    assert split("mailto:a@b?c", dialect="rfc3986").rest == "a@b?c"
    assert split("x/y", dialect="rfc3986").rest == "x/y"
    assert split(b"foo:bar").rest == b"bar"


# --- explain ---


def test_explain_shows_each_step_and_no_password():
    trace = explain("http://user:secret@h:8/a?q#f")
    assert isinstance(trace, Trace) and trace.url == parse("http://user:secret@h:8/a?q#f") and trace.error is None
    states = [step.state for step in trace.steps]
    for state in (
        "scheme state",
        "authority state",
        "host state",
        "port state",
        "path state",
        "query state",
        "fragment state",
    ):
        assert state in states
    assert states.index("scheme state") < states.index("host state") < states.index("path state")
    assert "secret" not in str(trace) and "secret" not in repr(trace)
    assert [step.text for step in trace.steps if step.state == "path state" and step.code is None] == ["/a"]


def test_explain_of_a_refusal_and_of_other_dialects():
    trace = explain("http://a b/")
    assert trace.url is None and trace.error.code == "domain-to-ASCII" and "domain-to-ASCII" in str(trace)
    for dialect in ("rfc3986", "rfc2396", "rfc1738", "barth"):
        assert str(explain("http://h/x?y", dialect=dialect)).startswith(dialect)
    with pytest.raises(ValueError):
        explain("http://h", dialect="no-such-dialect")
    assert explain("x", base="http://h/a/b").url == parse("http://h/a/x")


def test_resolve_knows_every_hierarchical_scheme():
    for scheme in ("s3", "gemini", "git+ssh", "http+unix", "foo"):
        assert urlsm.resolve("../c", base=f"{scheme}://h/a/b") == f"{scheme}://h/c"
    with pytest.raises(ParseError):
        urlsm.resolve("y", base="mailto:x")
    with pytest.raises(ParseError):
        urlsm.resolve("y", base="no base")
