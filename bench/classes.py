"""Links of sixty classes, made from a seed: each class is a kind that is rare among real links.

A form is a text with {names}, which `fields` fills with different words each time.
"""

import random
from functools import cache

from bench import corpora

COUNT = 1000  # texts of a class
LONG = 40  # texts of a class whose texts are long

ORDINARY = {
    "no path": "https://{host}",
    "no path, a query": "https://{host}?{word}={n}",
    "capitals in the scheme": "HTTPS://{host}{path}",
    "capitals in the host": "https://{Host}{path}",
    "default port": "https://{host}:443{path}",
    "port": "https://{host}:8{n}{path}",
    "user": "https://{word}@{host}{path}",
    "user and password": "https://{word}:{other}@{host}{path}",
    "dot segments": "https://{host}/{word}/../{other}/./{last}",
    "dot segments, escaped": "https://{host}/{word}/%2e%2E/{other}",
    "empty segments": "https://{host}//{word}///{other}",
    "`_` in the host": "https://{word}_{other}.example{path}",
    "dot behind the host": "https://{host}.{path}",
    "`:`, `@`, `;` in the path": "https://{host}/{word}:{n}/@{other};v={n}",
    "`[]`, `|` in the query": "https://{host}/?{word}[]={n}|{other}",
    "quotes": 'https://{host}/{word}\'s?q="{other}"',
    "backquote": "https://{host}/`{word}`/{n}",
    "`{{}}`, `^` in the path": "https://{host}/{{{word}}}/^{n}",
    "backslashes": "https:\\\\{host}\\{word}\\{other}",
    "space in the path": "https://{host}/{word} {other}/{n}",
    "space in the query": "https://{host}/{word}?q={word} {other}",
    "space in the fragment": "https://{host}/{word}#{word} {other}",
    "spaces at the ends": " https://{host}{path} ",
    "newline within": "https://{host}/{word}\n/{other}",
    "tab within": "https://{host}/{word}\t{other}",
    "escapes, in normal form": "https://{host}/{word}?u=https%3A%2F%2F{other}.example%2F%C3%A9",
    "escapes, lower-case": "https://{host}/{word}?u=https%3a%2f%2f{other}.example%2f%c3%a9",
    "escapes of unreserved": "https://{host}/%7E{word}/%61{other}",
    "`%` alone": "https://{host}/{word}?q=100%&r={other}",
    "empty query": "https://{host}/{word}?",
    "empty fragment": "https://{host}/{word}#",
    "fragment": "https://{host}{path}#{word}",
    "many parameters": "https://{host}/?a={n}&b={word}&c={other}&d={last}&e={n}&f=1&g=2&h={word}",
    "path not ASCII": "https://{host}/{word}-café/überblick/{n}",
    "query not ASCII": "https://{host}/?q=caf\xe9+{word}",
    "fragment not ASCII": "https://{host}/{word}#überblick-{n}",
    "emoji in the path": "https://{host}/{word}-😀/{n}",
    "4 KiB of path": "https://{host}/{long}",
    "4 KiB of query": "https://{host}/?q={long}",
    "4 KiB of path, not ASCII": "https://{host}/{foreign}",
}
HOSTS = {
    "IPv4": "http://{ipv4}{path}",
    "IPv4, in two numbers": "http://10.{n}/{word}",
    "IPv4, hexadecimal": "http://0x7f{hex}/{word}",
    "IPv6": "http://[2001:db8::{hex}]{path}",
    "IPv6, with a port": "http://[2001:db8:0:{hex}::1]:8080/{word}",
    "IPv6, with IPv4 in it": "http://[::ffff:{ipv4}]/{word}",
    "xn--": "https://xn--{word}-kva.example{path}",
    "host in German": "https://{word}-größe.example{path}",
    "host in Russian": "https://новости-{n}.example{path}",
    "host in Greek": "https://παράδειγμα-{n}.example{path}",
    "host in Chinese": "https://新闻{n}.example{path}",
    "host in Japanese": "https://ニュース{n}.example{path}",
    "host in Korean": "https://뉴스{n}.example{path}",
    "host in Hindi": "https://उदाहरण{n}.example{path}",
    "host in Thai": "https://ข่าว{n}.example{path}",
    "host in Arabic": "https://اخبار{n}.example{path}",
    "host in Hebrew": "https://דוגמה{n}.example{path}",
    "host with capitals, not ASCII": "https://BÜCHER{n}.example{path}",
    "host decomposed": "https://cafe\u0301-{word}.example{path}",
    "host with a joiner": "https://نمی\u200cخواهم{n}.example{path}",
    "host, full width": "https://\uff45\uff58{word}.example{path}",
    "host, CJK compatibility ideograph": "https://\uf900{word}.example{path}",
    "host, Arabic ligature": "https://\ufefb{n}.example{path}",
}
SCHEMES = {
    "ftp": "ftp://{host}{path}",
    "ws": "ws://{host}{path}",
    "file": "file:///{word}/{other}/{n}",
    "file, a drive": "file:///C:/{word}/{other}",
    "mailto": "mailto:{word}@{host}?subject={other}",
    "tel": "tel:+1-201-555-{n}",
    "urn": "urn:isbn:{n}{n}",
    "javascript": "javascript:{word}({n})",
    "data": "data:text/plain;base64,{word}{other}",
    "data, 4 KiB": "data:text/plain,{long}",
    "s3": "s3://{word}/{other}/{n}",
    "git+ssh": "git+ssh://git@{host}/{word}.git",
}
REFERENCES = {
    "name": "{word}.html", "`./` name": "./{word}", "`../` name": "../{word}.html", "`../../` name": "../../{word}",
    "`..`": "..", "`.`": ".", "path": "/{word}/{other}", "path and query": "/{word}?q={n}", "query": "?{word}={n}",
    "fragment": "#{word}", "no text": "", "host and path": "//{host}{path}", "absolute": "https://{host}{path}",
    "another scheme": "mailto:{word}@{host}", "the same scheme, no slashes": "https:{word}", "dots within":
    "{word}/./{other}/../{last}", "escaped dots": "%2e%2e/{word}", "space in it": "{word} {other}.pdf",
    "not ASCII": "{word}-café", "backslash": "{word}\\{other}", "spaces at the ends": " {word} ",
    "empty segments": "/{word}//{other}", "a `;`": ";{word}", "a `:` in the path": "./{word}:{n}",
}  # fmt: skip
REFUSED = {
    "no scheme": "www.{host}{path}", "empty host": "https:///?{word}", "no text": "", "port too great":
    "https://{host}:99{n}99/", "port not a number": "https://{host}:{word}/", "space in the host":
    "https://{word} {other}.example/", "`<` in the host": "https://{word}<{other}/", "`%` in the host":
    "https://{word}%25{other}/", "IPv4 too great": "http://{ipv4}.999/", "IPv6 not closed": "http://[2001:db8::{hex}/",
    "host, unassigned character": "https://{word}\u0378.example/", "host, two directions": "https://א{word}.example/",
    "xn-- beside non-ASCII": "https://xn--ü{word}.example/",
}  # fmt: skip
CLASSES = {**ORDINARY, **HOSTS, **SCHEMES}


def fields(rng: random.Random, long: str) -> dict[str, object]:
    word, other, last = rng.sample(corpora.WORDS, 3)
    host = corpora.site(rng).partition("://")[2]
    return {
        **{"word": word, "other": other, "last": last, "n": rng.randint(100, 499), "hex": f"{rng.getrandbits(16):x}"},
        **{
            "host": host,
            "Host": host.title(),
            "path": corpora.path(rng),
            "long": long,
            "foreign": long[:2048] + "é" * 1024,
        },
        "ipv4": ".".join(str(rng.randint(1, 254)) for _ in range(4)),
    }


@cache
def made(form: str) -> tuple[str, ...]:
    """Return the texts of a form's class."""
    rng = random.Random(f"{corpora.SEED}{form}")
    long = "{long}" in form or "{foreign}" in form
    glue = "=" if "?" in form else "/"
    texts = (corpora.words(rng, 820, glue)[:4096] if long else "" for _ in range(LONG if long else COUNT))
    return tuple(corpora.fresh(form.format_map(fields(rng, text)) for text in texts))


def a_few(of_each: int) -> list[str]:
    """Return links of every class, without the long ones."""
    return [text for form in CLASSES.values() for text in made(form)[:of_each] if len(text) < 1000]
