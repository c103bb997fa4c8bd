"""Edits without the parser: each gives the result of the long way."""

from __future__ import annotations

import copy
from enum import IntEnum

import pytest
from support.seeds import seeded

import urlsm
from urlsm import whatwg
from urlsm.url import edit
from urlsm.url.masked import masked

BASES = [
    *(
        "http://a.b/",
        "https://www.e.org/a/b?q=1#f",
        "http://u:p@h.x:8080/p?q",
        "ws://h/?#",
        "ftp://h:21/a#x",
        "x:opaque",
    ),
    *(
        "http://1.2.3.4/x#",
        "https://h/?a=b",
        "https://h//b/../c",
        "file:///C:/x?q",
        "x://h/p?q#f",
        "x:/p",
        "wss://h:444/#?",
    ),
]
VALUES = [
    *("", "/", "/a", "/a/../b", "/.x", "/%2e/", "x", "a=1&b=2", "q#r", "q?", "é", "h", "H", "h.example", "1.2", "0x1"),
    *(
        "h:80",
        "a b",
        "%zz",
        "%41",
        "http",
        "https",
        "ws",
        "file",
        "foo",
        "HTTP",
        "/x'y",
        "'",
        "\\",
        "/\\",
        "\t",
        "`",
        "{",
    ),
    *(
        "x" * 300,
        "xn--a",
        "@",
        "?a\tb",
        "##",
        "#",
        "?",
        "80",
        "443",
        "0",
        "65535",
        "65536",
        "8a",
        "080",
        "https:",
        "\ud800",
    ),
]


SETTERS = ("protocol", "host", "hostname", "port", "pathname", "search", "hash", "username", "password")
Five = IntEnum("Five", {"FIVE": 5})


def outcome(function, *arguments):
    try:
        url = function(*arguments)
    except (ValueError, TypeError) as error:
        return type(error), str(error)
    return whole(url)


def whole(url):
    return url.href, edit.offsets_of(url)


@pytest.mark.parametrize("base", BASES)
def test_replace_of_one_component(base):
    url = urlsm.parse(base)
    for name in ("scheme", "username", "password", "host", "port", "path", "query", "fragment"):
        for value in [*VALUES, None, 5, True, 0, -1, 21, 80, 443, 65535, 65536, 2**70, -(2**70), 80.0, Five(5)]:
            fast, careful = (outcome(way, name, value) for way in (lambda n, v: url.replace(**{n: v}),
                                                                  lambda n, v: edit.replace(url, {n: v})))  # fmt: skip
            assert fast == careful, (name, value)
    for query in VALUES:
        assert outcome(url.with_query, query) == outcome(lambda q: edit.replace(url, {"query": q}), query)


@pytest.mark.parametrize("base", BASES)
def test_setters(base):
    for name in SETTERS:
        for value in VALUES:
            if "\ud800" in value:
                continue
            url = whatwg.URL(base)
            setattr(url, name, value)
            immutable = urlsm.parse(base)
            careful = edit.set_component(immutable, name, value) or immutable
            assert url.href == careful.href, (name, value)
            assert whole(copy.deepcopy(url).__getstate__()[0]) == whole(careful), (name, value)
            assert list(url.search_params) == list(whatwg.URLSearchParams(value if name == "search" else url.search))


PIECES = [
    *"aZ09.:@/?#[]%\\|'~^ {`\t\n",
    "ab",
    "www.",
    ".org",
    "80",
    "443",
    "0x1",
    "65535",
    "xn--",
    "%41",
    "..",
    "é",
    "\x7f",
]
CHANGED = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")


def test_random_changes_are_as_the_careful_way_makes_them(cases):
    rng = seeded(20)
    urls = [urlsm.parse(base) for base in BASES] + [urlsm.parse("https://:p@h/"), urlsm.parse("http://u@h:1")]
    for _ in range(cases):
        url, value = rng.choice(urls), "".join(rng.choices(PIECES, k=rng.randint(0, 5)))
        if rng.random() < 0.5:
            name = rng.choice(CHANGED)
            if name == "port":
                value = rng.choice([80, 443, 21, rng.randint(-5, 70_000), None])
            fast, careful = outcome(replaced, url, {name: value}), outcome(edit.replace, url, {name: value})
        else:
            name, browsers = rng.choice(SETTERS), whatwg.URL(url)
            setattr(browsers, name, value)
            fast = whole(copy.deepcopy(browsers).__getstate__()[0])
            careful = whole(edit.set_component(url, name, value) or url)
        assert fast == careful, (url, name, value)


def test_random_builds_are_as_the_careful_way_makes_them(cases):
    rng = seeded(21)
    plain = {"scheme": ["https", "ws", "ftp", "HTTP", "foo", "file"], "host": ["h", "www.e.org", "1.2", "H"],
             "port": [80, 443, 8080, None], "path": ["", "/", "/a/b", "a"]}  # fmt: skip
    bare = urlsm.parse("foo://bare")
    for _ in range(cases):
        asked = {name: "".join(rng.choices(PIECES, k=rng.randint(0, 3))) for name in CHANGED if rng.random() < 0.5}
        asked |= {name: rng.choice(given) for name, given in plain.items() if rng.random() < 0.8 or name == "port"}
        asked = {"scheme": "http", "host": "h", "path": "", **asked}
        fast, careful = outcome(built, asked), outcome(edit.replace, bare, asked)
        assert fast == careful or fast[0] is careful[0] is ValueError, asked


