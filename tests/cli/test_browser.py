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

pytestmark = [pytest.mark.slow, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
DANGEROUS = "http://example.org\\@127.1:25/%2e%2e/a?b#c"
TEXTS = {  # hostile, each with what is to be seen of it
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


@pytest.mark.parametrize("width", [320, 500])
def test_a_narrow_window_does_not_scroll_sideways(browser, server, width):
    browser.resize(width, 700)
    for given in (DANGEROUS, "http://h/" + "a" * 3000, "mailto:" + "a@b.example," * 50):
        browser.open(f"{server}/?url={quote(given)}")
        assert browser.run("return document.documentElement.scrollWidth") <= width
        assert browser.run("return getComputedStyle(document.body).fontSize") == "16px"


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
        if name == "surrogates":  # UTF-8 has none: the octets are what was given
            seen = "\\udced"
    else:
        path = tmp_path / "page.html"
        assert cli.main(["page", "-o", str(path), "--", given]) == 0
        browser.open(path.as_uri())
    assert seen in text_of(browser) and browser.title != "run"
    counted = "return [...document.querySelectorAll('script,img,iframe,a,link,object')].length"
    assert browser.run(counted) == 0 and browser.run("return document.styleSheets.length") == 1
    assert browser.run("return [...document.querySelectorAll('*')].every(e => e.getAttributeNames().every("
                       "n => !n.startsWith('on') && n != 'style'))")  # fmt: skip
    assert browser.style("h1", "display") == "block" and browser.complaints() == []
    assert all(part.isprintable() for part in text_of(browser).replace("\t", "\n").split("\n"))
