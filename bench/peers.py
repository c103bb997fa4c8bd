"""The peers: for each, the names that its expressions in the rows use. A peer that is not installed is left out.

The caches of yarl, urllib.parse and w3lib are off.
"""

import ctypes
import ctypes.util
import importlib
import importlib.metadata
import importlib.util
import pickle
import re
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import urlsm
from bench.corpora import BASE

Names = dict[str, Any]


def urlsm_itself() -> Names:
    from urlsm import crawler, documents, domains, pictures, schemes, security, stdlib, whatwg
    from urlsm.compat import scrapy, w3lib
    from urlsm.logging import MaskURLs

    base = urlsm.parse(BASE)
    return {
        **{name: getattr(stdlib, name) for name in stdlib.__all__},
        **{name: getattr(w3lib, name) for name in w3lib.__all__},
        **{name: getattr(crawler, name) for name in crawler.__all__},
        **{name: getattr(room, name) for room in (documents, domains, security) for name in room.__all__},
        "scrapy_fingerprint": scrapy.fingerprint,
        **{name: getattr(pictures, name) for name in pictures.__all__},
        **{name: getattr(schemes, name) for name in ("decode", "decode_bytes", "segments", "server", "known")},
        **{name: getattr(urlsm, name) for name in urlsm.__all__},
        **{"W": whatwg.URL, "P": whatwg.URLSearchParams},
        **{"base": base, "BASE": BASE, "build": urlsm.URL.build, "masker": MaskURLs(), "dumps": pickle.dumps},
        **{"loads": pickle.loads, "SITES": urlsm.domains.PublicSuffixList(), "PROFILE": crawler.profile("w3lib")},
    }


def can_ada() -> Names:
    import can_ada as m

    return {"parse": m.parse, "can_parse": m.can_parse, "P": m.URLSearchParams, "base": m.parse(BASE),
            "idna_encode": m.idna_encode}  # fmt: skip


def url_py() -> Names:
    from url import URL

    return {"parse": URL.parse, "base": URL.parse(BASE)}


def ada_url() -> Names:
    import ada_url as m

    return {"URL": m.URL, "P": m.URLSearchParams, "normalize_url": m.normalize_url, "join_url": m.join_url,
            "check_url": m.check_url, "idna": m.idna_to_ascii}  # fmt: skip


def upa_url() -> Names:
    import upa_url as m

    return {"URL": m.URL, "can_parse": m.URL.canParse, "base": m.URL(BASE), "P": m.URLSearchParams}


def pydantic_core() -> Names:
    from pydantic_core import Url

    return {"Url": Url}


def yarl() -> Names:
    from yarl import URL, _parse, _path, _query, _quoting, _url

    for module in (_parse, _path, _query, _url):
        take_caches_off(module)
    return {"URL": URL, "base": URL(BASE), "quoter": _quoting._Quoter(requote=False, safe="/"),
            "unquoter": _quoting._Unquoter(), "query_to_pairs": _parse.query_to_pairs, "build": URL.build,
            "get_str_query": _query.get_str_query, "dumps": pickle.dumps, "loads": pickle.loads}  # fmt: skip


def urllib_parse() -> Names:
    module: Any = second_copy("urllib.parse")
    module.urlsplit = getattr(module.urlsplit, "__wrapped__", module.urlsplit)  # its table of quoted octets is kept
    module.MAX_CACHE_SIZE = 0  # the cache of URLs, up to CPython 3.10
    return {**vars(module), "BASE": BASE}


def liburlparser() -> Names:
    import liburlparser as m

    return {"Url": m.Url, "Hostname": m.Hostname, "normalize": m.normalize, "resolve": m.resolve, "quote": m.quote,
            "unquote": m.unquote}  # fmt: skip


def crup() -> Names:
    import crup as m

    return {"parse": m.parse, "extract_domain": m.extract_domain}


def httptools() -> Names:
    from httptools import parse_url

    def whole(x: Any) -> str:
        port = f":{x.port}" if x.port else ""
        ends = "".join(mark + part.decode() for mark, part in (("?", x.query), ("#", x.fragment)) if part is not None)
        return f"{x.schema.decode()}://{x.host.decode()}{port}{(x.path or b'').decode()}{ends}"

    return {"parse_url": parse_url, "whole": whole}


def k_url_normalizer() -> Names:
    from keenable_url_helpers import normalize_url

    return {"normalize_url": normalize_url}


def pyurlc() -> Names:
    import pyurlc as m

    return {"quote": m.quote, "unquote": m.unquote}


def w3lib() -> Names:
    from w3lib import url

    take_caches_off(url)
    return vars(url)


def turbohtml() -> Names:
    from turbohtml.extract import clean_url, normalize_url

    return {"normalize_url": normalize_url, "clean_url": clean_url}


