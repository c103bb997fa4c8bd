"""The normal form and equivalence: what is decoded, which spellings are one, and what other readers must see alike."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.generate import any_text, urls

import urlsm
from urlsm import equivalent, normalize
from urlsm.meaning.questions import GRAMMARS
from urlsm.security import compare_readers

DELIMITERS = "!$&'()*+,;=:@/?#[]"


# --- RFC 3986 section 6.2.2.2: only unreserved characters are decoded ---


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("etcd://a%2Cb,c/", "etcd://a%2Cb,c/"),
        ("http://plus%2bplus/", "http://plus%2Bplus/"),  # rfc3986 2.0, hyperlink 21, yarl 1.25
        ("foo://u%2Bv@h/", "foo://u%2Bv@h/"),
        ("foo://u:a%3Ab@h/", "foo://u:a%3Ab@h/"),
        # the League's table of texts
        (
            "http://a_.!~*'(-)n0123Di%25%26:pass;:&=+$,word@www.zend.com",
            "http://a_.!~*'(-)n0123Di%25%26:pass;:&=+$,word@www.zend.com/",
        ),
        ("imap://a%26b@h/", "imap://a%26b@h/"),
        ("mongodb://%2Ftmp%2Fa%2Cb%7e/", "mongodb://%2Ftmp%2Fa%2Cb~/"),
        ("http://%41%2D@h/", "http://A-@h/"),
        ("file:///a%40b%3a%2B%2c%7e%2f%20%3f", "file:///a@b:+,~%2F%20%3F"),  # a file's name has no delimiters
    ],
)
def test_normal_form(text, normal):
    assert normalize(text) == normal == normalize(normal)


@pytest.mark.parametrize("scheme", sorted(urlsm.schemes.known()))
def test_no_escaped_delimiter_of_an_authority_is_decoded(scheme):
    for delimiter in DELIMITERS:
        escape = f"%{ord(delimiter):02x}"
        for authority in (f"u{escape}v@h", f"u:p{escape}w@h", f"h{escape}g"):
            found = urlsm.split(normalize(f"{scheme}://{authority}/"), dialect="rfc3986").authority
            assert found is None or escape in found.lower(), delimiter


@given(st.one_of(urls(), any_text()), st.sampled_from(GRAMMARS), st.sampled_from([None, "rfc3986"]))
@example("foo://EXAMPLE.com/%2e%2e/./a%2", "rfc3986", "rfc3986")
@example("foo:/.//x/..//y", "rfc3986", "rfc3986")
@example("a%:b", "rfc3986", None)
@example("1:/..//x", "rfc3986", None)
@example("mailto:a@B%2fC@%41?to=x", "rfc3986", None)
@example("urn:uuid:%41", "rfc3986", None)
def test_the_normal_form_is_its_own(text, dialect, generic):
    normal = normalize(text, dialect=dialect, generic=generic)
    assert normalize(normal, dialect=dialect, generic=generic) == normal
    assert (
        equivalent(text, normal, dialect=dialect, generic=generic)
        or text.startswith(("http", "HTTP"))
        or dialect != "rfc3986"
    )


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("foo://EXAMPLE.com/a/../b", "foo://example.com/b"),
        ("FOO://U@H:080/./%7e", "foo://U@h:80/~"),
        ("foo:a/../b", "foo:a/../b"),
        ("foo:/a/..//b", "foo:/.//b"),
        ("http://H/", "http://h/"),  # has a handler
        ("s3://b/a/../c", "s3://b/a/../c"),
    ],
)
def test_generic_is_section_6_2_2_in_full(text, normal):
    assert normalize(text, generic="rfc3986") == normal
    assert equivalent(text, normal, generic="rfc3986")


def test_the_default_keeps_what_may_mean_something():
    assert normalize("foo://EXAMPLE.com/a/../b") == "foo://EXAMPLE.com/a/../b"
    assert not equivalent("foo://EXAMPLE.com/", "foo://example.com/")


def test_another_generic_is_refused():
    for wrong in ("rfc2396", "", True, b"rfc3986"):
        with pytest.raises(ValueError, match="generic must be None or 'rfc3986'"):
            normalize("http://h/", generic=wrong)
        with pytest.raises(ValueError, match="generic must be None or 'rfc3986'"):
            equivalent("foo:a", "foo:a", generic=wrong)


# --- one host, several spellings ---

AUTHORITY_SCHEMES = ["http", "https", "ftp", "ws", "redis", "ldap", "foo", "mongodb", "ssh", "s3", "coap"]


@pytest.mark.parametrize("scheme", AUTHORITY_SCHEMES)
def test_the_spellings_of_an_ipv6_address_are_one_host(scheme):
    """RFC 5952; uri-js, fast-uri, fluent-uri and yarl normalise; w3lib#308"""
    spellings = ["::1", "0:0:0:0:0:0:0:1", "::0001", "0::0.0.0.1"]
    for one in spellings:
        assert equivalent(f"{scheme}://[{one}]/", f"{scheme}://[::1]/")
        assert equivalent(f"{scheme}://[{one.upper()}]/", f"{scheme}://[::1]/")
    assert not equivalent(f"{scheme}://[::2]/", f"{scheme}://[::1]/")
    assert not equivalent(f"{scheme}://[::1%25a]/", f"{scheme}://[::1]/")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("mongodb://[0::1]:1,[::1]:2/", "mongodb://[::1]:1,[0:0::1]:2/"),
        ("sip:a@[0::1]", "sip:a@[::1]"),
        ("stun:[0::1]:3478", "stun:[::1]"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://BÜCHER.example/", "HTTP://XN--BCHER-KVA.EXAMPLE:80"),
        ("ftp://bücher.example/", "ftp://xn--bcher-kva.example/"),
        ("mailto:a@bücher.example", "mailto:a@xn--bcher-kva.example"),
        ("mailto:a@b%C3%BCcher.example", "mailto:a@xn--bcher-kva.example"),
        ("mailto:a@B.EXAMPLE", "mailto:a@b.example"),
        ("mailto:?to=a@B.EXAMPLE", "mailto:a@b.example"),
        ("urn:uuid:F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
        ("URN:UUID:F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6#a", "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
        ("file:///a%40b", "file:///a@b"),  # inspect_ai#3658: from_path writes %40
    ],
)
def test_equivalent(a, b):
    assert equivalent(a, b) and equivalent(b, a) and equivalent(a.encode(), b.encode())


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("mailto:A@b.example", "mailto:a@b.example"),  # the local part keeps its case
        ("urn:uuid:ABC", "urn:uuid:abc"),  # not a UUID
        ("urn:isbn:A", "urn:isbn:a"),
        ("foo://bücher/", "foo://xn--bcher-kva/"),  # what a host is there is unknown
        ("s3://bücher/k", "s3://xn--bcher-kva/k"),  # a bucket
        ("http://straße.example/", "http://xn--strae-oqa.example/"),  # IDNA 2003 reads strasse.example
        ("http://straße.example/", "http://strasse.example/"),
        ("http://ｅxample.com/", "http://example.com/"),  # a disguise
        ("http://%65xample.com/", "http://example.com/"),  # readers that do not decode ask another host
        ("http://a%2Eb/", "http://a.b/"),
        ("http://127.1/", "http://127.0.0.1/"),
        ("file:///a%2Fb", "file:///a/b"),
        ("file:///a%3Fb", "file:///a?b"),
    ],
)
def test_not_equivalent(a, b):
    assert not equivalent(a, b) and not equivalent(b, a)


