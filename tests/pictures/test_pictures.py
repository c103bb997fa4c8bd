"""urlsm.pictures: the spans of a text are all of it, without secrets, and safe."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import parse_qs

import pytest
from hypothesis import given, settings
from support.generate import any_text

import urlsm
from urlsm.pictures import Span, ansi, bands, html, page, spans, svg
from urlsm.pictures.sheet import STYLE, policy
from urlsm.security import compare_readers

few = settings(max_examples=max(settings.default.max_examples // 20, 10))
HOSTILE = [
    "<script>alert(1)</script>",
    "http://h/\"'><img src=x onerror=alert(1)>",
    "http://h/</style></code><style>",
    "javascript:alert(1)",
    "\u202ehttp://h/\u2066\u200b",
    "http://h/\0\x1b[31m\x07",
    "\ud800http://\udcff",
    "http://h/" + "<" * 5000,
    "http://h/" + "a" * (1 << 18),
    "",
    " ",
    "&lt;&amp;",
    "http://u:hunter2@h/?password=hunter2",
    "http://u:hunter2@h:x/",
    "jdbc:mysql://u:hunter2@h/x",
    "sip:a:hunter2@h",
    "http:\\\\u:hunter2@evil\\@h",
    "data:text/html,<script>alert(1)</script>",
    "postgresql://h/?sslpassword=hunter2",
]


class Page(HTMLParser):
    """A page as a browser reads it: elements, their attributes, the text."""

    def __init__(self, made: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.text = ""
        self.feed(made)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attributes}
        self.links += [value for name, value in attributes if name == "href"]

    def handle_data(self, data):
        if not self.tags or self.tags[-1] != "style":
            self.text += data


def test_spans_are_the_states_and_the_violations():
    found = spans("http://u:pw@h:8/x?y#z")
    assert [span.text for span in found] == ["http:", "//", "u:***@", "h", ":8", "/x", "?y", "#z"]
    assert [span.state.removesuffix(" state") for span in found][2:] == [
        *("authority", "host", "port", "path", "query", "fragment")
    ]
    assert [span.codes for span in spans("http://h:x/")][-2:] == [("port-invalid",), ("port-invalid",)]
    assert spans("x") == [Span("", "x", ("missing-scheme-non-relative-URL",))]
    assert "".join([span.text for span in spans(urlsm.explain("http://h/x", dialect="rfc3986"))]) == "http://h/x"


@few
@given(any_text())
def test_spans_together_are_all_of_the_text(given):
    shown = "".join([span.text for span in spans(given)])
    if "@" not in given and "password" not in given.lower():
        from urlsm.errors.excerpt import printable

        assert shown == printable(given)
    assert shown.isprintable()
    plain = re.sub("\x1b\\[[0-9;]*m", "", ansi(given))
    assert plain == shown and unescape(re.sub("<[^>]*>", "", html(given))) == shown


@few
@given(any_text())
def test_a_page_holds_the_elements_that_it_should_and_no_others(given):
    found = Page(page(given, form=True))
    assert set(found.tags) <= {
        *("html", "head", "meta", "title", "style", "body", "h1", "h2", "form", "input", "button", "p", "code", "span"),
        *("a", "table", "tr", "th", "td", "pre"),
    }
    assert not {name for name in found.attributes if name.startswith("on") or name in ("src", "style")}
    assert found.tags.count("a") <= 1 and all(link.startswith("/?url=") for link in found.links)
    assert all(line.isprintable() for line in found.text.split("\n"))


@pytest.mark.parametrize("given", HOSTILE, ids=[str(k) for k in range(len(HOSTILE))])
def test_hostile_texts_are_shown_inert(given):
    for made in (page(given), page(given, form=True), html(given), svg(given)):
        assert "<script" not in made and "<img" not in made and "hunter2" not in made
        assert all(line.isprintable() for line in made.split("\n")) and len(made) < 100_000
    assert "script" not in Page(page(given)).tags


@few
@given(any_text())
def test_the_permalink_leads_back(given):
    """The server reads the same text from it; so a masked text has no permalink."""
    for link in Page(page(given, form=True)).links:
        assert parse_qs(link.partition("?")[2], True, errors="surrogateescape")["url"] == [given]
    assert Page(page(given)).links == []  # a file


@pytest.mark.parametrize(
    ("given", "linked"),
    [
        *((text, True) for text in ("http://h/?a=b&c#d%20+", "", " ", "\u202e\0", "b\u00fccher", "\udcff", "\"'<>")),
        *((text, False) for text in ("http://u:hunter2@h/", "http://h/?password=hunter2", "\ud800", "x:" + "a" * 8000)),
    ],
)
def test_what_has_a_permalink(given, linked):
    assert bool(Page(page(given, form=True)).links) == linked


def test_spans_have_labels():
    made = page("http://u:pw@h:8/x?y#z")
    found = re.findall(r'<span class="u-(\w+)[^>]*>([^<]*)<span class="label">([^<]*)<', made)
    assert found == [
        *(("scheme", "http:", "scheme"), ("slashes", "//", "slashes"), ("authority", "u:***@", "userinfo")),
        *(("host", "h", "host"), ("port", ":8", "port"), ("path", "/x", "path"), ("query", "?y", "query")),
        ("fragment", "#z", "fragment"),
    ]
    assert '>x/<span class="label">not read<' in page("http://h:x/") and "label" not in html("http://h:x/")


def test_the_policy_names_the_style_and_nothing_else():
    assert policy(form=False).startswith("default-src 'none'; style-src 'sha256-")
    assert policy(form=False).endswith("form-action 'none'; base-uri 'none'") and "'self'" in policy(form=True)
    assert f"<style>{STYLE}</style>" in page("http://h/") and "<form" not in page("http://h/")
    assert "url(" not in STYLE and "@import" not in STYLE


def test_a_page_says_what_is_dangerous():
    found = Page(page("http://example.org\\@127.1:25/%2e%2e/")).text
    for said in ("dialects-disagree", "loopback-address", "They do not agree", "invalid-reverse-solidus"):
        assert said in found
    assert "They agree" in Page(page("http://h/")).text
    assert "port-invalid" in Page(page("http://h:x/")).text


def test_notebooks_and_rich_show_pictures():
    url = urlsm.parse("http://u:hunter2@h/<b>")
    assert url._repr_html_() == html(url.href) and "hunter2" not in url._repr_html_()
    assert "host state" in urlsm.explain("http://h/")._repr_html_()
    assert urlsm.security.audit("http://u@h/")[0]._repr_html_().startswith("<b>credentials</b> in userinfo at 7: ")
    assert list(url.__rich_repr__()) == [url.masked()]
    found = urlsm.security.compare_readers("http://u:hunter2@a\\@b/<b>")
    assert Page(found._repr_html_()).tags[:2] == ["table", "tr"] and "background" in found._repr_html_()
    assert "hunter2" not in found._repr_html_() + str(list(found.__rich_repr__()))
    trace = dict(each[:2] for each in urlsm.explain("http://u:hunter2@h/<b>").__rich_repr__())
    assert trace["url"] == "http://u:***@h/%3Cb%3E" and trace["error"] is None and "hunter2" not in str(trace)
    assert [span.text for span in trace["spans"] if span.state == "host state"] == ["h"]
    assert ("error", "host-missing", None) in urlsm.explain("http://u:hunter2@").__rich_repr__()
    first, *_ = urlsm.security.audit("http://u@h/")[0].__rich_repr__()
    assert first == "credentials"
    with pytest.raises(AttributeError):
        _ = urlsm.pictures.nothing


PROGRAMS = ["go", "php", "curl", "urllib.parse", "requests", "whatwg", "nginx"]
TRICK = "http://127.1\\@evil.example/a/../b"


def test_readers_that_see_the_same_share_a_letter_and_a_colour():
    made = bands.bands(compare_readers(TRICK, readers=PROGRAMS))
    letters = {band.name.partition(" ")[0]: band.letter for band in made}
    assert letters == {
        **{"go": "-", "php": "A", "curl": "B", "urllib.parse": "A", "requests": "C", "whatwg": "D", "nginx": "-"}
    }
    assert len({band.place for band in made}) == len({band.letter for band in made})
    assert {band.refusal for band in made if band.letter == "-"} == {"userinfo", "host"}
    assert made[1].name.startswith("php 8.") and made[1].differs == frozenset()
    assert made[2].differs == {"path"} and made[4].differs == {"userinfo", "host", "path", "connects"}
    assert {band.letter for band in bands.bands(compare_readers("http://h/", readers=PROGRAMS))} == {"A"}
    # a server sees no scheme and no port, and so contradicts nobody
    assert {band.letter for band in bands.bands(compare_readers("https://h:8/", readers=["nginx", "go"]))} == {"A"}


def test_letters_and_colours_do_not_run_out():
    assert [bands._letter(number) for number in (0, 25, 26, 51, 52, 702)] == ["A", "Z", "AA", "AZ", "BA", "AAA"]
    every = [one.name for one in urlsm.security.readers()]
    made = bands.bands(compare_readers("http:a%41\\@127.1:080/./x y", readers=every))
    assert len({band.letter for band in made}) > len(bands.COLOURS) > max(band.place for band in made)


def test_the_page_has_a_band_for_each_reader():
    made = page(TRICK, form=True, readers=PROGRAMS)
    assert "As the chosen programs read it" in made and "As the chosen programs" not in page(TRICK)
    rows = re.findall(r'<tr class="band-([0-9])"><td>([A-Z-])</td><th scope="row">([^ <]*)', made)
    assert [row[2] for row in rows] == PROGRAMS and len({row[:2] for row in rows}) == len({row[0] for row in rows})
    assert 'class="other"' in made and "rejects the URL: userinfo" in made
    assert "readers-disagree" in made and "readers-disagree" not in page(TRICK)
    assert f'value="{", ".join(PROGRAMS)}"' in made
    [link] = Page(made).links
    asked = parse_qs(link.partition("?")[2])
    assert asked == {"url": [TRICK], "readers": [",".join(PROGRAMS)]}
    assert page(TRICK, readers=["browsers"]).count('class="band-') == 2
    for wrong, kind in ((["nope"], ValueError), ([], ValueError), ("curl", TypeError)):
        with pytest.raises(kind):
            page(TRICK, readers=wrong)
        with pytest.raises(kind):
            svg(TRICK, readers=wrong)


def test_the_colours_suit_black_text():
    """WCAG 2.2, 1.4.3: a contrast of 4.5, whatever the theme."""

    def light(colour):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for colour in bands.COLOURS:
        assert (light(colour) + 0.05) / (light("#1a1a1a") + 0.05) > 7
    assert all(
        f".band-{place}{{background:{colour};color:#1a1a1a}}" in STYLE for place, colour in enumerate(bands.COLOURS)
    )


def test_the_svg_has_a_band_for_each_reader():
    made = svg(TRICK, readers=PROGRAMS)
    lines = re.findall(r'<text class="band"[^>]*>([^<]*)<', made)
    assert [line.split()[1] for line in lines] == PROGRAMS and [line.split()[0] for line in lines][:3] == [
        "-",
        "A",
        "B",
    ]
    assert lines[0].endswith("rejects the URL: userinfo") and "host evil.example" in lines[1]
    width = int(re.search(r'width="([0-9]+)"', made)[1])
    assert width >= max(map(len, lines)) * 9 and "as programs see it" in made
    assert svg(urlsm.explain(TRICK), readers=PROGRAMS) == made
    assert 'class="band"' not in svg(TRICK)


@pytest.mark.parametrize("given", HOSTILE, ids=[str(k) for k in range(len(HOSTILE))])
def test_bands_of_hostile_texts_are_inert(given):
    every = [one.name for one in urlsm.security.readers()]
    found = compare_readers(given, readers=every)
    for made in (page(given, form=True, readers=every), svg(given, readers=every), found._repr_html_()):
        assert "<script" not in made and "<img" not in made and "hunter2" not in made
        assert all(line.isprintable() for line in made.split("\n"))
    shown = f"{found!r}{found.differences}{list(found.__rich_repr__())}"
    assert "hunter2" not in shown
    assert "hunter2" not in str(urlsm.security.audit(given, readers=every))
    assert all(hazard.message.isprintable() for hazard in urlsm.security.audit(given, readers=every))
