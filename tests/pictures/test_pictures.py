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
from urlsm.pictures import Span, ansi, html, page, spans, svg
from urlsm.pictures.sheet import STYLE, policy

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
