"""The answers of all functions that read a text to every text of a few pieces: one stored hash for each function.

A change that only moves code keeps every hash in tests/data/answers.json.

    cd tests && python -m oracles.answers                 all texts of up to 4 pieces, as tests/test_answers.py does
    cd tests && python -m oracles.answers --pieces 5      all of up to 5, minutes of CPU; --only NAME: of one function
    cd tests && python -m oracles.answers --print NAME    a line a text: print it before and after a change, for diff
    cd tests && python -m oracles.answers --store         stores the hashes: an answer was changed on purpose

A refusal counts by its code and position. A slow function gets the texts of one piece less, also after "https://". So
do those of urlsm.stdlib, which are compared with the running urllib.parse.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import itertools
import json
import os
import pathlib
import sys
import urllib.parse
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor

import urlsm
import urlsm.columns
from urlsm import crawler, stdlib
from urlsm.columns.work import column_of_lines
from urlsm.errors import masking
from urlsm.machine.driver import DIALECTS
from urlsm.url.edit import offsets_of

STORED = pathlib.Path(__file__).resolve().parent.parent / "data/answers.json"
PIECES = ("https://", "/", "ex.org", "A", ".", "7", ":80", "@", "?", "#", "%2e", "\\", "\t", "é")
BASE = "http://u@ex.org:81/a/b?c#d"
COMPONENTS = ("scheme", "username", "password", "host", "port", "path", "query", "fragment")
FIELDS = tuple(name for name in urlsm.columns.FIELDS if not name.endswith(("registrable_domain", "public_suffix")))


def components(read: object) -> list[object]:
    return [getattr(read, name) for name in COMPONENTS]


def parsed(url: urlsm.URL | None) -> object:
    return url and (url.href, offsets_of(url))


def replaced(name: str) -> Callable[[str], object]:
    url = urlsm.parse(BASE)
    return lambda text: str(url.replace(**{name: text}))


SINGLE: dict[str, Callable[[str], object]] = {
    "parse": lambda text: parsed(urlsm.parse(text)),
    "parse of bytes": lambda text: parsed(urlsm.parse(text.encode())),
    "try_parse": lambda text: parsed(urlsm.try_parse(text)),
    "can_parse": urlsm.can_parse,
    "parse on a base": lambda text: parsed(urlsm.parse(text, base=BASE)),
    "can_parse on a base": lambda text: urlsm.can_parse(text, base=BASE),
    **{f"split {name}": lambda text, name=name: components(urlsm.split(text, dialect=name)) for name in DIALECTS},
    **{
        f"resolve {name}": lambda text, name=name: (
            urlsm.resolve(text, base=BASE, dialect=name),
            urlsm.resolve("../b", base=text, dialect=name),
        )
        for name in DIALECTS
        if name not in ("stdlib", "rfc1738")
    },
    **{f"canonicalize {name}": lambda text, name=name: crawler.canonicalize(text, name) for name in crawler.PROFILES},
    "registrable_domain": urlsm.domains.registrable_domain,
    "same_site": lambda text: urlsm.domains.same_site(text, BASE),
    "fingerprint": lambda text: urlsm.compat.scrapy.fingerprint(text),
    "equivalent": lambda text: urlsm.equivalent(text, "https://ex.org/."),
}
SLOW: dict[str, Callable[[str], object]] = {
    "normalize": urlsm.normalize,
    "is_safe_redirect": lambda text: urlsm.security.is_safe_redirect(text, base=BASE, allowed_hosts=["ex.org"]),
    "is_ambiguous": urlsm.security.is_ambiguous,
    "safe_join": lambda text: urlsm.security.safe_join("https://ex.org/a/", text).href,
    **{
        f"validate {name}": lambda text, name=name: [(v.code, v.position) for v in urlsm.validate(text, dialect=name)]
        for name in ("rfc3986", "whatwg")
    },
    "audit": lambda text: [(hazard.code, hazard.position) for hazard in urlsm.security.audit(text)],
    "compare": lambda text: [repr(view) for view in urlsm.security.compare_readers(text).views.values()],
    "explain": lambda text: str(urlsm.explain(text)),
    "masking": masking.without_secrets,
    "extract": lambda text: [
        (match.url.href, match.start, match.end) for match in urlsm.documents.extract_urls(f"in {text}, so")
    ],
    **{f"replace {name}": replaced(name) for name in COMPONENTS if name != "port"},
}
WHOLE: dict[str, Callable[[urlsm.columns.Array], Iterable[object]]] = {
    "columns.host": lambda column: urlsm.columns.host(column).to_pylist(),
    "columns.parse": lambda column: urlsm.columns.parse(column, FIELDS).to_pylist(),
    "columns.site": lambda column: urlsm.columns.parse(column, ("registrable_domain",)).to_pylist(),
    "columns.parse on a base": lambda column: urlsm.columns.parse(column, FIELDS, base=BASE).to_pylist(),
    "columns.split": lambda column: urlsm.columns.split(column).to_pylist(),
    "columns.canonicalize": lambda column: urlsm.columns.canonicalize(column, "w3lib-2.5").to_pylist(),
}
NAMES = (*SINGLE, *SLOW, *WHOLE)


def texts(pieces: int) -> Iterator[list[str]]:
    """Yield all texts of up to this many pieces, in lists with the same beginning."""
    before = max(pieces - 3, 0)
    yield ["".join(chosen) for n in range(before) for chosen in itertools.product(PIECES, repeat=n)]
    for begin in itertools.product(PIECES, repeat=before):
        text = "".join(begin)
        ends = (end for n in range(pieces - before + 1) for end in itertools.product(PIECES, repeat=n))
        yield [text + "".join(end) for end in ends]


def fewer_texts(pieces: int) -> Iterator[list[str]]:
    for some in texts(pieces - 1):
        yield some + [PIECES[0] + text for text in some]


def answered(function: Callable[[str], object], text: str) -> object:
    try:
        return function(text)
    except urlsm.ParseError as error:
        return error.code, error.position
    except (urlsm.SchemeError, ValueError) as error:
        return str(error)


def answers(name: str, pieces: int) -> Iterator[tuple[list[str], Iterable[object]]]:
    for some in fewer_texts(pieces) if name in SLOW else texts(pieces):
        if name in WHOLE:
            yield some, WHOLE[name](column_of_lines("\n".join([*some, ""]).encode()))
        else:
            function = SINGLE.get(name) or SLOW[name]
            yield some, [answered(function, text) for text in some]


def hash_of(name: str, pieces: int = 4) -> str:
    made = hashlib.blake2b(digest_size=16)
    for _, some in answers(name, pieces):
        made.update("\n".join(map(repr, some)).encode("utf-8", "surrogatepass"))
    return made.hexdigest()


def stored(pieces: int = 4) -> dict[str, str]:
    """Return the stored hash of each function."""
    return json.loads(STORED.read_text()).get(str(pieces), {})


def urllib_differences(pieces: int = 4) -> list[tuple[str, str, object, object]]:
    """Return where a function of urlsm.stdlib answers or refuses unlike the running interpreter's."""
    calls: dict[str, Callable[..., object]] = {
        "urlsplit": lambda module, text: tuple(module.urlsplit(text)),
        "urlparse": lambda module, text: tuple(module.urlparse(text)),
        "urldefrag": lambda module, text: tuple(module.urldefrag(text)),
        "hostname": lambda module, text: module.urlsplit(text).hostname,
        "port": lambda module, text: module.urlsplit(text).port,
        "urljoin": lambda module, text: module.urljoin(BASE, text),
        "urljoin on it": lambda module, text: module.urljoin(text, "../b"),
        "urlsplit of bytes": lambda module, text: text.isascii() and tuple(module.urlsplit(text.encode())),
    }
    found = []
    for text in itertools.chain.from_iterable(fewer_texts(pieces)):
        for name, call in calls.items():
            ours = answered(functools.partial(call, stdlib), text)
            theirs = answered(functools.partial(call, urllib.parse), text)
            if ours != theirs:
                found.append((name, text, ours, theirs))
    return found


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pieces", type=int, default=4)
    options.add_argument("--only", choices=NAMES, metavar="NAME", action="append")
    options.add_argument("--print", choices=NAMES, metavar="NAME")
    options.add_argument("--store", action="store_true")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    given = options.parse_args()
    if given.print:
        for some, said in answers(given.print, given.pieces):
            for text, answer in zip(some, said, strict=True):
                print(ascii(text), ascii(answer), sep="\t")
        return 0
    names = given.only or NAMES
    with ProcessPoolExecutor(given.jobs) as pool:
        found = dict(zip(names, pool.map(hash_of, names, itertools.repeat(given.pieces)), strict=True))
    if given.store:
        kept = json.loads(STORED.read_text()) if STORED.exists() else {}
        kept[str(given.pieces)] = {**kept.get(str(given.pieces), {}), **found}
        STORED.write_text(json.dumps(kept, indent=1) + "\n")
    changed = [name for name in names if stored(given.pieces).get(name) != found[name]]
    print(f"{len(names) - len(changed)} of {len(names)} as stored", *changed, sep="\n")
    return bool(changed)


if __name__ == "__main__":
    sys.exit(main())
