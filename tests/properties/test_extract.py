"""extract, unwrap and base_url: properties that hold for any text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from math import log
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.checks import check_url
from support.generate import any_text, urls
from support.times import least_seconds

from urlsm import parse, try_parse
from urlsm.documents import base_url, extract_urls, unwrap

WORDS = """
http:// https:// HTTP:// ftp:// xhttp:// foo:// git+ssh:// mailto: tel: urn: news: data: about: javascript: blob: geo:
magnet: file: jdbc: URL: url: a.org www. www.a.org b.com [::1] :80 @ / // ? # & = % a b1 -b ../x é 日 。 ， （ ） “ ”
< > << >> " ' ( ) [ ] { } [/ \\ ` | , . ; : ! * _ ~ ^ + - &gt; &amp; &; isbn: a@b.c 1,2 text/plain, blank void(0
"""
SPACES = [
    " ",
    "\n",
    "\t",
    "\r\n",
    "  ",
    "-\n",
    "\0",
    "\x7f",
    "\x85",
    "\xa0",
    "\u3000",
    "\u200b",
    "\ud800",
    "\U0001f600",
]
PIECES = st.sampled_from([*WORDS.split(), *SPACES])
TEXTS = st.one_of(st.lists(PIECES, max_size=30).map("".join), any_text(), st.text())
BASES = st.sampled_from([None, "http://h/a/b?c", "mailto:x", "foo://h/"])


@given(TEXTS, BASES, st.booleans())
def test_matches_stand_in_the_text_in_order_and_are_urls(text, base, guess):
    end = 0
    for match in extract_urls(text, base=base, guess_scheme=guess):
        assert end <= match.start < match.end <= len(text)
        end = match.end
        assert unwrap(text[match.start : match.end]) == match.text or match.text[0] in "'\""
        assert match.text and not re.search(r"[\s<>\"]", match.text)
        wrapped = re.match(r"\s*>", text[end:]) and re.search(r"<\s*(?:url:\s*)?$", text[: match.start], re.IGNORECASE)
        if not wrapped:
            assert text[match.start : match.end] == match.text
            assert match.text[-1] not in ".,;:!?'|([{"
        if match.guessed:
            assert guess and match.url == parse(f"http://{match.text}")
        else:
            assert match.url == (parse(match.text, base=base) if wrapped else parse(match.text))
        check_url(match.url)


@given(TEXTS, BASES, st.booleans())
def test_what_was_found_is_found_again_by_itself(text, base, guess):
    for match in extract_urls(text, base=base, guess_scheme=guess):
        alone = list(extract_urls(match.text, guess_scheme=guess))
        start, end = match.start, match.end
        wrapped = re.match(r"\s*>", text[end:]) and re.search(r"<\s*(?:url:\s*)?$", text[:start], re.IGNORECASE)
        if wrapped and not match.guessed:
            [again] = extract_urls(f"<URL:{match.text}>", base=base, guess_scheme=guess)
            assert (again.text, again.url) == (match.text, match.url)
        else:
            assert [(m.text, m.url, m.start, m.end, m.guessed) for m in alone] == [
                (match.text, match.url, 0, len(match.text), match.guessed)
            ]


@given(TEXTS, BASES, st.booleans())
def test_bytes_give_what_their_text_gives(text, base, guess):
    text = text.encode("utf-8", "replace").decode()
    octets = text.encode()
    from_text, from_octets = (
        list(extract_urls(text, base=base, guess_scheme=guess)),
        list(extract_urls(octets, base=base, guess_scheme=guess)),
    )
    assert [(m.text, m.url, m.guessed) for m in from_text] == [(m.text, m.url, m.guessed) for m in from_octets]
    for one, other in zip(from_text, from_octets, strict=True):
        assert text[: one.start].encode() == octets[: other.start] and text[: one.end].encode() == octets[: other.end]


@given(st.binary())
def test_any_bytes_will_do(octets):
    for match in extract_urls(octets, guess_scheme=True):
        assert unwrap(octets[match.start : match.end]) == match.text


@given(TEXTS, BASES)
def test_guessing_changes_nothing_beside_the_guesses(text, base):
    found = list(extract_urls(text, base=base, guess_scheme=True))
    guesses = [match for match in found if match.guessed]
    plain = [m for m in extract_urls(text, base=base) if not any(g.start <= m.start < g.end for g in guesses)]
    assert [match for match in found if not match.guessed] == plain


@given(TEXTS, TEXTS)
def test_white_space_is_a_wall(one, other):
    one, other = one.replace("<", "("), other.replace("<", "(")  # but not within angle brackets
    both = f"{one} \n{other}"
    apart = [*extract_urls(one), *extract_urls(other)]
    assert [(m.text, m.url) for m in extract_urls(both)] == [(m.text, m.url) for m in apart]


@given(urls(), st.sampled_from(["{}", "see {} there", "<{}>", "({})", '"{}"', "<URL:{}>", "é {}\n"]))
def test_any_ordinary_url_is_found_whole(text, form):
    url = try_parse(text)
    if url is None or url.scheme not in ("http", "https", "ws", "wss", "ftp") or url.username or url.password:
        return
    text = re.sub(r"[^A-Za-z0-9/?#=&%:.\[\]-]", "", url.href)
    if try_parse(text) is None or not re.fullmatch(
        r"\w+://(?:[a-zA-Z0-9][a-zA-Z0-9.-]*|\[[0-9a-f:]+])[/?][^\[\]]*[^.,;:!?]", text
    ):
        return
    assert [match.text for match in extract_urls(form.format(text))] == [text]


@given(TEXTS)
def test_unwrap_leaves_no_white_space_and_nothing_to_do(text):
    bare = unwrap(text)
    assert unwrap(bare) == bare == "".join(bare.split())
    assert unwrap(f"<{text}>") == unwrap(f"<URL:{text}>") == bare
    assert unwrap(f'"{text}"') == bare


# --- base_url ---

TAG_PIECES = """
<base href=/x> <base href='/y'> <base> <BASE target=z href="http://z/"> <p> </p> <p title='> <p title=" '> "> <!-- -->
<script> </script> <style> </style> <title> </title> <textarea> </textarea> <!--> <!doctype> <template> </template>
< > </ <! <? <b / = ' " - ! x &amp; href=/x <base <base/href=/w> é \ud800 \0
"""
TAGS = st.sampled_from([*TAG_PIECES.split(), " ", "\n"])
DOCUMENTS = st.one_of(st.lists(TAGS, max_size=20).map("".join), st.text())


@given(DOCUMENTS, st.sampled_from([None, "http://h/a#b", "mailto:x#y"]))
def test_any_document_has_a_base_or_none(document, retrieved):
    found = base_url(document, url=retrieved)
    if found is None:
        assert retrieved is None
    else:
        check_url(found)
        assert found.fragment is None and found.scheme not in ("data", "javascript")
    if not re.search("[\ud800-\udfff]", document) and document[:1] != "\ufeff":
        assert base_url(document.encode(), url=retrieved) == found


@given(st.binary())
def test_any_octets_are_a_document(document):
    assert base_url(document, default="http://h/") is not None


class Bases(HTMLParser):
    """The standard library's view of the first <base href>."""

    href: str | None = None
    templates = 0

    def handle_starttag(self, tag, attrs):
        names = dict(reversed(attrs))
        if tag == "template":
            self.templates += 1
        elif tag == "base" and "href" in names and self.href is None and not self.templates:
            self.href = names["href"] or ""

    def handle_endtag(self, tag):
        if tag == "template" and self.templates:
            self.templates -= 1


