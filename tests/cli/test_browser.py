"""The pages of urlsm serve and urlsm page in a real browser."""

from __future__ import annotations

import re
import threading
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from support.browser import MISSING, Browser

from urlsm.cli import app as cli
from urlsm.cli.serve import Server
from urlsm.pictures.drawing import COLOURS

pytestmark = [pytest.mark.slow(20), pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
DANGEROUS = "http://example.org\\@127.1:25/%2e%2e/a?b#c"
TEXTS = {  # hostile texts, each with its visible form
    "script": ("http://h/<script>document.title='run'</script>", "<script>document.title='run'</script>"),
    "attribute": ("http://h/\"'><img src=x onerror=\"document.title='run'\">", "<img src=x onerror="),
    "end of style": ("http://h/</style></code><style>*{display:none}</style>", "*{display:none}"),
    "javascript": ("javascript:document.title='run'", "document.title='run'"),
    "bidi": ("http://h/\u202egpj.exe\u2066", "\\u202egpj.exe\\u2066"),
    "control": ("http://h/\0\x1b[31m\x07", "\\x00\\x1b[31m\\x07"),
    "surrogates": ("http://h/\ud800\udcff", "\\ud800"),
    "long": ("http://h/" + "a" * (1 << 20), "aaaa…aaaa"),
    "many": ("http://h/" + "\\" * 3000, "\\\\\\\\"),
}


@pytest.fixture(scope="module")
def server():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.port}"
        server.shutdown()


@pytest.fixture(scope="module")
def one_browser(tmp_path_factory):
    with Browser(str(tmp_path_factory.mktemp("profile"))) as browser:
        yield browser


@pytest.fixture
def browser(one_browser):
    one_browser.resize(1000, 900)
    one_browser.prefer("light")
    one_browser.complaints()
    return one_browser


def text_of(browser):
    return browser.run("return document.body.innerText")


