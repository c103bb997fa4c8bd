"""The texts of the benchmarks: real links if there is a folder of them, else links made from a seed."""

import os
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import urlsplit

import urlsm

FOLDER = Path(os.environ.get("URLSM_BENCH_URLS") or Path(__file__).resolve().parents[2] / "shared" / "urls")
NAMES = ("top100", "bookmarks", "generated")
SEED = 1738

BASE = "https://www.example.org/news/2024/05/a-long-story/index.html?ref=home"


def read(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line]


def accepts(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except Exception:  # each peer raises its own exception
        return False
    return True


def fresh(texts: Iterable[str]) -> list[str]:
    """Return new strings, adjacent in memory, without a cached hash or UTF-8 form."""
    return [text.encode().decode() for text in texts]


def thinned(texts: list[str], limit: int) -> list[str]:
    return fresh(texts[:: -(-len(texts) // limit)])


def references(urls: list[str]) -> list[str]:
    """Return a relative reference for each URL, in the mixture of forms that pages have."""
    rng = random.Random(SEED)
    forms = rng.choices(
        ["{path}{query}", "{name}{query}", "../{name}", "../../{name}{query}", "./{name}", "sub/page.html", "?q={word}",
         "#{word}", "//{host}{path}", ".."],
        [50, 15, 6, 3, 3, 4, 5, 6, 6, 2], k=len(urls),
    )  # fmt: skip
    made = []
    for form, url in zip(forms, urls, strict=True):
        scheme, host, path, query, _ = urlsplit(url)
        name = path.rstrip("/").rpartition("/")[2]
        if scheme in ("http", "https") and path.startswith("/") and not path.startswith("//") and ":" not in name:
            made.append(
                form.format(
                    host=host,
                    path=path,
                    query=query and f"?{query}",
                    name=name or "index.html",
                    word=name[:12].rstrip("%") or "top",
                )
            )
    return [ref for ref in made if accepts(lambda ref: urlsm.parse(ref, base=BASE), ref)]


# --- links from a seed -------------------------------------------------------------------------

TEXT = """
about account air annual archive area art article baby back bank best blog book business camera car career category
center city climate code collection common company contact content course culture daily data day design detail
download education energy event family festival film finance food forum gallery game garden global green group guide
health history home house image index info international item job kitchen land law learn library life list local login
magazine mail map market media member menu mobile museum music national nature network news ocean office online open
order page park people photo podcast policy press privacy product profile program project public radio report research
review sale school science search section service share shop show sign site social software space special sport start
status store story stream student studio style summer support system team tech terms theme ticket topic tour trade
travel university update user video view water weather week winter work world year
"""
WORDS = TEXT.split()
ENDINGS = ["com"] * 12 + ["org"] * 5 + ["net"] * 2 + ["edu", "gov", "de", "co.uk", "io", "info"]


def generate(count: int, seed: int = SEED) -> list[str]:
    """Return links like those on front pages of well-known sites; 1.4 % of them are not in normal form."""
    rng = random.Random(seed)
    return [unusual_link(rng) if rng.random() < 0.014 else link(rng) for _ in range(count)]


def link(rng: random.Random) -> str:
    return f"{site(rng)}{path(rng)}{query(rng) if rng.random() < 0.23 else ''}{'#top' if rng.random() < 0.015 else ''}"


def unusual_link(rng: random.Random) -> str:
    """Return a link that parsing changes, mostly because its path is empty."""
    kind = rng.choices(["no path", "trim", "space", "upper", "non-ascii", "quote", "dots", "port"],
                       [80, 6, 7, 3, 3, 1, 1, 1])[0]  # fmt: skip
    home = site(rng)
    return {
        "no path": home if rng.random() < 0.8 else home + query(rng),
        "trim": link(rng) + " ",
        "space": f"{home}/{words(rng, 4, ' ')}.pdf",
        "upper": home.replace("://", "://WWW.Shop") + path(rng),
        "non-ascii": f"{home}/{words(rng, 2, '-')}-café/",
        "quote": f'{home}/search?q="{words(rng, 2, "+")}"',
        "dots": f"{home}/{words(rng, 1, '')}/../{words(rng, 2, '-')}",
        "port": home.replace("http:", "https:") + ":443" + path(rng),
    }[kind]


def long_links(between: str, count: int, octets: int = 4096) -> list[str]:
    """Return different links of that many octets, of words with a text between them."""
    rng = random.Random(SEED)
    begin = "/" if between == "/" else "/?q="
    return [f"{site(rng)}{begin}{words(rng, octets // 5, between)}"[:octets] for _ in range(count)]


IDN_WORDS = [words.split() for words in (
    "bücher müller größe straße köln zürich höhle", "пример новости погода москва книга", "παράδειγμα βιβλίο νέα",
    "例子 新闻 北京 中国 图书馆", "例え テスト ニュース 日本語", "한국 뉴스 실례",
    "उदाहरण परीक्षा", "ไทย ข่าว", "مثال اخبار كتاب", "דוגמה ספר",
)]  # fmt: skip


def idn_links(count: int) -> list[str]:
    """Return different links whose hosts are words of ten scripts, two thirds of them with a number at the end."""
    rng = random.Random(SEED)
    hosts = ("".join(rng.choices(rng.choice(IDN_WORDS), k=rng.choice([1, 1, 2]))) for _ in range(count))
    named = (f"{host}{at if at % 3 else ''}.{rng.choice(ENDINGS)}" for at, host in enumerate(hosts))
    return [f"https://{name}{path(rng)}?id={at}" for at, name in enumerate(named)]


def words(rng: random.Random, count: int, glue: str) -> str:
    return glue.join(rng.choices(WORDS, k=count))


def site(rng: random.Random) -> str:
    scheme = "http" if rng.random() < 0.04 else "https"
    sub = rng.choices(["www.", "", f"{words(rng, 1, '')}."], [35, 40, 25])[0]
    return f"{scheme}://{sub}{words(rng, rng.choice([1, 1, 2]), '')}.{rng.choice(ENDINGS)}"


def path(rng: random.Random) -> str:
    segments = [
        rng.choice([words(rng, rng.randint(2, 12), "-"), words(rng, rng.randint(1, 4), "-"), words(rng, 1, ""),
                    words(rng, 2, "_"), str(rng.randint(1, 10**6))])
        for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 5]))
    ]  # fmt: skip
    end = rng.choices(["/", "", ".html"], [47, 40, 13])[0] if segments else "/"
    return "".join(f"/{segment}" for segment in segments) + end


def query(rng: random.Random) -> str:
    def value() -> str:
        kind = rng.random()
        if kind < 0.25:
            return f"https%3A%2F%2F{words(rng, 2, '')}.com%2F{words(rng, rng.randint(1, 6), '-')}"
        return words(rng, rng.randint(1, 5), "+") if kind < 0.6 else f"{rng.getrandbits(rng.choice([8, 64, 128])):x}"

    return "?" + "&".join(f"{words(rng, 1, '')}={value()}" for _ in range(rng.choice([1, 1, 2, 3, 4, 6])))
