"""urlsm.domains: to_ascii, by the standard's domain parser, and what the module has."""

from __future__ import annotations

import pytest
from support.seeds import seeded

from urlsm.domains import IDNAError, to_ascii, to_unicode
from urlsm.unicode.idna import parse_domain


def test_to_ascii_of_random_ascii_is_as_the_domain_parser_has_it(cases):
    def outcome(function, *arguments, **more):
        try:
            return function(*arguments, **more)
        except IDNAError as error:
            return error.reason

    rng = seeded(46)
    for _ in range(cases):
        text = "".join(rng.choices([*map(chr, range(128)), "\xe9", "xn--", *"abcXYZ.-_09" * 20], k=rng.randint(0, 9)))
        for strict in (False, True):
            assert outcome(to_ascii, text, strict=strict) == outcome(parse_domain, text, strict), text


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        ("EXAMPLE.com", "example.com"),
        ("Bücher.DE", "xn--bcher-kva.de"),
        ("faß。de", "xn--fa-hia.de"),
        ("xn--a", "xn--a"),  # ASCII: not decoded
        ("a_b", "a_b"),
        ("1.2.3", "1.2.3"),  # the domain parser, not the host parser
    ],
)
def test_to_ascii(domain, expected):
    assert to_ascii(domain) == expected


@pytest.mark.parametrize("domain", ["", "a b", "a%41", "\ud800", "\xad", "xn--é"])
def test_domain_refused(domain):
    for strict in False, True:
        with pytest.raises(IDNAError):
            to_ascii(domain, strict=strict)


def test_domain_strict():
    for domain in ("xn--a", "a_b", "a" * 64, "-a", "ab--c"):
        assert to_ascii(domain) == domain
        with pytest.raises(ValueError):
            to_ascii(domain, strict=True)
    assert to_ascii("Bücher.de", strict=True) == "xn--bcher-kva.de"


@pytest.mark.parametrize("bad", [None, b"a", 1])
def test_domain_is_str(bad):
    with pytest.raises(TypeError):
        to_ascii(bad)


def test_to_unicode():
    assert to_unicode("xn--bcher-kva.example") == "bücher.example" == to_unicode("BÜCHER.example")
    with pytest.raises(TypeError):
        to_unicode(b"a")
    assert IDNAError.__module__ == "urlsm.domains"