def rgb(colour):
    """(red, green, blue) of "#rrggbb" or "rgba(r, g, b, a)"."""
    if colour.startswith("#"):
        return tuple(int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return tuple(int(number) for number in re.findall(r"\d+", colour)[:3])


def contrast(one, other):
    """https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio"""

    def luminance(colour):
        parts = [part / 255 for part in rgb(colour)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    lighter, darker = sorted([luminance(one), luminance(other)], reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_text_and_colours(browser, server):
    browser.open(f"{server}/?url={quote(DANGEROUS)}")
    seen = text_of(browser)
    for said in ("dialects-disagree", "loopback-address", "They do not agree", "invalid-reverse-solidus", "whatwg"):
        assert said in seen
    for name in ("scheme", "host", "path", "query", "fragment"):
        assert rgb(browser.style(f".u-{name}", "background-color")) == rgb(COLOURS[name][0])
    assert rgb(browser.style("td.differs", "background-color")) == rgb("#b00020")
    assert "3px solid" in browser.style(".u-wrong", "border-bottom")
    assert browser.complaints() == []  # the policy lets the style sheet in, and there is nothing else


def test_the_keyboard_is_enough(browser, server):
    browser.open(f"{server}/")
    assert browser.run("return document.activeElement.name") == "url"
    browser.type(DANGEROUS + "\ue007")  # Enter
    assert parse_qs(urlsplit(browser.url).query)["url"] == [DANGEROUS]
    assert "loopback-address" in text_of(browser) and browser.run("return document.activeElement.name") == "url"
    browser.type("\ue004")  # Tab
    assert browser.run("return document.activeElement.textContent") == "Look"
    assert browser.style("button:focus", "outline-style") != "none"
    browser.type("\ue007")
    assert "loopback-address" in text_of(browser)


def test_tab_goes_through_the_page_in_order_and_shows_where_it_is(browser, server):
    browser.open(f"{server}/?url={quote(DANGEROUS)}")
    seen = []
    for _ in range(3):
        name = browser.run("return document.activeElement.tagName.toLowerCase()")
        seen.append(name)
        ring = browser.style(f"{name}:focus", "outline").removeprefix("rgb")
        assert "solid 3px" in ring and contrast(browser.style(f"{name}:focus", "outline-color"), "#ffffff") >= 3
        browser.type("\ue004")
    assert seen == ["input", "button", "a"] and browser.run("return document.activeElement.tagName") == "BODY"


def test_the_permalink_leads_to_the_same_page(browser, server):
    given = "http://h/?a=b&c=%20+#\u00fc\\\"'"
    browser.open(f"{server}/?url={quote(given)}")
    before = text_of(browser)
    browser.run("document.querySelector('a').click()")
    assert parse_qs(urlsplit(browser.url).query)["url"] == [given] and text_of(browser) == before
    browser.open(f"{server}/?url={quote('http://u:hunter2@h/')}")
    assert browser.run("return document.querySelector('a')") is None


WIDE = "return [...document.querySelectorAll('body *')].filter(e => e.tagName != 'INPUT' && (" \
       "e.getBoundingClientRect().right > innerWidth || e.scrollWidth > e.clientWidth + 1 && e.clientWidth)" \
       ").map(e => e.outerHTML.slice(0, 200))"  # fmt: skip


@pytest.mark.parametrize("width", [320, 360, 500, 1200])
def test_nothing_overflows(browser, server, width):
    browser.resize(width, 700)
    for given in (
        *(DANGEROUS, "http://h/" + "a" * 3000, "mailto:" + "a@b.example," * 50, "http://" + "h" * 250 + ":x", ""),
        *("https://u:p@xn--exmple-cua.com:8443/a/b?" + "q=1&" * 200, "data:text/plain," + "W" * 500),
    ):
        browser.open(f"{server}/?url={quote(given)}")
        assert browser.run("return document.documentElement.scrollWidth") <= width and browser.run(WIDE) == []
        assert browser.run("return getComputedStyle(document.body).fontSize") == "16px"


@pytest.mark.parametrize("width", [360, 660, 780, 1200])
def test_five_readers_are_aligned_and_labels_are_below_the_spans(browser, server, width):
    browser.resize(width, 700)
    browser.open(f"{server}/?url={quote(DANGEROUS)}")
    lefts = browser.run(
        "const found = {}; for (const e of document.querySelectorAll('.readers td[data-part]'))"
        "(found[e.dataset.part] ??= []).push(Math.round(e.getBoundingClientRect().left)); return found"
    )
    assert {*lefts} == {"scheme", "userinfo", "host", "port", "path"}
    assert all(len({*found}) == 1 for found in lefts.values())
    assert len({found[0] for found in lefts.values()}) == (1 if width < 768 else 5)
    heights = "return [...document.querySelectorAll('.readers th')].map(e => e.getBoundingClientRect().height)"
    assert max(browser.run(heights)) < 40  # no word is broken
    labels = browser.run(
        "return [...document.querySelectorAll('.u>span')].map(e => { const range = document.createRange();"
        "range.selectNode(e.firstChild); const label = e.querySelector('.label').getBoundingClientRect();"
        "return [e.querySelector('.label').textContent, range.getBoundingClientRect().bottom <= label.top + 1] })"
    )
    assert labels == [[name, True] for name in ("scheme", "slashes", "host", "path", "query", "fragment")]


TEXTS_ON_GROUNDS = """
const probe = document.createElement('i'); document.body.append(probe); probe.style.backgroundColor = 'Canvas';
const canvas = getComputedStyle(probe).backgroundColor; probe.remove();
const parsed = text => text.match(/[\\d.]+/g).map(Number);
const found = {};
for (const e of document.querySelectorAll('body, body *')) {
    const grounds = [];
    for (let at = e; at; at = at.parentElement) grounds.push(parsed(getComputedStyle(at).backgroundColor));
    let ground = parsed(canvas);
    for (const [r, g, b, a = 1] of grounds.reverse())
        ground = [r, g, b].map((value, k) => a * value + (1 - a) * ground[k]);
    found[`${e.tagName}.${e.className}`] = [getComputedStyle(e).color, `rgb(${ground.map(Math.round)})`];
}
return found
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_contrast(browser, server, scheme):
    """WCAG 2.1, 1.4.3: 4.5 to 1 at least, on the background of a text, of any layers."""
    browser.prefer(scheme)
    for given in (DANGEROUS, "http://u@h:x/", "https://me@example.com:1/a?b"):
        browser.open(f"{server}/?url={quote(given)}")
        found = browser.run(TEXTS_ON_GROUNDS)
        assert {"A.", "BUTTON.", "INPUT.", "SPAN.label", "TD."} <= {*found}
        assert [name for name, colours in found.items() if contrast(*colours) < 4.5] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_can_be_read_in_light_and_in_dark(browser, server, scheme):
    browser.prefer(scheme)
    browser.open(f"{server}/?url={quote('http://u@h:x/')}")
    ground = browser.run(
        "const probe = document.createElement('i'); document.body.append(probe);"
        "probe.style.backgroundColor = 'Canvas';"
        "const found = getComputedStyle(probe).backgroundColor; probe.remove(); return found"
    )
    assert (sum(rgb(ground)) < 200) == (scheme == "dark")
    for selector in ("body", ".bad", "th", "td"):
        assert contrast(browser.style(selector, "color"), ground) >= 4.5
    for selector in (".u-scheme", ".u-host", ".u-rest"):
        assert contrast(browser.style(selector, "color"), browser.style(selector, "background-color")) >= 4.5


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("how", ["served", "file"])
def test_hostile_texts_are_inert(browser, server, tmp_path, name, how):
    given, seen = TEXTS[name]
    if how == "served":
        if len(given) > 1 << 16:
            pytest.skip("a request line has at most 65,536 octets: 414")
        browser.open(f"{server}/?url={quote(given, errors='surrogatepass' if name == 'surrogates' else 'strict')}")
        if name == "surrogates":  # UTF-8 has no surrogates: the octets are shown
            seen = "\\udced"
    else:
        path = tmp_path / "page.html"
        assert cli.main(["page", "-o", str(path), "--", given]) == 0
        browser.open(path.as_uri())
    assert seen in text_of(browser) and browser.title != "run"
    counted = "return [...document.querySelectorAll('script,img,iframe,link,object')].length"
    links = browser.run("return [...document.querySelectorAll('a')].map(e => e.getAttribute('href'))")
    assert len(links) <= (how == "served") and all(link.startswith("/?url=") for link in links)
    assert browser.run(counted) == 0 and browser.run("return document.styleSheets.length") == 1
    assert browser.run("return [...document.querySelectorAll('*')].every(e => e.getAttributeNames().every("
                       "n => !n.startsWith('on') && n != 'style'))")  # fmt: skip
    assert browser.style("h1", "display") == "block" and browser.complaints() == []
    assert all(part.isprintable() for part in text_of(browser).replace("\t", "\n").split("\n"))