HOSTS = st.sampled_from(
    [
        *("h", "H", "a.b", "a%2eb", "%61.b", "[::1]", "[0::1]", "[::0:1]", "bücher.de", "xn--bcher-kva.de"),
        *("XN--BCHER-KVA.DE", "straße.de", "xn--strae-oqa.de", "a;b", "a%3Bb", "a\\b", "a%5Cb", "a,b", "a%2Cb", ""),
        *("127.1", "127.0.0.1", "a_b", "a%40b", "ｈ"),
    ]
)
USERS = st.sampled_from(
    ["", "u@", "u%3Bv@", "u;v@", "u%5Cv@", "u\\v@", "u:p@", "u%3Ap@", "%75@", "@", "a%40b@", "a/b@"]
)
PORTS = st.sampled_from(["", ":", ":80", ":080", ":443", ":81", ":8o"])
PATHS = st.sampled_from(["", "/", "/a", "/%61", "/./a", "/a/../a", "\\a", ";x", "?q", "#f"])
LINKS = st.builds(
    "".join, st.tuples(st.sampled_from(["http://", "https://", "HTTP://", "http:"]), USERS, HOSTS, PORTS, PATHS)
)


@given(LINKS, LINKS)
@example("http://u%3Bv@h/", "http://u;v@h/")
@example("http://%65x.com/", "http://ex.com/")
@example("http://a%5Cb/", "http://a\\b/")
def test_equivalent_links_are_of_one_host_to_every_reader(a, b):
    if equivalent(a, b):
        one, other = compare_readers(a).views, compare_readers(b).views
        for dialect in one:
            refused = one[dialect].refusal, other[dialect].refusal
            assert one[dialect].host == other[dialect].host or (refused != (None, None) and not (a + b).isascii()), (
                dialect
            )


# --- citations ---


@pytest.mark.parametrize(
    ("text", "code", "component", "position", "reference"),
    [
        ("foo://h:99999/", "port-out-of-range", "port", 8, "RFC 6335 section 6"),
        ("http://h:65536/", "port-out-of-range", "port", 9, "RFC 6335 section 6"),
        ("nats://a:99999,b:1", "port-out-of-range", "port", 9, "RFC 6335 section 6"),
        ("spiffe://Example.org/x", "spiffe-trust-domain-invalid", "host", 9, "SPIFFE-ID section 2.1"),
        ("mailto:?to=Hello", "mailto-address-invalid", "query", 11, "RFC 6068 section 2"),
        ("mailto:?to=a@b,%20Hello", "mailto-address-invalid", "query", 18, "RFC 6068 section 2"),
        ("mailto:a@b?To=%22x%2Cy%22", "mailto-address-invalid", "query", 14, "RFC 6068 section 2"),
    ],
)
def test_a_violation_cites_what_says_so(text, code, component, position, reference):
    found = {(v.code, v.component, v.position, v.reference) for v in urlsm.validate(text)}
    assert (code, component, position, reference) in found


@pytest.mark.parametrize(
    "text",
    [
        "mailto:?to=a@b",
        "mailto:?to=a@b,c@d",
        "mailto:?to=Ann%20%3Ca@b%3E",
        "mailto:?to=",
        "http://h:65535/",
        "spiffe://example.org/x",
    ],
)
def test_what_is_right_is_not_blamed(text):
    assert not [v for v in urlsm.validate(text) if v.severity == "error"]


def test_many_wrong_receivers_take_linear_time():
    assert len(urlsm.validate("mailto:?to=" + "é<," * 20_000)) > 20_000