def surt() -> Names:
    from surt import surt as function

    return {"surt": function}


def scrapy() -> Names:
    from scrapy import Request
    from scrapy.utils.request import fingerprint
    from scrapy.utils.url import url_has_any_extension, url_is_from_any_domain

    return {"Request": Request, "fingerprint": fingerprint, "from_any": url_is_from_any_domain,
            "has_any": url_has_any_extension}  # fmt: skip


def tldextract() -> Names:
    from tldextract import TLDExtract

    return {"extract": TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)}


def publicsuffixlist() -> Names:
    from publicsuffixlist import PublicSuffixList

    return {"psl": PublicSuffixList(), "PublicSuffixList": PublicSuffixList}


def libpsl() -> Names:
    """Return the names of the C library, on the same list; a call includes that of ctypes (about 200 ns)."""
    found = ctypes.util.find_library("psl")
    if found is None:
        raise ImportError("libpsl")
    library = ctypes.CDLL(found)
    library.psl_load_file.restype = ctypes.c_void_p
    path = urlsm.domains.PublicSuffixList().path
    site = library.psl_registrable_domain
    site.restype = ctypes.c_char_p
    return {"rules": ctypes.c_void_p(library.psl_load_file(path.encode())), "site": site}


def django() -> Names:
    from django.conf import settings

    if not settings.configured:
        settings.configure()
    from django.utils import encoding, http

    return {"allowed": http.url_has_allowed_host_and_scheme, "iri_to_uri": encoding.iri_to_uri}


def starlette() -> Names:
    from starlette.datastructures import URL, QueryParams

    return {"URL": URL, "QueryParams": QueryParams}


def falcon() -> Names:
    from falcon import uri
    from falcon.util.misc import to_query_str

    return {"encode": uri.encode, "decode": uri.decode, "parse": uri.parse_query_string, "to_query_str": to_query_str}


def fast_query_parsers() -> Names:
    from fast_query_parsers import parse_query_string

    return {"parse": parse_query_string}


def urlextract() -> Names:
    from urlextract import URLExtract

    return {"find": URLExtract().find_urls}


def regular_expression() -> Names:
    careful = r"\b(?:https?|ftp)://[^\s<>\"'`()\[\]{}]*(?:\([^\s()<>]*\)[^\s<>\"'`()\[\]{}]*)*(?<![.,;:!?])"
    return {"findall": re.compile(careful, re.I).findall}


class Slot:
    __slots__ = ("href",)

    def __init__(self, href: str) -> None:
        self.href = href


def python_itself() -> Names:
    return {"Slot": Slot, "parse": urlsm.parse}


def seen(value: Any, name: str) -> Any:
    """Return the object after reading one of its attributes once."""
    getattr(value, name)
    return value


def read_by(method: Any) -> Any:
    """Return the method's object after calling the method once: a peer may have kept the result."""
    method()
    return method.__self__


PEERS: dict[str, tuple[str, Callable[[], Names]]] = {  # name -> its distribution, its names
    "urlsm": ("urlsm", urlsm_itself),
    "urllib.parse": ("", urllib_parse),
    "re": ("", regular_expression),
    "a slot": ("", python_itself),
    **{made.__name__.replace("_", "-"): (made.__name__.replace("_", "-"), made)
       for made in (url_py, ada_url, upa_url, k_url_normalizer, fast_query_parsers)},
    **{made.__name__: (made.__name__, made)
       for made in (can_ada, pydantic_core, yarl, liburlparser, crup, httptools, pyurlc, w3lib, turbohtml, surt, scrapy,
                    tldextract, publicsuffixlist, libpsl, falcon, urlextract)},
    "Django": ("Django", django),
    "Starlette": ("starlette", starlette),
}  # fmt: skip


@cache
def names_of(peer: str) -> Names | str:
    """Return the names that the rows use, or the reason why the peer is left out."""
    try:
        return {"seen": seen, "read_by": read_by, "BASE": BASE, **PEERS[peer][1]()}
    except ImportError as error:
        return f"is not installed ({error})"


def versions() -> dict[str, str]:
    """Return the versions of the installed peers, without libpsl's."""
    found = {}
    for peer, (distribution, _) in PEERS.items():
        if peer != "urlsm" and distribution and not isinstance(names_of(peer), str):
            try:
                found[peer] = importlib.metadata.version(distribution)
            except importlib.metadata.PackageNotFoundError:
                found[peer] = "?"
    return found


def second_copy(name: str) -> ModuleType:
    """Return a second copy of the module, so that changes to it do not affect the one that others use."""
    spec = importlib.util.find_spec(name)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def take_caches_off(module: ModuleType) -> None:
    for name, value in list(vars(module).items()):
        if hasattr(value, "cache_clear") and hasattr(value, "__wrapped__"):
            setattr(module, name, value.__wrapped__)
