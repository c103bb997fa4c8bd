"""Traps and shapes, by rows and against a second implementation by regular expressions over random texts."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pytest
from support.seeds import draws, least, seeded
from support.suites import BESIDE

from urlsm import parse, try_parse
from urlsm.crawler import shape, traps
from urlsm.crawler.pages import TRAPS

TODAY = date(2026, 11, 23)
ID = "1CE83F32EF497A20A3830FB49E2A6FD4"
PRIVACY = "www.google.com/intl/de/policies/privacy/partners/"

ROWS = {
    # browsertrix-crawler#931, spidergram#42, scrapy#137, in the second and third round of their loops
    f"https://www.1318m.at/de/1318m-datenschutz-qr52GAVQ/{PRIVACY}": {"host-in-path"},
    f"https://www.1318m.at/de/1318m-datenschutz-qr52GAVQ/{PRIVACY * 2}": {"host-in-path", "segments-repeat"},
    f"https://www.1318m.at/de/1318m-datenschutz-qr52GAVQ/{PRIVACY * 4}": {
        "host-in-path",
        "segments-repeat",
        "too-deep",
    },
    "http://example.com/event/1234/www.cnn.com": {"host-in-path"},
    "http://example.com/event/1234/www.cnn.com/www.cnn.com": {"host-in-path"},
    "http://www.example.com/?q=": set(),
    "http://www.example.com/?q=&q=": {"fields-repeat"},
    "http://www.example.com/?q=&q=&q=": {"fields-repeat"},
    "https://example.com/products/products/": set(),
    "https://example.com/products/products/products/": {"segments-repeat"},
    "https://example.com/infra/www/infra/www/common/": {"segments-repeat"},
    "https://example.com/a/////b": {"segments-repeat"},
    "https://example.com/img/img/img/": {"segments-repeat"},
    # an archive's
    "https://web.archive.org/web/20150307000000/http://www.example.com/a": set(),
    "https://web.archive.org/web/20150307000000id_/www.example.com/a": set(),
    "https://h.example/amp/s/www.example.com/a": set(),
    "https://www.h.example/sites/www.h.example/files/a.pdf": set(),
    "https://www.h.example/a/www.h.example/": {"host-in-path"},
    "https://www.h.example/a/h.example/": {"host-in-path"},
    "http://localhost/localhost/www.x": set(),
    "https://h.example/www.1.2/www.css/www-a.com/www.a_b.com": set(),
    # depth and length
    "http://h/" + "/".join(map(str, range(20))): set(),
    "http://h/" + "/".join(map(str, range(21))): {"too-deep"},
    "http://h/" + "a" * 2074: set(),
    "http://h/" + "a" * 2075: {"too-long"},
    "http://h/#" + "a" * 3000: set(),
    "data:" + "a/" * 2000: {"too-long"},
    # dates
    "http://h/2028/11/": set(),
    "http://h/2028/12/": {"far-date"},
    "http://h/2028/12": {"far-date"},
    "http://h/2028/13/": set(),
    "http://h/2028-12-01/x": {"far-date"},
    "http://h/2028-12": {"far-date"},
    "http://h/2028-12x": set(),
    "http://h/view?d=2101-01-31": {"far-date"},
    "http://h/view?d=2101": set(),
    "http://h/view?Year=2101": {"far-date"},
    "http://h/view?startdate=21011231": {"far-date"},
    "http://h/view?month=202811&n=202901": set(),
    "http://h/9999/12/": set(),
    "http://h/bitstream/2036/1/x.pdf": set(),
    "http://h/calendar/2036/1/": {"far-date"},
    "http://h/1851/09/18/archives/": set(),
    "http://h/events/1931-02/": {"far-date"},
    "http://h/Kalender?d=1931-02-01": {"far-date"},
    # centuries ahead: where it has the form of a date, or in a calendar
    "http://h/view?d=2999-05-17": {"far-date"},
    "http://h/2999-05-17/": {"far-date"},
    "http://h/2999-05/": set(),
    "http://h/events/month/2999-05/": {"far-date"},
    "http://h/calendar/9999/12/": {"far-date"},
    "http://h/calendar/day/9999-12-31": {"far-date"},
    "http://h/?until=9999-12-31": set(),
    "http://h/event/5021/11/": set(),
    "http://h/calendar/5021/1/": set(),
    "http://h/?month=2999-05&view=calendar": {"far-date"},
    "http://h/calendar?month=299905": {"far-date"},
    "http://h/?year=9999": set(),
    # other forms of dates
    "http://h/view?d=2101-01-31T10:00": {"far-date"},
    "http://h/view?d=2101-01-31T10%3A00%3A00Z": {"far-date"},
    "http://h/view?d=2101-01-31%2010:00": {"far-date"},
    "http://h/view?d=2101-01-31+10:00": {"far-date"},
    "http://h/view?d=31.01.2101": set(),
    "http://h/calendar?d=31.01.2101": {"far-date"},
    "http://h/view?d=01/31/2101": {"far-date"},
    "http://h/view?d=01%2F31%2f2101": {"far-date"},
    "http://h/view?d=31-1-2101": {"far-date"},
    "http://h/view?d=31-31-2101": set(),
    "http://h/view?d=32-1-2101": set(),
    "http://h/view?d=1-2-21010": set(),
    "http://h/view?d=1-2/2101": set(),
    "http://h/31-01-2101/": {"far-date"},
    "http://h/2101_01_31/": {"far-date"},
    "http://h/2101.1.31/": {"far-date"},
    "http://h/2101-1-31/": {"far-date"},
    "http://h/2101-1/": set(),
    "http://h/events/2101-1/": {"far-date"},
    "http://h/2101-W05/": {"far-date"},
    "http://h/2101-W54/": set(),
    "http://h/2026-W05/": set(),
    "http://h/21010131/": set(),
    "http://h/kalender/21010131/": {"far-date"},
    "http://h/event/21013131/": set(),
    "http://h/?day=21010131": {"far-date"},
    "http://h/calendar/17.05.2026": set(),
    "http://h/a/2028-12-32": set(),
    "http://h/v/2031.0.1": set(),
    # sessions
    f"http://h/a.do;jsessionid={ID}?b": {"session-id"},
    f"http://h/a.do;x=1;JSESSIONID={ID}/b": {"session-id"},
    f"http://h/?PHPSESSID={ID}": {"session-id"},
    f"http://h/?a&sid={ID.lower()}&b": {"session-id"},
    f"http://h/?asid={ID}&sid=123456&sid2={ID}": set(),
    "http://h/?sid=TheOneWithoutAnyDigits": set(),
    "http://h/?ASPSESSIONIDSSRRQTQC=x": {"session-id"},
    "http://h/x.cfm?CFID=974647&CFTOKEN=ea62c124": {"session-id"},
    "http://h/(S(4hqa0555fwsecu455xqckv45))/x.aspx": {"session-id"},
    "http://h/(4hqa0555fwsecu455xqckv45)/x.aspx": {"session-id"},
    "http://h/(4hqa0555fwsecu455xqckv4)/x.aspx": set(),
    # fields
    "http://h/?a=1&a=2&A=1": set(),
    "http://h/?f[]=a&f[]=b&&&": set(),
    "http://h/?=a&=a": set(),
}


@pytest.mark.parametrize("url", ROWS)
def test_traps(url: str):
    assert set(traps(url, today=TODAY)) == ROWS[url]
    assert list(traps(parse(url), today=TODAY)) == [name for name in TRAPS if name in ROWS[url]]


def test_today_is_by_the_clock():
    year = date.today().year
    assert traps(f"http://h/{year + 1}/01/") == ()
    assert traps(f"http://h/{year + 3}/12/") == ("far-date",)
    for wrong in (5, 1.5, "2026-01-01"):
        with pytest.raises(TypeError, match=r"datetime\.date"):
            traps("http://h/", today=wrong)  # type: ignore[arg-type]


def test_few_real_links_are_traps():
    links = BESIDE / "urls" / "top100.txt"
    if not links.exists():
        pytest.skip("no ../shared/urls/top100.txt")
    with links.open(encoding="utf-8", errors="replace") as lines:
        urls = [url for url in map(try_parse, lines) if url is not None]
    assert len(urls) > 90_000
    assert sum(bool(traps(url, today=TODAY)) for url in urls) <= len(urls) // 1000


def expected(url: str) -> set[str]:
    """The rules again, as expressions over the components."""
    parsed = parse(url)
    found = set()
    path, query = parsed.path, parsed.query
    if len(url.partition("#")[0]) > 2083:
        found.add("too-long")
    segments = path[1:].split("/") if path.startswith("/") else []
    text = path[1:] + "/"
    if len(segments) > 20:
        found.add("too-deep")
    if re.search(r"(?:\A|(?<=/))((?:[^/]*/)+?)\1\1|(?:\A|(?<=/))((?:[^/]*/){2,}?)\2", text):
        found.add("segments-repeat")
    calendar = re.search("calend|kalend|agenda", path + "?" + (query or ""), re.IGNORECASE)
    events = calendar or re.search("event", path + "?" + (query or ""), re.IGNORECASE)

    def far(year: str, month: str, sure: int) -> bool:
        """sure: 0 in a calendar, 1 as two segments, 2 as a month, 3 as a whole date."""
        months = 12 * int(year) + int(month) - 1
        latest = 12 * TODAY.year + TODAY.month - 1 + 24
        if not 1 <= int(month) <= 12:
            return False
        if months <= latest:
            return bool(events and months < 1970 * 12)
        if months <= latest + 2400:
            return bool(sure or events)
        return bool((sure and calendar) or (sure == 2 and events) or (sure == 3 and (events or int(year) < 9999)))

    for k, segment in enumerate(segments):
        after = segments[k + 1] if k + 1 < len(segments) else ""
        day = re.fullmatch(r"([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?", segment)
        if day and (day[3] is None or 1 <= int(day[3]) <= 31) and far(day[1], day[2], 3 if day[3] else 2):
            found.add("far-date")
        two = re.fullmatch("[0-9]{4}", segment) and re.fullmatch("[0-9]{1,2}", after)
        if two and far(segment, after, int(len(after) == 2)):
            found.add("far-date")
    seen = Counter(field for field in (query or "").split("&") if field and not field.startswith("="))
    if max(seen.values(), default=0) > 1:
        found.add("fields-repeat")
    return found


PIECES = [
    "a",
    "b",
    "ab",
    "",
    "2027",
    "2031",
    "12",
    "1",
    "5",
    "1950",
    "2031-01",
    "1950-02-03",
    "calendar",
    "9000",
    "9000-05",
    "9000-05-17",
    "event",
    "x-1",
]


def test_traps_like_expressions():
    rng = seeded(20)
    named = Counter[str]()
    for _ in range(draws(20_000)):
        path = "".join("/" + rng.choice(PIECES[: rng.choice((3, 18))]) for _ in range(rng.randrange(26)))
        query = "&".join(rng.choice(["a=1", "b", "=", "", "a=2", "=c"]) for _ in range(rng.randrange(4)))
        url = "http://h" + (path or "/") + ("?" + query if rng.random() < 0.5 else "")
        found = set(traps(url, today=TODAY))
        assert found == expected(url), url
        named.update(found)
    assert min(named[name] for name in ("segments-repeat", "too-deep", "far-date", "fields-repeat")) > least(100)


SHAPES = {
    "HTTP://Example.org:80/": "http://example.org/",
    "http://h1/a/b?c#d": "http://h1/a/b?c",
    "http://h/page2?p=17&q=x1y22": "http://h/page<n>?p=<n>&q=x<n>y<n>",
    "http://h/2026/05/17/story-123.html": "http://h/<date>/story-<n>.html",
    "http://h/2026/05": "http://h/<date>",
    "http://h/2026-05-17T10:00": "http://h/<date>T<n>:<n>",
    "http://h/2026/13/17": "http://h/<n>/<n>/<n>",
    "http://h/2026/05-17": "http://h/<date>-<n>",
    "http://h/2026/051": "http://h/<n>/<n>",
    "http://h/a2026/05": "http://h/a<n>/<n>",
    "http://h/%E4%B8/5%205": "http://h/%E4%B8/<n>%20<n>",
    "http://h/%": "http://h/%",
    "http://h/9f86d081884c7d65/9f86d081884c7d6": "http://h/<hash>/<n>f<n>d<n>c<n>d<n>",
    "http://h/abcdefghijklmnopqrst": "http://h/abcdefghijklmnopqrst",
    "http://h/12345678901234567890": "http://h/<n>",
    "http://h/F81D4FAE-7DEC-11d0-a765-00a0c91e6bf6?x": "http://h/<uuid>?x",
    "http://h/deadbeef-dead-beef-dead-beefdeadbeef": "http://h/<uuid>",
    "http://h/F81D4FAE-7DEC-11d0-a765-00a0c91e6bf61": "http://h/F<n>D<n>FAE-<n>DEC-<n>d<n>-a<n>-<n>a<n>c<n>e<n>bf<n>",
    "mailto:me7@h": "mailto:me<n>@h",
}


@pytest.mark.parametrize("url", SHAPES)
def test_shape(url: str):
    assert shape(url) == shape(url.encode()) == SHAPES[url]


MASKED = re.compile(
    r"(?P<escape>%[^#]{0,2})"
    r"|(?:(?<![0-9A-Za-z])|(?<=%..))(?P<uuid>[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})(?![0-9A-Za-z])"
    r"|(?:(?<![0-9A-Za-z])|(?<=%..))(?P<date>[0-9]{4}([/-])(?:0[1-9]|1[0-2])(?:\4(?:0[1-9]|[12][0-9]|3[01])(?![0-9])|(?![0-9])))"
    r"|(?P<word>[0-9A-Za-z]+)"
)


def masked(match: re.Match[str]) -> str:
    text = match[0]
    if match["escape"]:
        return text
    if not match["word"]:
        return "<uuid>" if match["uuid"] else "<date>"
    if len(text) >= 16 and re.search("[0-9]", text) and re.search("[A-Za-z]", text):
        return "<hash>"
    return re.sub("[0-9]+", "<n>", text)


def test_shapes_like_expressions():
    rng = seeded(21)
    pieces = [
        "/",
        "-",
        "2026",
        "05",
        "12",
        "31",
        "7",
        "a",
        "Zed",
        "%41",
        "%4",
        "?",
        "&x=",
        "deadbeef",
        "0c91",
        "_",
        ".",
    ]
    for _ in range(draws(20_000)):
        text = "/" + "".join(rng.choice(pieces) for _ in range(rng.randrange(14)))
        if rng.random() < 0.1:
            text += "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" + rng.choice(["", "a", "/", "-"])
        url = parse("http://h1" + text)
        start = len("http://h1")
        assert shape(url) == "http://h1" + MASKED.sub(masked, url.href[start:].partition("#")[0]), url
