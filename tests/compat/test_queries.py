"""Queries in the classes of Starlette, Django and werkzeug, and Django's check of redirects: equal to theirs.

URLSM_CASES=100000 compares so many queries of each; oracles/frameworks.py runs the frameworks' own tests over ours.
"""

from __future__ import annotations

import copy
import os
import pickle
from urllib.parse import parse_qsl

import pytest
from support.seeds import seeded

import urlsm

PIECES = ["a", "b", "name", "=", "=", "&", "&", "+", "%20", "%C3%A9", "%FF", "%", "%2", "%zz", "%26",
          "%3D", ";", "\xe9", "\u20ac", "\0", " ", "#",
          "%00", "?", "x" * 40, "\U0001f600", "%E2%82%AC", "%ED%A0%80", "1", "\udcff"]  # fmt: skip


COUNT = int(os.environ.get("URLSM_CASES", "0")) or 3_000


class Text(str):
    """A text of another type, as Django's SafeString."""


class Octets(bytes):
    pass


def queries(number, count=COUNT):
    rng = seeded(number)
    for k in range(count):
        text = "".join(rng.choices(PIECES, k=rng.randint(0, 12)))
        octets = text.encode("utf-8", "surrogatepass") if k % 2 else text.encode("latin-1", "replace")
        yield (octets, text, octets, text, Octets(octets), Text(text))[k % 6]


def outcome(work, *arguments):
    """What a call gives, with the values in their order; or its error."""
    try:
        made = work(*arguments)
    except Exception as error:
        return type(error), str(error)
    return type(made), vars(made), [*dict.items(made)] if isinstance(made, dict) else None


@pytest.fixture(scope="module")
def django():
    django = pytest.importorskip("django", reason="Django is not installed")
    from django.conf import settings

    if not settings.configured:
        settings.configure()
    return django


def test_starlette_query_params():
    theirs = pytest.importorskip("starlette.datastructures", reason="Starlette is not installed").QueryParams
    from urlsm.compat import starlette

    assert starlette._FITS, "this release keeps its values in another way"
    for query in queries(31):
        assert outcome(starlette.query_params, query) == outcome(theirs, query), query
    made = starlette.query_params(b"a=1&b=2&a=3")
    assert made == theirs("a=1&b=2&a=3") and type(made) is theirs
    assert made["a"] == "3" and made.getlist("a") == ["1", "3"] and str(made) == "a=1&b=2&a=3"
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    with pytest.raises(TypeError):
        starlette.query_params([("a", "1")])


def test_werkzeug_args():
    wrappers = pytest.importorskip("werkzeug.wrappers", reason="werkzeug is not installed")
    from urlsm.compat.werkzeug import args

    class Request(wrappers.Request):
        def __init__(self, query):
            self.query_string = query

    def theirs(query):
        if isinstance(query, bytes):
            return Request(query).args
        pairs = parse_qsl(query, keep_blank_values=True, errors="werkzeug.url_quote")
        return Request.parameter_storage_class(pairs)

    for query in queries(32):
        assert outcome(args, query) == outcome(theirs, query), query
    made = args("a=1&b=2&a=3")
    assert made["a"] == "1" and made.getlist("a") == ["1", "3"] and hash(made) == hash(theirs("a=1&b=2&a=3"))
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    with pytest.raises(TypeError):
        made.add("a", "4")
    with pytest.raises(UnicodeDecodeError):
        args(b"\xff")


def test_django_query_dict(django):
    from django.conf import settings
    from django.core.exceptions import TooManyFieldsSent
    from django.http import QueryDict

    from urlsm.compat.django import query_dict

    for query in queries(33):
        assert outcome(query_dict, query) == outcome(QueryDict, query), query
    for query in queries(34, COUNT // 20):
        for encoding in ("utf-8", "UTF-8", "latin-1", "shift_jis", "no-such"):
            theirs = outcome(lambda q, e: QueryDict(q, encoding=e), query, encoding)
            assert outcome(query_dict, query, encoding) == theirs, (query, encoding)
    assert outcome(query_dict, None) == outcome(QueryDict, None)
    made = query_dict("a=1&a=2&b=")
    assert made["a"] == "2" and made.getlist("a") == ["1", "2"] and made.urlencode() == "a=1&a=2&b="
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made.copy() == made
    with pytest.raises(AttributeError, match="immutable"):
        made["a"] = "3"
    most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
    for count in (most - 1, most, most + 1):
        text = "&".join(["a=1"] * count)
        assert outcome(query_dict, text) == outcome(QueryDict, text)
    with pytest.raises(TooManyFieldsSent):
        query_dict("&" * most)


TARGETS = ["/", "//", "///", "\\", "http:", "https:", "//", "example.com", "evil.example", "@", ":", "443",
          "?", "#", " ", "\t", "\n", "\0", "..",
           "%2f", "a", "\x85", "\xdf", "\ud800", "[::1]", "javascript:", "user:pw", ";",
          "http://example.com", "/x"]  # fmt: skip


def test_djangos_check_of_redirects_and_ours(django, cases):
    from django.utils.http import url_has_allowed_host_and_scheme as theirs

    from urlsm.compat.django import url_has_allowed_host_and_scheme as both

    rng = seeded(35)
    agreed = stricter = 0
    for _ in range(cases // 4):
        target = "".join(rng.choices(TARGETS, k=rng.randint(1, 5)))
        hosts = rng.choice([None, "example.com", {"example.com"}, ["example.com", "home.invalid"], ()])
        https = rng.random() < 0.3
        listed = [hosts] if isinstance(hosts, str) else hosts or ()
        ours = urlsm.security.is_safe_redirect(target, base="https://home.invalid/", allowed_hosts=listed)
        found = both(target, hosts, https)
        assert found is (theirs(target, hosts, require_https=https) and ours), (target, hosts, https)
        agreed += found
        stricter += theirs(target, hosts, https) and not found
    assert min(agreed, stricter) > cases // 400
    assert both("/x" + "a" * 2046, None) and not both("/x" + "a" * 2047, None)
    assert not both(None, None) and not both("", None)
    assert both("https://example.com/x", iter(["example.com"]))