WELL_FORMED = """
<base href=/x> <base href='/y'> <base> <BASE target=z href="http://z/"> <p> </p> <p/title='<base'> <b title=">"> x &amp;
<!--<p>--> <script><base></script> <style>x</style> <template> </template> <!doctype> <base/href=/w> <basex/href=/v>
"""
WHOLE = st.sampled_from(WELL_FORMED.split())


@given(st.lists(WHOLE, max_size=12).map(" ".join))
def test_well_formed_documents_are_read_as_the_standard_library_reads_them(document):
    reader = Bases()
    reader.feed(document)
    reader.close()
    assert base_url(document, url="http://h/") == parse(reader.href or "", base="http://h/")


# --- time ---

UNIT_WORDS = """
http:// http://a < <<http:// <URL: <URL:a <URL:a> ( ) [ [/ { a: : a:a: www. . a. mailto: mailto:a mailto:a@ sip:a tel:1
urn:a data:/ data:, news: jdbc: blob:a: javascript:( geo:1, about: file: a+ a+b: a- a-b: a.b: x http://[ http://[: http://%
http://a( http://a,http:// http://a@ @ &a; ; & ' * 'http://a é é: 。 http://é \ud800 \U0001f600 \0 " "http://a
http://a/( http://a/) http://a/: http://a/,b:// URL: > _ http://a/... http://a?&b;
"""
SPACED = ["http://a ", "<http://a ", "www.a.com ", " ", "\n", "http://a/ <", "< ", "<\nhttp://a\n"]
UNITS = [*UNIT_WORDS.split(), *SPACED]
HEADS = ["", "http://a/", "<http://a/", "<URL:", "http://", "mailto:a@b", "é", "'http://a/", "http://%/"]
HTML_WORDS = """
< <!-- <!- <! <? </ <b <script> </script <script></script <template> </template> --> -- > ' & &# &a &#9 / a= <title></
<!--> <base/href=' <b>
"""
HTML_UNITS = [*HTML_WORDS.split(), "<b ", "<b a", "<b a=", "<b a='", "<base ", "<base href", "= "]
HTML_HEADS = ["", "<b ", "<script>", "<!--", "<base href='", "<base href=&", "<base href=&#"]


