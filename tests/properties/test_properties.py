"""What holds for any text: only ParseError or TypeError, nothing smuggled, everything comes back."""

from __future__ import annotations

import copy
import pickle
import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from support import standard
from support.checks import COMPONENTS, attributes, check_url, components, unescape
from support.generate import BASES, any_text, references, urls

import urlsm
from urlsm import URL, Components, ParseError, QueryParams, can_parse, parse, resolve, split, try_parse, unsplit

DIALECTS = ["whatwg", "rfc3986", "rfc3987", "rfc2396", "rfc1738", "barth", "stdlib"]


def parsed(texts: st.SearchStrategy[str]) -> st.SearchStrategy[URL]:
    return texts.map(try_parse).filter(lambda url: url is not None)


def some_urls() -> st.SearchStrategy[URL]:
    return parsed(st.one_of(urls(), st.sampled_from(BASES)))


# --- parse ---


@given(any_text(), st.one_of(st.none(), any_text(), st.sampled_from(BASES)))
def test_any_str_gives_a_url_or_parse_error(text, base):
    try:
        url = parse(text, base=base)
    except ParseError as error:
        assert str(error) and repr(error) and error.position >= 0 and error.code and error.state and error.reference
        assert try_parse(text, base=base) is None and not can_parse(text, base=base)
    else:
        check_url(url)
        assert try_parse(text, base=base) == url and can_parse(text, base=base)


@given(
    st.one_of(st.binary(max_size=60), any_text().map(lambda text: text.encode("utf-8", "surrogatepass"))),
    st.sampled_from([None, *BASES]),
)
def test_any_bytes_are_their_utf_8_text(octets, base):
    text = octets.decode("utf-8", "replace")
    assert try_parse(octets, base=base) == try_parse(text, base=base)
    assert can_parse(octets, base=base) is can_parse(text, base=base)
    assert try_parse("https://h/x", base=octets) == try_parse("https://h/x", base=text)
    try:
        parse(octets, base=base)
    except ParseError as error:
        assert 0 <= error.position <= len(octets) and str(error)


@given(urls())
def test_a_lone_surrogate_counts_as_u_fffd(text):
    assert try_parse(text) == try_parse(standard.scalar_values(text))


@pytest.mark.parametrize(
    "value", [None, 1, 1.5, bytearray(b"http://h"), memoryview(b"http://h"), ["http://h"], object(), type]
)
def test_anything_but_text_is_a_type_error(value):
    for call in (parse, try_parse, can_parse, URL, split, urlsm.explain, parse("http://h").join):
        with pytest.raises(TypeError):
            call(value)
    with pytest.raises(TypeError):
        urlsm.validate(value, dialect="whatwg")
    if value is not None:
        for call in (parse, try_parse, can_parse, URL):
            with pytest.raises(TypeError):
                call("http://h", value)


@given(references(), some_urls())
def test_join_is_parse_with_a_base_and_resolve_its_text(ref, base):
    wanted = try_parse(ref, base=base)
    assert try_parse(ref, base=base.href) == wanted == try_parse(ref, base=base.href.encode())
    if wanted is None:
        with pytest.raises(ParseError):
            base.join(ref)
        with pytest.raises(ParseError):
            resolve(ref, base=base)
    else:
        assert base.join(ref) == wanted
        assert resolve(ref, base=base) == resolve(ref, base=base.href) == wanted.href
        check_url(wanted)


@given(some_urls(), some_urls())
def test_a_url_is_its_own_reference_to_any_base(url, base):
    if not (url.scheme == base.scheme and not url.path.startswith("/")):
        assert base.join(url.href) == url == base.join(url)


@given(some_urls(), references())
def test_relative_to_is_undone_by_join(base, ref):
    url = try_parse(ref, base=base)
    assume(url is not None)
    reference = url.relative_to(base)
    assert base.join(reference) == url
    assert len(reference) <= len(url.href)


@given(some_urls(), some_urls())
def test_relative_to_any_other_url_is_undone_by_join(url, base):
    assert base.join(url.relative_to(base)) == url


# --- the value ---