def built(asked):
    return urlsm.URL.build(**asked)


def replaced(url, changes):
    return url.replace(**changes)


def as_it_was(url, base):
    """Compute relative_to by trying all forms of a reference."""
    tail = url.href[len(url.href.partition("?")[0].partition("#")[0]) :]
    ours, theirs = url.path.split("/"), base.path.split("/")
    same = 0
    while same < min(len(ours), len(theirs)) - 1 and ours[same] == theirs[same]:
        same += 1
    climb = "../" * (len(theirs) - 1 - same) + "/".join(ours[same:]) + tail
    forms = ["" if url.fragment is None else "#" + url.fragment, tail, climb, "./" + climb, url.path + tail]
    forms += ["/." + url.path + tail, f"//{url.authority}{url.path}{tail}"]
    if climb.endswith("/") or not climb:
        forms.append(climb.removesuffix("/") or ".")
    found = [form for form in sorted(forms, key=len) if urlsm.try_parse(form, base=base) == url]
    return found[0] if found else url.href


RELATIVE_HEADS = [*["http://h"] * 6, "http://h:81", "https://h", "ws://u:p@h", "ftp://h", "http://http", "http://u@h"]
RELATIVE_HEADS += ["x://h", "x:", "file://h", "file:///c:", "blob:http://h"]
RELATIVE_PIECES = ["/", "/", "/a", "/b", "/a/", "a:b", "?", "?q", "?q/", "#", "#f", "#/", "//", "/a/b/c", "x"]
RELATIVE_PIECES += [
    "http://h",
    "//h",
    "1:2",
    ":",
    "%2e%2f",
    "/.a",
    "...",
    "/.%2",
    "@",
    "|",
    "/" + "long" * 5,
    "\xe9",
    "%",
]


def related(rng):
    """Return two URLs that mostly have much in common; None for one that does not parse."""
    shared = rng.choice(RELATIVE_HEADS) + "".join(rng.choice(RELATIVE_PIECES) for _ in range(rng.randrange(3)))
    for _ in range(2):
        start = shared if rng.random() < 0.8 else rng.choice(RELATIVE_HEADS)
        yield urlsm.try_parse(start + "".join(rng.choice(RELATIVE_PIECES) for _ in range(rng.randrange(5))))


def test_relative_to_is_the_shortest_reference(cases):
    rng = seeded(3986)
    for _ in range(cases):
        url, base = related(rng)
        if url and base:
            reference = url.relative_to(base)
            assert reference == as_it_was(url, base), (url, base)


def test_what_follows_from_the_components(cases):
    """Attributes in C, by their definitions."""
    rng = seeded(9112)
    for _ in range(cases):
        for url in related(rng):
            if url is None:
                continue
            name = url.segments[-1] if url.segments else ""
            before, dot, after = name.rpartition(".")
            assert url.name == name and url.suffix == (dot + after if before and after else ""), url
            default = url.handler.default_port_of(url.scheme)
            assert url.effective_port == (default if url.port is None else url.port), url
            assert url.request_target == (url.path or "/") + ("" if url.query is None else f"?{url.query}"), url
            assert url.parent == edit.without_last_segment(url), url
            assert edit.offsets_of(url.parent) == edit.offsets_of(urlsm.parse(url.parent.href)), url


@pytest.mark.parametrize(
    "text",
    [
        *("http://a/?password=x", "http://a/?PassWord=x", "http://a/?xpassword=1", "http://a/?p=1'", "http://u:p@h/"),
        *("data:x,password=1", "x:a\\b?password", "http://a/?b=//u:p@h", "http://h/?a=b&xPASSWORD=", "mailto:a@b"),
        *("http://h/", "http://h/?\\", "x://h/a\\'b", "x:a;password=b", "http://h/?passworx=1&password"),
    ],
)
def test_repr_is_masked(text):
    url = urlsm.parse(text)
    assert repr(url) == f"URL({masked(url)!r})"


def test_a_url_that_is_not_made_yet_is_blank():
    assert whatwg.URL.__new__(whatwg.URL).href == "about:blank"
    with pytest.raises(TypeError):
        whatwg.URL("http://h/").__setstate__((None, None, None))
    with pytest.raises(TypeError):
        whatwg.URLSearchParams("").__setstate__((None, None))


@pytest.mark.slow(20)
@pytest.mark.parametrize("scheme", ["http", "foo"])
def test_no_edit_makes_a_longer_url_than_parse_reads(scheme):
    """The limit is 2**30 - 1 octets, whether an edit is plain or takes the parser."""
    try:
        url = urlsm.parse(f"{scheme}://h/" + "a" * ((1 << 30) - 3 - len(f"{scheme}://h/")))
        for edit_it in (
            lambda: url.replace(fragment="bc"),
            lambda: url.replace(fragment="bc", port=None),
            lambda: url / "bc",
            lambda: url.update_query({"b": "c"}),
        ):
            with pytest.raises(urlsm.ParseError) as caught:
                edit_it()
            assert (caught.value.code, caught.value.position) == ("too-long", (1 << 30) - 1)
        assert len(url.replace(fragment="b").href) == (1 << 30) - 1
    except MemoryError:
        pytest.skip("no memory for texts of a gibibyte")