def seconds(work, text):
    return least_seconds(lambda: work(text), 3)


def assert_linear(work, head, unit):
    for _ in range(4):  # another program may have caused a steep result
        small, large = (seconds(work, head + unit * (size // len(unit)) + " '\">") for size in (1 << 16, 1 << 20))
        if large < 0.02 or log(large / small, 16) < 1.5:  # 1 is linear; long texts also cost their pages
            return
    raise AssertionError(f"{head!r}, {unit!r}: {small:.4f} s for 64 KiB, {large:.4f} s for 1 MiB")


@pytest.mark.slow(20)
@pytest.mark.parametrize("guess", [False, True])
@pytest.mark.parametrize("head", HEADS)
def test_time_is_linear(head, guess):
    for unit in UNITS:
        assert_linear(lambda text: sum(1 for _ in extract_urls(text, base="http://h/", guess_scheme=guess)), head, unit)


@pytest.mark.slow(20)
def test_the_time_of_unwrap_is_linear():
    for unit in ("<", ">", "URL:", "\n", '"', "<>", "url:<"):
        assert_linear(unwrap, "", unit)
        assert_linear(lambda text: unwrap(text + text[::-1]), "<", unit)


@pytest.mark.slow(20)
@pytest.mark.parametrize("head", HTML_HEADS)
def test_the_time_of_base_of_is_linear(head):
    for unit in HTML_UNITS:
        assert_linear(lambda text: base_url(text, url="http://h/"), head, unit)


def test_long_hostile_texts_are_done_at_once():
    # a minute and more where time is quadratic, hundredths of a second where it is not
    start = process_time()
    for unit in UNITS:
        sum(1 for _ in extract_urls(unit * (200_000 // len(unit)), guess_scheme=True))
    for unit in HTML_UNITS:
        base_url(unit * (200_000 // len(unit)), url="http://h/")
    assert process_time() - start < 30