@given(some_urls(), some_urls())
def test_order_equality_and_hash_are_those_of_the_text(one, two):
    assert (one < two, one <= two, one == two, one != two, one > two, one >= two) == (
        one.href < two.href,
        one.href <= two.href,
        one.href == two.href,
        one.href != two.href,
        one.href > two.href,
        one.href >= two.href,
    )
    assert len({one, two}) == len({one.href, two.href})
    assert sorted([one, two]) == [parse(text) for text in sorted([one.href, two.href])]


@given(some_urls())
def test_a_url_cannot_be_changed(url):
    before = attributes(url)
    for name in (*before, "anything", "__class__"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(url, name, "x")
        with pytest.raises((AttributeError, TypeError)):
            delattr(url, name)
    assert attributes(url) == before and url.__dict__ == url.href  # a text, so there are no attributes to change


@given(some_urls())
def test_display_and_repr_hold_no_password(url):
    secret = "qWeRtYsEcReT"
    if not url.host or url.scheme == "file":
        return
    url = url.replace(password=secret)
    for text in (repr(url), url.display(), f"{url!r}"):
        assert secret not in text
    assert secret in str(url) and secret not in str(url.without_credentials())
    assert "***" in repr(url)


# --- changes ---

TEXT_COMPONENTS = ("scheme", "username", "password", "host", "path", "query", "fragment")


def as_asked(url: URL, name: str, value: str | None) -> object:
    """Return what the component has to be, decoded, after it was set to value."""
    if not value and (value is None or name in ("username", "password", "path")):
        return None if name != "path" else "/" if url.scheme in standard.SPECIAL else ""
    if name == "scheme":
        return value.lower()
    text = re.sub("[\ud800-\udfff]", lambda m: m[0] if "\udc80" <= m[0] <= "\udcff" else "\ufffd", value)
    octets = standard.percent_decode(text.encode("utf-8", "surrogateescape"))
    return octets.decode("utf-8", "surrogateescape")


def check_changed(before: URL, after: URL, name: str, value: object) -> None:
    """Check that after is before with only that component changed as requested."""
    check_url(after)
    others = {other: found for other, found in components(before).items() if other != name}
    if name == "scheme" and before.port is not None and before.port == standard.SPECIAL.get(after.scheme):
        others["port"] = None  # the new scheme's default, as in the URL Standard's protocol setter
    assert others == {other: found for other, found in components(after).items() if other != name}, (
        before,
        after,
        name,
        value,
    )
    found = getattr(after, name)
    if name == "port":
        default = standard.SPECIAL.get(before.scheme)
        assert found == (None if value == default else value)
    elif name == "host" and value:
        errors: list[str] = []
        wanted = standard.parse_host(standard.scalar_values(value), before.scheme not in standard.SPECIAL, errors)
        assert found == ("" if before.scheme == "file" and wanted == "localhost" else wanted)
    else:
        assert (None if found is None else unescape(found)) == as_asked(before, name, value), (
            before,
            after,
            name,
            value,
        )


@given(some_urls(), st.sampled_from(TEXT_COMPONENTS), st.one_of(st.none(), any_text()))
@example(parse("foo:bar"), "username", "u")
@example(parse("foo:/bar"), "password", "p")
@example(parse("foo:///bar"), "username", "u")
@example(parse("http://h:443/"), "scheme", "https")
@example(parse("foo:/bar"), "path", "//x/y")
@example(parse("foo:bar"), "path", "/x")
@example(parse("http://h/"), "path", "x")
@example(parse("http://h/"), "path", "\\\\x")
@example(parse("http://h/"), "host", "x/y@z")
@example(parse("http://h/"), "host", "x:80")
@example(parse("foo://h/"), "host", "%zz\\x")
@example(parse("file:///C:/"), "host", "C|")
@example(parse("http://h/"), "query", "x#y")
@example(parse("http://h/"), "fragment", "\t\n")
@example(parse("foo:a ?q"), "query", None)
@example(parse("foo:a"), "path", "a ")
def test_replace_gives_what_was_asked_or_value_error(url, name, value):
    try:
        changed = url.replace(**{name: value})
    except ValueError:
        return
    check_changed(url, changed, name, value)


@given(some_urls(), st.one_of(st.none(), st.integers(-5, 70000)))
def test_replace_of_the_port_gives_what_was_asked_or_value_error(url, port):
    try:
        changed = url.replace(port=port)
    except ValueError:
        return
    check_changed(url, changed, "port", port)


@given(
    st.sampled_from(["http://h/a?b#c", "https://u:p@h:8/", "foo://h/x"]).map(parse),
    st.sampled_from(["username", "password", "query", "fragment"]),
    any_text(),
)
def test_any_text_at_all_fits_in_these_components(url, name, value):
    """With a host, user, password, query and fragment can hold every text."""
    check_changed(url, url.replace(**{name: value}), name, value)


def without_stray_percent(url: URL) -> bool:
    """Return whether url has only "%" that begin an escape: replace() and "/" write "%25" for others."""
    return not re.search("%(?![0-9A-Fa-f]{2})", url.href)


@given(some_urls().filter(without_stray_percent))
def test_replace_with_what_is_there_changes_nothing(url):
    assert url.replace() is url or url.replace() == url
    for name, value in components(url).items():
        assert url.replace(**{name: value}) == url, name
    assert url.replace(**{name: value for name, value in components(url).items() if value is not None}) == url


@given(some_urls(), any_text())
def test_a_component_that_does_not_exist_is_a_type_error(url, name):
    assume(name not in COMPONENTS)
    with pytest.raises(TypeError):
        url.replace(**{name: "x"})


@given(some_urls(), any_text())
@example(parse("http://h/a"), "..")
@example(parse("http://h/a"), "%2E.")
@example(parse("http://h/a"), "a/b\\c?d#e")
@example(parse("file:///"), "C|")
@example(parse("foo:/"), "")
@example(parse("foo://h"), "x")
def test_truediv_adds_one_segment_or_raises_value_error(url, segment):
    try:
        longer = url / segment
    except ValueError:
        return
    check_url(longer)
    kept = url.segments[:-1] if url.segments[-1:] == ("",) else url.segments
    meant = re.sub("[\ud800-\udfff]", lambda m: m[0] if "\udc80" <= m[0] <= "\udcff" else "\ufffd", segment)
    assert longer.segments == (*kept, as_octets(meant)), (url, segment, longer)
    assert longer.query is None and longer.fragment is None
    assert {name: getattr(longer, name) for name in COMPONENTS[:5]} == {
        name: getattr(url, name) for name in COMPONENTS[:5]
    }


@given(parsed(st.sampled_from(["http://h/a/b", "http://h", "foo://h/a/", "foo:/a"])), st.lists(any_text(), max_size=4))
def test_segments_come_back_from_truediv(url, names):
    """Decoded segments, even hostile ones, go in by "/" and come out of .segments."""
    assume(not any(name in (".", "..") for name in names))
    start = url
    for name in names:
        url = url / name
    kept = start.segments[:-1] if start.segments[-1:] == ("",) and names else start.segments
    wanted = [
        re.sub("[\ud800-\udfff]", lambda m: m[0] if "\udc80" <= m[0] <= "\udcff" else "\ufffd", name) for name in names
    ]
    if "" in names[:-1]:
        return  # an empty last segment is the place of the next one
    assert list(url.segments) == [as_octets(part) for part in (*kept, *wanted)]


def as_octets(text: str) -> str:
    """Return text with lone surrogates that stand for octets decoded, if side by side they are UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


PAIRS = st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), max_size=5)


@given(some_urls(), PAIRS)
def test_with_query_comes_back_from_query_params(url, pairs):
    changed = url.with_query(pairs)
    check_url(changed)
    assert list(changed.query_params.items()) == pairs
    assert changed.query_params == QueryParams(pairs) == QueryParams.parse(changed.query or "")
    assert changed.replace(query=url.query) == url or not without_stray_percent(url)
    assert url.with_query(None).query is None


@given(
    some_urls(),
    st.dictionaries(
        st.text(max_size=5),
        st.one_of(st.text(max_size=5), st.integers(), st.lists(st.text(max_size=5), max_size=3)),
        max_size=4,
    ),
)
def test_with_query_takes_a_mapping_and_lists(url, mapping):
    wanted = [
        (name, str(one)) for name, value in mapping.items() for one in (value if isinstance(value, list) else [value])
    ]
    assert list(url.with_query(mapping).query_params.items()) == wanted


@given(some_urls())
def test_without_credentials_and_without_fragment(url):
    bare = check_url(url.without_credentials())
    assert bare.username is None and bare.password is None
    assert {**components(bare), "username": 0, "password": 0} == {**components(url), "username": 0, "password": 0}
    bare = check_url(url.without_fragment())
    assert components(bare) == {**components(url), "fragment": None}


# --- split ---

APPENDIX_B = re.compile(r"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?", re.DOTALL)


def split_authority(authority: str | None) -> dict[str, str | None]:
    """User information: up to the last "@"; host and port: by Barth's draft 3.3; user: up to the first ":"."""
    found: dict[str, str | None] = dict.fromkeys(("userinfo", "username", "password", "host", "port"))
    if authority is None:
        return found
    userinfo, at, rest = authority.rpartition("@")
    if at:
        username, colon, password = userinfo.partition(":")
        found |= {"userinfo": userinfo, "username": username, "password": password if colon else None}
    host, colon, port = rest.rpartition(":")
    if not colon or (rest.startswith("[") and "]" in rest and rest.rindex(":") < rest.rindex("]")):
        host, port = rest, None
    return {**found, "host": host, "port": port}


def fields(c: Components) -> dict[str, object]:
    return {
        name: getattr(c, name)
        for name in ("scheme", "userinfo", "username", "password", "host", "port", "path", "query", "fragment")
    }


@pytest.mark.parametrize("dialect", ["rfc3986", "rfc2396"])
@given(any_text())
@example("a:b:c")
@example(":b")
@example("//[::1]:@:1/")
@example("//u:p@h:1:2")
@example("http://h\n#\n")
def test_the_rfcs_split_is_appendix_b(dialect, text):
    match = APPENDIX_B.match(text)
    assert match is not None
    found = split(text, dialect=dialect)
    wanted = {
        "scheme": match[2],
        "path": match[5],
        "query": match[7],
        "fragment": match[9],
        **split_authority(match[4]),
    }
    assert fields(found) == wanted
    assert found.authority == match[4]
    assert unsplit(found) == text == found.text


@given(st.sampled_from(["", "http:", "WAIS:", "ftp:", "mailto:", "News:", "x:"]), any_text())
def test_rfc1738_split_is_appendix_b_but_for_queries(scheme, text):
    """Only http and wais have a query; after mailto: and news: there is no authority either."""
    text = scheme + text
    found, other = split(text, dialect="rfc1738"), split(text, dialect="rfc3986")
    name = (other.scheme or "").lower()
    if name in ("mailto", "news"):
        rest = other.rest.partition("#")
        assert (found.path, found.fragment) == (rest[0], rest[2] if rest[1] else None)
        assert found.host is None and found.query is None
    elif name in ("", "http", "wais"):
        assert fields(found) == fields(other)
    else:
        match = re.match("(?://([^/#]*))?([^#]*)(?:#(.*))?", other.rest, re.DOTALL)
        assert match is not None and found.query is None
        wanted = {"scheme": other.scheme, "path": match[2], "query": None, "fragment": match[3]}
        assert fields(found) == {**wanted, **split_authority(match[1])}


NOT_HIERARCHICAL = frozenset(
    re.findall(
        r"\S+",
        "mailto news urn data javascript about blob tel sms magnet geo sip sips xmpp view-source "
        "hdl dns stun stuns turn turns jdbc",
    )
)
SPACES = "".join(map(chr, range(0x21)))


def barth(text: str) -> dict[str, object] | None:
    """draft-abarth-url-00, 3.1 to 3.4, step by step; None: "The URL is invalid"."""
    found: dict[str, object] = {**split_authority(None), **dict.fromkeys(("scheme", "path", "query", "fragment"))}
    text = text.strip(SPACES)
    if ":" not in text:
        return None
    scheme, _, rest = text.partition(":")
    if re.fullmatch("[A-Za-z]", scheme):  # a Windows drive
        return found | path_and_after(text)
    found["scheme"] = scheme
    if scheme.lower() in NOT_HIERARCHICAL:
        return found | {"path": rest}
    if scheme.lower() == "file":
        if not re.match(r"[/\\]{2}", rest):
            return found | path_and_after(rest)
        host, after = re.fullmatch(r"([^/\\?#]*)(.*)", rest[2:], re.DOTALL).groups()
        if re.fullmatch(r"[A-Za-z][:|]", host):
            return found | {"host": ""} | path_and_after(rest[2:])
        return found | {"host": host} | (path_and_after(after) if after else {"path": None})
    authority, after = re.fullmatch(r"([^/\\?#;]*)(.*)", rest.lstrip("/\\"), re.DOTALL).groups()
    return found | split_authority(authority) | (path_and_after(after) if after else {"path": None})


def path_and_after(text: str) -> dict[str, object]:
    rest, hash_, fragment = text.partition("#")
    path, question, query = rest.partition("?")
    return {"path": path, "query": query if question else None, "fragment": fragment if hash_ else None}


@given(any_text())
@example("http:\\\\/u:p@h:1;x?y#z")
@example("c:\\x")
@example("file://C|/x")
@example("file:x")
@example("file:")
@example("file://h")
@example("http:")
@example("http:?x")
@example(":x")
@example("MAILTO:a?b#c")
def test_barth_split_is_the_drafts_steps(text):
    wanted = barth(text)
    if wanted is None:
        with pytest.raises(ParseError):
            split(text, dialect="barth")
    else:
        assert fields(split(text, dialect="barth")) == wanted


@given(any_text(), st.sampled_from(DIALECTS))
@example("/.//x", "whatwg")
@example("C|/x", "barth")
@example("http:x", "whatwg")
@example("file:x", "whatwg")
@example("foo:/\t/x", "whatwg")
def test_split_of_unsplit_gives_the_components_back(text, dialect):
    try:
        found = split(text, dialect=dialect)
    except ParseError:
        assert dialect == "barth"
        return
    again = split(unsplit(found), dialect=dialect)
    assert fields(again) == fields(found), (text, unsplit(found))
    assert again == found and hash(again) == hash(found)
    # made by keyword, it is the same; pickled and copied too
    made = Components(**fields(found), dialect=dialect)
    assert made == found and unsplit(made) == unsplit(found)
    for same in (
        copy.copy(found),
        copy.deepcopy(found),
        pickle.loads(pickle.dumps(found)),
        pickle.loads(pickle.dumps(made)),
    ):
        assert same == found and fields(same) == fields(found)


@given(any_text(), st.sampled_from(DIALECTS))
def test_split_of_bytes_gives_the_same_in_bytes(text, dialect):
    octets = text.encode("utf-8", "surrogatepass")
    try:
        found = split(text, dialect=dialect)
    except ParseError:
        with pytest.raises(ParseError):
            split(octets, dialect=dialect)
        return
    wanted = {
        name: None if part is None else part.encode("utf-8", "surrogatepass") for name, part in fields(found).items()
    }
    assert fields(split(octets, dialect=dialect)) == wanted
    assert split(octets, dialect=dialect).text == octets


@given(any_text(), st.sampled_from(DIALECTS))
def test_span_is_where_the_component_stands(text, dialect):
    try:
        found = split(text, dialect=dialect)
    except ParseError:
        return
    for name, part in fields(found).items():
        span = found.span(name)
        assert (span is None) == (part is None)
        if span is not None:
            written = text[slice(*span)]
            assert written == part or (dialect in ("whatwg", "stdlib") and re.sub("[\t\n\r]", "", written) == part), (
                text,
                name,
                span,
            )


@given(urls())
def test_whatwg_split_sees_what_parse_sees(text):
    """The raw components, joined again and parsed, are the URL."""
    url = try_parse(text)
    assume(url is not None)
    found = split(text)
    assert parse(unsplit(found)) == url, (text, unsplit(found))
    assert found.scheme.lower() == url.scheme
    assert (found.fragment is None, found.query is None) == (url.fragment is None, url.query is None)
    assert (found.username or found.password or "") != "" or (url.username is None and url.password is None)


@given(some_urls())
def test_all_dialects_but_barth_read_a_normal_url_alike(url):
    """After parse, all agree: RFC 3986 finds the same host, port and so on."""
    found = split(url.href, dialect="rfc3986")
    seen = {**fields(found), "port": found.port and int(found.port), "userinfo": None}
    path = "/." + url.path if url.path.startswith("//") and url.host is None else url.path
    assert {**seen, "username": found.username or None} == {**components(url), "path": path, "userinfo": None}
